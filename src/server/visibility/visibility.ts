import { type RawBuilder, sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import { atSites, type Visible } from '../db/lists/list-sql.ts'
import type { CodedCopy } from '../library-facts/held-codes.ts'
import type { Parameters } from '../library-facts/parameters.ts'
import { readerInfo, readerName } from '../library-facts/person-names.ts'
import type { Caller } from './caller.ts'

/** Null is every site, and what has none. */
type Sites = readonly number[] | null

/** What a person may see: every list, look-up and told fact goes through it. */
export type Visibility = {
  /** What stands elsewhere does not exist for the person. */
  open: Sites
  /** The sites that their lists show: the chosen one, else all that are open. */
  listed: Sites
  /** Whether closed sites hide their readers (parameter `by_site_beneficiaries`). */
  readersBySite: boolean
  /** The first day of returned loans they see, or null for the whole history. */
  returnsSince: CalendarDay | null
  rights: ReadonlySet<Right>
}

export function visibilityOf(
  { sites, rights }: Pick<Caller, 'sites' | 'rights'>,
  site: number | null,
  { parameters, today }: { parameters: Parameters; today: CalendarDay },
): Visibility {
  const open = sites.length > 0 ? sites : null
  return {
    open,
    listed: site === null ? open : [site],
    readersBySite: parameters.flag('by_site_beneficiaries'),
    returnsSince: rights.has('BENEFICIARY_HISTORY') ? null : today,
    rights,
  }
}

export const visibilityFrom = (visibility: Visibility, site: number | null): Visibility => ({
  ...visibility,
  listed: site === null ? visibility.open : [site],
})

/** Whether what stands at a site, or at none, is open; the chosen site only limits lists. */
export const isSiteOpen = ({ open }: Pick<Visibility, 'open'>, site: number | null): boolean =>
  open === null || (site !== null && open.includes(site))

/** Of the sites that somebody chose, those that they may still work at. */
export const stillOpen = ({ open }: Pick<Visibility, 'open'>, chosen: Sites): Sites =>
  chosen === null ? open : chosen.filter((site) => isSiteOpen({ open }, site))

/** Who works at some sites closes those: all of them are closed by whoever works everywhere. */
export const maySetDaysOf = ({ open }: Pick<Visibility, 'open'>, site: number | null): boolean =>
  site === null ? open === null : isSiteOpen({ open }, site)

export const areAllReadersOpen = ({ readersBySite, open }: Visibility): boolean =>
  !readersBySite || open === null

export const isReaderOpen = (visibility: Visibility, agency: number | null): boolean =>
  areAllReadersOpen(visibility) || isSiteOpen(visibility, agency)

const asVisible = (condition: RawBuilder<unknown>) => condition as Visible

// Each condition takes its table by the name that the queries give it: l, s, c, b, m, v, w.

/** The catalogue's words and the settings, which every caller sees whole. */
export const seenByAll = asVisible(sql`true`)

export const ownJobs = (user_id: number): Visible => asVisible(sql`j.user_id = ${user_id}`)

/** What an archive holds of readers and of their loans is shown elsewhere to whoever holds these. */
const rightsToAll = [
  'LIST_BENEFICIARIES',
  'BENEFICIARY_HISTORY',
  'BENEFICIARY_CONTACT',
  'BENEFICIARY_ADDRESS',
  'LIST_LOANINGS',
] as const satisfies readonly Right[]

/** Whether nothing that the library has is hidden from the person. */
export const seesWholeLibrary = ({ open, rights }: Pick<Visibility, 'open' | 'rights'>): boolean =>
  open === null && rightsToAll.every((right) => rights.has(right))

/** What an answer was told by. */
type ViewerScope = Pick<Visibility, 'open' | 'readersBySite'> & { rights: readonly Right[] }

export const scopeOfViewer = ({ open, readersBySite, rights }: Visibility): ViewerScope => ({
  open,
  readersBySite,
  rights: rightsToAll.filter((right) => rights.has(right)),
})

/** Whether what was told then would be told now, for a person's sites and rights may have become fewer since. */
export function seesAsMuch(visibility: Visibility, { open, readersBySite, rights }: ViewerScope): boolean {
  const seesSites =
    visibility.open === null ||
    (open !== null &&
      open.every((site) => isSiteOpen(visibility, site)) &&
      (readersBySite || !visibility.readersBySite))
  return seesSites && rights.every((right) => visibility.rights.has(right))
}

/** Whoever asked for an archive, for as long as nothing is hidden from them. */
export const ownArchives = (visibility: Visibility, user_id: number): Visible =>
  seesWholeLibrary(visibility) ? asVisible(sql`a.user_id = ${user_id}`) : asVisible(sql`false`)

export const visibleViews = (user_id: number): Visible => asVisible(sql`(w.user_id = ${user_id} or w.shared)`)

export const visibleCopies = ({ listed }: Visibility): Visible => asVisible(atSites(sql`c.site`, listed))

/** And those that left the listed sites, for as long as they are under way. */
export const visibleOrSentCopies = (visibility: Visibility): Visible =>
  asVisible(sql`(${visibleCopies(visibility)} or ${atSites(sql`c.sent_from`, visibility.listed)})`)

export const visibleSales = ({ listed }: Visibility): Visible => asVisible(atSites(sql`s.site`, listed))

export const visibleLoanSites = ({ listed }: Visibility): Visible => asVisible(atSites(sql`l.site`, listed))

/** Loans of the listed sites; without the right to the history, the open ones and those returned today. */
export const visibleLoans = (visibility: Visibility): Visible =>
  visibility.returnsSince === null
    ? visibleLoanSites(visibility)
    : asVisible(
        sql`${visibleLoanSites(visibility)} and (l.status = 'in_progress' or ${returnedSince(visibility.returnsSince)})`,
      )

export const returnedSince = (day: CalendarDay): RawBuilder<unknown> =>
  sql`(l.status = 'finished' and l.return_date >= ${day}::date)`

export const visibleReaders = ({ readersBySite, listed }: Visibility): Visible =>
  asVisible(readersBySite ? atSites(sql`b.agency_id`, listed) : sql`true`)

/** Lists show a hidden reader's loan without the name, and never find or sort by it. */
export const readerOpen = (visibility: Visibility): RawBuilder<unknown> =>
  areAllReadersOpen(visibility)
    ? sql`true`
    : sql`coalesce(${atSites(sql`b.agency_id`, visibility.open)}, false)`

export const readerElsewhere = 'Lecteur d’un autre site'
export const readerForgotten = 'Lecteur oublié'

export const readerInfoWhere = (isOpen: RawBuilder<unknown>): RawBuilder<unknown> =>
  nameWhere(isOpen, readerInfo)

export const readerNameWhere = (isOpen: RawBuilder<unknown>): RawBuilder<unknown> =>
  nameWhere(isOpen, readerName)

const nameWhere = (isOpen: RawBuilder<unknown>, name: RawBuilder<string>) =>
  sql`case when ${isOpen} then ${name} else ${readerElsewhere}::text end`

export const loanOpen = ({ open }: Visibility): RawBuilder<unknown> => atSites(sql`l.site`, open)

/** Whether a reservation and its reader may be named; one without a site is everybody's. */
export const reservationOpen = (visibility: Visibility): RawBuilder<unknown> =>
  visibility.open === null
    ? sql`true`
    : sql`((v.site is null or ${atSites(sql`v.site`, visibility.open)}) and ${readerOpen(visibility)})`

/** Reservations v that are fetched at the listed sites, and those of no site in particular. */
export const visibleReservationSites = ({ listed }: Visibility): Visible =>
  asVisible(listed === null ? sql`true` : sql`(v.site is null or ${atSites(sql`v.site`, listed)})`)

/** And those whose copy stands at the listed sites, which send it to where it is fetched. */
export const visibleShelves = (visibility: Visibility): Visible =>
  visibility.listed === null
    ? asVisible(sql`true`)
    : asVisible(sql`(${visibleReservationSites(visibility)} or (${atSites(sql`v.site`, visibility.open)} and exists (
        select from copies c where c.id = v.set_aside_copy and ${atSites(sql`c.site`, visibility.listed)})))`)

/** What was done to many records at once where the caller may be, or at no site in particular. */
export const visibleActs = ({ open }: Pick<Visibility, 'open'>): Visible =>
  asVisible(open === null ? sql`true` : sql`(a.site is null or ${atSites(sql`a.site`, open)})`)

/** Counts (i) of the sites open to the person. */
export const visibleInventories = ({ open }: Pick<Visibility, 'open'>): Visible =>
  asVisible(atSites(sql`i.site`, open))

/** What was weeded (g) at the listed sites. */
export const visibleWeedings = (visibility: Visibility): Visible =>
  asVisible(sql`exists (
    select from weeding_lines l join copies c on c.id = l.copy where l.weeding = g.id and ${visibleCopies(visibility)})`)

/** Whether a copy c may be told: one of a closed site is known by the code that was read, and no more. */
export const copyOpen = ({ open }: Pick<Visibility, 'open'>): RawBuilder<unknown> =>
  atSites(sql`c.site`, open)

/** A file of readers is its sender's own, and any file where people work at some sites only. */
export const visibleImports = ({ open }: Pick<Visibility, 'open'>, user_id: number): Visible =>
  asVisible(
    open === null ? sql`(i.user_id = ${user_id} or i.subject = 'references')` : sql`i.user_id = ${user_id}`,
  )

/** Of what an act touched (journal lines `j`), what stands where the caller may be. */
export const visibleTouched = (visibility: Visibility): Visible => {
  const { open } = visibility
  return asVisible(
    open === null
      ? sql`true`
      : sql`case j.entity
          when 'copies' then exists (select from copies c where c.id = j.entity_id and ${atSites(sql`c.site`, open)})
          when 'beneficiaries' then exists (select from beneficiaries b where b.id = j.entity_id and ${readerOpen(visibility)})
          when 'loanings' then exists (
            select from loanings l left join beneficiaries b on b.id = l.beneficiary
            where l.id = j.entity_id and ${loanOpen(visibility)} and ${readerOpen(visibility)})
          when 'reservations' then exists (
            select from reservations v join beneficiaries b on b.id = v.beneficiary_id
            where v.id = j.entity_id and ${reservationOpen(visibility)})
          when 'inventories' then exists (
            select from inventories i where i.id = j.entity_id and ${visibleInventories(visibility)})
          else true end`,
  )
}

/** Users who work nowhere else than where the caller may; only they are seen and changed. */
export const visibleUsers = ({ open }: Pick<Visibility, 'open'>): Visible =>
  asVisible(
    open === null
      ? sql`true`
      : sql`(select coalesce(array_agg(us.site), '{0}') from user_sites us where us.user_id = u.id) <@ ${[...open]}::int[]`,
  )

/** Devices (d) last used at an open site, or by somebody (u) in sight. */
export const visibleDevices = (visibility: Pick<Visibility, 'open'>): Visible =>
  asVisible(
    visibility.open === null
      ? sql`true`
      : sql`(coalesce(${atSites(sql`d.site`, visibility.open)}, false) or (u.id is not null and ${visibleUsers(visibility)}))`,
  )

/** A person's own sessions, or those of users in sight with the right to manage them. */
export const visibleSessions = (visibility: Visibility, user_id: number): Visible =>
  asVisible(
    visibility.rights.has('USER_EDIT')
      ? sql`(s.user_id = ${user_id} or ${visibleUsers(visibility)})`
      : sql`s.user_id = ${user_id}`,
  )

/** Mails of open sites to readers in sight; old ones go by the loan's or the reader's site. */
export function visibleMails(visibility: Visibility): Visible {
  const { open, rights } = visibility
  const ofAccounts = sql`m.beneficiary is null and m.loaning is null`
  const seesAccounts = rights.has('USER_EDIT') || rights.has('PARAMETER_MAIL')
  if (open === null) return asVisible(seesAccounts ? sql`true` : sql`not (${ofAccounts})`)
  const ofOpenSites = sql`coalesce(
    m.sites,
    (select array[l.site] from loanings l where l.id = m.loaning),
    (select array[b.agency_id] from beneficiaries b where b.id = m.beneficiary)) <@ ${[...open]}::int[]`
  const toOpenReader = areAllReadersOpen(visibility)
    ? sql`true`
    : sql`exists (select from beneficiaries b where b.id = m.beneficiary and ${readerOpen(visibility)})`
  const ofLoans = sql`(not (${ofAccounts}) and ${ofOpenSites} and ${toOpenReader})`
  return asVisible(seesAccounts ? sql`(${ofAccounts} or ${ofLoans})` : ofLoans)
}

/** Letters (t) about loans of open sites, to readers (b) in sight. */
export const visibleLetters = (visibility: Visibility): Visible =>
  asVisible(
    visibility.open === null
      ? sql`true`
      : sql`(t.sites <@ ${[...visibility.open]}::int[] and ${readerOpen(visibility)})`,
  )

/** Who may list readers or loans may know who had a copy last. */
export const mayNameBorrowers = ({ rights }: Pick<Visibility, 'rights'>): boolean =>
  rights.has('LIST_BENEFICIARIES') || rights.has('LIST_LOANINGS')

/** « d’un exemplaire de … », without its title where its site is closed to the person. */
export const whoseCopy = (visibility: Visibility, { name, site }: CodedCopy): string =>
  isSiteOpen(visibility, site)
    ? `d’un exemplaire de «\u00a0${name}\u00a0»`
    : 'd’un exemplaire d’un autre site'
