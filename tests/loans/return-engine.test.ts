import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { brokenScan } from '../../src/client/scanner/typed-scan.ts'
import type { EngineEffect } from '../../src/client/counter/use-engine.ts'
import type { Found } from '../../src/client/find/found.ts'
import {
  advanceReturn,
  emptyReturn,
  type ReturnAnswers,
  type ReturnAsk,
  type ReturnAskOf,
  type ReturnHappening,
} from '../../src/client/lending/return-engine.ts'
import type { HeldLoan } from '../../src/client/loans/held-loan.ts'
import { copyOfCounter, readerOf } from '../home/counter-model.ts'

/**
 * Copies from 2000 on are free, and 2002 is set aside, the others on loan; R1 to R9 are cards, and 1500 is the fifth's too; 9999 was sent here by another
 * site, of which « annexe », « fermé » and « coupé » are on loan and « libre » is not; anything else is unknown.
 */
class Returns {
  state = emptyReturn([])
  is_online = true
  /** What the server does where it is not told of a code. */
  answer_of_unknown: Extract<Found, { kind: 'unknown' }>['answer'] = 'nobody-knows'
  asks: ReturnAsk[] = []
  readonly told: string[] = []
  readonly effects: EngineEffect<ReturnAsk>[] = []

  happen(happening: ReturnHappening): void {
    const { state, effects } = advanceReturn(this.state, happening, {
      today: '2026-03-10',
      may_receive: true,
      is_online: this.is_online,
      kind_of: (code) => (/^CARTE/.test(code) ? 'beneficiary' : /^LIVRE/.test(code) ? 'copy' : null),
    })
    this.state = state
    this.effects.push(...effects)
    for (const effect of effects) {
      if (effect.do === 'ask') this.asks.push(effect.ask)
      else this.told.push(effect.text)
    }
  }

  scan(...codes: readonly string[]): void {
    for (const code of codes) this.happen({ what: 'scan', code })
  }

  answer(): void {
    const ask = this.asks.shift()
    if (!ask) return
    const answer = ask.ask === 'find' ? this.find(ask.code) : answerTo(ask)
    this.happen({ what: 'answer', ask, answer } as ReturnHappening)
  }

  fail(is_network = true): void {
    const ask = this.asks.shift()
    if (ask) this.happen({ what: 'trouble', ask, message: 'Le serveur ne répond pas.', is_network })
  }

  answerAll(): void {
    while (this.asks.length > 0) this.answer()
  }

  private find(code: string): Found {
    const found = find(code)
    return found.kind === 'unknown' ? { ...found, answer: this.answer_of_unknown } : found
  }

  get scanned(): string[] {
    return this.state.scanned.map(({ bar_code }) => bar_code)
  }
}

function answerTo(ask: ReturnAsk): ReturnAnswers[ReturnAsk['ask']] {
  switch (ask.ask) {
    case 'find':
      throw new Error('the library finds it')
    case 'loan':
      return loanOf(ask)
    case 'receive':
      return { ...ask, from: 'Annexe', awaited: null }
  }
}

/** The server alone knows loans of another site. */
function loanOf({ copy, isLent }: ReturnAskOf<'loan'>): HeldLoan | null {
  const loan = isLent && copy.bar_code === 'annexe' ? copyOfCounter('annexe', 1).loan : copy.loan
  return loan && { ...loan, beneficiary_name: 'Lecteur 1', copy_state: 'GOOD' }
}

const setAside = {
  id: 4,
  beneficiary_id: 7,
  beneficiary_info: 'Camille Roy (M7)',
  reference_id: 2002,
  copy_id: null,
  set_aside_copy: 2002,
  start_date: null,
  end_date: null,
  queue_position: null,
  closed: false,
}

function find(code: string): Found {
  if (['annexe', 'fermé', 'coupé', 'libre'].includes(code))
    return { kind: 'elsewhere', code, title: `Titre ${code}`, site: 'Annexe', isLent: code !== 'libre' }
  if (/^R\d$/.test(code)) return { kind: 'reader', chosen: readerOf(Number(code.slice(1))) }
  if (!/^\d{4}$/.test(code)) return { kind: 'unknown', code, answer: 'nobody-knows', elsewhere: false }
  const copy = copyOfCounter(code, code < '2000' ? 1 : null)
  if (code === '9999') copy.known!.copy.status = 'En transfert'
  if (code === '2002') copy.known!.reservations.push(setAside)
  return { kind: 'copy', copy, ...(code === '1500' ? { card: readerOf(5) } : {}) }
}

