import { describe, expect, it } from 'vitest'

import type { ScannedReader } from '../../src/client/beneficiaries/beneficiary-data.ts'
import type { Found, NoAnswer, ScannedCopy } from '../../src/client/find/found.ts'
import {
  type LaneLine,
  type LaneReader,
  nameOf,
  plainKept,
  type ReaderKey,
  type LineOption,
} from '../../src/client/home/lane.ts'
import { type Counter, decide, helpsInForm, isRepeat, optionsOf } from '../../src/client/home/lane-rules.ts'
import type { Entry } from '../../src/offline/entry.ts'

const reader = (id: number): ScannedReader => ({
  reader: {
    id,
    label: `M${id} - Lecteur ${id}`,
    matricule: `M${id}`,
    lastname: 'Lecteur',
    firstname: String(id),
    reader_id: `R${id}`,
    is_active: true,
    relatives: [],
  },
  relative: null,
})

type CopyState = {
  status?: 'Disponible' | 'En Location' | 'En transfert' | 'Non Disponible'
  type?: 'Location' | 'Vente'
  lentTo?: number
}

function copy({ status = 'Disponible', type = 'Location', lentTo }: CopyState = {}): ScannedCopy {
  const loan: ScannedCopy['loan'] =
    lentTo === undefined
      ? null
      : {
          loan_id: 9,
          loan_key: null,
          copy_id: 1,
          bar_code: '1001',
          title: 'Germinal',
          medium: 1,
          site: 1,
          beneficiary_id: lentTo,
          start_date: '2026-03-01',
          end_date: '2026-03-20',
          late: false,
          waiting: false,
        }
  return {
    bar_code: '1001',
    title: 'Germinal',
    loan,
    known: {
      copy: {
        id: 1,
        bar_code: '1001',
        name: 'Germinal',
        reference: 1,
        medium: 1,
        status: loan ? 'En Location' : status,
        state: 'GOOD',
        site: 1,
        price: '1.00',
        type,
        cycle_type: null,
        cycle_value: null,
        deleted: false,
      },
      medium: null,
      loan,
      borrower: null,
      reservations: [],
      capacity: null,
    },
  }
}

const found = (state?: CopyState): Found => ({ kind: 'copy', copy: copy(state) })
const at = 1_000_000

const counter = (change: Partial<Counter> = {}): Counter => ({
  chosen: reader(1),
  settled: 'yes',
  lines: [],
  fast_input: true,
  may: { lend: true, return: true },
  read: { code: '77', kind: null },
  ...change,
})

const kept = (act: 'lend' | 'return', ago: number, with_reader: ReaderKey | null = 1): LaneLine => ({
  key: '1',
  code: '1001',
  at: at - ago,
  by: 'scanner',
  copy: copy(),
  with_reader,
  trouble: null,
  under_way: null,
  gestures: 0,
  before: { proposed: null, in_sight: false, chosen: null },
  confirmed: null,
  step: {
    ...plainKept,
    act,
    entry_id: 'e',
    reader: null,
    to: null,
  },
})

