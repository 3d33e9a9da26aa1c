import { ActionIcon, Checkbox, Collapse, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, useState } from 'react'

import {
  type CalendarUnit,
  type DurationType,
  durationTypes,
  longestDuration,
} from '../../domain/loan-rules.ts'
import { choicesOf } from '../ui/forms/as-choice.ts'
import { AmountField } from '../ui/forms/amount-field.tsx'
import { CountField } from '../ui/forms/count-field.tsx'
import { type DraftMedium, mediumWords } from './preset-draft.ts'
import styles from './start.module.css'
import { inWords } from '../page/house-words.ts'

const units = choicesOf(durationTypes)
const penaltyUnits = [
  { value: 'DAY', label: 'Jour de retard' },
  { value: 'WEEK', label: 'Semaine de retard commencée' },
  { value: 'MONTH', label: 'Mois de retard commencé' },
]

type MediumLineProps = { medium: DraftMedium; onChange: (changed: Partial<DraftMedium>) => void }

/** A medium of a preset: ticked to be laid down, and its rules in a sentence that unfolds into fields. */
export function MediumLine({ medium, onChange }: MediumLineProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { name, isKept } = medium
  const isNameless = isKept && name.trim() === ''
  const isUnfolded = isOpen || isNameless
  return (
    <li className={styles['line']} data-left={!isKept || undefined}>
      <div className={styles['lineHead']}>
        <Checkbox
          aria-label={name.trim() || 'Sans nom'}
          checked={isKept}
          onChange={({ currentTarget: { checked } }) => onChange({ isKept: checked })}
        />
        <div className={styles['lineWords']}>
          <Text fw={600}>{name.trim() || 'Sans nom'}</Text>
          <Text c="dimmed" size="sm">
            {mediumWords(medium)}
          </Text>
        </div>
        <ActionIcon
          variant="subtle"
          aria-label={`Retoucher\u202f: ${name}`}
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronDown size="1.25rem" aria-hidden className={styles['chevron'] ?? ''} />
        </ActionIcon>
      </div>
      <Collapse expanded={isUnfolded} id={id} transitionDuration={0}>
        {isUnfolded ? <Fields medium={medium} isNameless={isNameless} onChange={onChange} /> : null}
      </Collapse>
    </li>
  )
}

function Fields({ medium, isNameless, onChange }: MediumLineProps & { isNameless: boolean }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} className={styles['fields'] ?? ''}>
      <TextInput
        required
        maxLength={100}
        label="Nom"
        error={isNameless ? 'Donnez un nom à ce support, ou décochez-le.' : undefined}
        value={medium.name}
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
      />
      <CountField
        required
        label={inWords('Durée du prêt')}
        from={1}
        to={longestDuration}
        value={medium.duration}
        onChange={(duration) => onChange({ duration })}
      />
      <Select
        label="Unité"
        data={units}
        allowDeselect={false}
        value={medium.duration_type}
        onChange={(unit) => onChange({ duration_type: (unit ?? 'DAY') as DurationType })}
      />
      <CountField
        label={inWords('Prêts au plus')}
        placeholder="Sans limite"
        from={0}
        to={9999}
        value={medium.max_loaning}
        onChange={(max_loaning) => onChange({ max_loaning })}
      />
      <CountField
        label="Retards au plus"
        placeholder="Sans limite"
        from={0}
        to={9999}
        value={medium.max_late}
        onChange={(max_late) => onChange({ max_late })}
      />
      <AmountField
        label={inWords('Pénalité')}
        placeholder="Aucune"
        value={medium.penalty_amount}
        onChange={(penalty_amount) => onChange({ penalty_amount })}
      />
      <Select
        label="Pour chaque"
        data={penaltyUnits}
        allowDeselect={false}
        value={medium.penalty_duration_type ?? 'WEEK'}
        onChange={(unit) => onChange({ penalty_duration_type: unit as CalendarUnit | null })}
      />
      <TextInput
        maxLength={500}
        label="Conditions"
        placeholder="Aucune"
        value={medium.loaning_conditions_label ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            loaning_conditions_label: value === '' ? null : value,
            loaning_conditions_enabled: value.trim() !== '',
          })
        }
      />
    </SimpleGrid>
  )
}
