import { describe, expect, it } from 'vitest'

import {
  adminProfile,
  deliveredProfiles,
  keeperRights,
  type Right,
  rightCodes,
  rights,
} from '../../src/domain/rights.ts'

describe('deliveredProfiles', () => {
  const { Admin, Bibliothécaire, Bénévole, Consultation } = deliveredProfiles

  it('give Admin every right, those that somebody must keep among them', () => {
    expect(Admin).toEqual(rightCodes)
    expect(deliveredProfiles[adminProfile]).toBe(Admin)
    expect(keeperRights).toEqual(['PARAMETER_LAW', 'USER_EDIT'])
  })

  it('give a librarian all but settings, users and lending against the rules', () => {
    const kept = rightCodes.filter((code) => !Bibliothécaire.includes(code))
    expect(kept.filter((code) => !['users', 'settings'].includes(rights[code]))).toEqual(['LOANING_OVERRIDE'])
    expect(Bibliothécaire.filter((code) => ['users', 'settings'].includes(rights[code]))).toEqual([])
  })

  it('give a volunteer the counter, lists and the calendar', () => {
    const counter: Right[] = ['LOANING_ADD', 'LOANING_RETURN', 'ACTIVITY_CALENDAR']
    expect(Bénévole.toSorted()).toEqual([...Consultation, ...counter].toSorted())
  })

  it('let who consults see lists, and no more', () => {
    expect(Consultation.every((code) => code.startsWith('LIST_'))).toBe(true)
    expect(rightCodes.filter((code) => code.startsWith('LIST_') && !Consultation.includes(code))).toEqual([
      'LIST_USERS',
    ])
  })
})
