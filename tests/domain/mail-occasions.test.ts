import { describe, expect, it } from 'vitest'

import {
  dailyLevels,
  isLateCode,
  isMailCode,
  isReminderCode,
  mailCodes,
  mailParts,
  mailPartWords,
  mailPeriods,
  mailPeriodWords,
  occasionOf,
} from '../../src/domain/mail-occasions.ts'

describe('isMailCode', () => {
  it.each([
    ['late_1', true],
    ['account_invitation', true],
    ['late_4', false],
    ['', false],
    ['constructor', false],
  ])('of %j: %s', (code, isOne) => {
    expect(isMailCode(code)).toBe(isOne)
  })
})

describe('isReminderCode', () => {
  it('is of what asks for something back, by hand too, and of no other mail', () => {
    expect(mailCodes.filter(isReminderCode)).toEqual([
      'before_due',
      'due',
      'late_1',
      'late_2',
      'late_3',
      'loaning_reminder',
    ])
    expect(isReminderCode('')).toBe(false)
  })
})

describe('isLateCode', () => {
  it('is of what is written after the due day, by hand too', () => {
    expect(mailCodes.filter(isLateCode)).toEqual(['late_1', 'late_2', 'late_3', 'loaning_reminder'])
    expect(isLateCode('')).toBe(false)
  })
})

describe('occasionOf', () => {
  it('has one in each period, and each period its words', () => {
    expect([...new Set(mailCodes.map((code) => occasionOf(code).period))]).toEqual(mailPeriods)
    expect(Object.keys(mailPeriodWords)).toEqual(mailPeriods)
    expect(Object.keys(mailPartWords)).toEqual(mailParts)
  })

  // Those of a period of time are off until somebody asks for them.
  it('leaves off what the daily look writes, and nothing else', () => {
    expect(mailCodes.filter((code) => !occasionOf(code).isOn)).toEqual(dailyLevels)
  })

  it('waits for days in what the daily look writes, but on the due day', () => {
    const waiting = mailCodes.filter((code) => occasionOf(code).days)
    expect(waiting).toEqual(dailyLevels.filter((code) => code !== 'due'))
    for (const code of waiting) {
      const { delivered = 0, from = 0 } = occasionOf(code).days ?? {}
      expect(from >= 1 && delivered >= from).toBe(true)
    }
  })

  it('speaks of what its period is about', () => {
    const about = (code: (typeof mailCodes)[number]) => occasionOf(code).about
    expect(mailCodes.filter((code) => about(code) === 'reservation')).toEqual(
      mailCodes.filter((code) => code.startsWith('reservation_')),
    )
    expect(mailCodes.filter((code) => about(code) === 'link')).toEqual(['password_reset', 'login_link'])
    expect([about('closing_notice'), about('account_invitation')]).toEqual(['closing', 'invitation'])
    expect([...dailyLevels, 'loaning_recap' as const].map(about)).toEqual(Array(6).fill('loans'))
  })
})
