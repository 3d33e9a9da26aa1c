import { sql } from 'kysely'

import type { Parameter, updateParameter as updateParameterCall } from '../../contract/settings.ts'
import type { Trx } from '../db/environment.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../journal.ts'
import { lockParameter } from './parameter-queries.ts'
import { parameterFault } from './parameter-rules.ts'
import { forgetParameters } from './parameters.ts'

/** Gives a parameter another value, when the value suits it. */
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

/** Days are also reckoned in SQL: both bases of time zones must know the name. */
async function databaseFault(trx: Trx, code: string, value: string): Promise<string | null> {
  if (code !== 'timezone') return null
  const { rows } = await sql`select from pg_timezone_names where name = ${value}`.execute(trx)
  return rows.length > 0 ? null : 'Ce fuseau horaire n’existe pas\u202f: écrivez-le comme Europe/Paris.'
}
