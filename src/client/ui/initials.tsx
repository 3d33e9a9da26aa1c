import { initialsOf } from '../../domain/person-names.ts'
import styles from './cover.module.css'

/** A reader's, where a title has its cover; nobody is photographed. */
export const Initials = ({ name, isLarge }: { name: string; isLarge?: boolean }) => (
  <span className={styles['initials']} data-large={isLarge || undefined} aria-hidden>
    {initialsOf(name)}
  </span>
)
