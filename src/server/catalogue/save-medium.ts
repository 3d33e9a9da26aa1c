import { media, type MediumSettings } from '../../contract/media.ts'
import { missingLabel, penaltyKept } from '../../domain/medium-rules.ts'
import { rememberEligibilityValues } from '../beneficiaries/eligibility-values.ts'
import type { Trx } from '../db/handles.ts'
import { whileUsed } from '../http/bind-resource.ts'
import type { VerbInput } from '../http/binding.ts'
import { violation } from '../http/outcome.ts'
import { ownWrites } from '../http/own-writes.ts'
import { mediumRows } from './medium-queries.ts'

type Fields = VerbInput<typeof media.change>['body']

const settled = '\u202f: désactivez-le, ou donnez-leur-en un autre.'

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

export const {
  missing: noSuchMedium,
  lock: lockMedium,
  settle,
  add: addMedium,
  bindings: mediumBindings,
} = ownWrites(media, mediumRows, {
  taken: { name: 'Un support porte déjà ce nom.', code: 'Un support porte déjà ce code.' },
  mayWrite: refusalOf,
  begin: (trx, { name }) =>
    trx
      .insertInto('media')
      .values({ ...blank, name, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow(),
  write: async (trx, before, fields) => {
    const { id } = before
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
    return null
  },
  mayGo: async (_, { ref_count }) =>
    whileUsed(ref_count, {
      one: `Une référence est de ce support${settled}`,
      many: `références sont de ce support${settled}`,
    }),
})

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
