import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import type { Import, ImportChoices, Mapping } from '../../contract/imports.ts'
import { importFieldsOf } from '../../domain/import-fields.ts'
import { leftColumnsWords } from '../../domain/left-columns.ts'
import { shortValue } from '../../domain/short-value.ts'
import { say } from '../page/messages.ts'
import { counted } from '../ui/words.ts'
import styles from './imports.module.css'
import { type ColumnChoice, FoldedRow, lacksTarget, MappingRow } from './mapping-row.tsx'
import { useImportChange } from './use-import-change.ts'

type MappingPanelProps = {
  of: Import
  /** Whether these columns were confirmed already. */
  isConfirmed: boolean
  onConfirm: () => void
  onDirty: (isDirty: boolean) => void
}

/** What each column gives, one decision at a time; confirmed by Valider, which may keep it under a name. */
export function MappingPanel({ of, isConfirmed, onConfirm, onDirty }: MappingPanelProps) {
  const { subject, opened, mapping } = of
  const [rows, setRows] = useState<readonly ColumnChoice[]>(() => choicesOf(of))
  const [name, setName] = useState('')
  const { send, isPending } = useImportChange(of)
  const isDirty = name !== '' || JSON.stringify(rows) !== JSON.stringify(choicesOf(of))
  useEffect(() => {
    onDirty(isDirty)
    return () => onDirty(false)
  }, [isDirty, onDirty])
  const fields = importFieldsOf[subject]
  const lacking = opened.columns.filter((_, at) => lacksTarget(rows[at]!))
  const missing = fields.filter(
    ({ name: field, isRequired }) => isRequired && !rows.some((row) => row.field === field),
  )
  const put = (at: number, row: ColumnChoice) => setRows(rows.with(at, row))
  const { open, isDecided, decide, change, list, end } = useOneOpen(
    mapping.map((field) => isConfirmed || field !== null),
  )
  const confirm = () => {
    onConfirm()
    send(
      {
        mapping: rows.map(({ field }) => field),
        choices: { policies: policiesOf(of, rows) },
        ...(name.trim() === '' ? {} : { keep_as: name.trim() }),
      },
      () => {
        setName('')
        say('Colonnes validées.', 'good', { about: name.trim() || undefined })
      },
    )
  }
  return (
    <section className="panel">
      <Stack>
        <div>
          <Title order={2} size="h4">
            Colonnes
          </Title>
          <Text c="dimmed">
            {counted(mapping.length, 'colonne', 'colonnes')}, {recognisedWords(mapping)}
            {opened.known_as ? `, comme gardées sous «\u00a0${opened.known_as}\u00a0»` : null}. Chacune donne
            un champ, ou ne s’importe pas.
          </Text>
          <Text>
            {leftColumnsWords(
              opened.columns,
              rows.map(({ field }) => field),
            )}
          </Text>
        </div>
        <div ref={list} className={styles['columns']}>
          {opened.columns.map((column, at) =>
            at === open ? (
              <MappingRow
                key={column.index}
                column={column}
                row={rows[at]!}
                fields={fields.filter(
                  (field) =>
                    field.name === rows[at]!.field || !rows.some((other) => other.field === field.name),
                )}
                subject={subject}
                hasNext={isDecided.some((is, other) => !is && other !== at)}
                onChange={(row) => put(at, row)}
                onDecide={() => decide(at)}
              />
            ) : (
              <FoldedRow
                key={column.index}
                column={column}
                row={rows[at]!}
                fields={fields}
                isDecided={isDecided[at] === true}
                onOpen={() => change(at)}
              />
            ),
          )}
        </div>
        <TextInput
          className={styles['form'] ?? ''}
          label="Garder ces colonnes sous un nom"
          description="Le prochain fichier qui a les mêmes colonnes sera lu de même."
          placeholder="Export PMB"
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Group justify="flex-end" gap="sm">
          <Text role="status" className={styles['said'] ?? ''}>
            {lacking.length > 0
              ? `Choisissez un champ, ou «\u00a0Ne pas importer\u00a0», pour\u202f: ${lacking.map((column) => shortValue(column.name)).join(', ')}.`
              : missing.length > 0
                ? `Aucune colonne ne donne «\u00a0${missing[0]?.label}\u00a0».`
                : ''}
          </Text>
          <Button ref={end} disabled={lacking.length > 0} loading={isPending} onClick={confirm}>
            Valider
          </Button>
        </Group>
      </Stack>
    </section>
  )
}

/** One column is open: the first that nobody has decided, or the one that is to be changed. */
function useOneOpen(known: readonly boolean[]) {
  const [decided, setDecided] = useState<readonly number[]>([])
  const [changed, setChanged] = useState<number | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLButtonElement>(null)
  const isMoved = useRef(false)
  const isDecided = known.map((is, at) => is || decided.includes(at))
  const open = changed ?? isDecided.indexOf(false)
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    // What was pressed has left with its line.
    const place = open === -1 ? end.current : list.current?.children[open]?.querySelector('input')
    place?.focus()
  }, [open])
  const move = (to: number | null) => {
    isMoved.current = true
    setChanged(to)
  }
  return {
    open,
    isDecided,
    list,
    end,
    change: move,
    decide: (at: number) => {
      setDecided([...decided, at])
      move(null)
    },
  }
}

const recognisedWords = (mapping: Mapping): string =>
  counted(mapping.filter((field) => field !== null).length, 'reconnue', 'reconnues', 'aucune reconnue')

const choicesOf = ({ mapping, choices }: Import): ColumnChoice[] =>
  mapping.map((field) => ({
    field,
    isWanted: field !== null,
    policy: (field === null ? undefined : choices.policies[field]) ?? 'fill',
  }))

const policiesOf = ({ choices }: Import, rows: readonly ColumnChoice[]): ImportChoices['policies'] => ({
  ...choices.policies,
  ...Object.fromEntries(rows.flatMap(({ field, policy }) => (field === null ? [] : [[field, policy]]))),
})
