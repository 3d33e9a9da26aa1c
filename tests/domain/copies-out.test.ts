import { describe, expect, it } from 'vitest'

import { isOut } from '../../src/domain/copies-out.ts'
import { copyStatuses } from '../../src/domain/loan-rules.ts'

describe('isOut', () => {
  it('says so of a copy on loan or in transfer, and not of one that is kept from being lent', () => {
    expect(copyStatuses.filter(isOut)).toEqual(['En Location', 'En transfert'])
  })
})
