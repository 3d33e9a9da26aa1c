import { sql } from 'kysely'

import { media, type MediumSettings } from '../../contract/media.ts'
import { missingLabel, penaltyKept } from '../../domain/medium-rules.ts'
import { rememberEligibilityValues } from '../beneficiaries/eligibility-values.ts'
import type { Trx } from '../db/handles.ts'
import { takenField } from '../http/bind-resource.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { mediumRows } from './medium-queries.ts'

export const noSuchMedium = 'Ce support n’existe pas.'
const taken = { name: 'Un support porte déjà ce nom.', code: 'Un support porte déjà ce code.' }

type Fields = VerbInput<typeof media.change>['body']

export async function addMedium(
  trx: Trx,
  { body }: VerbInput<typeof media.add>,
  exchange: Exchange,
): Promise<Outcome<MediumSettings>> {
  const refused = await refusalOf(trx, null, body)
  if (refused) return refused
  return untaken(async () => {
    const { id } = await trx
      .insertInto('media')
      .values({ ...blank, name: body.name, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return write(trx, exchange, { id, before: null, fields: body, action: media.add.name })
  })
}

export async function changeMedium(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof media.change>,
  exchange: Exchange,
): Promise<Outcome<MediumSettings>> {
  const before = await lockMedium(trx, id)
  if (!before) return notFound(noSuchMedium)
  const refused = await refusalOf(trx, before, body)
  if (refused) return refused
  return untaken(() => write(trx, exchange, { id, before, fields: body, action: media.change.name }))
}

export async function toggleMedium(
  trx: Trx,
  { params: { id } }: VerbInput<typeof media.toggle>,
  exchange: Exchange,
): Promise<Outcome<MediumSettings>> {
  const before = await lockMedium(trx, id)
  if (!before) return notFound(noSuchMedium)
  const fields = { enabled: !before.enabled }
  return write(trx, exchange, { id, before, fields, action: media.toggle.name })
}

/** The medium as it stands, which nobody else changes until the end of the transaction. */
export async function lockMedium(trx: Trx, id: number): Promise<MediumSettings | null> {
  await sql`select from media where id = ${id} and deleted_at is null for update`.execute(trx)
  return mediumRows.find(trx, id)
}

const blank = {
  code: null,
  accounting_code: null,
  duration: null,
  duration_type: null,
  start_day: null,
  end_day: null,
  penalty_amount: null,
  penalty_duration_type: null,
  max_loaning: null,
  max_late: null,
  max_renewals: null,
  loaning_conditions_label: null,
  loaning_conditions_file: null,
}

/** The rules hold for the medium as it would be, whichever of its fields are written. */
const asWritten = (before: MediumSettings | null, fields: Fields) => ({
  penalty_enabled: fields.penalty_enabled ?? before?.penalty_enabled ?? false,
  penalty_amount:
    (fields.penalty_amount === undefined ? before?.penalty_amount : fields.penalty_amount) ?? null,
  loaning_conditions_enabled:
    fields.loaning_conditions_enabled ?? before?.loaning_conditions_enabled ?? false,
  loaning_conditions_label:
    (fields.loaning_conditions_label === undefined
      ? before?.loaning_conditions_label
      : fields.loaning_conditions_label) ?? null,
})

async function refusalOf(trx: Trx, before: MediumSettings | null, fields: Fields) {
  const label = missingLabel(asWritten(before, fields))
  if (label) return violation('loaning_conditions_label', label)
  const sites = fields.analytic?.map(({ site }) => site) ?? []
  if (new Set(sites).size < sites.length) return violation('analytic', 'Un site n’a qu’un code par support.')
  if (sites.length === 0) return null
  const known = await trx
    .selectFrom('sites')
    .select('id')
    .where('id', 'in', sites)
    .where('deleted_at', 'is', null)
    .execute()
  return known.length < sites.length ? violation('analytic', 'Ce site n’existe pas.') : null
}

const untaken = (work: () => Promise<Outcome<MediumSettings>>) =>
  work().catch((error: unknown) => takenField(error, 'media', taken))

type Change = { id: number; before: MediumSettings | null; fields: Fields; action: string }

async function write(
  trx: Trx,
  exchange: Exchange,
  { id, before, fields, action }: Change,
): Promise<Outcome<MediumSettings>> {
  const { eligibility, analytic, ...plain } = fields
  const rule = eligibility && {
    contracts: [...new Set(eligibility.contracts)],
    statuses: [...new Set(eligibility.statuses)],
    dossiers: [...new Set(eligibility.dossiers)],
  }
  await trx
    .updateTable('media')
    .set({
      ...plain,
      penalty_amount: penaltyKept(asWritten(before, fields)),
      ...(rule ? { eligibility: JSON.stringify(rule) } : {}),
    })
    .where('id', '=', id)
    .execute()
  if (rule) await rememberNames(trx, rule)
  if (analytic) await writeAnalytics(trx, id, analytic)
  return settle(trx, exchange, { id, before, action })
}

/** Stamps and journals what changed; answers the medium as it now stands. */
export async function settle(
  trx: Trx,
  exchange: Exchange,
  { id, before, action }: Omit<Change, 'fields'>,
): Promise<Outcome<MediumSettings>> {
  const after = await mediumRows.find(trx, id)
  if (!after) throw new Error('a medium under lock has gone')
  if (JSON.stringify(before) === JSON.stringify(after)) return done(after)
  const date_update = exchange.now.toISOString()
  await trx.updateTable('media').set({ date_update }).where('id', '=', id).execute()
  const stamped = { ...after, date_update }
  await journal(trx, exchange, { action, entity: 'media', entity_id: id, before, after: stamped })
  return done(stamped)
}

async function rememberNames(trx: Trx, { contracts, statuses, dossiers }: MediumSettings['eligibility']) {
  for (const contract_type of contracts) await rememberEligibilityValues(trx, { contract_type })
  for (const beneficiary_status of statuses) await rememberEligibilityValues(trx, { beneficiary_status })
  await rememberEligibilityValues(trx, { dossiers })
}

async function writeAnalytics(
  trx: Trx,
  medium: number,
  given: NonNullable<Fields['analytic']>,
): Promise<void> {
  await trx.deleteFrom('media_analytics').where('medium', '=', medium).execute()
  const rows = given.filter(({ analytic }) => analytic !== '').map((one) => ({ medium, ...one }))
  if (rows.length > 0) await trx.insertInto('media_analytics').values(rows).execute()
}
