import { sql } from 'kysely'

import { comparableName } from '../../domain/comparable-name.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import type { How } from './outcome-of-row.ts'
import type { Why } from './work-row.ts'

/** Why a row is refused for its site, and what it calls one that nobody knows. */
export type SiteRefusal = Why & { unknown_site?: string }
/** The site that a row names, or the file's; null for none at all. */
export type SiteOf = (named: unknown, field: string) => { site: number | null } | { refused: SiteRefusal }

/** Finds sites by what files call them: as the person said, by their name, or by their number in the other system (`gestit_id`). */
export async function findSites(
  trx: Trx,
  { choices, isSync }: How,
  { visibility }: Exchange,
): Promise<SiteOf> {
  const { rows } = await sql<{ id: number; name: string; gestit_id: string | null }>`
    select id, name, gestit_id from sites where deleted_at is null order by id desc`.execute(trx)
  const known = new Map<string, number>()
  const byName = () => rows.forEach(({ id, name }) => known.set(comparableName(name), id))
  if (isSync) byName()
  for (const { id, gestit_id } of rows) if (gestit_id !== null) known.set(comparableName(gestit_id), id)
  if (!isSync) byName()
  for (const [name, id] of Object.entries(choices.sites)) known.set(comparableName(name), id)
  return (named, field) => {
    const name = typeof named === 'string' ? named : null
    const site = name === null ? choices.site : known.get(comparableName(name))
    if (site === undefined) {
      return {
        refused: {
          reason: `Aucun site ne s’appelle «\u00a0${name}\u00a0».`,
          field,
          unknown_site: String(name),
        },
      }
    }
    if (site !== null && !isSiteOpen(visibility, site)) {
      return { refused: { reason: 'Ce site ne vous est pas ouvert.', field } }
    }
    return { site }
  }
}
