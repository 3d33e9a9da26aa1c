import type { FieldChange } from '../../../contract/journal.ts'
import styles from './change-list.module.css'

/** Fields that differ, each with what it was and what it became. */
export function ChangeList({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null
  return (
    <dl className={styles['changes']}>
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {before === null ? null : <del>{before}</del>}
            {before !== null && after !== null ? <span aria-hidden> → </span> : null}
            {after === null ? null : <ins>{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
