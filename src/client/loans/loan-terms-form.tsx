import '@mantine/core/styles/NumberInput.css'

import { Checkbox, NumberInput, Select, Stack, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { type Duration, type DurationType, durationTypes } from '../../domain/loan-rules.ts'
import { reasonsQuery } from '../catalogue/catalogue-data.ts'
import { DateField } from '../ui/date-field.tsx'
import type { LoanTerms } from './basket.ts'
import styles from './counter.module.css'

type LoanTermsFormProps = {
  terms: LoanTerms
  /** The duration that all lines have; null when they differ. */
  duration: Duration | null
  today: string
  onChange: (changes: Partial<LoanTerms>) => void
}

const typeChoices = Object.entries(durationTypes).map(([value, label]) => ({ value, label }))

/** What holds for the whole loan: start, duration, comment, free or not. A changed duration applies to every line. */
export function LoanTermsForm({ terms, duration, today, onChange }: LoanTermsFormProps) {
  const { data: reasons } = useQuery({ ...reasonsQuery('free'), enabled: terms.free })
  const setDuration = (changes: Partial<Duration>) =>
    onChange({ duration: { ...(duration ?? { duration_value: 1, duration_type: 'DAY' }), ...changes } })
  return (
    <Stack>
      <div className={styles['fields']}>
        <DateField
          label="Date de début"
          value={terms.start_date ?? today}
          onChange={(start_date) => onChange({ start_date: start_date || null })}
          required
        />
        <NumberInput
          label="Durée"
          value={duration?.duration_value ?? ''}
          placeholder="Selon le support"
          onChange={(value) => {
            if (Number.isInteger(value) && Number(value) >= 1) setDuration({ duration_value: Number(value) })
          }}
          min={1}
          max={1000}
          allowDecimal={false}
          allowNegative={false}
        />
        <Select
          label="Unité"
          data={typeChoices}
          value={duration?.duration_type ?? null}
          placeholder="Selon le support"
          onChange={(type) => {
            if (type) setDuration({ duration_type: type as DurationType })
          }}
          allowDeselect={false}
        />
      </div>
      <Textarea
        label="Commentaire"
        minRows={1}
        maxLength={2000}
        value={terms.comment}
        onChange={(event) => onChange({ comment: event.currentTarget.value })}
      />
      <Checkbox
        label="Prêt gratuit"
        checked={terms.free}
        onChange={(event) => onChange({ free: event.currentTarget.checked, free_reason: null })}
      />
      {terms.free ? (
        <Select
          label="Motif de gratuité"
          data={(reasons ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={terms.free_reason === null ? null : String(terms.free_reason)}
          onChange={(id) => onChange({ free_reason: id === null ? null : Number(id) })}
          clearable
          clearButtonProps={{ 'aria-label': 'Effacer le motif' }}
        />
      ) : null}
    </Stack>
  )
}
