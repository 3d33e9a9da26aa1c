/** What an action of the outbox is sent as, as far as its seal holds it. `on_behalf_of` is the user whose action was taken over. */
export type SealedCall = {
  key: string
  method: string
  /** As the contract writes it, with its parameters filled in. */
  path: string
  site: number
  on_behalf_of: number | null
  body: string
}

/** The text that a seal is made of (HMAC-SHA-256, in base64url), the same on the device and on the server. */
export const sealedText = ({ key, method, path, site, on_behalf_of, body }: SealedCall): string =>
  JSON.stringify(['v1', key.toLowerCase(), method, path, site, on_behalf_of, body])

/** The header a seal travels in: the seal's id, a dot, the code. */
export const sealHeader = 'X-Seal'

export const writeSeal = (seal: { id: string; mac: string }): string => `${seal.id}.${seal.mac}`

const written = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/

export function readSeal(text: string): { id: string; mac: string } | null {
  const [, id, mac] = written.exec(text) ?? []
  return id === undefined || mac === undefined ? null : { id, mac }
}

/** Why a seal does not hold. The owner of the action may seal it anew once they have read it. */
export const sealFaults = ['SEAL_BROKEN', 'SEAL_UNKNOWN', 'SEAL_REVOKED'] as const
