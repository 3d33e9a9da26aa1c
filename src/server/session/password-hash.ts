import { availableParallelism } from 'node:os'

import { hash, verify } from '@node-rs/argon2'

import { takeTurns } from '../http/take-turns.ts'

/** OWASP's advice for Argon2id: 19 MiB and two passes, about a tenth of a second here. Tests alone make it less. */
export const hashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Leaves a core to everybody else, and hashing below 80 MiB. */
export const hashing = takeTurns({ atOnce: Math.min(4, Math.max(1, availableParallelism() - 1)) })

export const hashPassword = (password: string): Promise<string> =>
  hashing.run(() => hash(password.normalize('NFC'), hashCost))

export const isPasswordOf = (passwordHash: string, password: string): Promise<boolean> =>
  hashing.run(() => verify(passwordHash, password.normalize('NFC')))
