import { describe, expect, it } from 'vitest'

import {
  type ActKind,
  actKindCodes,
  actsOpenTo,
  notUndoableBy,
  undoableByOthers,
} from '../../src/domain/act-kinds.ts'
import { actRights } from '../../src/domain/act-rights.ts'
import type { Right } from '../../src/domain/rights.ts'

const holding = (...rights: Right[]) => new Set(rights)
const all = holding(...actRights, 'REFERENCE_DELETE', 'LOANING_DELETE', 'LOANING_RETURN')

/** What each right of the list opens by itself, beside the undoing of an act. */
const opened: [Right, ActKind[]][] = [
  ['PARAMETER_REFERENCE', ['list_values.merge']],
  ['COPY_MODIFY', ['copies.change']],
  ['COPY_DELETE', ['copies.remove', 'weeding.withdraw']],
  ['INVENTORY', ['inventory.apply']],
  ['PARAMETER_SITE', ['closures.close']],
  ['REFERENCE_IMPORT', ['import.references']],
  ['BENEFICIARY_EDIT', ['import.readers', 'readers.erase']],
  ['LOANING_OVERRIDE', ['import.loans']],
]

describe('actsOpenTo', () => {
  it.each(opened)('lets %s see %j, and every undoing', (right, kinds) => {
    expect(actsOpenTo(holding(right))).toEqual([...kinds, 'acts.undo'])
  })

  it('shows nothing for other rights, nor for none', () => {
    expect(actsOpenTo(holding())).toEqual([])
    expect(actsOpenTo(holding('LOANING_ADD', 'REFERENCE_EDIT'))).toEqual([])
  })

  it('shows everything for all of them together', () => {
    expect(actsOpenTo(all)).toEqual(actKindCodes)
  })
})

describe('undoableByOthers', () => {
  it.each<[ActKind, Right, Right[]]>([
    ['import.references', 'REFERENCE_IMPORT', ['REFERENCE_DELETE', 'COPY_DELETE']],
    ['import.loans', 'LOANING_OVERRIDE', ['LOANING_DELETE']],
    ['inventory.apply', 'INVENTORY', ['COPY_MODIFY', 'COPY_DELETE', 'LOANING_RETURN']],
  ])('asks for %s, beside %s, for each of %j', (kind, right, more) => {
    expect(undoableByOthers(holding(right, ...more))).toContain(kind)
    for (const missing of more) {
      const held = more.filter((one) => one !== missing)
      expect(undoableByOthers(holding(right, ...held))).not.toContain(kind)
    }
    expect(undoableByOthers(holding(...more))).not.toContain(kind)
  })

  it('asks for nothing more where what takes back is what does', () => {
    expect(undoableByOthers(holding('COPY_DELETE'))).toEqual([
      'copies.remove',
      'weeding.withdraw',
      'acts.undo',
    ])
  })
})

describe('notUndoableBy', () => {
  it.each<[Right, string[]]>([
    ['COPY_MODIFY', ['copies.change', 'copies.restore']],
    ['COPY_DELETE', ['copies.remove']],
    ['LOANING_RETURN', ['loan.return']],
  ])('leaves of an inventory, without %s, %j', (missing, left) => {
    const rights = new Set(all)
    rights.delete(missing)
    expect(notUndoableBy('inventory.apply', rights)).toEqual(left)
  })

  it('leaves nothing to whoever holds all, nor of an act that names no such right', () => {
    expect(notUndoableBy('inventory.apply', all)).toEqual([])
    expect(notUndoableBy('copies.change', holding())).toEqual([])
  })
})

describe('actRights', () => {
  it('are those that open some act', () => {
    expect([...actRights].sort()).toEqual(opened.map(([right]) => right).sort())
  })
})
