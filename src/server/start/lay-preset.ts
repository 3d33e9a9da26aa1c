import { type RawBuilder, sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { layPreset as layPresetCall } from '../../contract/start-presets.ts'
import { deliveredParameters } from '../../domain/parameters.ts'
import type { Right } from '../../domain/rights.ts'
import { rememberEligibilityValues } from '../beneficiaries/eligibility-values.ts'
import { addMedium } from '../catalogue/save-medium.ts'
import type { Trx } from '../db/handles.ts'
import { rowsAsJson } from '../db/rows-as-json.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, type Outcome, refuse } from '../http/outcome.ts'
import { updateParameters } from '../settings/update-parameter.ts'
import { addProfile } from '../users/change-profiles.ts'
import { lockStart } from './read-start.ts'

type Input = VerbInput<typeof layPresetCall>
type Laid = AnswerOf<typeof layPresetCall>
type Refused = Extract<Outcome<never>, { ok: false }>

/** The rights that each part asks for where it is added by itself. */
const rightsOf = {
  media: 'PARAMETER_MEDIUM',
  categories: 'PARAMETER_CATEGORY',
  delay_reasons: 'PARAMETER_DELAY',
  free_reasons: 'PARAMETER_FREE',
  contracts: 'PARAMETER_GENERAL',
  profiles: 'PARAMETER_LAW',
  parameters: 'PARAMETER_GENERAL',
} as const satisfies Record<Exclude<keyof Input['body'], 'preset'>, Right>

/** Lays down what is not there yet; what has its name already stays as it is, so that twice is once. */
export async function layPreset(trx: Trx, { body }: Input, exchange: Exchange): Promise<Outcome<Laid>> {
  const parts = Object.keys(rightsOf) as (keyof typeof rightsOf)[]
  if (parts.some((part) => body[part].length > 0 && !exchange.caller.rights.has(rightsOf[part]))) {
    return forbidden('Ce modèle pose des réglages que votre profil ne vous laisse pas changer.')
  }
  await lockStart(trx)
  const added = { media: 0, categories: 0, reasons: 0, contracts: 0, profiles: 0, parameters: 0 }

  await rememberContracts(trx, body.contracts, added)
  for (const [at, medium] of body.media.entries()) {
    if (await isMediumThere(trx, medium)) continue
    const outcome = await addMedium(trx, medium, exchange)
    if (!outcome.ok) return within(outcome, `media.${at}`)
    added.media += 1
  }
  for (const name of body.categories) {
    if (await addNamed(trx, exchange, 'categories', { name })) added.categories += 1
  }
  for (const type of ['delay', 'free'] as const) {
    for (const name of body[`${type}_reasons`]) {
      if (await addNamed(trx, exchange, 'reasons', { name, type })) added.reasons += 1
    }
  }
  for (const [at, profile] of body.profiles.entries()) {
    if (await isThere(trx, sql`profiles where search_text(name) = search_text(${profile.name})`)) continue
    const outcome = await addProfile(trx, { body: profile, params: undefined, query: undefined }, exchange)
    if (!outcome.ok) return within(outcome, `profiles.${at}`)
    added.profiles += 1
  }
  const untouched = await stillDelivered(trx, body.parameters)
  if (untouched.length > 0) {
    const outcome = await updateParameters(
      trx,
      { body: untouched, params: undefined, query: undefined },
      exchange,
    )
    if (!outcome.ok) return within(outcome, 'parameters')
    added.parameters = untouched.length
  }
  if (Object.values(added).some((count) => count > 0)) {
    await journal(trx, exchange, {
      action: 'start.preset',
      entity: 'start',
      entity_id: null,
      after: { preset: body.preset, ...added },
    })
  }
  await trx.updateTable('start_progress').set({ preset: body.preset }).execute()
  return done({ '@type': 'LaidPreset', added })
}

/** Says which of several a violation is about. */
const within = ({ refusal }: Refused, path: string): Refused =>
  refuse({
    ...refusal,
    ...(refusal.violations
      ? {
          violations: refusal.violations.map(({ propertyPath, message }) => ({
            propertyPath: `${path}.${propertyPath}`,
            message,
          })),
        }
      : {}),
  })

async function isThere(trx: Trx, among: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`select from ${among} limit 1`.execute(trx)
  return rows.length > 0
}

/** By its name, or by its code where it was renamed since. */
const isMediumThere = (trx: Trx, { name, code = null }: Input['body']['media'][number]) =>
  isThere(
    trx,
    sql`media where deleted_at is null
      and (search_text(name) = search_text(${name}) or search_text(code) = search_text(${code}::text))`,
  )

type Named = { name: string; type?: 'delay' | 'free' }

/** As the list of its settings adds it; answers whether it was not there. */
async function addNamed(
  trx: Trx,
  exchange: Exchange,
  table: 'categories' | 'reasons',
  { name, type }: Named,
): Promise<boolean> {
  const ofType = type ? sql`and type = ${type}` : sql``
  const known = sql`${sql.table(table)} where deleted_at is null and search_text(name) = search_text(${name}) ${ofType}`
  if (await isThere(trx, known)) return false
  const stamp = exchange.now.toISOString()
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (name, date_update ${type ? sql`, type` : sql``})
    values (${name}, ${stamp} ${type ? sql`, ${type}` : sql``}) returning id`.execute(trx)
  for (const after of await rowsAsJson(trx, table, rows))
    await journal(trx, exchange, {
      action: `${table}.add`,
      entity: table,
      entity_id: after.id,
      before: null,
      after,
    })
  return true
}

async function rememberContracts(trx: Trx, names: readonly string[], added: Laid['added']): Promise<void> {
  for (const name of names) {
    const known = sql`eligibility_values where kind = 'CONTRACT' and search_text(name) = search_text(${name})`
    if (await isThere(trx, known)) continue
    await rememberEligibilityValues(trx, { contract_type: name })
    added.contracts += 1
  }
}

/** Parameters that somebody has set already keep their values. */
async function stillDelivered(trx: Trx, given: Input['body']['parameters']) {
  if (given.length === 0) return []
  const rows = await trx
    .selectFrom('parameters')
    .select(['code', 'value'])
    .where(
      'code',
      'in',
      given.map(({ code }) => code),
    )
    .execute()
  const values = new Map<string, string>(rows.map(({ code, value }) => [code, value]))
  return given.filter(
    ({ code, value }) =>
      values.get(code) === deliveredParameters[code].delivered && values.get(code) !== value,
  )
}
