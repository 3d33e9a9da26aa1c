import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { forbidden, PreparedLoan, unknownHere } from './prepared-loan.ts'

describe('a loan in preparation', () => {
  it('takes what is scanned in its order, while the server is still asked about the lines before', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001', '1002')
    while (loan.asks.some(({ ask }) => ask !== 'hear'))
      loan.answer(loan.asks.findIndex(({ ask }) => ask !== 'hear'))
    expect(loan.copies).toEqual(['1002', '1001'])
    expect(loan.asks.map(({ ask }) => ask)).toEqual(['hear', 'hear'])
  })

  it('keeps copies that come before their reader, and lets them in first', () => {
    const loan = new PreparedLoan()
    loan.scan('1001', '1002', 'R1', '1003')
    loan.answerAll()
    expect(loan.copies).toEqual(['1003', '1002', '1001'])
  })

  it('says yes to the reader who stood in sight when a copy came', () => {
    const loan = new PreparedLoan()
    loan.scan('1001')
    loan.answerAll()
    const seen = { reader: { ...readerNamed(2) }, relative: null }
    loan.happen({ what: 'scan', code: '1002', seen })
    loan.answerAll()
    expect([loan.state.chosen?.reader.id, loan.copies]).toEqual([2, ['1002', '1001']])
  })

  it('takes out a line that the server refuses and nobody grants, and keeps the refusal', () => {
    const loan = new PreparedLoan()
    loan.scan(`R${forbidden}`, '1001')
    loan.answerAll()
    expect(loan.copies).toEqual([])
    expect(loan.state.refused).toMatchObject([{ code: '1001', title: 'Titre 1001' }])
  })

  it('keeps the motive with which a refusal was passed over', () => {
    const loan = new PreparedLoan()
    loan.motive = 'Vu avec la direction'
    loan.scan(`R${forbidden}`, '1001')
    loan.answerAll()
    expect(loan.state.lines).toMatchObject([
      { override_reason: 'Vu avec la direction', verdict: { colour: 'red' } },
    ])
  })

  it('is not recorded before the server has answered about each line', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001')
    while (loan.copies.length === 0) loan.answer()
    loan.happen({ what: 'save', leaves: false })
    expect(loan.asks.map(({ ask }) => ask)).toEqual(['hear'])
    loan.answer()
    expect(loan.asks.map(({ ask }) => ask)).toEqual(['save'])
  })

  it('keeps what a failed look-up was of, and goes on with the next scan', () => {
    const loan = new PreparedLoan()
    loan.scan('R1')
    loan.answerAll()
    loan.scan('1001', '1002')
    loan.fail()
    loan.answerAll()
    expect(loan.copies).toEqual(['1002'])
    expect(loan.state.refused).toMatchObject([{ code: '1001', message: 'Le serveur ne répond pas.' }])
  })

  it('says of a copy that is in it that it is there', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001', '1001')
    loan.answerAll()
    expect([loan.copies, loan.state.refused]).toEqual([['1001'], []])
    expect(loan.told.at(-1)).toBe('«\u00a0Titre 1001\u00a0» est déjà dans le prêt.')
  })

  it('keeps a copy that could not be asked about among the refusals', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', unknownHere)
    while (loan.asks[0]?.ask !== 'server') loan.answer()
    loan.fail()
    expect(loan.state.refused).toMatchObject([{ code: unknownHere }])
  })

  it('stays with its reader where another card is read and somebody says so', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001', 'R2', '1002')
    loan.answerAll()
    expect([loan.state.chosen?.reader.id, loan.copies]).toEqual([1, ['1002', '1001']])
  })
})

const readerNamed = (id: number) => ({
  id,
  label: `R${id}`,
  matricule: `M${id}`,
  lastname: 'Lecteur',
  firstname: String(id),
  reader_id: `R${id}`,
  is_active: true,
  relatives: [],
})

// ── Hours at random ──

type Doing =
  | { do: 'scan'; code: string }
  | { do: 'answer' | 'fail'; at: number }
  | { do: 'save' }
  | { do: 'remove'; at: number }
  | { do: 'online'; isOnline: boolean }
  | { do: 'says'; motive: string | null; change: 'save' | 'drop' | 'stay' }

