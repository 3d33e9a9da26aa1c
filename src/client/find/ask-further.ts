import { type Copy, listCopies } from '../../contract/catalogue.ts'
import { membersOf } from '../../contract/list.ts'
import { findLentCopy } from '../../contract/returns.ts'
import { listSales } from '../../contract/sales.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { nameAndNumber } from '../../domain/person-names.ts'
import { libraryToday } from '../../offline/counter.ts'
import { call } from '../api/call.ts'
import { currentSession } from '../api/session.ts'
import type { OfAnotherSite, ScannedCopy } from './found.ts'

// What the server alone knows of a scanned code, and seldom is asked.

/** Adds the sentence of a copy that was sold; what the server does not tell in time is not said. */
export async function withSale(copy: ScannedCopy, signal: AbortSignal): Promise<ScannedCopy> {
  const sold = await findSale(copy.known?.copy.id ?? 0, signal).catch(() => null)
  return { ...copy, sold }
}

async function findSale(copy: number, signal: AbortSignal): Promise<string | null> {
  const page = await call(listCopies, {
    list: { limit: 1, filters: [{ field: 'id', operator: 'eq', value: copy }] },
    signal,
  })
  const on = membersOf(page)[0]?.sold_on ?? null
  return on && soldWords(on, await findBuyer(copy, signal), await libraryToday())
}

/** Null for whoever may not see sales, and once the buyer was forgotten. */
async function findBuyer(copy: number, signal: AbortSignal): Promise<string | null> {
  if (!currentSession()?.user?.rights.includes('LIST_SELL')) return null
  const page = await call(listSales, {
    list: { limit: 1, filters: [{ field: 'copy', operator: 'eq', value: copy }] },
    signal,
  })
  return membersOf(page)[0]?.beneficiary_name || null
}

export function soldWords(on: CalendarDay, to: string | null, today: CalendarDay): string {
  const undo = on === today ? ' Par erreur\u202f? Supprimez la vente.' : ''
  const whom = to === null ? '' : ` à ${nameAndNumber(to)[0]}`
  return `Laissez-le à qui l’apporte\u202f: vendu${whom} le ${frenchDay(on)}.${undo}`
}

/** A copy that none of the forms carries here: of another site that is open to the person, or lent at any. */
export async function askOtherSites(
  forms: readonly string[],
  signal: AbortSignal,
): Promise<OfAnotherSite | null> {
  const page = await call(listCopies, {
    list: { limit: 1, filters: [{ field: 'bar_code', operator: 'in', value: [...forms] }] },
    site: 0,
    signal,
  })
  const [copy] = membersOf(page)
  if (copy?.site_name) return ofAnotherSite(copy, copy.status_name === 'En Location')
  if (!currentSession()?.user?.rights.includes('LOANING_RETURN')) return null
  const query = { bar_code: forms[0] ?? '' }
  const lent = await call(findLentCopy, { query, signal }).catch(() => null)
  return lent?.copy ? ofAnotherSite(lent.copy, true) : null
}

const ofAnotherSite = (
  { bar_code, name, site_name }: Pick<Copy, 'bar_code' | 'name' | 'site_name'>,
  isLent: boolean,
): OfAnotherSite => ({ kind: 'elsewhere', code: bar_code, title: name, site: site_name, isLent })
