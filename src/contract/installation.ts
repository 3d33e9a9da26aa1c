import * as v from 'valibot'

import { checkIds, checkStates } from '../domain/installation-checks.ts'
import { endpoint } from './endpoint.ts'
import { instant } from './wire.ts'

const check = v.object({
  id: v.picklist(checkIds),
  label: v.string(),
  state: v.picklist(checkStates),
  fact: v.string(),
  /** What to do; null where there is nothing to be done. */
  advice: v.nullable(v.string()),
})

export const getInstallation = endpoint({
  name: 'installation.get',
  method: 'GET',
  path: '/api/installation',
  access: 'PARAMETER_GENERAL',
  summary: 'L’état de l’installation, point par point, avec ce qu’il y a à faire',
  answer: v.object({
    '@type': v.literal('Installation'),
    /** By the server's clock. */
    at: instant,
    version: v.string(),
    checks: v.array(check),
  }),
})

export const installationEndpoints = [getInstallation]
