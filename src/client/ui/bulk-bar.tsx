import { Button, CloseButton } from '@mantine/core'

import styles from './filter-bar.module.css'
import { mayRun, type RowAction } from './row-actions.ts'
import { ActionMenu } from './row-buttons.tsx'
import type { Noun } from './nouns.ts'
import { counted } from './words.ts'

type BulkBarProps<Row> = {
  rows: readonly Row[]
  noun: Noun
  actions: readonly RowAction<Row>[]
  onRun: (action: RowAction<Row>, rows: readonly Row[]) => void
  onClear: () => void
}

/** What can be done with the rows that are ticked, in the place of the filters. An action says how many of them it is for. */
export function BulkBar<Row>({ rows, noun, actions, onRun, onClear }: BulkBarProps<Row>) {
  const offered = actions.flatMap((action) => {
    const its = rows.filter((row) => mayRun(action, row))
    if (!action.runAll || its.length === 0) return []
    const label = its.length === rows.length ? action.label : `${action.label} (${its.length})`
    return [{ ...action, label, run: () => onRun(action, its) }]
  })
  const inMenu = offered.filter(({ tone }) => tone === 'bad')
  const { e } = noun
  return (
    <section className={styles['line']} aria-label={`Choix\u202f: ${noun.many}`}>
      <CloseButton aria-label="Ne plus rien choisir" onClick={onClear} />
      <strong className={styles['count']} role="status">
        {counted(rows.length, `${noun.one} choisi${e}`, `${noun.many} choisi${e}s`)}
      </strong>
      {offered
        .filter(({ tone }) => tone !== 'bad')
        .map(({ key, label, Icon, run }) => (
          <Button key={key} variant="default" leftSection={<Icon size="1.2em" aria-hidden />} onClick={run}>
            {label}
          </Button>
        ))}
      {inMenu.length > 0 ? (
        <ActionMenu label="Autres actions sur le choix" actions={inMenu} onRun={({ run }) => run()} />
      ) : null}
    </section>
  )
}
