import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { frenchDay } from '../../../domain/calendar-day.ts'
import styles from './filter-bar.module.css'
import { chosenValues, type ListFilter, namesOf, useChoices } from './filters.tsx'
import type { ListAddress } from './use-list-address.ts'
import { inWords } from '../../page/house-words.ts'

type FilterChipsProps = {
  filters: readonly ListFilter[]
  address: Pick<ListAddress, 'values' | 'setFilters' | 'clearFilters'>
}

/** A chip for each filter set out of sight; pressing it removes the filter. */
export function FilterChips({ filters, address }: FilterChipsProps) {
  const set = filters.filter((filter) => isSet(filter, address.values))
  if (set.length === 0) return null
  return (
    <div className={styles['chips']}>
      {set.map((filter) => (
        <Chip key={filter.code} filter={filter} address={address} />
      ))}
      <Button variant="subtle" size="sm" onClick={address.clearFilters}>
        Effacer les filtres
      </Button>
    </div>
  )
}

export const isSet = (filter: ListFilter, values: ListAddress['values']): boolean =>
  namesOf(filter).some((name) => values[name] !== undefined)

function Chip({ filter, address }: Omit<FilterChipsProps, 'filters'> & { filter: ListFilter }) {
  const words = useWords(filter, address.values)
  return (
    <UnstyledButton
      className={styles['chip'] ?? ''}
      onClick={() => address.setFilters(Object.fromEntries(namesOf(filter).map((name) => [name, ''])))}
    >
      <VisuallyHidden component="span">Enlever le filtre </VisuallyHidden>
      <span className={styles['chipLabel']}>{inWords(filter.label)}&#8239;:</span>{' '}
      <span className={styles['chipWords']}>{words}</span>
      <IconX size="1em" aria-hidden />
    </UnstyledButton>
  )
}

export function useWords(filter: ListFilter, values: ListAddress['values']): string {
  const choices = useChoices(filter)
  switch (filter.kind) {
    case 'search':
      return values[filter.name] ?? ''
    case 'choice':
    case 'among':
      return chosenValues(values[filter.name])
        .map((one) => choices.find(({ value }) => value === one)?.label ?? one)
        .join(', ')
    case 'days':
      return daysWords(filter.days.map(({ name, before }) => [before, values[name]]))
  }
}

function daysWords(days: readonly (readonly [before: string, day: string | undefined])[]): string {
  const [first, last] = days.map(([, day]) => day && frenchDay(day))
  if (first && last) return `du ${first} au ${last}`
  return days.flatMap(([before, day]) => (day ? [`${before} ${frenchDay(day)}`.trim()] : [])).join('')
}
