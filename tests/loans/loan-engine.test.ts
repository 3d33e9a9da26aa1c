import { brokenScan } from '../../src/client/scanner/typed-scan.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { LoanAskOf } from '../../src/client/lending/loan-engine.ts'
import { forbidden, PreparedLoan, reserved, unknownHere } from './prepared-loan.ts'

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

  it('takes out a line that the server refuses, keeps the refusal, and goes on with the next scan', () => {
    const loan = new PreparedLoan()
    loan.scan(`R${forbidden}`, '1001', 'INCONNU')
    loan.answerAll()
    expect(loan.copies).toEqual([])
    expect(loan.state.refused).toMatchObject([{ code: '1001', title: 'Titre 1001' }, { code: 'INCONNU' }])
  })

  it('keeps a line of a scan in pieces until it is put away, and what is scanned next joins', () => {
    const loan = new PreparedLoan()
    loan.scan('R1')
    loan.happen({ what: 'broken' })
    loan.scan('1001')
    loan.answerAll()
    expect([loan.copies, loan.state.refused]).toEqual([['1001'], [brokenScan]])
    loan.happen({ what: 'forget', code: brokenScan.code })
    expect(loan.state.refused).toEqual([])
  })

  it('keeps the motive with which a refusal was passed over', () => {
    const loan = new PreparedLoan()
    loan.scan(`R${forbidden}`, '1001')
    loan.answerAll()
    loan.insist('1001')
    expect(loan.copies).toEqual([])
    loan.insist('1001', 'Vu avec la direction')
    expect(loan.state.refused).toEqual([])
    expect(loan.state.lines).toMatchObject([
      { override_reason: 'Vu avec la direction', verdict: { colour: 'red' } },
    ])
  })

  it.each(['1001', 'LIVRE'])('lends %s that is taken up to nobody who has come since, unasked', (code) => {
    const loan = new PreparedLoan()
    loan.is_online = code === '1001'
    const takenUp = (...codes: string[]) => {
      for (const one of codes) loan.happen({ what: 'scan', code: one, of: { reader: 1, turn: codes.join() } })
      loan.answerAll()
    }
    loan.scan('R2')
    loan.answerAll()
    takenUp(code)
    expect([loan.copies, loan.state.refused]).toMatchObject([[], [{ code }]])
    if (loan.is_online) loan.insist(code)
    else loan.scan(code)
    loan.answerAll()
    expect([loan.copies, loan.state.refused]).toEqual([[code], []])
    loan.happen({ what: 'lines', lines: [] })
    // Whose card comes with it, or who was there when it was read, has it.
    takenUp('R3', code)
    expect(loan.copies).toEqual([code])
    loan.happen({ what: 'lines', lines: [] })
    loan.scan('R1')
    loan.answerAll()
    takenUp(code)
    expect(loan.copies).toEqual([code])
  })

  it('lends to whoever has the card that nobody here knows what was refused to the one before', () => {
    const loan = new PreparedLoan()
    loan.scan(`R${forbidden}`, '1001')
    loan.answerAll()
    loan.is_online = false
    loan.scan('CARTE')
    loan.answerAll()
    expect(loan.state.refused).toMatchObject([{ code: '1001', isOfBefore: true }])
    loan.insist('1001')
    loan.answerAll()
    expect([loan.state.card, loan.copies, loan.state.refused]).toEqual(['CARTE', ['1001'], []])
    expect(loan.state.lines).toMatchObject([{ override_reason: null, verdict: { colour: 'amber' } }])
  })

  it('is not recorded before the server has answered about each line', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001')
    loan.answerUntil(() => loan.copies.length > 0)
    loan.happen({ what: 'save', leaves: false })
    expect(loan.asks.map(({ ask }) => ask)).toEqual(['hear'])
    loan.answer()
    expect(loan.asks.map(({ ask }) => ask)).toEqual(['save'])
  })

  it('is recorded once, however often that is asked before the server has answered about a line', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001')
    loan.answerUntil(() => loan.copies.length > 0)
    loan.happen({ what: 'save', leaves: true })
    loan.happen({ what: 'save', leaves: true })
    loan.answer()
    expect([loan.asks.map(({ ask }) => ask), loan.state.turns]).toEqual([['save'], []])
    loan.happen({ what: 'save', leaves: true })
    expect(loan.state.turns).toEqual([])
  })

  it('keeps no refusal of a code whose copy, that has another, is in it by now', () => {
    const loan = new PreparedLoan()
    loan.scan('R1')
    loan.answerAll()
    loan.scan('x1001')
    loan.fail()
    expect(loan.state.refused).toMatchObject([{ code: 'x1001', isTrouble: true }])
    loan.scan('x1001')
    loan.answerAll()
    expect([loan.copies, loan.state.refused]).toEqual([['1001'], []])
  })

  it('judges anew for the very reader who comes back', () => {
    const loan = new PreparedLoan()
    loan.scan(`R${forbidden}`, '1001')
    loan.answerAll()
    loan.scan('R1', `R${forbidden}`)
    loan.answerAll()
    const before = loan.state.refused[0]?.candidate
    loan.insist('1001')
    loan.answerAll()
    expect(loan.state.refused).toMatchObject([{ code: '1001' }])
    expect(loan.state.refused[0]?.candidate).not.toBe(before)
  })

  it('lets its reader go once it is recorded to be left, though a refusal is still to be read', () => {
    const loan = new PreparedLoan()
    loan.scan('INCONNU', 'R1', '1001')
    loan.answerAll()
    loan.happen({ what: 'save', leaves: true })
    loan.answerAll()
    loan.scan('1002')
    loan.answerAll()
    expect([loan.state.chosen, loan.copies]).toEqual([null, []])
    expect(loan.state.early.map(({ bar_code }) => bar_code)).toEqual(['1002'])
  })

  it('waits in plain words for the reader of its address, and asks nobody to choose one', () => {
    const loan = new PreparedLoan()
    loan.is_reader_coming = true
    loan.scan('1001')
    loan.answerAll()
    expect(loan.told).toEqual(['Titre 1001\u202f: en attente du lecteur.'])
    loan.is_reader_coming = false
    loan.scan('1002')
    loan.answerAll()
    expect(loan.told.at(-1)).toMatch(/choisissez le lecteur/)
  })

  it('keeps what a failed look-up was of, and goes on with the next scan', () => {
    const loan = new PreparedLoan()
    loan.scan('R1')
    loan.answerAll()
    loan.scan('1001', '1002')
    loan.fail()
    loan.answerAll()
    expect(loan.copies).toEqual(['1002'])
    expect(loan.state.refused).toMatchObject([
      { code: '1001', message: 'Le serveur ne répond pas.', isTrouble: true },
    ])
  })

  it('lends what is reserved for another reader only if somebody says so', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', reserved)
    loan.answerAll()
    expect([loan.copies, loan.state.refused]).toMatchObject([[], [{ code: reserved }]])
    loan.insist(reserved)
    expect(loan.state.lines).toMatchObject([{ passed: [{ is_set_aside: false }] }])
  })

  it('judges anew for whoever came after the reader to whom a copy was refused', () => {
    const loan = new PreparedLoan()
    loan.scan(`R${forbidden}`, '1001')
    loan.answerUntil(() => loan.copies.length > 0)
    loan.scan('R2')
    loan.answer(loan.asks.findIndex(({ ask }) => ask === 'find'))
    loan.answerAll()
    expect([loan.state.chosen?.reader.id, loan.state.refused]).toMatchObject([2, [{ code: '1001' }]])
    loan.insist('1001', 'Vu avec la direction')
    loan.answerAll()
    expect(loan.state.lines).toMatchObject([{ override_reason: null, verdict: { colour: 'green' } }])
  })

  it('keeps what was refused at the moment when the next card was read', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001')
    loan.answerUntil(() => loan.copies.length > 0)
    loan.scan('R2')
    loan.answer(loan.asks.findIndex(({ ask }) => ask === 'find'))
    expect(loan.asks.map(({ ask }) => ask)).toEqual(['hear'])
    loan.fail()
    loan.answerAll()
    expect([loan.state.chosen?.reader.id, loan.state.refused]).toMatchObject([2, [{ code: '1001' }]])
  })

  it('keeps a copy that waits for a reader when its older refusal is put away', () => {
    const loan = new PreparedLoan()
    loan.scan('1001', '1001')
    loan.fail()
    loan.answerAll()
    expect([loan.state.refused, loan.state.early]).toMatchObject([[], [{ bar_code: '1001' }]])
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
    loan.answerUntil(() => loan.asks[0]?.ask === 'server')
    loan.fail()
    expect(loan.state.refused).toMatchObject([{ code: unknownHere, isTrouble: true }])
  })

  it('grants nobody what was granted to the reader before, though the motive was still being written', () => {
    const loan = new PreparedLoan()
    loan.scan(`R${forbidden}`, reserved)
    loan.answerAll()
    const candidate = loan.state.refused[0]!.candidate!
    loan.scan('R1', reserved)
    loan.answerAll()
    loan.happen({ what: 'insist', candidate, override_reason: 'Vu avec la direction' })
    loan.answerAll()
    expect([loan.state.chosen?.reader.id, loan.copies]).toEqual([1, []])
  })

  it('keeps a motive that was given against an older answer', () => {
    const loan = new PreparedLoan()
    loan.scan(`R${forbidden}`, '1001')
    loan.answerUntil(() => loan.copies.length > 0)
    loan.happen({ what: 'lines', lines: [] })
    loan.scan('1001')
    while (loan.copies.length === 0) loan.answer(loan.asks.findIndex(({ ask }) => ask !== 'hear'))
    loan.answer(loan.asks.findIndex(({ ask }) => ask === 'hear'))
    loan.insist('1001', 'Vu avec la direction')
    loan.answerAll()
    expect(loan.state.lines).toMatchObject([{ override_reason: 'Vu avec la direction' }])
  })

  it('keeps off line a card and labels that nobody here knows, by their looks or by what a person says', () => {
    const loan = new PreparedLoan()
    loan.is_online = false
    loan.scan('LIVRE', 'CARTE', '1001', 'INCONNU', 'LIVRE')
    loan.answerAll()
    expect([loan.state.chosen, loan.state.card, loan.copies]).toEqual([null, 'CARTE', ['1001', 'LIVRE']])
    for (const { verdict } of loan.state.lines)
      expect(verdict).toMatchObject({ colour: 'amber', reasons: [expect.stringMatching(/^Sera vérifié/)] })
    expect(loan.told.at(-1)).toBe('«\u00a0LIVRE\u00a0» est déjà dans le prêt.')
    expect(loan.state.refused).toMatchObject([{ code: 'INCONNU', asks: ['beneficiary', 'copy'] }])
    loan.happen({ what: 'scan', code: 'INCONNU', kind: 'copy' })
    loan.answerAll()
    expect([loan.copies, loan.state.refused]).toEqual([['INCONNU', '1001', 'LIVRE'], []])
    expect(new Set(loan.state.lines.map(({ copy }) => copy.id)).size).toBe(3)
    loan.happen({ what: 'save', leaves: false })
    loan.answerAll()
    expect(loan.saved).toEqual([
      ['INCONNU', 'CARTE'],
      ['1001', 'CARTE'],
      ['LIVRE', 'CARTE'],
    ])
  })

  it('asks what becomes of it when a card that nobody here knows is read, and says for whom it stays', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001')
    loan.answerAll()
    loan.is_online = false
    loan.scan('CARTE', '1002')
    loan.answerAll()
    expect([loan.state.chosen?.reader.id, loan.state.card, loan.copies]).toEqual([1, null, ['1001']])
    expect(loan.state.refused).toMatchObject([
      { message: 'Lu après la carte CARTE\u202f: scannez-le de nouveau s’il est pour ce prêt.' },
    ])
    loan.change = 'drop'
    loan.scan('CARTE')
    loan.answerAll()
    expect([loan.state.chosen, loan.state.card, loan.copies]).toEqual([null, 'CARTE', []])
  })

  it('takes a code that the server does not know for nothing, whatever it looks like', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', 'LIVRE', 'CARTE')
    loan.answerAll()
    expect([loan.copies, loan.state.chosen?.reader.id]).toEqual([[], 1])
    expect(loan.state.refused.map(({ code }) => code)).toEqual(['CARTE', 'LIVRE'])
  })

  it('offers to set a reserved copy aside for whoever is served first', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', reserved)
    loan.answerAll()
    expect(loan.state.refused).toMatchObject([{ candidate: { awaited: { id: 1, name: 'Lecteur 7' } } }])
  })

  it('says of a code that it waits while another card has to be decided on', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001', 'R2')
    loan.answerUntil(() => loan.asks[0]?.ask === 'change-reader')
    loan.scan('1002')
    expect(loan.told.at(-1)).toBe('1002 attend\u202f: décidez d’abord du lecteur.')
  })

  it('stays with its reader where another card is read and somebody says so', () => {
    const loan = new PreparedLoan()
    loan.scan('R1', '1001', 'R2', '1002')
    loan.answerAll()
    // What came after that card was for its reader.
    expect([loan.state.chosen?.reader.id, loan.copies]).toEqual([1, ['1001']])
    expect(loan.state.refused).toMatchObject([
      {
        code: '1002',
        message: 'Lu après la carte de 2 Lecteur\u202f: scannez-le de nouveau s’il est pour ce prêt.',
      },
    ])
  })

  it.each(['is refused', 'fails'])(
    'takes nothing that came after another card where its saving %s',
    (how) => {
      const loan = new PreparedLoan()
      loan.change = 'save'
      loan.scan('R1', '1001', 'R2', '1002')
      loan.answerUntil(() => loan.asks[0]?.ask === 'save')
      if (how === 'fails') loan.fail()
      else {
        const [ask] = loan.asks.splice(0) as LoanAskOf<'save'>[]
        loan.happen({ what: 'answer', ask: ask!, answer: false })
      }
      loan.answerAll()
      expect([loan.state.chosen?.reader.id, loan.copies]).toEqual([1, ['1001']])
      expect(loan.state.refused).toMatchObject([
        { code: '1002', message: expect.stringMatching(/^Lu après la carte de 2 Lecteur/) },
      ])
      expect(loan.told.at(-1)).toMatch(how === 'fails' ? /^Le serveur ne répond pas/ : /le lecteur reste/)
    },
  )
})