describe('a scan at the counter', () => {
  it('chooses the reader of a card', () => {
    expect(decide({ kind: 'reader', chosen: reader(2) }, { at }, counter())).toEqual({
      do: 'choose',
      chosen: reader(2),
    })
  })

  it('lends a free copy to the chosen reader', () => {
    expect(decide(found(), { at }, counter())).toMatchObject({ do: 'lend', to: { reader: { id: 1 } } })
  })

  it('returns a copy on loan, whoever has it and whoever is chosen', () => {
    expect(decide(found({ lentTo: 2 }), { at }, counter())).toMatchObject({ do: 'return' })
    expect(decide(found({ lentTo: 1 }), { at }, counter())).toMatchObject({ do: 'return' })
    expect(decide(found({ lentTo: 1 }), { at }, counter({ chosen: null }))).toMatchObject({ do: 'return' })
  })

  it('asks for a reader when nobody is chosen', () => {
    expect(decide(found(), { at }, counter({ chosen: null }))).toMatchObject({ do: 'ask-reader' })
  })

  it('opens the full form where quick input is off', () => {
    expect(decide(found(), { at }, counter({ fast_input: false }))).toMatchObject({ do: 'open-form' })
    expect(decide(found({ lentTo: 1 }), { at }, counter({ fast_input: false }))).toMatchObject({
      do: 'return',
    })
  })

  it.each([
    [
      { status: 'En transfert' as const },
      "Saisie rapide indisponible, veuillez vérifier le statut de l'exemplaire.",
    ],
    [{ type: 'Vente' as const }, "Saisie rapide indisponible, veuillez vérifier le statut de l'exemplaire."],
    [
      { status: 'En Location' as const },
      'Une erreur est survenue, saisie rapide indisponible pour cet exemplaire.',
    ],
  ])('refuses %j in the words of the specification', (state, message) => {
    expect(decide(found(state), { at }, counter())).toMatchObject({
      do: 'say',
      step: { signal: 'refusal', message },
    })
  })

  it('opens the full form for what is sold, with the reader in front of the counter', () => {
    const may = { lend: true, return: true, sell: true }
    const forSale = found({ type: 'Vente' })
    expect(decide(forSale, { at }, counter({ may, chosen: reader(1) }))).toMatchObject({
      do: 'open-form',
      to: reader(1),
    })
    expect(decide(forSale, { at }, counter({ may, chosen: reader(1), settled: 'unseen' }))).toMatchObject({
      do: 'open-form',
      to: null,
    })
  })

  it('says of a sold copy that it was, and offers nothing', () => {
    const may = { lend: true, return: true, sell: true }
    const sold = { ...copy({ type: 'Vente' }), sold: 'Vendu.' }
    expect(decide({ kind: 'copy', copy: sold }, { at }, counter({ may }))).toMatchObject({
      do: 'say',
      step: { signal: 'refusal', message: 'Vendu.', options: [] },
    })
  })

  it('receives what another site sent here, for who may', () => {
    const may = { lend: true, return: true, receive: true }
    expect(decide(found({ status: 'En transfert' }), { at }, counter({ may }))).toMatchObject({
      do: 'receive',
    })
  })

  it('says what an ISBN is, and an unknown code', () => {
    expect(decide({ kind: 'isbn', code: '9782070409228' }, { at }, counter())).toMatchObject({
      do: 'say',
      step: { message: expect.stringContaining('ISBN') as string },
    })
    expect(
      decide({ kind: 'unknown', code: '77', answer: 'nobody-knows', elsewhere: false }, { at }, counter()),
    ).toMatchObject({ do: 'say', step: { options: ['add-copy'] } })
    expect(
      decide(
        { kind: 'elsewhere', code: '77', title: 'Momo', site: 'Annexe', isLent: false },
        { at },
        counter(),
      ),
    ).toMatchObject({
      do: 'say',
      step: {
        message: expect.stringContaining('Changez de site ou renvoyez-le') as string,
        options: ['change-site'],
      },
    })
    const lentElsewhere = {
      kind: 'elsewhere',
      code: '77',
      title: 'Momo',
      site: 'Annexe',
      isLent: true,
    } as const
    expect(decide(lentElsewhere, { at }, counter())).toEqual({
      do: 'return',
      copy: { bar_code: '77', title: 'Momo', known: null, loan: null },
    })
    expect(decide(lentElsewhere, { at }, counter({ only: 'lend' }))).toMatchObject({ do: 'say' })
    expect(
      decide({ kind: 'unknown', code: '77', answer: 'nobody-knows', elsewhere: true }, { at }, counter()),
    ).toMatchObject({
      do: 'say',
      step: {
        message: expect.stringMatching(/^Code inconnu sur ce site\s:/) as string,
        options: ['add-copy'],
      },
    })
  })

  it('refuses what the profile does not allow', () => {
    const may = { lend: false, return: false }
    expect(decide(found(), { at }, counter({ may }))).toMatchObject({
      do: 'say',
      step: { signal: 'refusal' },
    })
    expect(decide(found({ lentTo: 1 }), { at }, counter({ may }))).toMatchObject({
      do: 'say',
      step: { signal: 'refusal' },
    })
  })
})

