import { describe, expect, it } from 'vitest'

import { isLibraryNumber } from '../../src/domain/bar-code.ts'
import { weekdayOf } from '../../src/domain/calendar-day.ts'
import { knownCopies, knownReader } from '../../src/server/demonstration/known-codes.ts'
import { openDays } from '../../src/server/demonstration/open-days.ts'
import { planLibrary } from '../../src/server/demonstration/plan-library.ts'

// Made once: a second and a half.
const plan = await planLibrary()

describe('the library of the demonstration', () => {
  it('is the same each time', async () => {
    const again = await planLibrary()
    // Each plan has objects of its own: what they hold is compared.
    expect(JSON.stringify(again.readers)).toBe(JSON.stringify(plan.readers))
    const gist = ({ loans, reservations }: typeof plan) => [
      loans.map((loan) => [
        loan.copy.id,
        loan.reader.id,
        loan.relative?.id,
        loan.start,
        loan.returned,
        loan.lentAt,
      ]),
      reservations.map(({ reader, work, queue_position }) => [reader.id, work.line, queue_position]),
    ]
    expect(gist(again)).toEqual(gist(plan))
  })

  it('numbers copies and cards as libraries do', () => {
    const cards = plan.readers.flatMap(({ reader_id, relatives }) => [
      reader_id,
      ...relatives.map((one) => one.reader_id),
    ])
    const numbers = [...plan.copies.map(({ bar_code }) => bar_code), ...cards.filter((card) => card !== null)]
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.filter((number) => !isLibraryNumber(number))).toEqual([])
    expect(knownReader.reader_id).toBe('21555500000011')
    expect(knownCopies[0]).toBe('31555510000017')
  })

  it('lends works as often as Toulouse did', () => {
    const loansOf = new Map<unknown, number>()
    for (const { copy } of plan.loans) loansOf.set(copy.work, (loansOf.get(copy.work) ?? 0) + 1)
    const asked = (work: (typeof plan.works)[number]) => work.lent[0] + work.lent[1]
    const byLoans = plan.works.toSorted((a, b) => asked(b) - asked(a))
    const loansOfEach = (works: typeof plan.works) =>
      works.reduce((sum, work) => sum + (loansOf.get(work) ?? 0), 0) / works.length
    const tenths = Array.from({ length: 10 }, (_, at) => loansOfEach(byLoans.slice(at * 840, (at + 1) * 840)))
    expect(tenths).toEqual(tenths.toSorted((a, b) => b - a))
    expect(byLoans.filter((work) => asked(work) === 0 && loansOf.has(work))).toEqual([])
  })

  it('never lends beyond a medium’s limit, twice at once, or to who is not inscribed', () => {
    const made = plan.loans.filter(({ isCancelled }) => !isCancelled)
    const isOutsider = ({ reader, start }: (typeof plan.loans)[number]) =>
      reader.joined > start || (reader.exit !== null && start >= reader.exit)
    expect(plan.loans.filter(isOutsider)).toEqual([])

    const last = new Map<unknown, number>()
    const clashes = made.filter(({ copy, start, returned }) => {
      const before = last.get(copy) ?? -Infinity
      last.set(copy, returned)
      return start <= before || returned <= start
    })
    expect(clashes).toEqual([])

    const open = new Map<string, number>()
    const tooMany = made.filter(({ reader, copy, returned }) => {
      const { name, max_loaning } = copy.work.medium
      const key = `${reader.id} ${name}`
      if (returned > 0) open.set(key, (open.get(key) ?? 0) + 1)
      return (open.get(key) ?? 0) > max_loaning
    })
    expect(tooMany).toEqual([])
  })

  it('counts open days, today’s or the next being 1', () => {
    const onTuesday = openDays('2026-03-10', -6, 6)
    expect([onTuesday(0), onTuesday(1), onTuesday(2), onTuesday(-4), onTuesday(-5)]).toEqual([
      '2026-03-07',
      '2026-03-10',
      '2026-03-11',
      '2026-03-03',
      '2026-02-28',
    ])
    const onSunday = openDays('2026-03-08', -6, 6)
    expect([onSunday(0), onSunday(1)]).toEqual(['2026-03-07', '2026-03-10'])
    for (let rank = -6; rank <= 6; rank++) expect(weekdayOf(onTuesday(rank)) % 7).toBeGreaterThan(1)
  })
})
