import { createHmac, timingSafeEqual } from 'node:crypto'

import { readSeal, type SealedCall, sealedText, type sealFaults } from '../../contract/seal.ts'
import { type Outcome, refuse } from '../http/outcome.ts'
import type { KnownSeal } from './find-caller.ts'

const fault = (reason: (typeof sealFaults)[number], message: string) =>
  refuse({ status: 403, reason, message })

/** Whether this person sealed this action, because a file that somebody else wrote must not act for them. */
export function checkSeal(
  header: string,
  { known, user_id }: { known: KnownSeal | null; user_id: number },
  call: SealedCall,
): Outcome<null> {
  const claimed = readSeal(header)
  if (!claimed || !known || known.user_id !== user_id) {
    return fault(
      'SEAL_UNKNOWN',
      'Cette action n’a pas été faite dans une de vos sessions\u202f: confirmez-la.',
    )
  }
  if (known.revoked) {
    return fault(
      'SEAL_REVOKED',
      'La session qui a fait cette action a été fermée depuis un autre appareil\u202f: confirmez-la.',
    )
  }
  const expected = createHmac('sha256', known.seal_key).update(sealedText(call)).digest()
  const given = Buffer.from(claimed.mac, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? { ok: true, answer: null }
    : fault('SEAL_BROKEN', 'Cette action a été modifiée depuis qu’elle a été faite\u202f: confirmez-la.')
}