const at = fc.nat({ max: 4 })
const doing: fc.Arbitrary<Doing> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      code: fc.constantFrom('R1', 'R2', `R${forbidden}`, '1001', '1002', '1003', unknownHere, 'INCONNU'),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('answer' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), at }) },
  { weight: 1, arbitrary: fc.constant({ do: 'save' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('online' as const), isOnline: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('says' as const),
      motive: fc.constantFrom(null, 'Motif'),
      change: fc.constantFrom('save', 'drop', 'stay'),
    }),
  },
)
const hour = fc.array(doing, { maxLength: 60 })

/** Notes, after each thing done, what has a line or is chosen. */
class Witness {
  readonly loan = new PreparedLoan()
  readonly scanned: string[] = []
  readonly shown = new Set<string>()
  /** Lines that left the loan and went neither to the refusals nor into what was recorded, nor by a person's hand. */
  readonly vanished: string[] = []

  take(doing: Doing): void {
    const { loan } = this
    const before = loan.copies
    const saved = loan.saved.length
    const told = loan.told.length
    let isByHand = false
    switch (doing.do) {
      case 'scan':
        this.scanned.push(doing.code)
        loan.scan(doing.code)
        break
      case 'answer': {
        const place = Math.min(doing.at, Math.max(0, loan.asks.length - 1))
        isByHand = loan.asks[place]?.ask === 'change-reader' && loan.change === 'drop'
        loan.answer(place)
        break
      }
      case 'fail':
        loan.fail(Math.min(doing.at, Math.max(0, loan.asks.length - 1)))
        break
      case 'save':
        loan.happen({ what: 'save', leaves: false })
        break
      case 'remove': {
        isByHand = true
        const lines = loan.state.lines.filter((_, place) => place !== doing.at)
        loan.happen({ what: 'lines', lines })
        break
      }
      case 'online':
        loan.is_online = doing.isOnline
        break
      case 'says':
        loan.motive = doing.motive
        loan.change = doing.change
    }
    this.note(isByHand ? [] : before, saved, loan.told.slice(told).join(' '))
  }

  end(): void {
    while (this.loan.asks.length > 0) this.take({ do: 'answer', at: 0 })
  }

  private note(before: readonly string[], saved: number, told: string): void {
    const { state, copies } = this.loan
    const kept = [
      ...copies,
      ...state.refused.map(({ code }) => code),
      ...this.loan.saved.slice(saved).map(([copy]) => copy),
    ]
    // Refused to one reader, it is told and goes with them.
    const isGone = (copy: string) => !kept.includes(copy) && !told.includes(`Titre ${copy}`)
    this.vanished.push(...before.filter(isGone))
    for (const code of [...kept, ...state.early.map(({ bar_code }) => bar_code)]) this.shown.add(code)
    if (state.chosen) this.shown.add(state.chosen.reader.label)
  }
}

describe('an hour of preparing loans, at random', () => {
  const play = (doings: readonly Doing[]): Witness => {
    const witness = new Witness()
    for (const doing of doings) {
      witness.take(doing)
      // One question at a time, beside the server's answers about lines.
      expect(witness.loan.asks.filter(({ ask }) => ask !== 'hear').length).toBeLessThanOrEqual(1)
    }
    witness.end()
    return witness
  }

  it('leaves no copy without its line, and no line that goes by itself', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const { loan, scanned, shown, vanished } = play(doings)
        for (const code of scanned) if (!code.startsWith('R')) expect(shown).toContain(code)
        expect(vanished).toEqual([])
        expect(loan.state).toMatchObject({ doing: null, turns: [], unheard: [] })
        if (loan.state.chosen) expect(loan.state.early).toEqual([])
      }),
    )
  })

  it('has each copy once, and lends none twice', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const { loan } = play(doings)
        const all = [...loan.copies, ...loan.saved.map(([copy]) => copy)]
        expect(new Set(all).size).toBe(all.length)
      }),
    )
  })

  it('records for a reader only what the server was asked about for that reader', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const { loan } = play(doings)
        for (const [copy, reader] of loan.saved) expect(loan.judged).toContain(`${copy} for ${reader}`)
      }),
    )
  })

  it('records nothing for who may not borrow without a motive', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const isGranted = doings.some((doing) => doing.do === 'says' && doing.motive !== null)
        const { loan } = play(doings)
        if (!isGranted) expect(loan.saved.filter(([, reader]) => reader === forbidden)).toEqual([])
      }),
    )
  })
})
