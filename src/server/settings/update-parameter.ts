import { sql } from 'kysely'

import { type Collection, collection } from '../../contract/list.ts'
import {
  type Parameter,
  parameters,
  type updateParameter as updateParameterCall,
  type updateParameters as updateParametersCall,
} from '../../contract/settings.ts'
import { parameterFault, unknownTimeZone } from '../../domain/parameters.ts'
import type { Trx } from '../db/handles.ts'
import { ownColumns, source } from '../db/lists/source.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, notFound, type Outcome, violation, violations } from '../http/outcome.ts'
import { forgetParameters } from '../library-facts/parameters.ts'
import { sendRecap } from '../mail/send-mass-mail.ts'
import { seenByAll } from '../visibility/visibility.ts'

export const parameterRows = source(parameters, {
  from: sql`parameters p`,
  where: sql`true`,
  seen: seenByAll,
  id: sql`p.id`,
  columns: {
    code: sql`p.code`,
    name: sql`p.code`,
    ...ownColumns('p', 'value', 'info', 'date_update'),
  },
})

async function lockParameter(trx: Trx, id: number): Promise<Parameter | null> {
  await sql`select from parameters where id = ${id} for update`.execute(trx)
  return parameterRows.find(trx, id)
}

/** In the order of their ids, so that two changes at once never wait for each other. */
async function lockParameters(
  trx: Trx,
  { codes, ids }: { codes: readonly string[]; ids: readonly number[] },
): Promise<Parameter[]> {
  const among = sql`(p.code = any(${[...codes]}::text[]) or p.id = any(${[...ids]}::int[]))`
  await sql`select from parameters p where ${among} order by p.id for update`.execute(trx)
  return parameterRows.every(trx, among)
}

export async function updateParameter(
  trx: Trx,
  { params, body: { value } }: VerbInput<typeof updateParameterCall>,
  exchange: Exchange,
): Promise<Outcome<Parameter>> {
  const before = await lockParameter(trx, params.id)
  if (!before) return notFound('Ce paramètre n’existe pas.')
  const fault = await faultOf(trx, before, value, exchange)
  return fault ? violation('value', fault) : write(trx, exchange, before, value)
}

/** All of them or none; each is refused under its own code, or the id that no parameter has. */
export async function updateParameters(
  trx: Trx,
  { body }: VerbInput<typeof updateParametersCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<Parameter>>> {
  const locked = await lockParameters(trx, {
    codes: body.flatMap(({ code }) => code ?? []),
    ids: body.flatMap(({ id }) => id ?? []),
  })
  const asked = body.map(({ code, id, value }) => {
    const before = locked.find((one) => (code === undefined ? one.id === id : one.code === code))
    return { before, code: before?.code ?? code ?? String(id), value }
  })
  const faults: { propertyPath: string; message: string }[] = []
  const seen = new Set<string>()
  for (const { before, code, value } of asked) {
    const message = seen.has(code)
      ? `Le paramètre «\u00a0${code}\u00a0» est donné deux fois.`
      : before
        ? await faultOf(trx, before, value, exchange)
        : `Le paramètre «\u00a0${code}\u00a0» n’existe pas.`
    seen.add(code)
    if (message) faults.push({ propertyPath: code, message })
  }
  if (faults.length > 0) return violations(faults)
  const members: Parameter[] = []
  for (const { before, value } of asked) {
    if (!before) continue
    const written = await write(trx, exchange, before, value)
    if (!written.ok) return written
    members.push(written.answer)
  }
  return done(collection(members))
}

async function write(
  trx: Trx,
  exchange: Exchange,
  before: Parameter,
  given: string,
): Promise<Outcome<Parameter>> {
  if (before.code === 'recap_email' && given === '1') {
    const sent = await sendRecapOnce(trx, exchange)
    if (!sent.ok) return sent
  }
  // It only asks for the recap, and is off again at once.
  const value = before.code === 'recap_email' ? '0' : given
  if (value === before.value) return done(before)
  const date_update = exchange.now.toISOString()
  await trx.updateTable('parameters').set({ value, date_update }).where('id', '=', before.id).execute()
  forgetParameters(exchange.environment)
  const after = { ...before, value, date_update }
  await journal(trx, exchange, {
    action: 'parameter.update',
    entity: 'parameters',
    entity_id: before.id,
    before,
    after,
  })
  return done(after)
}

const sendRecapOnce = (trx: Trx, exchange: Exchange) =>
  exchange.caller.rights.has('SEND_MAIL')
    ? sendRecap(trx, { query: {}, params: undefined, body: undefined }, exchange)
    : Promise.resolve(forbidden())

/** What they let be seen or deleted is of every site, and what is deleted never comes back. */
const ofAllSites: readonly string[] = ['retention_months', 'journal_months', 'by_site_beneficiaries']

async function faultOf(
  trx: Trx,
  { code, value: before }: Pick<Parameter, 'code' | 'value'>,
  value: string,
  { visibility }: Exchange,
): Promise<string | null> {
  const fault = parameterFault(code, value)
  if (fault !== null) return fault
  if (visibility.open !== null && value !== before && ofAllSites.includes(code))
    return 'Ce réglage touche tous les sites\u202f: il faut les avoir tous pour le changer.'
  return databaseFault(trx, code, value)
}

async function databaseFault(trx: Trx, code: string, value: string): Promise<string | null> {
  if (code === 'timezone') {
    // Days are also computed in SQL, so PostgreSQL must know the zone too.
    const { rows } = await sql`select from pg_timezone_names where name = ${value}`.execute(trx)
    return rows.length > 0 ? null : unknownTimeZone
  }
  if (code === 'multisite' && value === '0') {
    const { rows } = await sql`select from sites where enabled and deleted_at is null limit 2`.execute(trx)
    return rows.length < 2 ? null : 'Plusieurs sites sont en service\u202f: désactivez les autres d’abord.'
  }
  return null
}
