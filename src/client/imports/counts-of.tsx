import type { ImportCounts } from '../../contract/imports.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import styles from './imports.module.css'

type CountsOfProps = { counts: ImportCounts; isDone: boolean }

/** How many lines were, or would be, added, changed, left and refused. */
export function CountsOf({ counts, isDone }: CountsOfProps) {
  const { added, changed, unchanged, refused, copies, words } = counts
  const told: readonly (readonly [string, number])[] = [
    [isDone ? 'Ajoutées' : 'À ajouter', added],
    [isDone ? 'Modifiées' : 'À modifier', changed],
    ['Inchangées', unchanged],
    ['Refusées', refused],
    ...(copies > 0 ? [['Exemplaires', copies] as const] : []),
    ...(words > 0 ? [['Mots créés', words] as const] : []),
  ]
  return (
    <dl className={styles['counts']} aria-label="Lignes">
      {told.map(([name, count]) => (
        <div key={name} data-refused={(name === 'Refusées' && count > 0) || undefined}>
          <dt>{name}</dt>
          <dd>{frenchNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
