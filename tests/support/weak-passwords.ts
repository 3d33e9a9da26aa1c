import { hashCost } from '../../src/server/session/password-hash.ts'

/** Makes hashing a matter of a millisecond, because no test guesses a password by its hash. */
export function weakenPasswords(): void {
  Object.assign(hashCost, { memoryCost: 8, timeCost: 1 })
}
