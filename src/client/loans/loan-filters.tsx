import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'

import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { categoriesQuery, mediaQuery } from '../catalogue/catalogue-data.ts'
import { DateField } from '../ui/date-field.tsx'
import { SearchFilter } from '../ui/search-filter.tsx'
import type { ListAddress } from '../ui/use-list-address.ts'

type LoanFiltersProps = { address: Pick<ListAddress, 'values' | 'setFilters'> }

/** Filters that the home tables and the loans list share: beneficiary, reference, categories, media. */
export function LoanFilters({ address: { values, setFilters } }: LoanFiltersProps) {
  const categories = useQuery(categoriesQuery)
  const media = useQuery(mediaQuery)
  const choice = (label: string, name: string, items: { id: number; name: string }[] | undefined) => (
    <MultiSelect
      label={label}
      data={(items ?? []).map(({ id, name: text }) => ({ value: String(id), label: text }))}
      value={values[name]?.split(',') ?? []}
      onChange={(chosen) => setFilters({ [name]: chosen.join(',') })}
      clearable
      clearButtonProps={{ 'aria-label': `Effacer\u202f: ${label}` }}
    />
  )
  return (
    <>
      <SearchFilter
        label="Bénéficiaire"
        value={values['benefsearchname|like'] ?? ''}
        onChange={(text) => setFilters({ 'benefsearchname|like': text })}
      />
      <SearchFilter
        label="Référence"
        value={values['referencesearchname|like'] ?? ''}
        onChange={(text) => setFilters({ 'referencesearchname|like': text })}
      />
      {choice('Catégories', 'category|in', categories.data)}
      {choice('Supports', 'medium|in', media.data)}
    </>
  )
}

type DayFilterProps = LoanFiltersProps & { label: string; name: string }

export function DayFilter({ address: { values, setFilters }, label, name }: DayFilterProps) {
  return (
    <DateField label={label} value={values[name] ?? ''} onChange={(day) => setFilters({ [name]: day })} />
  )
}
