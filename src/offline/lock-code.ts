import { type LockCode, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'

// Four digits only keep out passers-by, so the password is never stored here.

type Person = Pick<LockCode, 'environment_id' | 'user_id'>

export const mostTries = 5
const rounds = 600_000

export const isLockCode = (text: string): boolean => /^\d{4}$/.test(text)

/** Browsers hash only over HTTPS and on localhost; elsewhere the password unlocks. */
export const canHoldLockCode = (): boolean => 'subtle' in globalThis.crypto

/** Null when the person has no code here. */
export const triesLeft = (person: Person): Promise<number | null> =>
  transact(['meta'], 'readonly', async (tx) => {
    const code = await codeOf(person, tx.objectStore('meta'))
    return code && leftOf(code)
  })

export async function chooseLockCode(person: Person, text: string): Promise<void> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const { environment_id, user_id } = person
  const code = { environment_id, user_id, salt, rounds, hash: await hashOf(text, salt, rounds), failed: 0 }
  await transact(
    ['meta'],
    'readwrite',
    (tx) => writeMeta(tx.objectStore('meta'), 'lock_code', code),
    'strict',
  )
}

/** The try is counted on the disk first, so that reloading the page takes none back. */
export async function tryLockCode(person: Person, text: string): Promise<{ isRight: boolean; left: number }> {
  const code = await transact(
    ['meta'],
    'readwrite',
    async (tx) => {
      const meta = tx.objectStore('meta')
      const found = await codeOf(person, meta)
      if (!found || leftOf(found) === 0) return null
      const counted = { ...found, failed: found.failed + 1 }
      await writeMeta(meta, 'lock_code', counted)
      return counted
    },
    'strict',
  )
  if (!code) return { isRight: false, left: 0 }
  const hash = await hashOf(text, code.salt, code.rounds)
  if (!hash.every((byte, at) => byte === code.hash[at])) return { isRight: false, left: leftOf(code) }
  await forgiveTries(person)
  return { isRight: true, left: mostTries }
}

export const forgiveTries = (person: Person): Promise<void> =>
  transact(
    ['meta'],
    'readwrite',
    async (tx) => {
      const meta = tx.objectStore('meta')
      const code = await codeOf(person, meta)
      if (code) await writeMeta(meta, 'lock_code', { ...code, failed: 0 })
    },
    'strict',
  )

async function codeOf(
  { environment_id, user_id }: Person,
  meta: Parameters<typeof readMeta>[0],
): Promise<LockCode | null> {
  const code = await readMeta(meta, 'lock_code')
  return code?.environment_id === environment_id && code.user_id === user_id ? code : null
}

const leftOf = ({ failed }: LockCode): number => Math.max(0, mostTries - failed)

async function hashOf(
  text: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(text), 'PBKDF2', false, [
    'deriveBits',
  ])
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256)
  return new Uint8Array(bits)
}