describe('returns being gathered', () => {
  it('are ticked in the order of their scans, whoever has the copies', () => {
    const returns = new Returns()
    returns.scan('1001', '1002', '1001')
    returns.answerAll()
    expect(returns.scanned).toEqual(['1001', '1002'])
    expect([...returns.state.ticks]).toEqual(['of 1001', 'of 1002'])
    expect(returns.state.in_hand).toBe('of 1001')
  })

  it('only show a copy that was looked up, which may lie anywhere', () => {
    const returns = new Returns()
    for (const bar_code of ['1001', '9999']) returns.happen({ what: 'look-up', bar_code })
    returns.answerAll()
    expect([returns.scanned, [...returns.state.ticks]]).toEqual([['1001'], []])
    expect([returns.state.received, returns.state.refused]).toMatchObject([[], [{ code: '9999' }]])
  })

  it('keep a line of what is not on loan, of what nobody knows, and of what failed', () => {
    const returns = new Returns()
    returns.scan('2001', 'INCONNU', '1001')
    returns.answer()
    returns.answer()
    returns.answer()
    returns.fail()
    expect(
      returns.state.refused.map(({ code, message, isTrouble = false }) => [code, message, isTrouble]),
    ).toEqual([
      ['1001', 'Le serveur ne répond pas.', true],
      ['INCONNU', 'Code inconnu', false],
      ['2001', 'Pas en prêt (Disponible)', false],
    ])
    returns.scan('1001', 'R1')
    returns.answer()
    returns.answer()
    returns.fail()
    expect(returns.state.refused.map(({ code }) => code)).toEqual(['R1', 'INCONNU', '2001'])
    returns.scan('R1')
    returns.answerAll()
    expect(returns.state.refused.map(({ code }) => code)).toEqual(['INCONNU', '2001'])
  })

  it('keep a line of a scan in pieces, and tell which of what is said has its line', () => {
    const returns = new Returns()
    returns.happen({ what: 'broken' })
    returns.scan('1001')
    returns.answerAll()
    expect([returns.scanned, returns.state.refused]).toEqual([['1001'], [brokenScan]])
    expect(returns.effects.filter(({ do: done }) => done === 'tell')).toEqual([
      { do: 'tell', signal: 'refusal', text: brokenScan.message, hasLine: true },
      { do: 'tell', signal: 'success', text: 'Titre 1001\u202f: à rendre.', hasLine: true },
    ])
  })

  it('say for whom a copy is set aside that is not on loan', () => {
    const returns = new Returns()
    returns.scan('2002')
    returns.answerAll()
    expect(returns.state.refused).toMatchObject([
      { code: '2002', message: 'Pas en prêt (Mis de côté pour Camille Roy)' },
    ])
    expect(returns.told.at(-1)).toContain('n’est pas en prêt (Mis de côté pour Camille Roy).')
  })

  it('take back a copy of another site with one scan, whether or not its loan can be read', () => {
    const returns = new Returns()
    returns.scan('annexe', 'fermé', 'coupé', 'libre')
    for (let asked = 0; asked < 5; asked += 1) returns.answer()
    returns.fail()
    returns.answerAll()
    expect(returns.scanned).toEqual(['coupé', 'fermé', 'annexe'])
    expect([...returns.state.ticks]).toEqual(['of annexe', 'fermé', 'coupé'])
    expect(returns.state.refused).toMatchObject([{ code: 'libre', message: 'Du site «\u00a0Annexe\u00a0»' }])
  })

  it('take back by its code what looks like a label and nobody could be asked about, and a card never', () => {
    const returns = new Returns()
    returns.answer_of_unknown = 'offline'
    returns.scan('LIVRE', 'CARTE', 'INCONNU')
    returns.answerAll()
    expect(returns.state.scanned).toMatchObject([
      { bar_code: 'LIVRE', title: 'LIVRE', loan_id: null, end_date: null },
    ])
    expect([...returns.state.ticks]).toEqual(['LIVRE'])
    expect(returns.state.refused.map(({ code, asks }) => [code, asks])).toEqual([
      ['INCONNU', ['copy']],
      ['CARTE', []],
    ])
    returns.happen({ what: 'scan', code: 'INCONNU', kind: 'copy' })
    returns.answerAll()
    expect(returns.scanned).toEqual(['INCONNU', 'LIVRE'])
    expect(returns.state.refused.map(({ code }) => code)).toEqual(['CARTE'])
  })

  it('take back by its code what a slow server does not tell only once a person says that it is a copy', () => {
    for (const answer of ['late', 'no-right'] as const) {
      const returns = new Returns()
      returns.answer_of_unknown = answer
      returns.scan('LIVRE')
      returns.answerAll()
      expect([returns.scanned, returns.state.refused]).toMatchObject([[], [{ asks: ['copy'] }]])
      returns.happen({ what: 'scan', code: 'LIVRE', kind: 'copy' })
      returns.answerAll()
      expect(returns.scanned).toEqual(['LIVRE'])
    }
  })

  it.each([
    ['nobody-knows', 'Code inconnu'],
    ['offline', 'Pas connu de cet appareil, qui n’a pas de réseau'],
    ['late', 'Pas connu de cet appareil, et le serveur tarde à répondre'],
    ['no-right', 'Pas connu de cet appareil, et votre profil ne permet pas de le chercher ailleurs'],
  ] as const)('say why a code is not known (%s)', (answer, message) => {
    const returns = new Returns()
    returns.answer_of_unknown = answer
    returns.scan('INCONNU')
    returns.answerAll()
    expect(returns.state.refused).toMatchObject([{ message }])
  })

  it('keep a line of a code that a copy and a card have, and tick nobody’s loan', () => {
    const returns = new Returns()
    returns.scan('1500')
    returns.answerAll()
    expect(returns.scanned).toEqual([])
    expect(returns.state.refused).toMatchObject([
      { message: expect.stringContaining('et de la carte de 5 Lecteur') },
    ])
    returns.happen({ what: 'look-up', bar_code: '1500' })
    returns.answerAll()
    expect(returns.scanned).toEqual(['1500'])
  })

  it('are of the reader who was chosen last, by hand or by a card that is slow', () => {
    const returns = new Returns()
    returns.scan('R1')
    returns.happen({ what: 'choose', chosen: readerOf(2) })
    returns.answerAll()
    expect(returns.state.chosen?.reader.id).toBe(2)
  })

  it('receive what another site sent, or say that it takes the network', () => {
    const returns = new Returns()
    returns.scan('9999')
    returns.answerAll()
    expect(returns.state.received).toMatchObject([{ from: 'Annexe' }])
    const offline = new Returns()
    offline.is_online = false
    offline.scan('9999')
    offline.answerAll()
    const cut = new Returns()
    cut.scan('9999')
    cut.answer()
    cut.answer()
    cut.fail()
    for (const { told } of [offline, cut])
      expect(told).toEqual(['Titre 9999 est en transfert vers ce site\u202f: le recevoir demande le réseau.'])
  })
})