describe('a code that the device does not know', () => {
  const unknown = (answer: NoAnswer | 'nobody-knows' = 'offline', elsewhere = false): Found => ({
    kind: 'unknown',
    code: '77',
    answer,
    elsewhere,
  })
  const label = { read: { code: '31555', kind: 'copy' } } as const
  const card = { read: { code: '21555', kind: 'beneficiary' } } as const
  const to: LaneReader = { card: '21555' }
  const saying = (options: LineOption[]) => ({ do: 'say', step: { name: 'said', options } })

  it('chooses whose card it is, off line', () => {
    expect(decide(unknown(), { at }, counter(card))).toEqual({ do: 'choose', chosen: { card: '21555' } })
    expect(nameOf(to)).toBe('Carte 21555')
  })

  it('is lent to the chosen reader, whether the device knows them or their card alone', () => {
    const copy31555 = { bar_code: '31555', title: '31555', known: null, loan: null }
    for (const chosen of [reader(1), to]) {
      expect(decide(unknown(), { at }, counter({ ...label, chosen }))).toEqual({
        do: 'lend-to-verify',
        copy: copy31555,
        to: chosen,
      })
    }
  })

  it('is asked about where it is a copy’s and a card’s, and is what a person says', () => {
    const both: Found = { kind: 'copy', copy: copy(), card: reader(2) }
    expect(decide(both, { at }, counter())).toMatchObject(saying(['is-card', 'is-copy']))
    expect(decide(both, { at }, counter({ said: 'beneficiary' }))).toEqual({
      do: 'choose',
      chosen: reader(2),
    })
    expect(decide(both, { at }, counter({ said: 'copy' }))).toMatchObject({ do: 'lend', to: reader(1) })
  })

  it('is lent to nobody who is not there', () => {
    const back = saying(['again', 'return'])
    expect(decide(unknown(), { at }, counter({ ...label, chosen: null }))).toMatchObject(back)
    expect(decide(unknown(), { at }, counter({ ...label, settled: 'left-alone' }))).toMatchObject(back)
    expect(decide(unknown(), { at }, counter({ ...label, settled: 'unseen' }))).toMatchObject({
      step: { name: 'asks', options: ['lend', 'return'] },
    })
  })

  it('is asked about where its looks do not tell', () => {
    expect(decide(unknown(), { at }, counter())).toMatchObject({
      step: {
        message: expect.stringMatching(/^Est-ce une carte ou un exemplaire\s\?/) as string,
        options: ['is-card', 'is-copy'],
      },
    })
  })

  it.each(['late', 'no-right', 'nobody-knows'] as const)('is believed off line alone (%s)', (answer) => {
    expect(decide(unknown(answer), { at }, counter(card)).do).toBe('say')
    expect(decide(unknown(answer), { at }, counter(label)).do).toBe('say')
  })

  it('is never offered as something to return where it looks like a card', () => {
    const options = (found: Found, may = { lend: true, return: true }) =>
      decide(found, { at }, counter({ ...card, may }))
    expect(options(unknown('late'))).toMatchObject(saying(['again']))
    expect(options(unknown('nobody-knows', true))).toMatchObject(saying(['add-copy']))
    expect(options(unknown(), { lend: false, return: true })).toMatchObject(saying(['again']))
  })

  it('is offered as something to return where it looks like a label; otherwise a person says that it is a copy', () => {
    for (const answer of ['late', 'no-right'] as const) {
      expect(decide(unknown(answer), { at }, counter(label))).toMatchObject(saying(['again', 'return']))
      expect(decide(unknown(answer), { at }, counter())).toMatchObject(saying(['again', 'is-copy']))
    }
  })

  it('is no loan for a profile that may not lend', () => {
    const may = { lend: false, return: true }
    expect(decide(unknown(), { at }, counter({ ...label, may }))).toMatchObject(saying(['again', 'return']))
    const asked = decide(unknown(), { at }, counter({ may }))
    expect(asked).toMatchObject(saying(['is-card', 'is-copy']))
    expect(asked.do === 'say' && optionsOf(asked, null, { ...may, override: false })).toEqual(['is-copy'])
  })

  it('may be a card for whom a known copy is lent, in quick input or not', () => {
    for (const fast_input of [true, false]) {
      expect(decide(found(), { at }, counter({ chosen: to, fast_input }))).toMatchObject({
        do: 'lend-to-verify',
        to,
        copy: { bar_code: '1001' },
      })
    }
    expect(decide(found(), { at }, counter({ fast_input: false }))).toMatchObject({ do: 'open-form' })
    expect(decide(found(), { at }, counter({ chosen: to, settled: 'left-alone' }))).toMatchObject({
      do: 'ask-reader',
      to,
    })
  })

  it('is not taken back within a minute of being lent to that card', () => {
    const lent = found({ lentTo: 0 })
    const lines = [kept('lend', 5_000, '21555')]
    expect(decide(lent, { at }, counter({ chosen: to, lines }))).toMatchObject({
      step: { name: 'asks', options: ['return'] },
    })
    expect(decide(lent, { at }, counter({ chosen: { card: '21556' }, lines }))).toMatchObject({
      do: 'return',
    })
  })
})

