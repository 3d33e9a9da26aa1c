import { Checkbox, Select, Stack, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import {
  type Duration,
  type DurationType,
  durationTypes,
  isDurationValue,
  longestDuration,
} from '../../domain/loan-rules.ts'
import { reasonsQuery } from '../catalogue/catalogue-data.ts'
import { CountField } from '../ui/count-field.tsx'
import { DateField } from '../ui/date-field.tsx'
import { useValidity } from '../ui/validity.ts'
import type { LoanTerms } from './basket.ts'
import styles from './counter.module.css'

type LoanTermsFormProps = {
  terms: LoanTerms
  /** The duration that all lines have; null when they differ. */
  duration: Duration | null
  today: string
  /** What was refused of them. */
  errors: { start_date: string | undefined; duration: string | undefined }
  onChange: (changes: Partial<LoanTerms>) => void
}

const typeChoices = Object.entries(durationTypes).map(([value, label]) => ({ value, label }))

/** Terms of the whole loan; a changed duration applies to every line. */
export function LoanTermsForm({ terms, duration, today, errors, onChange }: LoanTermsFormProps) {
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
          error={errors.start_date}
        />
        <CountField
          label="Durée"
          value={duration?.duration_value ?? ''}
          placeholder="Selon le support"
          onChange={(value) => {
            if (isDurationValue(Number(value))) setDuration({ duration_value: Number(value) })
          }}
          from={1}
          to={longestDuration}
          error={errors.duration}
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
        <FreeReason chosen={terms.free_reason} onChoose={(free_reason) => onChange({ free_reason })} />
      ) : null}
    </Stack>
  )
}

type FreeReasonProps = { chosen: number | null; onChoose: (reason: number | null) => void }

/** Why a loan is free: demanded where the library has reasons to choose from. */
function FreeReason({ chosen, onChoose }: FreeReasonProps) {
  const { data: reasons = [], isLoading } = useQuery(reasonsQuery('free'))
  const isDemanded = isLoading || reasons.length > 0
  const field = useValidity(isDemanded && chosen === null ? 'Choisissez un motif de gratuité.' : '')
  return (
    <Select
      ref={field}
      label="Motif de gratuité"
      data={reasons.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={chosen === null ? null : String(chosen)}
      onChange={(id) => onChoose(id === null ? null : Number(id))}
      withAsterisk={isDemanded}
      // A browser looks at what may be typed alone.
      searchable
      nothingFoundMessage="Aucun motif de ce nom."
      clearable
      clearButtonProps={{ 'aria-label': 'Effacer le motif' }}
    />
  )
}
