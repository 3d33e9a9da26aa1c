import * as call from '../../contract/beneficiaries.ts'
import { change, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { addBeneficiary } from './add-beneficiary.ts'
import { listAgencies } from './agency-queries.ts'
import {
  autocompleteBeneficiaries,
  findBeneficiaryInSight,
  listBeneficiaries,
} from './beneficiary-queries.ts'
import { listEligibilityValues } from './eligibility-values.ts'
import { beneficiaryLabel, tellBeneficiary } from './tell-beneficiary.ts'
import { updateBeneficiary } from './update-beneficiary.ts'
import { updateRelative } from './update-relative.ts'

// `autocomplete` stands before `{id}`, because the first matching path serves the call.
export const beneficiaryRoutes = [
  read(call.listBeneficiaries, async (db, { list }, exchange) => {
    const page = await listBeneficiaries(db, list, exchange)
    return done({
      ...page,
      'hydra:member': page['hydra:member'].map((row) => tellBeneficiary(row, exchange.caller)),
    })
  }),
  read(call.autocompleteBeneficiaries, async (db, { list, query }, exchange) => {
    const { searchname, with_inactive = false } = query
    const found = await autocompleteBeneficiaries(db, list, { searchname, with_inactive }, exchange)
    return done({
      ...found,
      'hydra:member': found['hydra:member'].map((choice) => ({
        '@id': `/api/beneficiaries/${choice.id}`,
        '@type': 'Beneficiary' as const,
        ...choice,
        label: beneficiaryLabel(choice),
      })),
    })
  }),
  read(call.getBeneficiary, async (db, { params }, exchange) => {
    const row = await findBeneficiaryInSight(db, params.id, exchange)
    return row ? done(tellBeneficiary(row, exchange.caller)) : notFound('Ce bénéficiaire n’existe pas.')
  }),
  change(call.addBeneficiary, addBeneficiary),
  change(call.updateBeneficiary, updateBeneficiary),
  change(call.updateRelative, updateRelative),
  read(call.listAgencies, async (db, { list }) => done(await listAgencies(db, list))),
  read(call.listEligibilityValues, async (db, { list, params, query }) =>
    done(await listEligibilityValues(db, list, { kind: params.kind, inUse: query.inUse ?? false })),
  ),
]
