import * as call from '../../contract/beneficiaries.ts'
import * as changes from '../../contract/beneficiary-changes.ts'
import * as eligibility from '../../contract/eligibility.ts'
import * as relatives from '../../contract/relatives.ts'
import { aMomentAgo, change, file, longRead, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { addBeneficiary } from './add-beneficiary.ts'
import { addRelative } from './add-relative.ts'
import { listAgencies } from './agency-queries.ts'
import {
  autocompleteBeneficiaries,
  findBeneficiaryInSight,
  listBeneficiaries,
} from './beneficiary-queries.ts'
import { exportBeneficiaries } from './export-beneficiaries.ts'
import { listEligibilityValues } from './eligibility-values.ts'
import { findTwins } from './find-twins.ts'
import { listCommunes } from './list-communes.ts'
import { printCard, printCards } from './print-cards.ts'
import { removeRelative } from './remove-relative.ts'
import { renameEligibilityValue } from './rename-eligibility-value.ts'
import { beneficiaryLabel, tellBeneficiary } from './tell-beneficiary.ts'
import { updateBeneficiary } from './update-beneficiary.ts'
import { updateRelative } from './update-relative.ts'

// What has a name stands before `{id}`, because the first matching path serves the call.
export const beneficiaryRoutes = [
  read(call.listBeneficiaries, async (db, { list }, exchange) => {
    const page = await listBeneficiaries(db, list, exchange)
    return done({
      ...page,
      'hydra:member': page['hydra:member'].map((row) => tellBeneficiary(row, exchange.caller)),
    })
  }),
  aMomentAgo(file(changes.exportBeneficiaries, exportBeneficiaries)),
  file(changes.printCards, printCards),
  file(changes.printCard, printCard),
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
  read(changes.findTwins, findTwins),
  longRead(changes.listCommunes, async (db, _, exchange) => done(await listCommunes(db, exchange))),
  read(call.getBeneficiary, async (db, { params }, exchange) => {
    const row = await findBeneficiaryInSight(db, params.id, exchange)
    return row ? done(tellBeneficiary(row, exchange.caller)) : notFound('Ce lecteur n’existe pas.')
  }),
  change(changes.addBeneficiary, addBeneficiary),
  change(changes.updateBeneficiary, updateBeneficiary),
  change(relatives.addRelative, addRelative),
  change(relatives.updateRelative, updateRelative),
  change(relatives.removeRelative, removeRelative),
  read(call.listAgencies, async (db, { list }) => done(await listAgencies(db, list))),
  read(eligibility.listEligibilityValues, async (db, { list, params, query }) =>
    done(await listEligibilityValues(db, list, { kind: params.kind, inUse: query.inUse ?? false })),
  ),
  change(eligibility.renameEligibilityValue, renameEligibilityValue),
]