describe('the same copy again', () => {
  it('is not returned within a minute of being lent to the chosen reader, but may be', () => {
    const lent = found({ lentTo: 1 })
    expect(decide(lent, { at }, counter({ lines: [kept('lend', 59_000)] }))).toMatchObject({
      do: 'say',
      step: { name: 'asks', options: ['return'] },
    })
    expect(decide(lent, { at }, counter({ lines: [kept('lend', 61_000)] }))).toMatchObject({ do: 'return' })
    expect(decide(lent, { at }, counter({ chosen: reader(2), lines: [kept('lend', 5_000)] }))).toMatchObject({
      do: 'return',
    })
    expect(decide(lent, { at }, counter({ chosen: null, lines: [kept('lend', 5_000)] }))).toMatchObject({
      do: 'return',
    })
  })

  it('is not lent within a minute of being returned before the same reader, but may be', () => {
    expect(decide(found(), { at }, counter({ lines: [kept('return', 5_000)] }))).toMatchObject({
      do: 'say',
      step: { name: 'asks', options: ['lend'] },
    })
    // Taken back first, then the card: the copy is for that reader.
    expect(decide(found(), { at }, counter({ lines: [kept('return', 5_000, null)] }))).toMatchObject({
      do: 'lend',
    })
  })

  it('is one scan for the camera within two seconds, and two for a hand', () => {
    const lines = [{ ...kept('lend', 1_900), by: 'camera' as const }]
    const scan = { key: '2', code: '1001', at }
    expect(isRepeat({ ...scan, by: 'camera' }, lines)).toBe(true)
    expect(isRepeat({ ...scan, at: at + 200, by: 'camera' }, lines)).toBe(false)
    // The device's clock was put back.
    expect(isRepeat({ ...scan, at: at - 3_600_000, by: 'camera' }, lines)).toBe(false)
    expect(isRepeat({ ...scan, by: 'scanner' }, lines)).toBe(false)
  })
})

describe('what a line offers', () => {
  const all = { lend: true, return: true, override: true }
  const asks = (options: LineOption[]): LaneLine => ({
    ...kept('lend', 0),
    step: {
      name: 'asks',
      signal: 'refusal',
      message: '',
      details: [],
      options,
      to: reader(1),
      choice: {},
    },
  })

  it('is what the person has the right to do', () => {
    const line = asks(['override', 'open-form'])
    expect(optionsOf(line, null, all)).toEqual(['override', 'open-form'])
    expect(optionsOf(line, null, { ...all, override: false })).toEqual(['open-form'])
    expect(optionsOf(asks(['again', 'return']), null, { ...all, return: false })).toEqual(['again'])
  })

  it('is to take back a copy that waits for a reader: it may lie there for that', () => {
    const line: LaneLine = { ...kept('lend', 0), step: { name: 'asks-reader', to: null, is_over: false } }
    expect(optionsOf(line, null, all)).toEqual(['return'])
    expect(decide(found({ status: 'En transfert' }), { at }, counter())).toMatchObject({
      step: { options: ['return'] },
    })
    expect(decide(found({ type: 'Vente' }), { at }, counter())).toMatchObject({ step: { options: [] } })
  })

  it.each(['NOT_ELIGIBLE', 'BEYOND_BOUNDS'])('follows from %s, by the person’s rights', (reason) => {
    const line = kept('lend', 0)
    const to = reader(1)
    const refused = { ...line, step: { ...line.step, to } } as LaneLine
    const entry = { state: 'conflict', problem: { reason } } as Entry
    expect(optionsOf(refused, entry, all)).toEqual(['override', 'open-form'])
    expect(optionsOf(refused, entry, { ...all, override: false })).toEqual(['open-form'])
    expect(optionsOf(refused, { ...entry, state: 'queued' }, all)).toEqual([])
    // What was lent by codes is settled among the waiting actions.
    const read = {
      ...entry,
      endpoint: 'loanings.lend',
      body: { copy_code: '31555', beneficiary: 1 },
    } as const
    expect(optionsOf(refused, read, all)).toEqual([])
  })

  it('is the whole form for whoever lends or sells', () => {
    const may = { lend: false, return: true, override: false }
    expect(optionsOf(asks(['open-form']), null, { ...may, sell: true })).toEqual(['open-form'])
    expect(optionsOf(asks(['open-form']), null, may)).toEqual([])
  })

  it('is shown in the whole form by itself where that can make the loan', () => {
    const volunteer = { ...all, override: false }
    const refused = asks(['override', 'open-form'])
    expect([helpsInForm(refused, null, all), helpsInForm(refused, null, volunteer)]).toEqual([true, false])
    expect(helpsInForm(asks(['despite-reservations', 'open-form']), null, volunteer)).toBe(true)
    expect(helpsInForm(asks(['open-form']), null, volunteer)).toBe(true)
    expect(helpsInForm(asks(['return']), null, all)).toBe(false)
    const line = kept('lend', 0)
    const sent = { ...line, step: { ...line.step, to: reader(1) } } as LaneLine
    const helpsAfter = (reason: string) =>
      helpsInForm(sent, { state: 'conflict', problem: { reason } } as Entry, volunteer)
    // Its terms may be changed.
    expect([helpsAfter('NOT_ELIGIBLE'), helpsAfter('BEYOND_BOUNDS')]).toEqual([false, true])
  })

  it('is to say what an unknown code is, to whoever may lend to a card', () => {
    expect(optionsOf(asks(['is-card', 'is-copy']), null, all)).toEqual(['is-card', 'is-copy'])
    expect(optionsOf(asks(['is-card', 'is-copy']), null, { ...all, lend: false })).toEqual(['is-copy'])
  })
})
