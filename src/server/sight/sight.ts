import { type RawBuilder, sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import { atSites, type InSight } from '../db/list-sql.ts'
import { readerInfo, readerName } from '../db/person-names.ts'
import type { Caller } from './caller.ts'
import type { Parameters } from '../db/parameters.ts'

/** Some sites; null is every site, and also what is at none. */
type Sites = readonly number[] | null

/** What a person may see. Every list is read through it, every verb looks up through it, and every refusal tells facts through it. */
export type Sight = {
  /** The sites open to the person: what stands elsewhere does not exist for them. */
  open: Sites
  /** The sites that their lists show: the one they chose, else all that are open. */
  listed: Sites
  /** Whether readers belong to their agencies, so that those of closed sites are hidden (parameter `by_site_beneficiaries`). */
  readersBySite: boolean
  /** Returned loans are seen from this day on; null is the whole history. */
  returnsSince: CalendarDay | null
  rights: ReadonlySet<Right>
}

/** What a person sees from a site (null: from none in particular). */
export function sightOf(
  { sites, rights }: Pick<Caller, 'sites' | 'rights'>,
  site: number | null,
  { parameters, today }: { parameters: Parameters; today: CalendarDay },
): Sight {
  const open = sites.length > 0 ? sites : null
  return {
    open,
    listed: site === null ? open : [site],
    readersBySite: parameters.flag('by_site_beneficiaries'),
    returnsSince: rights.has('BENEFICIARY_HISTORY') ? null : today,
    rights,
  }
}

/** The same, of lists that show another site (null: all that are open). */
export const sightFrom = (sight: Sight, site: number | null): Sight => ({
  ...sight,
  listed: site === null ? sight.open : [site],
})

/** Whether what is kept at a site (null: at none) is open to a person; the site they chose only limits lists. */
export const isSiteOpen = ({ open }: Pick<Sight, 'open'>, site: number | null): boolean =>
  open === null || (site !== null && open.includes(site))

/** Whether no reader is hidden from the person. */
export const areAllReadersOpen = ({ readersBySite, open }: Sight): boolean => !readersBySite || open === null

export const isReaderOpen = (sight: Sight, agency: number | null): boolean =>
  areAllReadersOpen(sight) || isSiteOpen(sight, agency)

const asInSight = (condition: RawBuilder<unknown>) => condition as InSight

// Conditions of lists. Each takes its table by the name that the queries give it: l, c, b, m, v, w.

/** What everybody who may call a list sees whole: the catalogue's words, the settings. */
export const seenByAll = asInSight(sql`true`)

/** What a person asked for is theirs alone. */
export const ownJobs = (user_id: number): InSight => asInSight(sql`j.user_id = ${user_id}`)

/** Views of a list: one's own, and those that are shared. */
export const viewsInSight = (user_id: number): InSight => asInSight(sql`(w.user_id = ${user_id} or w.shared)`)

export const copiesInSight = ({ listed }: Sight): InSight => asInSight(atSites(sql`c.site`, listed))

/** Loans of the listed sites, whatever their state. */
export const loanSitesInSight = ({ listed }: Sight): InSight => asInSight(atSites(sql`l.site`, listed))

/** Loans of the listed sites; without the right to the history, those not returned and those returned today. */
export const loansInSight = (sight: Sight): InSight =>
  sight.returnsSince === null
    ? loanSitesInSight(sight)
    : asInSight(
        sql`${loanSitesInSight(sight)} and (l.status = 'in_progress' or ${returnedSince(sight.returnsSince)})`,
      )

/** Loans returned on a day or later. */
export const returnedSince = (day: CalendarDay): RawBuilder<unknown> =>
  sql`(l.status = 'finished' and l.return_date >= ${day}::date)`

export const readersInSight = ({ readersBySite, listed }: Sight): InSight =>
  asInSight(readersBySite ? atSites(sql`b.agency_id`, listed) : sql`true`)

/** Whether a row's reader may be named. Lists of loans show hidden readers without a name, and never find or sort by it. */
export const readerOpen = (sight: Sight): RawBuilder<unknown> =>
  areAllReadersOpen(sight) ? sql`true` : sql`coalesce(${atSites(sql`b.agency_id`, sight.open)}, false)`

/** Who is not named to a person whose sites are others. */
export const readerElsewhere = 'Lecteur d’un autre site'

/** `matricule - lastname firstname` where a condition holds. */
export const readerInfoWhere = (isOpen: RawBuilder<unknown>): RawBuilder<unknown> =>
  nameWhere(isOpen, readerInfo)

/** The same name as people read it. */
export const readerNameWhere = (isOpen: RawBuilder<unknown>): RawBuilder<unknown> =>
  nameWhere(isOpen, readerName)

const nameWhere = (isOpen: RawBuilder<unknown>, name: RawBuilder<string>) =>
  sql`case when ${isOpen} then ${name} else ${readerElsewhere}::text end`

/** Whether a loan's site is open. */
export const loanOpen = ({ open }: Sight): RawBuilder<unknown> => atSites(sql`l.site`, open)

/** Whether a reservation and its reader may be named; one without a site is everybody's. */
export const reservationOpen = (sight: Sight): RawBuilder<unknown> =>
  sight.open === null
    ? sql`true`
    : sql`((v.site is null or ${atSites(sql`v.site`, sight.open)}) and ${readerOpen(sight)})`

/** A person's own sessions; everybody's for those who look after accounts. */
export const sessionsInSight = ({ rights }: Sight, user_id: number): InSight =>
  asInSight(rights.has('USER_EDIT') ? sql`true` : sql`s.user_id = ${user_id}`)

/**
 * Mails about loans of open sites only, to readers in sight. Older ones do not say of which sites they are: the loan's, or the reader's
 * agency. Mails of accounts (a forgotten password) are shown to those who look after accounts or mails.
 */
export function mailsInSight(sight: Sight): InSight {
  const { open, rights } = sight
  const ofAccounts = sql`m.beneficiary is null and m.loaning is null`
  const seesAccounts = rights.has('USER_EDIT') || rights.has('PARAMETER_MAIL')
  if (open === null) return asInSight(seesAccounts ? sql`true` : sql`not (${ofAccounts})`)
  const ofOpenSites = sql`coalesce(
    m.sites,
    (select array[l.site] from loanings l where l.id = m.loaning),
    (select array[b.agency_id] from beneficiaries b where b.id = m.beneficiary)) <@ ${[...open]}::int[]`
  const toOpenReader = areAllReadersOpen(sight)
    ? sql`true`
    : sql`exists (select from beneficiaries b where b.id = m.beneficiary and ${readerOpen(sight)})`
  const ofLoans = sql`(not (${ofAccounts}) and ${ofOpenSites} and ${toOpenReader})`
  return asInSight(seesAccounts ? sql`(${ofAccounts} or ${ofLoans})` : ofLoans)
}
