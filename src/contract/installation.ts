import * as v from 'valibot'

import { checkIds, checkStates } from '../domain/installation-checks.ts'
import { endpoint } from './endpoint.ts'
import { id, instant } from './wire.ts'

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

export const getBackupTrouble = endpoint({
  name: 'installation.backup',
  method: 'GET',
  path: '/api/installation/backup',
  access: 'PARAMETER_GENERAL',
  summary: 'Ce qui manque à la sauvegarde de la nuit, s’il y a lieu',
  answer: v.object({
    '@type': v.literal('Backup'),
    /** Null where it was made, or the server makes none. */
    trouble: v.nullable(check),
  }),
})

/** `written`: the code as it stands there. `leads_to`: the title of a copy, or the reader of a card, where it is in sight. */
const holder = v.object({
  kind: v.picklist(['copy', 'location', 'reader', 'relative']),
  written: v.string(),
  name: v.nullable(v.string()),
  leads_to: v.nullable(id),
})
export type CodeHolder = v.InferOutput<typeof holder>

export const listSharedCodes = endpoint({
  name: 'installation.shared_codes',
  method: 'GET',
  path: '/api/installation/shared_codes',
  access: 'PARAMETER_GENERAL',
  summary: 'Les codes qui nomment plusieurs choses\u202f: combien, et les premiers',
  answer: v.object({
    total: v.number(),
    codes: v.array(v.object({ code: v.string(), holders: v.array(holder) })),
  }),
})

export const installationEndpoints = [getInstallation, getBackupTrouble, listSharedCodes]
