import { describe, expect, it } from 'vitest'

import { asideStamp } from '../../src/server/db/environments/kept-aside.ts'

describe('what is kept aside', () => {
  it('has another name for each moment, so that two restores of a second keep both', () => {
    expect(asideStamp(new Date('2026-03-10T09:00:00.007Z'))).toBe('2026-03-10-09-00-00-007')
    expect(asideStamp(new Date('2026-03-10T09:00:00.008Z'))).toBe('2026-03-10-09-00-00-008')
  })
})
