import * as call from '../../contract/beneficiaries.ts'
import { change, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { addBeneficiary } from './add-beneficiary.ts'
import {
  autocompleteBeneficiaries,
  findBeneficiaryInSight,
  listBeneficiaries,
} from './beneficiary-queries.ts'
import { listEligibilityValues } from './eligibility-values.ts'
import { beneficiaryLabel, tellBeneficiary } from './tell-beneficiary.ts'
import { updateBeneficiary } from './update-beneficiary.ts'
import { updateRelative } from './update-relative.ts'

// `autocomplete` stands before `{id}`: the first path that fits serves the call.
export const beneficiaryRoutes = [
  read(call.listBeneficiaries, async (db, { list }, exchange) => {
    const page = await listBeneficiaries(db, list, exchange)
    return done({
      ...page,
      'hydra:member': page['hydra:member'].map((row) => tellBeneficiary(row, exchange.caller)),
    })
  }),
  read(call.autocompleteBeneficiaries, async (db, { query }, exchange) => {
    const { searchname, with_inactive = false } = query
    const found = await autocompleteBeneficiaries(db, { searchname, with_inactive }, exchange)
    return done({
      ...found,
      'hydra:member': found['hydra:member'].map((choice) => ({ ...choice, label: beneficiaryLabel(choice) })),
    })
  }),
  read(call.getBeneficiary, async (db, { params }, exchange) => {
    const row = await findBeneficiaryInSight(db, params.id, exchange)
    return row ? done(tellBeneficiary(row, exchange.caller)) : notFound('Ce bénéficiaire n’existe pas.')
  }),
  change(call.addBeneficiary, addBeneficiary),
  change(call.updateBeneficiary, updateBeneficiary),
  change(call.updateRelative, updateRelative),
  read(call.listAgencies, async (db) => {
    const sites = await db
      .selectFrom('sites')
      .select(['id', 'name'])
      .where('enabled', '=', true)
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .orderBy('id')
      .execute()
    const agencies = sites.map((site) => ({
      '@id': `/api/agencies/${site.id}`,
      '@type': 'Agency' as const,
      ...site,
    }))
    return done({ 'hydra:member': agencies, 'hydra:totalItems': agencies.length })
  }),
  read(call.listEligibilityValues, async (db, { params, query }) => {
    const values = await listEligibilityValues(db, params.kind, query.inUse ?? false)
    return done({ 'hydra:member': values, 'hydra:totalItems': values.length })
  }),
]
