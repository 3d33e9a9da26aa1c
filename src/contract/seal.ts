import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { uuid } from './wire.ts'

/** What a seal covers; `on_behalf_of` is the user whose action was taken over. */
export type SealedCall = {
  key: string
  method: string
  path: string
  site: number
  on_behalf_of: number | null
  body: string
}

/** The text under HMAC-SHA-256 (base64url), the same on device and server. */
export const sealedText = ({ key, method, path, site, on_behalf_of, body }: SealedCall): string =>
  JSON.stringify(['v1', key.toLowerCase(), method, path, site, on_behalf_of, body])

/** `<id of the seal>.<code>` */
export const sealHeader = 'X-Seal'
/** When an action happened, as an ISO instant, where its body does not say so. */
export const occurredAtHeader = 'X-Occurred-At'

export const writeSeal = (seal: { id: string; mac: string }): string => `${seal.id}.${seal.mac}`

const written = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/

export function readSeal(text: string): { id: string; mac: string } | null {
  const [, id, mac] = written.exec(text) ?? []
  return id === undefined || mac === undefined ? null : { id, mac }
}

/** The action's owner may read it and seal it anew. */
export const sealFaults = ['SEAL_BROKEN', 'SEAL_UNKNOWN', 'SEAL_REVOKED'] as const

/** The key is sent once, to the device that will seal with it. */
export const openSeal = endpoint({
  name: 'seals.open',
  method: 'POST',
  path: '/api/seals',
  access: 'signed-in',
  summary: 'La clé qui scelle les actions de cette session',
  status: 201,
  answer: v.object({ id: uuid, key: v.string() }),
})
