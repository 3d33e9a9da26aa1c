import { sql } from 'kysely'

import { isActive } from '../library-facts/active-reservation.ts'
import type { Trx } from '../db/handles.ts'
import { oneRow } from '../db/one-row.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Refused, violation, violations } from '../http/outcome.ts'
import { isReaderOpen, isSiteOpen } from '../visibility/visibility.ts'
import { frenchDay, plusDays } from '../../domain/calendar-day.ts'
import { type Days, firstFullDay, onStartDay } from '../../domain/reservation-rules.ts'
import { type ReaderFacts, readerFacts, refusalsOf } from '../loans/eligibility.ts'

/** What is asked for, as it would be once it is written. */
type Sought = {
  /** Null for a new one. */
  id: number | null
  /** Whether it becomes one of this title, or was one. */
  isNewTitle: boolean
  beneficiary_id: number
  reference_id: number
  copy_id: number | null
  start_date: string | null
  end_date: string | null
  site: number | null
  source: 'media' | 'online'
}

type Facts = ReaderFacts & {
  reader: number | null
  agency_id: number | null
  reference: number | null
  reference_name: string
  medium_enabled: boolean
  online: boolean
  copy: number | null
  copy_site: number | null
  copy_type: 'Location' | 'Vente' | null
  site: number | null
  own: number
  /** Copies that are or will be lent, and the dated reservations and open loans that meet the days. */
  lendable: number
  others: Days[]
  copy_taken: boolean
}

/** Why it cannot be reserved, or its facts; the queue of the title is locked. */
export async function checkSought(
  trx: Trx,
  sought: Sought,
  exchange: Exchange,
): Promise<{ ok: true; sought: Sought } | Refused> {
  const dates = withStartDay(sought, await startDayOf(trx, sought.reference_id))
  if (!dates.ok) return dates
  const { start_date, end_date } = dates
  const facts = await readFacts(trx, { ...sought, start_date, end_date }, exchange.today)
  const refused =
    whoMayNot(facts, { ...sought, start_date, end_date }, exchange) ??
    whatMayNot(facts, sought, exchange) ??
    whenMayNot(facts, { ...sought, start_date, end_date }, exchange)
  if (refused) return refused
  return {
    ok: true,
    sought: { ...sought, start_date, end_date, site: sought.site ?? siteOf(facts, exchange) },
  }
}

async function startDayOf(trx: Trx, reference: number): Promise<number | null> {
  const row = await trx
    .selectFrom('references')
    .leftJoin('media', 'media.id', 'references.medium')
    .select('media.start_day')
    .where('references.id', '=', reference)
    .executeTakeFirst()
  return row?.start_day ?? null
}

/** A dated one begins on the medium's weekday, at the first that comes. */
function withStartDay(
  { start_date, end_date }: Sought,
  start_day: number | null,
): { ok: true; start_date: string | null; end_date: string | null } | Refused {
  if ((start_date === null) !== (end_date === null)) {
    return start_date === null
      ? violation('start_date', 'La date de début est obligatoire avec une date de fin.')
      : violation('end_date', 'La date de fin est obligatoire avec une date de début.')
  }
  if (start_date === null || end_date === null) return { ok: true, start_date, end_date }
  if (end_date < start_date)
    return violation('end_date', 'La date de fin ne doit pas précéder la date de début.')
  const begins = onStartDay(start_date, start_day)
  if (end_date < begins) {
    return violation('end_date', 'Aucun jour où ce support commence à se prêter ne tombe entre ces dates.')
  }
  return { ok: true, start_date: begins, end_date }
}

async function readFacts(trx: Trx, sought: Sought, today: string): Promise<Facts> {
  const { beneficiary_id, reference_id, copy_id, start_date, end_date, site, id } = sought
  const meets = sql`daterange(${start_date}::date, ${end_date}::date, '[]')`
  return oneRow<Facts>(
    trx,
    sql`
    select ${readerFacts(today)}, b.id as reader, b.agency_id,
      r.id as reference, coalesce(r.name, '') as reference_name,
      coalesce(m.enabled, true) as medium_enabled, coalesce(m.online_booking_enabled, false) as online,
      c.id as copy, c.site as copy_site, c.type as copy_type, s.id as site,
      (select count(*) from reservations v
        where v.beneficiary_id = ${beneficiary_id} and v.reference_id = ${reference_id}
          and ${isActive}
          and v.id is distinct from ${id}::integer) as own,
      (select count(*) from copies o where o.reference = r.id and o.deleted_at is null and o.type = 'Location'
        and o.status <> 'Non Disponible') as lendable,
      coalesce((select json_agg(o) from (
        select v.start_date, v.end_date from reservations v
        where v.reference_id = r.id and ${isActive} and v.start_date is not null and v.id is distinct from ${id}::integer
          and daterange(v.start_date, v.end_date, '[]') && ${meets}
        union all
        select l.start_date, greatest(l.end_date, ${today}::date) from loanings l join copies o on o.id = l.copy
        where o.reference = r.id and l.status = 'in_progress'
          and daterange(l.start_date, greatest(l.end_date, ${today}::date), '[]') && ${meets}
      ) o where ${start_date}::date is not null), '[]') as others,
      ${start_date}::date is not null and exists (
        select from reservations v
        where v.copy_id = c.id and ${isActive} and v.start_date is not null and v.id is distinct from ${id}::integer
          and daterange(v.start_date, v.end_date, '[]') && ${meets}
      ) as copy_taken
    from (select) one
      left join beneficiaries b on b.id = ${beneficiary_id} and b.deleted_at is null
      left join "references" r on r.id = ${reference_id} and r.deleted_at is null
      left join media m on m.id = r.medium
      left join copies c on c.id = ${copy_id} and c.reference = r.id and c.deleted_at is null
      left join sites s on s.id = ${site} and s.deleted_at is null and s.enabled`,
  )
}

