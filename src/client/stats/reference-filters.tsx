import { MultiSelect, Select } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { useQuery } from '@tanstack/react-query'

import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { categoriesQuery } from '../catalogue/list-queries.ts'
import { inWords } from '../page/house-words.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import { SiteField, useAskedSite } from './site-field.tsx'
import styles from './stats.module.css'
import { useStatAddress } from './use-stat-address.ts'

/** As the call takes them; none is every category, or every medium. */
export type ReferenceFilters = { category?: string; medium?: string; site: string }

const someIds = /^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,99}$/
const oneId = /^[1-9]\d{0,8}$/

/** Filters in the address; the site is the chosen one unless said, and every one where there is but one. */
export function useReferenceFilters(): ReferenceFilters {
  const { search } = useStatAddress()
  const written = (name: string, form: RegExp) => {
    const value = search.get(name)
    return value !== null && form.test(value) ? value : undefined
  }
  const category = written('category', someIds)
  const medium = written('medium', oneId)
  return {
    ...(category === undefined ? {} : { category }),
    ...(medium === undefined ? {} : { medium }),
    site: useAskedSite(),
  }
}

export function ReferenceFilterFields({ category, medium, site }: ReferenceFilters) {
  const { change } = useStatAddress()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: media = [] } = useQuery(mediaQuery)
  const chosen = category?.split(',') ?? []
  return (
    <search className={styles['filters']}>
      <MultiSelect
        label={inWords('Catégories')}
        searchable
        data={categories.map(asChoice)}
        value={chosen}
        placeholder={chosen.length === 0 ? 'Toutes' : ''}
        onChange={(next) => change({ category: next.join(',') })}
      />
      <Select
        label={inWords('Support')}
        data={[{ value: '', label: inWords('Tous les supports') }, ...media.map(asChoice)]}
        value={medium ?? ''}
        allowDeselect={false}
        onChange={(next) => change({ medium: next ?? '' })}
      />
      <SiteField site={site} />
    </search>
  )
}
