import { Loader, Skeleton, type SkeletonProps } from '@mantine/core'

import { loadingWords } from '../../domain/sentences/everywhere.ts'
import styles from './loading-text.module.css'

/** Said at once while something is drawn in outline, and seen when it takes longer than 0.3 s (file 2, « Shared interface helpers »). */
export function LoadingText() {
  return (
    <span className={styles['loading']} role="status" data-coming>
      <Loader size="1.1rem" aria-hidden />
      {loadingWords}
    </span>
  )
}

/** The outline of a part of a screen that is on its way. */
export function LoadingBlock(outline: SkeletonProps) {
  return (
    <>
      <LoadingText />
      <Skeleton {...outline} />
    </>
  )
}
