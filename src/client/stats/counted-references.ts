import type { ReferenceStats } from '../../contract/stats.ts'
import type { ReferenceFilters } from './reference-filters.tsx'

export type CountedReferences = Pick<ReferenceFilters, 'category' | 'medium'> & Pick<ReferenceStats, 'sites'>

/** The references that a figure counts, as their list finds them, by `field|operator`. */
export const referencesOf = ({ category, medium, sites }: CountedReferences): Record<string, string> => ({
  ...(category === undefined ? {} : { 'category|in': category }),
  ...(medium === undefined ? {} : { 'medium|in': medium }),
  ...(sites === null ? {} : { 'site|in': sites.join(',') }),
})
