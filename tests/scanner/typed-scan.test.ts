import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTypedScan } from '../../src/client/scanner/typed-scan.ts'
import type { TypedKey } from '../../src/client/scanner/typed-scan.ts'

/** Types keys `gap` ms apart and gives back the scans that came out. */
function typing(prefix = '') {
  const step = createTypedScan({ prefix })
  let at = 1000
  const scans: string[] = []
  const kinds: string[] = []
  const press = (key: string, gap = 8, more: Partial<TypedKey> = {}): void => {
    at += gap
    const result = step({ key, at, ...more })
    kinds.push(result.kind)
    if (result.kind === 'scan') scans.push(result.text)
  }
  const type = (text: string, gap = 8): void => {
    for (const key of Array.from(text)) press(key, gap)
  }
  return { press, type, scans, kinds }
}

describe('createTypedScan', () => {
  it.each(['Enter', 'Tab'])('takes a burst ended by %s', (end) => {
    const { type, press, scans } = typing()
    type('30000000000015')
    press(end)
    expect(scans).toEqual(['30000000000015'])
  })

  it('takes three scans in a second', () => {
    const { type, press, scans } = typing()
    for (const code of ['30000000000015', '30000000000023', '30000000000031']) {
      type(code, 12)
      press('Enter', 12)
      press('Unidentified', 100)
    }
    expect(scans).toEqual(['30000000000015', '30000000000023', '30000000000031'])
  })

  it('takes six characters, not five', () => {
    const { type, press, scans } = typing()
    type('12345')
    press('Enter')
    type('123456', 8)
    press('Enter', 8)
    expect(scans).toEqual(['123456'])
  })

  it('leaves a name or a password to a password manager, and takes digits even there', () => {
    const { press, scans, kinds } = typing()
    for (const key of 'girafe au long cours') press(key, 2, { credential: true })
    press('Tab', 2, { credential: true })
    expect(kinds.at(-1)).toBe('pass')
    for (const code of ['30000000000015', '3155 551000 1007']) {
      for (const key of code) press(key, 8, { credential: true })
      press('Enter', 8, { credential: true })
      press('Unidentified', 200)
    }
    expect(scans).toEqual(['30000000000015', '3155 551000 1007'])
  })

  it('takes a mean of 30 ms, not of 31', () => {
    const { type, press, scans } = typing()
    type('1234567', 31)
    press('Enter', 31)
    expect(scans).toEqual([])
    press('1', 500)
    type('234567', 30)
    press('Enter', 30)
    expect(scans).toEqual(['1234567'])
  })

  it('takes eight figures of a slow scanner up to a mean of 60 ms, and no word', () => {
    const { type, press, scans } = typing()
    type('31555510', 61)
    press('Enter', 61)
    press('a', 500)
    type('bonnement', 42)
    press('Enter', 42)
    expect(scans).toEqual([])
    press('3', 500)
    type('1555510050244', 60)
    press('Enter', 60)
    expect(scans).toEqual(['31555510050244'])
  })

  it('begins anew after a gap of more than 100 ms', () => {
    const { type, press, scans } = typing()
    type('abc')
    press('1', 101)
    type('23456')
    press('Enter')
    expect(scans).toEqual(['123456'])
    type('1234567')
    press('Enter', 101)
    expect(scans).toHaveLength(1)
  })

  it('bears one slow gap in a quick burst', () => {
    const { type, press, scans } = typing()
    type('1234567')
    press('8', 100)
    type('9012345')
    press('Enter')
    expect(scans).toEqual(['123456789012345'])
  })

  it('never takes what a person types, at 60 ms a key or slower', () => {
    assert(
      property(
        array(
          record({
            key: constantFrom('a', '1', 'é', 'Enter', 'Tab', 'Shift'),
            gap: integer({ min: 60, max: 900 }),
          }),
        ),
        (keys) => {
          const { press, scans } = typing()
          for (const { key, gap } of keys) press(key, gap)
          return scans.length === 0
        },
      ),
    )
  })

  it('takes a slower or shorter burst after the prefix, without it', () => {
    const { type, press, scans } = typing('~')
    type('~B12', 90)
    press('Enter', 90)
    type('~')
    press('Enter')
    type('~B12', 101)
    press('Enter')
    type('1234567')
    press('Enter')
    expect(scans).toEqual(['B12', '1234567'])
  })

  it('is not misled by a key held down, an input method or a shortcut', () => {
    const { press, type, scans } = typing()
    for (let n = 0; n < 10; n++) press('1', 30, { repeat: n > 0 })
    press('Enter', 30)
    for (const key of '1234567') press(key, 8, { composing: true })
    press('Enter')
    for (const key of '1234567') press(key, 8, { modified: true })
    press('Enter')
    type('123')
    press('Backspace')
    type('456')
    press('Enter')
    expect(scans).toEqual([])
  })

  it('goes on through the modifier keys a scanner presses itself', () => {
    const { press, scans } = typing()
    for (const key of ['Shift', 'B', 'Shift', 'I', 'AltGraph', ']', '0', '1', '2', '3']) press(key, 5)
    press('Enter', 5)
    expect(scans).toEqual(['BI]0123'])
  })

  it('swallows the second ending of a scan, and no later one', () => {
    const { type, press, kinds } = typing()
    type('123456')
    press('Enter')
    press('Enter', 3)
    press('Enter', 101)
    expect(kinds.slice(-3)).toEqual(['scan', 'swallow', 'pass'])
  })

  it.each([
    ['&é"\'(-è_çà', '1234567890'],
    ['&é"\'(§è!çà', '1234567890'],
    ['&é"\'(A', '&é"\'(A'],
  ])('reads %s from a scanner left on QWERTY', (typed, code) => {
    const { type, press, scans } = typing()
    type(typed)
    press('Enter')
    expect(scans).toEqual([code])
  })
})