/** Active, and allowed by contract, status and dossiers; limits of loans do not count. */
function whoMayNot(
  facts: Facts,
  sought: Sought,
  { visibility, parameters, today }: Exchange,
): Refused | null {
  if (facts.reader === null || !isReaderOpen(visibility, facts.agency_id)) {
    return violation('beneficiary_id', 'Ce lecteur n’existe pas.')
  }
  if (facts.reference === null) return violation('reference_id', 'Cette référence n’existe pas.')
  const refusals = refusalsOf(facts, sought.start_date ?? today).filter(
    ({ code }) => code !== 'MAX_LOANING' && code !== 'MAX_LATE',
  )
  if (refusals.length > 0) {
    return violations(refusals.map(({ message }) => ({ propertyPath: 'beneficiary_id', message })))
  }
  if (facts.own > 0 && !parameters.flag('multiple_reservations')) {
    return violation('reference_id', `Ce lecteur a déjà réservé «\u00a0${facts.reference_name}\u00a0».`)
  }
  return null
}

function whatMayNot(facts: Facts, sought: Sought, { visibility, parameters }: Exchange): Refused | null {
  if (sought.isNewTitle && !facts.medium_enabled) {
    return violation('reference_id', 'Ce support est désactivé\u202f: il ne se réserve plus.')
  }
  if (
    sought.id === null &&
    sought.source === 'online' &&
    !(parameters.flag('online_booking_enabled') && facts.online)
  ) {
    return violation('source', 'La réservation en ligne n’est pas ouverte pour ce support.')
  }
  if (sought.copy_id !== null) {
    if (facts.copy === null || !isSiteOpen(visibility, facts.copy_site)) {
      return violation('copy_id', 'Cet exemplaire n’existe pas dans cette référence.')
    }
    if (facts.copy_type !== 'Location') {
      return violation('copy_id', 'Cet exemplaire se vend et ne se réserve pas.')
    }
  }
  if (sought.site !== null && (facts.site === null || !isSiteOpen(visibility, facts.site))) {
    return violation('site', 'Ce site n’existe pas.')
  }
  return null
}

function whenMayNot(facts: Facts, sought: Sought, { parameters, today }: Exchange): Refused | null {
  const { start_date, end_date } = sought
  if (start_date === null || end_date === null) {
    if (parameters.flag('reservations_without_dates') || sought.id !== null) return null
    return violations([
      { propertyPath: 'start_date', message: 'La date de début est obligatoire.' },
      { propertyPath: 'end_date', message: 'La date de fin est obligatoire.' },
    ])
  }
  if (end_date < today) return violation('end_date', 'Ces dates sont passées.')
  if (start_date > plusDays(today, furthestDays)) {
    return violation('start_date', 'La date de début est à plus de deux ans d’aujourd’hui.')
  }
  if (end_date > plusDays(start_date, longestDays)) {
    return violation('end_date', 'Une réservation ne dure pas plus d’un an.')
  }
  if (facts.copy_taken) return violation('start_date', 'Cet exemplaire est déjà réservé pendant ces dates.')
  if (facts.lendable === 0) {
    return violation('reference_id', 'Cette référence n’a aucun exemplaire qui se prête.')
  }
  const full = firstFullDay({ start_date, end_date }, facts.others, facts.lendable)
  return full === null
    ? null
    : violation('start_date', `Tous les exemplaires sont déjà réservés ou prêtés le ${frenchDay(full)}.`)
}

const furthestDays = 731
const longestDays = 366

/** Where one works, else where the copy or the reader belongs, if that is open to the caller. */
function siteOf(facts: Facts, { site, visibility }: Exchange): number | null {
  const open = [facts.copy_site, facts.agency_id].find((one) => one !== null && isSiteOpen(visibility, one))
  return site ?? open ?? visibility.open?.[0] ?? null
}
