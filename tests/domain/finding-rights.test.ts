import { describe, expect, it } from 'vitest'

import { rightOfAction } from '../../src/domain/finding-rights.ts'
import { findingActionCodes } from '../../src/domain/inventory.ts'

describe('rightOfAction', () => {
  it('is that to delete copies for a withdrawal, that to return for a loan, and else that to change copies', () => {
    const asking = (right: string) => findingActionCodes.filter((action) => rightOfAction[action] === right)
    expect(asking('COPY_DELETE')).toEqual(['withdraw'])
    expect(asking('LOANING_RETURN')).toEqual(['return'])
    expect(asking('COPY_MODIFY')).toHaveLength(findingActionCodes.length - 2)
  })
})
