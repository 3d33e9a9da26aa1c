import { Button, NativeSelect, Select, Switch, Text } from '@mantine/core'
import '@mantine/core/styles/Switch.css'

import { type OpenedFile, policies, type Policy } from '../../contract/imports.ts'
import type { ImportField, ImportSubject } from '../../domain/import-fields.ts'
import { shortValue } from '../../domain/short-value.ts'
import { useRight } from '../api/session.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { policyWords } from './import-words.ts'
import styles from './imports.module.css'

/** `isWanted`: the column is to be imported, which it is from the moment that it has a field. */
export type ColumnChoice = { field: string | null; isWanted: boolean; policy: Policy }

/** To be imported, and nobody knows as what. */
export const lacksTarget = ({ field, isWanted }: ColumnChoice): boolean => isWanted && field === null

const none = 'none'

type MappingRowProps = {
  column: OpenedFile['columns'][number]
  row: ColumnChoice
  /** Those that no other column gives. */
  fields: readonly ImportField[]
  subject: ImportSubject
  /** Whether another column waits to be decided. */
  hasNext: boolean
  onChange: (row: ColumnChoice) => void
  onDecide: () => void
}

/** A column with its first values, and the field that it gives. */
export function MappingRow(props: MappingRowProps) {
  const { column, row, fields, subject, hasNext, onChange, onDecide } = props
  const { field, isWanted, policy } = row
  const name = shortValue(column.name)
  const target = (value: string | null) =>
    onChange({ ...row, field: value === none ? null : value, isWanted: value !== none })
  return (
    <div role="group" aria-label={`Colonne\u202f: ${name}`} data-wanted={isWanted || undefined}>
      <div className={styles['column']}>
        <Text fw={600} title={column.name}>
          {name}
        </Text>
        <ul className={styles['samples']}>
          {column.values
            .filter((value) => value.trim() !== '')
            .slice(0, 3)
            .map((value, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- values of a file, which may be alike
              <li key={at} title={value}>
                {shortValue(value)}
              </li>
            ))}
        </ul>
      </div>
      <Switch
        size="lg"
        label="Importer cette colonne"
        checked={isWanted}
        onChange={({ currentTarget }) =>
          onChange(
            currentTarget.checked ? { ...row, isWanted: true } : { ...row, field: null, isWanted: false },
          )
        }
      />
      <Select
        aria-label={`Champ\u202f: ${name}`}
        searchable
        clearable={isWanted && field !== null}
        clearButtonProps={{ 'aria-label': `Effacer le champ\u202f: ${name}` }}
        placeholder="Choisir un champ"
        nothingFoundMessage="Aucun champ de ce nom, ou une autre colonne le donne"
        error={lacksTarget(row) ? 'Choisissez un champ.' : null}
        data={[
          { value: none, label: 'Ne pas importer' },
          ...fields.map(({ name: value, label }) => ({ value, label })),
        ]}
        value={isWanted ? field : none}
        onChange={target}
      />
      {subject !== 'loans' && field !== null ? (
        <PolicyField
          field={field}
          isOfWorks={subject === 'references'}
          label={name}
          value={policy}
          onChange={(next) => onChange({ ...row, policy: next })}
        />
      ) : (
        <span />
      )}
      <Button
        className={styles['decide'] ?? ''}
        variant="default"
        disabled={lacksTarget(row)}
        onClick={onDecide}
      >
        {hasNext ? 'Colonne suivante' : 'Replier'}
      </Button>
    </div>
  )
}

type FoldedRowProps = Pick<MappingRowProps, 'column' | 'row' | 'fields'> & {
  isDecided: boolean
  onOpen: () => void
}

/** What was decided of a column, in one line: « Titre ← colonne « titre » ». */
export function FoldedRow({ column, row, fields, isDecided, onOpen }: FoldedRowProps) {
  const { field, policy } = row
  const name = shortValue(column.name)
  const given = fields.find((one) => one.name === field)
  return (
    <div role="group" aria-label={`Colonne\u202f: ${name}`} data-folded>
      <Text className={styles['column'] ?? ''} title={column.name}>
        {given ? (
          <>
            <strong>{given.label}</strong> <span aria-hidden>←</span> colonne «&nbsp;{name}&nbsp;»
            {policy === 'fill' ? null : `, ${policyWords[policy].toLowerCase()}`}
          </>
        ) : (
          <>La colonne «&nbsp;{name}&nbsp;» ne s’importe pas</>
        )}
      </Text>
      {lacksTarget(row) ? (
        <StatusTag tone="bad">Choisissez un champ</StatusTag>
      ) : isDecided ? null : (
        <StatusTag tone="wait">À décider</StatusTag>
      )}
      <Button variant="subtle" px="sm" aria-label={`Changer\u202f: ${name}`} onClick={onOpen}>
        Changer
      </Button>
    </div>
  )
}

type PolicyFieldProps = {
  /** As the wire calls it: a copy's begin with `copy.`. */
  field: string
  /** A file of references, of which each kind of change asks for its right. */
  isOfWorks: boolean
  label: string
  value: Policy
  disabled?: boolean
  onChange: (policy: Policy) => void
}

/** What becomes of a value that is there already. */
export function PolicyField(props: PolicyFieldProps) {
  const { field, isOfWorks, label, value, disabled = false, onChange } = props
  const [mayWorks, mayCopies] = [useRight('REFERENCE_EDIT'), useRight('COPY_MODIFY')]
  const isLeft = isOfWorks && !(field.startsWith('copy.') ? mayCopies : mayWorks)
  return (
    <NativeSelect
      aria-label={`Valeur déjà là\u202f: ${label}`}
      disabled={disabled || isLeft}
      {...(isLeft ? { title: 'Votre profil ne change pas ce qui est déjà au catalogue.' } : {})}
      data={policies.map((policy) => ({ value: policy, label: policyWords[policy] }))}
      value={isLeft ? 'keep' : value}
      onChange={({ currentTarget }) => {
        const next = policies.find((one) => one === currentTarget.value)
        if (next) onChange(next)
      }}
    />
  )
}
