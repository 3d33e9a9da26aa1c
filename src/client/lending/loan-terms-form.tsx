import { Checkbox, Select, Stack, Textarea, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'

import {
  type Duration,
  type DurationType,
  durationTypes,
  isDurationValue,
  longestDuration,
} from '../../domain/loan-rules.ts'
import { reasonsQuery } from '../catalogue/list-queries.ts'
import { inWords } from '../page/house-words.ts'
import { asChoice, choicesOf } from '../ui/forms/as-choice.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { DateField } from '../ui/forms/date-field.tsx'
import { useValidity } from '../ui/forms/validity.ts'
import type { LoanTerms } from './basket.ts'
import styles from './counter.module.css'
import { termsWords } from './loan-terms-words.ts'

type LoanTermsFormProps = {
  terms: LoanTerms
  /** The duration that all lines have; null when they differ. */
  duration: Duration | null
  today: string
  /** What was refused of them; the same object as long as nothing changed. */
  errors: { start_date: string | undefined; duration: string | undefined }
  onChange: (changes: Partial<LoanTerms>) => void
}

const typeChoices = choicesOf(durationTypes)

/** Terms of the whole loan, under one line that says them; what is wrong with one opens them. */
export function LoanTermsForm(props: LoanTermsFormProps) {
  const { terms, today, errors, duration: shared } = props
  // The same objects at each drawing: a scan does not draw the fields again.
  const onChange = useCallbackRef(props.onChange)
  const value = shared?.duration_value
  const type = shared?.duration_type
  const duration = useMemo(
    () => (value === undefined || type === undefined ? null : { duration_value: value, duration_type: type }),
    [value, type],
  )
  const { start_date, duration: ofDuration } = errors
  const wrong = useMemo(() => ({ start_date, duration: ofDuration }), [start_date, ofDuration])
  const [isOpen, setOpen] = useState(false)
  const fields = useId()
  const { data: reasons = [] } = useQuery({ ...reasonsQuery('free'), enabled: terms.free })
  const free_reason = reasons.find(({ id }) => id === terms.free_reason)?.name ?? null
  useEffect(() => {
    if (errors.start_date !== undefined || errors.duration !== undefined) setOpen(true)
  }, [errors])
  return (
    <div>
      <UnstyledButton
        className={styles['fold'] ?? ''}
        aria-expanded={isOpen}
        aria-controls={fields}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          <VisuallyHidden component="span">
            {inWords('Conditions du prêt')}
            {'\u202f'}:{' '}
          </VisuallyHidden>
          {termsWords(terms, today, free_reason)}
        </span>
        <IconChevronDown size="1.2rem" aria-hidden />
      </UnstyledButton>
      {/* Folded fields stay in the page: a wrong one holds the loan back, and unfolds them to take the focus. */}
      <div id={fields} hidden={!isOpen} onInvalidCapture={() => flushSync(() => setOpen(true))}>
        <TermFields terms={terms} duration={duration} today={today} errors={wrong} onChange={onChange} />
      </div>
    </div>
  )
}

/** A changed duration applies to every line. */
const TermFields = memo(function TermFields({
  terms,
  duration,
  today,
  errors,
  onChange,
}: LoanTermsFormProps) {
  const setDuration = (changes: Partial<Duration>) =>
    onChange({ duration: { ...(duration ?? { duration_value: 1, duration_type: 'DAY' }), ...changes } })
  return (
    <Stack pt="xs">
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
          placeholder={inWords('Selon le support')}
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
          placeholder={inWords('Selon le support')}
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
        label={inWords('Prêt gratuit')}
        checked={terms.free}
        onChange={(event) => onChange({ free: event.currentTarget.checked, free_reason: null })}
      />
      {terms.free ? (
        <FreeReason chosen={terms.free_reason} onChoose={(free_reason) => onChange({ free_reason })} />
      ) : null}
    </Stack>
  )
})

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
      data={reasons.map(asChoice)}
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
