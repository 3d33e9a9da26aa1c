import { codeOf, stepAt } from '../../src/server/session/totp.ts'
import { testPassword } from '../support/test-library.ts'
import type { Client, TestServer } from '../support/test-server.ts'

const secretOf = (text: string): Buffer => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The code that an application shows at that moment. */
export const codeAt = (secret: string, at: Date): string => codeOf(secretOf(secret), stepAt(at))

/** Gives somebody a second factor, with the code of now. */
export async function setUpFactor(
  server: TestServer,
  client: Client,
  password = testPassword,
): Promise<{ secret: string; codes: string[] }> {
  const started = await client.post('/api/second_factor')
  const { secret } = started.body as { secret: string }
  const confirmed = await client.post('/api/second_factor/confirm', {
    password,
    second_factor: codeAt(secret, server.now),
  })
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body))
  return { secret, codes: confirmed.body.recovery_codes }
}
