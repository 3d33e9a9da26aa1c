import type { Environment } from '../db/environments/environment.ts'
import { forgetOpenings } from '../library-facts/openings.ts'
import type { Outcome } from './outcome.ts'

/** Once it is committed, every next call of this process reads anew when sites are open. */
export const changingOpenings = <T>(environment: Environment, outcome: Outcome<T>): Outcome<T> =>
  outcome.ok
    ? {
        ...outcome,
        afterwards: () => {
          forgetOpenings(environment)
          return Promise.resolve()
        },
      }
    : outcome
