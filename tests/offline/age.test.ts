import { expect, it } from 'vitest'

import { shortAge } from '../../src/offline/age.ts'

const minute = 60_000
const hour = 60 * minute

it.each([
  [-minute, '0\u00a0min'],
  [0, '0\u00a0min'],
  [minute - 1, '0\u00a0min'],
  [minute, '1\u00a0min'],
  [2 * hour - 1, '119\u00a0min'],
  [2 * hour, '2\u00a0h'],
  [3 * hour - 1, '2\u00a0h'],
  [48 * hour - 1, '47\u00a0h'],
  [48 * hour, '2\u00a0j'],
  [72 * hour - 1, '2\u00a0j'],
])('shortAge says %i ms as « %s »', (ms, said) => expect(shortAge(ms)).toBe(said))