// ── Hours at random ──

type Doing =
  | { do: 'scan'; code: string }
  | { do: 'forget'; code: string }
  | { do: 'answer' | 'fail'; at: number }
  | { do: 'save' }
  | { do: 'remove'; at: number }
  | { do: 'online'; isOnline: boolean }
  | { do: 'insist'; code: string; motive: string | null }
  | { do: 'says'; change: 'save' | 'drop' | 'stay' }

const codes = [
  'R1',
  'R2',
  `R${forbidden}`,
  'CARTE',
  '1001',
  '1002',
  '1003',
  unknownHere,
  reserved,
  'INCONNU',
  'LIVRE',
] as const
const at = fc.nat({ max: 4 })
const doing: fc.Arbitrary<Doing> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      code: fc.constantFrom(...codes),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('forget' as const), code: fc.constantFrom(...codes) }),
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
      change: fc.constantFrom('save', 'drop', 'stay'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('insist' as const),
      code: fc.constantFrom(...codes),
      motive: fc.constantFrom(null, 'Motif'),
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
    const before = [...loan.copies, ...(doing.do === 'forget' ? [] : loan.waiting)]
    const saved = loan.saved.length
    let isByHand = false
    switch (doing.do) {
      case 'scan':
        this.scanned.push(doing.code)
        loan.happen({ what: 'scan', code: doing.code })
        break
      case 'forget':
        loan.happen({ what: 'forget', code: doing.code })
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
      case 'insist':
        loan.insist(doing.code, doing.motive)
        break
      case 'says':
        loan.change = doing.change
    }
    this.note(isByHand ? [] : before, saved)
  }

  end(): void {
    while (this.loan.asks.length > 0) this.take({ do: 'answer', at: 0 })
  }

  private note(before: readonly string[], saved: number): void {
    const { state, copies } = this.loan
    const kept = [
      ...copies,
      ...this.loan.waiting,
      ...state.refused.map(({ code }) => code),
      ...this.loan.saved.slice(saved).map(([copy]) => copy),
    ]
    this.vanished.push(...before.filter((copy) => !kept.includes(copy)))
    for (const code of [...kept, ...state.early.map(({ bar_code }) => bar_code)]) this.shown.add(code)
    if (state.chosen) this.shown.add(state.chosen.reader.label)
    if (state.card) this.shown.add(state.card)
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
        for (const code of scanned) if (!/^(?:R\d|CARTE)$/.test(code)) expect(shown).toContain(code)
        expect(vanished).toEqual([])
        expect(loan.state).toMatchObject({ doing: null, turns: [], unheard: [] })
        if (loan.state.chosen || loan.state.card) expect(loan.state.early).toEqual([])
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
        // What nobody here knows is judged by the server once it is sent.
        for (const [copy, reader] of loan.saved)
          if (typeof reader === 'number' && copy !== 'LIVRE')
            expect(loan.judged).toContain(`${copy} for ${reader}`)
      }),
    )
  })

  it('records nothing for who may not borrow without a motive', () => {
    fc.assert(
      fc.property(hour, (doings) => {
        const isGranted = doings.some((doing) => doing.do === 'insist' && doing.motive !== null)
        const { loan } = play(doings)
        const saved = loan.saved.filter(([copy, reader]) => reader === forbidden && copy !== 'LIVRE')
        if (!isGranted) expect(saved).toEqual([])
      }),
    )
  })
})
