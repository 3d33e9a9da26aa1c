import { sql } from 'kysely'

import type { Ranking } from '../db/lists/ranking.ts'

export const categoriesByName: Ranking = { table: sql`categories`, by: sql`name` }
export const mediaByName: Ranking = { table: sql`media`, by: sql`name` }
export const sitesByName: Ranking = { table: sql`sites`, by: sql`search_text(name)` }
export const categoriesByFoldedName: Ranking = { table: sql`categories`, by: sql`search_text(name)` }
export const mediaByFoldedName: Ranking = { table: sql`media`, by: sql`search_text(name)` }
export const referencesByName: Ranking = { table: sql`"references"`, by: sql`sort_name` }
export const referencesByCode: Ranking = { table: sql`"references"`, by: sql`code` }
export const beneficiariesByName: Ranking = { table: sql`beneficiaries`, by: sql`sort_name` }
export const copiesByBarCode: Ranking = { table: sql`copies`, by: sql`bar_code` }

export const copiesByReference = (references: Ranking): Ranking => ({
  table: sql`copies`,
  to: sql`reference`,
  of: references,
})
export const referencesBy = (field: 'category' | 'medium', of: Ranking): Ranking => ({
  table: sql`"references"`,
  to: sql.ref(field),
  of,
})
