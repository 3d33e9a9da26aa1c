import { sql } from 'kysely'

import type { Parameter, updateParameter as updateParameterCall } from '../../contract/settings.ts'
import { parameterFault, unknownTimeZone } from '../../domain/parameters.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { lockParameter } from './parameter-rows.ts'
import { forgetParameters } from '../db/parameters.ts'

export async function updateParameter(
  trx: Trx,
  { params, body: { value } }: VerbInput<typeof updateParameterCall>,
  exchange: Exchange,
): Promise<Outcome<Parameter>> {
  const before = await lockParameter(trx, params.id)
  if (!before) return notFound('Ce paramètre n’existe pas.')
  const fault = parameterFault(before.code, value) ?? (await databaseFault(trx, before.code, value))
  if (fault) return violation('value', fault)
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
