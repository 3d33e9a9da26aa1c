import { Loader, Skeleton, type SkeletonProps } from '@mantine/core'

import { loadingWords } from '../../domain/sentences/everywhere.ts'
import styles from './loading-text.module.css'

/** Read at once and shown after 0.3 s, over an outline. */
export function LoadingText() {
  return (
    <span className={styles['loading']} role="status" data-coming>
      <Loader size="1.1rem" aria-hidden />
      {loadingWords}
    </span>
  )
}

export function LoadingBlock(outline: SkeletonProps) {
  return (
    <>
      <LoadingText />
      <Skeleton {...outline} />
    </>
  )
}