type Doing =
  | { do: 'scan'; code: string }
  | { do: 'look-up'; code: string }
  | { do: 'answer' | 'fail' | 'cut' | 'return-all' }
  | { do: 'online'; isOnline: boolean }
const doing: fc.Arbitrary<Doing> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      code: fc.constantFrom('R1', 'R2', '1001', '1002', '1003', '2001', '9999', 'INCONNU', 'LIVRE', 'CARTE'),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ do: 'answer' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'fail' as const }, { do: 'cut' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { do: 'look-up' as const, code: '1002' },
      { do: 'look-up' as const, code: '9999' },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'return-all' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('online' as const), isOnline: fc.boolean() }) },
)

it('an hour of returns at random leaves no scan without its line', () => {
  fc.assert(
    fc.property(fc.array(doing, { maxLength: 60 }), (doings) => {
      const returns = new Returns()
      /** What has a line, or had one until its return was recorded. */
      const shown = new Set<string>()
      const note = () => {
        const { scanned, received, refused, chosen } = returns.state
        for (const { bar_code } of [...scanned, ...received]) shown.add(bar_code)
        for (const { code } of refused) shown.add(code)
        if (chosen) shown.add(chosen.reader.label)
        expect(returns.asks.length).toBeLessThanOrEqual(1)
      }
      for (const step of doings) {
        if (step.do === 'scan') returns.scan(step.code)
        else if (step.do === 'answer') returns.answer()
        else if (step.do === 'fail' || step.do === 'cut') returns.fail(step.do === 'cut')
        else if (step.do === 'look-up') returns.happen({ what: 'look-up', bar_code: step.code })
        else if (step.do === 'online') {
          returns.is_online = step.isOnline
          returns.answer_of_unknown = step.isOnline ? 'nobody-knows' : 'offline'
        } else returns.happen({ what: 'returned', keys: [...returns.state.ticks] })
        note()
      }
      while (returns.asks.length > 0) {
        returns.answer()
        note()
      }
      for (const one of doings) if (one.do === 'scan') expect(shown).toContain(one.code)
      expect(returns.state).toMatchObject({ doing: null, turns: [] })
    }),
  )
})
