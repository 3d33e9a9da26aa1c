import { asChoice } from '../forms/as-choice.ts'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'

import { MultiSelect, Pill, Select } from '@mantine/core'
import { skipToken, useQuery, type UseQueryOptions } from '@tanstack/react-query'

import { DateField } from '../forms/date-field.tsx'
import { SearchFilter } from './search-filter.tsx'
import type { ListAddress } from './use-list-address.ts'
import { useInWords } from '../../page/house-words.ts'

type Choice = { value: string; label: string }
type Choices = readonly Choice[]
type Fetched<Page> = UseQueryOptions<Page, Error, readonly { id: number; name: string }[], string[]>

/** `name` is the address's, such as `start_date|gte`. */
type DayOf = { name: string; label: string; before: string }

/** Describes a filter for its field, chip, address (`name`), saved views and export (`code`, on the wire). */
export type ListFilter = {
  code: string
  label: string
  /** In sight only for whoever chose it, or while it is set. */
  isOptional?: true
} & (
  | { kind: 'search'; name: string; ms?: number }
  | { kind: 'choice'; name: string; choices: Choices }
  | { kind: 'among'; name: string; from: Choices | Fetched<unknown> }
  | { kind: 'days'; days: readonly DayOf[] }
)

const codeOf = (name: string): string => name.split('|')[0] ?? name

/** Applied once typing stopped for 500 ms, or `ms`. */
export const search = (name: string, label: string, ms?: number): ListFilter => ({
  kind: 'search',
  code: codeOf(name),
  name,
  label,
  ...(ms === undefined ? {} : { ms }),
})

export const choice = (name: string, label: string, choices: Choices): ListFilter => ({
  kind: 'choice',
  code: codeOf(name),
  name,
  label,
  choices,
})

/** On, off or either: `enabled|eq`. */
export const activity = (all: string, on: string, off: string): ListFilter =>
  choice('enabled|eq', 'État', [
    { value: '', label: all },
    { value: '1', label: on },
    { value: '0', label: off },
  ])

export const among = <Page,>(name: string, label: string, from: Choices | Fetched<Page>): ListFilter => ({
  kind: 'among',
  code: codeOf(name),
  name,
  label,
  from: from as Choices | Fetched<unknown>,
})

const nothing: Fetched<unknown> = { queryKey: ['nothing'], queryFn: skipToken }

export function useChoices(filter: ListFilter): Choices {
  const { from } = filter.kind === 'among' ? filter : { from: [] }
  const { data = [] } = useQuery('queryKey' in from ? from : nothing)
  if (filter.kind === 'choice') return filter.choices
  return 'queryKey' in from ? data.map(asChoice) : from
}

/** Days of a field: between two by default, from one, until one, or exactly one. */
export function days(
  field: string,
  label: string,
  which: 'range' | 'from' | 'until' | 'one' = 'range',
): ListFilter {
  const from = { name: `${field}|gte`, before: 'à partir du' }
  const until = { name: `${field}|lte`, before: 'jusqu’au' }
  const asked = {
    range: [
      { ...from, label: `${label}, du` },
      { ...until, label: `${label}, au` },
    ],
    from: [{ ...from, label: `${label}, à partir du` }],
    until: [{ ...until, label: `${label}, jusqu’au` }],
    one: [{ name: `${field}|eq`, label, before: '' }],
  }
  return { kind: 'days', code: field, label, days: asked[which] }
}

export const namesOf = (filter: ListFilter): string[] =>
  filter.kind === 'days' ? filter.days.map(({ name }) => name) : [filter.name]

type FilterFieldProps = {
  filter: ListFilter
  address: Pick<ListAddress, 'values' | 'setFilters'>
  isInLine?: boolean
}

export function FilterField({ filter, address: { values, setFilters }, isInLine = false }: FilterFieldProps) {
  const inWords = useInWords()
  switch (filter.kind) {
    case 'search':
      return (
        <SearchFilter
          label={inWords(filter.label)}
          value={values[filter.name] ?? ''}
          onChange={(text) => setFilters({ [filter.name]: text })}
          {...(filter.ms === undefined ? {} : { ms: filter.ms })}
        />
      )
    case 'choice':
      return (
        <Select
          label={inWords(filter.label)}
          data={filter.choices}
          value={values[filter.name] ?? ''}
          onChange={(chosen) => setFilters({ [filter.name]: chosen ?? '' })}
          allowDeselect={false}
        />
      )
    case 'among':
      return <AmongField filter={filter} address={{ values, setFilters }} isInLine={isInLine} />
    case 'days':
      return filter.days.map(({ name, label }) => (
        <DateField
          key={name}
          label={inWords(label)}
          value={values[name] ?? ''}
          onChange={(day) => setFilters({ [name]: day })}
        />
      ))
  }
}

type AmongFieldProps = { filter: Extract<ListFilter, { kind: 'among' }> } & Required<
  Pick<FilterFieldProps, 'address' | 'isInLine'>
>

function AmongField({ filter, address, isInLine }: AmongFieldProps) {
  const { name, label } = filter
  const choices = useChoices(filter)
  const chosen = chosenValues(address.values[name])
  const inWords = useInWords()
  return (
    <MultiSelect
      label={inWords(label)}
      data={choices}
      value={chosen}
      placeholder={chosen.length === 0 ? 'Tout' : ''}
      onChange={(next) => address.setFilters({ [name]: next.join(',') })}
      {...(isInLine && chosen.length > 1
        ? {
            renderPill: ({ option, value }) =>
              value === chosen[0] ? <Pill>{`${option?.label ?? value} +${chosen.length - 1}`}</Pill> : null,
          }
        : {})}
    />
  )
}

export const chosenValues = (value: string | undefined): string[] => (value ? value.split(',') : [])
