import { type RawBuilder, sql } from 'kysely'

import type { removeSample as removeSampleCall, StartState } from '../../contract/start.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, forbidden, type Outcome } from '../http/outcome.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { mayHandleSample, notForSample } from './add-sample.ts'
import { lockStart, readStart } from './read-start.ts'

const of = (entity: string) => sql`(select entity_id from start_sample where entity = ${entity})`

/** Takes the whole sample away, unless something of the library's own has got hold of it. */
export async function removeSample(
  trx: Trx,
  _input: VerbInput<typeof removeSampleCall>,
  exchange: Exchange,
): Promise<Outcome<StartState>> {
  if (!mayHandleSample(exchange)) return notForSample
  await lockStart(trx)
  await keepWhatIsReal(trx)
  // Whoever lends one of them now waits, and then finds that it has gone.
  await sql`select from copies where id in ${of('copies')} order by id for update`.execute(trx)
  await sql`select from beneficiaries where id in ${of('beneficiaries')} order by id for update`.execute(trx)
  const sites = await trx
    .selectFrom('copies')
    .select('site')
    .distinct()
    .where('id', 'in', sql<number>`${of('copies')}`)
    .execute()
  if (sites.some(({ site }) => !isSiteOpen(exchange.visibility, site))) {
    return forbidden('L’exemple a des exemplaires sur un site qui ne vous est pas ouvert.')
  }
  const held = (await heldByLoans(trx)) ?? (await heldByCopies(trx)) ?? (await heldByReservations(trx))
  if (held)
    return conflict('IN_USE', `L’exemple n’a pas été retiré\u202f: ${held.said}`, { count: held.count })

  const at = exchange.now.toISOString()
  const remove = async (entity: string, table: string, among: RawBuilder<unknown>, also = sql``) => {
    const { rows } = await sql<{ id: number }>`
      update ${sql.table(table)} t set deleted_at = ${at} ${also}
      where deleted_at is null and (${among}) returning id`.execute(trx)
    for (const { id } of rows) {
      await journal(trx, exchange, { action: 'start.remove_sample', entity, entity_id: id })
    }
  }
  await remove(
    'loanings',
    'loanings',
    sql`beneficiary in ${of('beneficiaries')} and copy in ${of('copies')}`,
    sql`, status = case when status = 'in_progress' then 'cancelled' else status end`,
  )
  await remove(
    'reservations',
    'reservations',
    sql`reference_id in ${of('references')} or beneficiary_id in ${of('beneficiaries')}`,
    sql`, status = case when status in ('waiting', 'confirmed') then 'canceled' else status end`,
  )
  await remove(
    'copies',
    'copies',
    sql`id in ${of('copies')}`,
    sql`, status = case when status = 'En Location' then 'Disponible' else status end`,
  )
  await remove('references', 'references', sql`id in ${of('references')}`)
  await remove('relatives', 'relatives', sql`beneficiary in ${of('beneficiaries')}`)
  await remove('beneficiaries', 'beneficiaries', sql`id in ${of('beneficiaries')}`)
  // What the library's own titles now are of has become the library's.
  const unused = (column: string) => sql`not exists (
    select from "references" r where r.${sql.ref(column)} = t.id and r.deleted_at is null)`
  await remove('media', 'media', sql`id in ${of('media')} and ${unused('medium')}`)
  await remove('categories', 'categories', sql`id in ${of('categories')} and ${unused('category')}`)
  await sql`delete from start_sample`.execute(trx)
  return done(await readStart(trx))
}

/** What somebody has changed since is the library's own: no removal may take it. Run before the journal forgets. */
export async function keepWhatIsReal(trx: Trx): Promise<void> {
  await sql`
    with own as (
      delete from start_sample s where exists (
        select from audit_journal j
        where j.entity = s.entity and j.entity_id = s.entity_id and j.action not like 'start.%'
          and j.action not like '%.add')
      returning s.entity, s.entity_id)
    delete from start_sample s
    where s.entity = 'references' and s.entity_id in (
      select c.reference from own join copies c on c.id = own.entity_id and c.deleted_at is null
      where own.entity = 'copies')`.execute(trx)
  await sql`
    delete from start_sample s where s.entity = 'beneficiaries' and exists (
      select from relatives rel where rel.beneficiary = s.entity_id)`.execute(trx)
  // The title of a copy that stays has stayed; the other copies of it do too.
  await sql`
    delete from start_sample s using copies c
    where s.entity = 'copies' and c.id = s.entity_id and c.reference not in ${of('references')}`.execute(trx)
}

type Held = { count: number; said: string } | null
type First = { title: string; code: string; count: number; is_own_reader: boolean }

async function heldByLoans(trx: Trx): Promise<Held> {
  const { rows } = await sql<First>`
    select r.name as title, c.bar_code as code, count(*) over ()::integer as count,
      coalesce(l.beneficiary, 0) not in ${of('beneficiaries')} as is_own_reader
    from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
    where l.deleted_at is null
      and (l.copy in ${of('copies')}) is distinct from (coalesce(l.beneficiary, 0) in ${of('beneficiaries')})
    order by l.id limit 1`.execute(trx)
  const [first] = rows
  if (!first) return null
  const { count, is_own_reader } = first
  if (count > 1) {
    return {
      count,
      said: `${count} prêts le lient à vos lecteurs ou à vos exemplaires, dont celui de ${named(first)}. Supprimez-les d’abord.`,
    }
  }
  const by = is_own_reader ? 'prêté à un de vos lecteurs' : 'prêté à un lecteur de l’exemple'
  return { count, said: `${named(first)} est ou a été ${by}. Supprimez d’abord ce prêt.` }
}

async function heldByCopies(trx: Trx): Promise<Held> {
  const { rows } = await sql<Omit<First, 'is_own_reader'>>`
    select r.name as title, c.bar_code as code, count(*) over ()::integer as count
    from copies c join "references" r on r.id = c.reference
    where c.deleted_at is null and c.reference in ${of('references')} and c.id not in ${of('copies')}
    order by c.id limit 1`.execute(trx)
  const [first] = rows
  if (!first) return null
  const { count } = first
  const said =
    count === 1
      ? `l’exemplaire ${named(first)} est à vous. Retirez-le d’abord du fonds.`
      : `${count} exemplaires de ses titres sont à vous, dont ${named(first)}. Retirez-les d’abord du fonds.`
  return { count, said }
}

async function heldByReservations(trx: Trx): Promise<Held> {
  const { rows } = await sql<{ title: string; count: number }>`
    select r.name as title, count(*) over ()::integer as count
    from reservations v join "references" r on r.id = v.reference_id
    where ${isActive}
      and (v.reference_id in ${of('references')}) is distinct from (v.beneficiary_id in ${of('beneficiaries')})
    order by v.id limit 1`.execute(trx)
  const [first] = rows
  if (!first) return null
  const { count, title } = first
  const said =
    count === 1
      ? `«\u00a0${title}\u00a0» est réservé. Annulez d’abord cette réservation.`
      : `${count} réservations le lient à vos lecteurs ou à vos titres, dont celle de «\u00a0${title}\u00a0». Annulez-les d’abord.`
  return { count, said }
}

const named = ({ title, code }: { title: string; code: string }) => `«\u00a0${title}\u00a0» (${code})`
