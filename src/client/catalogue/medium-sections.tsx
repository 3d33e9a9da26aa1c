import { membersOf } from '../../contract/list.ts'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Switch.css'

import { Select, SimpleGrid, Switch, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'

import { listEligibilityValues } from '../../contract/eligibility.ts'
import type { Site } from '../../contract/sites.ts'
import { weekdays } from '../../domain/calendar-day.ts'
import { durationTypes, longestDuration } from '../../domain/loan-rules.ts'
import { penaltyUnitWords } from '../../domain/medium-rules.ts'
import { call } from '../api/call.ts'
import { choicesOf } from '../ui/forms/as-choice.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { codeField, type MediumForm } from './medium-form.ts'
import styles from './medium-dialog.module.css'
import { inWords } from '../page/house-words.ts'

type Choices = { value: string; label: string }[]

const units: Choices = choicesOf(durationTypes)
const penaltyUnits: Choices = choicesOf(penaltyUnitWords)
const days: Choices = weekdays.map((name, at) => ({ value: String(at + 1), label: name }))

export function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div>
        <Title order={3} size="h5" id={id}>
          {title}
        </Title>
        {about === undefined ? null : (
          <Text c="dimmed" size="sm">
            {about}
          </Text>
        )}
      </div>
      {children}
    </section>
  )
}

type Of = { form: MediumForm }
const twoColumns = { base: 1, sm: 2 }

export function TermsOfLoan({ form: { number, choice } }: Of) {
  return (
    <Section title="Durée" about={inWords('Sans durée, un exemplaire se prête pour un jour.')}>
      <SimpleGrid cols={twoColumns}>
        <CountField from={1} to={longestDuration} {...number('duration', 'Durée du prêt')} />
        <Select data={units} clearable {...choice('duration_type', 'Unité')} />
        <Select
          data={days}
          clearable
          placeholder="N’importe quel jour"
          {...choice('start_day', 'Jour de départ des réservations')}
        />
        <Select
          data={days}
          clearable
          placeholder="N’importe quel jour"
          {...choice('end_day', 'Jour de retour')}
        />
      </SimpleGrid>
    </Section>
  )
}

export function Limits({ form: { number } }: Of) {
  return (
    <Section title="Limites" about={inWords('Par lecteur. Vides, elles n’arrêtent personne.')}>
      <SimpleGrid cols={twoColumns}>
        <CountField
          from={0}
          to={9999}
          placeholder="Sans limite"
          {...number('max_loaning', 'Prêts en cours de ce support, au plus')}
        />
        <CountField
          from={0}
          to={9999}
          placeholder="Sans limite"
          {...number('max_late', 'Retards de tout support, au plus')}
        />
        <CountField
          from={0}
          to={9999}
          placeholder="Sans limite"
          {...number('max_renewals', 'Prolongations d’un prêt, au plus')}
        />
      </SimpleGrid>
    </Section>
  )
}

export function Penalties({ form: { flag, text, choice } }: Of) {
  const isOn = flag('penalty_enabled', 'Compter une pénalité de retard')
  return (
    <Section title={inWords('Pénalités')}>
      <Switch {...isOn} />
      {isOn.checked ? (
        <SimpleGrid cols={twoColumns}>
          <TextInput
            required
            inputMode="decimal"
            autoComplete="off"
            rightSection="€"
            {...text('penalty_amount', 'Montant')}
          />
          <Select required data={penaltyUnits} {...choice('penalty_duration_type', 'Pour chaque')} />
        </SimpleGrid>
      ) : null}
    </Section>
  )
}

const kinds = { contracts: 'CONTRACT', statuses: 'BENEFICIAIRE_STATUS', dossiers: 'DOSSIER_TYPE' } as const

export function Eligibility({ form: { several } }: Of) {
  return (
    <Section title="Éligibilité" about="Qui peut l’emprunter. Vide, tout le monde le peut.">
      <Names kind={kinds.contracts} field={several('contracts', 'Contrats')} />
      <Names kind={kinds.statuses} field={several('statuses', 'Statuts')} />
      <Names kind={kinds.dossiers} field={several('dossiers', 'Dossiers')} />
    </Section>
  )
}

type NamesProps = { kind: (typeof kinds)[keyof typeof kinds]; field: ReturnType<MediumForm['several']> }

function Names({ kind, field }: NamesProps) {
  const { data = [] } = useQuery({
    queryKey: ['eligibility', kind],
    queryFn: ({ signal }) =>
      call(listEligibilityValues, { params: { kind }, query: {}, list: { limit: 500 }, signal }),
    select: (page) => membersOf(page).map(({ name }) => name),
  })
  return (
    <TagsInput
      size="md"
      data={data}
      clearable
      placeholder={field.value.length === 0 ? 'Tous' : ''}
      {...field}
    />
  )
}

export function Codes({ form: { text }, sites }: Of & { sites: readonly Site[] }) {
  return (
    <Section
      title="Codes"
      about={inWords('Ils suivent les prêts et les ventes dans les exports, et ne changent rien d’autre.')}
    >
      <SimpleGrid cols={twoColumns}>
        <TextInput maxLength={50} {...text('accounting_code', 'Code comptable')} />
        {sites.map(({ id, name }) => (
          <TextInput
            key={id}
            maxLength={50}
            {...text(codeField(id), sites.length > 1 ? `Code analytique\u202f: ${name}` : 'Code analytique')}
          />
        ))}
      </SimpleGrid>
    </Section>
  )
}
