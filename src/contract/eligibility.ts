import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { byId, flagInQuery, item, someText } from './wire.ts'

const eligibilityKinds = ['CONTRACT', 'BENEFICIAIRE_STATUS', 'DOSSIER_TYPE'] as const
export type EligibilityKind = (typeof eligibilityKinds)[number]

const eligibilityValue = item('EligibilityValue', { name: v.string() })

export const listEligibilityValues = endpoint({
  name: 'eligibility.values',
  method: 'GET',
  path: '/api/eligibility/list/{kind}',
  access: 'signed-in',
  summary: 'Les contrats, statuts ou dossiers qui servent à l’éligibilité',
  params: v.strictObject({ kind: v.picklist(eligibilityKinds) }),
  list: {
    filters: { id: filterBy.id, name: filterBy.text },
    orders: ['name', 'id'],
    defaultOrder: ['name', 'asc'],
  } satisfies ListShape,
  query: v.strictObject({ inUse: v.optional(flagInQuery) }),
  answer: collectionOf(eligibilityValue),
})

/** The name of another value is refused, unless `merge` says that the two are one from now on. */
export const renameEligibilityValue = endpoint({
  name: 'eligibility.rename',
  method: 'PUT',
  path: '/api/eligibility/{id}',
  access: 'PARAMETER_GENERAL',
  summary: 'Renommer un contrat, un statut ou un dossier partout où il sert, ou le fondre dans un autre',
  params: byId,
  body: v.strictObject({ name: someText(100), merge: v.optional(v.boolean(), false) }),
  answer: eligibilityValue,
})

export const eligibilityEndpoints = [listEligibilityValues, renameEligibilityValue]
