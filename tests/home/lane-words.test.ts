// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'

import { type LaneLine, type LaneReader, plainKept } from '../../src/client/home/lane.ts'
import { askWhether } from '../../src/client/home/lane-rules.ts'
import { lineWordsOf, optionLabel } from '../../src/client/home/lane-words.ts'
import type { Awaited } from '../../src/client/reservations/awaited.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { copyOfCounter, ModelCounter, readerOf } from './counter-model.ts'

const to: LaneReader = { card: '21555' }
const line: LaneLine = {
  key: '1',
  code: '31555',
  at: 0,
  by: 'scanner',
  copy: { bar_code: '31555', title: '31555', known: null, loan: null },
  with_reader: '21555',
  trouble: null,
  under_way: null,
  gestures: 0,
  before: { proposed: null, in_sight: false, chosen: null },
  confirmed: null,
  step: {
    ...plainKept,
    act: 'lend',
    entry_id: 'e',
    reader: 'Carte 21555',
    to,
  },
}
const entry = {
  state: 'queued',
  attempts: 0,
  endpoint: 'loanings.lend',
  body: { copy_code: '31555', beneficiary_code: '21555' },
  label: { kind: 'lend', title: '31555', beneficiary: 'la carte 21555', due: null },
  problem: null,
  receipt: null,
} as Partial<Entry> as Entry
const may = { lend: true, return: true, override: true }
const moment = { now: 0, today: '2026-03-10', isOnline: true, may, under: null }
const words = (now: Entry, isOnline = false) => lineWordsOf(line, now, { ...moment, isOnline })

describe('the line of what this device keeps', () => {
  const known = { ...entry, body: { copy: 1, beneficiary: 1 } }
  const wordOf = (attempts: number, isOnline: boolean) => words({ ...known, attempts }, isOnline).state.word

  it('has one word off line, whether or not it was tried, and on line says what does not leave', () => {
    expect([wordOf(0, false), wordOf(2, false)]).toEqual(['Enregistré, à envoyer', 'Enregistré, à envoyer'])
    expect([wordOf(0, true), wordOf(2, true)]).toEqual(['Enregistré', 'Enregistré, à envoyer'])
  })
})

describe('the line of a loan', () => {
  const lent = (knows_due: boolean) => {
    const counter = new ModelCounter()
    counter.knows_due = knows_due
    counter.scanned('R1')
    const kept = counter.scanned('1001')
    const under = kept.step.name === 'kept' ? kept.step.reader : null
    const sentence = (now: Entry) => lineWordsOf(kept, now, { ...moment, under }).sentence
    return { counter, sentence }
  }
  const queued = { ...entry, body: { copy: 1, beneficiary: 1 } }
  const done: Entry = { ...queued, state: 'done', receipt: { id: 7, end_date: '2026-04-07' } }

  it('tells the day of return at once where the device knows all that decides it', () => {
    const { counter, sentence } = lent(true)
    expect(sentence(queued)).toBe('Retour le 31/03/2026')
    expect(counter.state.said?.more).toContain('jusqu’au 31/03')
    expect(counter.kept[0]?.action).toMatchObject({ gesture: { due: '2026-03-31' } })
  })

  it('tells no day of return before the server has, where the device lacks what decides it', () => {
    const { counter, sentence } = lent(false)
    expect(sentence(queued)).not.toMatch(/retour|\d\//i)
    expect(counter.state.said).toMatchObject({ text: 'Prêté' })
    expect(counter.state.said?.more).not.toMatch(/jusqu|\d\//)
    expect(counter.kept[0]?.action).toMatchObject({ gesture: { due: null } })
    expect(sentence(done)).toBe('Retour le 07/04/2026')
  })
})

describe('the line of a loan by codes', () => {
  it('says that what was set aside for the reader is for the next, with its code once the server has answered', () => {
    const frees = { ...line, step: { ...line.step, frees: true } as LaneLine['step'] }
    const notesOf = (now: Entry) => lineWordsOf(frees, now, moment).notes
    expect(notesOf(entry)).toEqual([
      {
        tone: 'warn',
        text: 'Un autre exemplaire était mis de côté pour cette personne\u202f: il peut aller à la suivante, ou retourner en rayon.',
      },
    ])
    const done = (receipt: object) => notesOf({ ...entry, state: 'done', receipt })
    expect(done({ id: 7, freed_copy: { id: 1, bar_code: '1001' } })[0]?.text).toMatch(
      /^L’exemplaire 1001 était/,
    )
    expect(done({ id: 7 })).toEqual([])
  })

  it('is to be verified as soon as the network is back, and may be taken back', () => {
    expect(words(entry)).toMatchObject({
      title: '31555',
      sentence: 'Pour la carte 21555',
      state: { word: 'À vérifier', tone: 'warn' },
      notes: [{ tone: 'warn', text: 'Sera vérifié dès que le réseau reviendra.' }],
      takeBack: 'Annuler',
    })
    expect(words(entry, true)).toMatchObject({ state: { word: 'À vérifier' }, notes: [] })
  })

  it('has the title and the day that the server tells', () => {
    const receipt = { id: 1, copy: 1, beneficiary: 1, reference_name: 'Germinal', end_date: '2026-03-31' }
    expect(words({ ...entry, state: 'done', receipt })).toMatchObject({
      title: 'Germinal',
      sentence: 'Prêté à la carte 21555, retour le 31/03/2026',
      state: { word: 'Confirmé' },
      notes: [],
    })
  })

  it('is to be settled where nobody carries a code', () => {
    const problem = { code: 409, reason: 'READER_UNKNOWN', message: 'Aucun lecteur.', facts: null } as const
    expect(words({ ...entry, state: 'conflict', problem })).toMatchObject({
      state: { word: 'Refusé' },
      notes: [{ tone: 'bad', text: 'Aucun lecteur.' }],
      toSettle: true,
      options: [],
    })
  })

  it('may be set aside for whoever is served first where the server refused it for their sake', () => {
    const reservations = [
      { id: 4, beneficiary_name: 'Léa Petit (M2)' },
      { id: 5, beneficiary_name: 'Amine Vidal (M3)' },
    ]
    const facts = { reservations }
    const problem = { code: 409, reason: 'RESERVED', message: 'Réservé.', facts } as const
    const refused: Entry = { ...entry, state: 'conflict', problem }
    expect(words(refused).awaited).toEqual({
      by: { id: 4, name: 'Léa Petit (M2)', site: null, is_set_aside: false },
      copy: null,
      isRecorded: true,
      isOffer: true,
    })
    expect(words({ ...refused, problem: { ...problem, reason: 'NOT_ELIGIBLE' } }).awaited).toBeNull()
  })

  it('is refused like any other where the device could not keep it', () => {
    const said: LaneLine['step'] = {
      name: 'said',
      signal: 'refusal',
      message: 'L’action n’est pas enregistrée.',
      options: ['again', 'export'],
      unsaved: entry,
    }
    expect(lineWordsOf({ ...line, step: said }, null, moment).state).toEqual({ word: 'Refusé', tone: 'bad' })
  })

  it('asks of a code that may be a card or a label, and says no refusal', () => {
    const options = ['is-card', 'is-copy'] as const
    const said: LaneLine['step'] = {
      name: 'said',
      signal: 'refusal',
      message: 'Lequel\u202f?',
      options: [...options],
    }
    const { state } = lineWordsOf({ ...line, step: said }, null, moment)
    expect(state).toEqual({ word: 'À confirmer', tone: 'warn' })
  })

  it('has a heading that says that the card is to be verified', () => {
    const heading: LaneLine = { ...line, copy: null, step: { name: 'reader', chosen: to } }
    expect(lineWordsOf(heading, null, { ...moment, isOnline: false })).toMatchObject({
      title: 'Carte 21555',
      sentence: 'À vérifier',
    })
  })

  it('offers to take back a copy that waits for a reader where only the server knows whether it is lent', () => {
    const waiting: LaneLine = { ...line, step: { name: 'asks-reader', to: null, is_over: false } }
    const waysAt = (isOnline: boolean) => lineWordsOf(waiting, null, { ...moment, isOnline }).options
    expect([waysAt(true), waysAt(false)]).toEqual([[], ['return']])
  })
})

describe('the line of a reserved copy', () => {
  const camille = { id: 4, name: 'Camille Roy (M7)', site: null, is_set_aside: true }
  const paul = { id: 5, name: 'Paul Roy (M8)', site: null, is_set_aside: false }
  const lentBefore = (...passed: readonly Awaited[]) => {
    const step = { ...line.step, choice: { despite_reservations: true, passed } } as LaneLine['step']
    return lineWordsOf({ ...line, step }, entry, moment).notes
  }

  it('says who waited for what was lent all the same, and that they wait on', () => {
    expect(lentBefore(camille)).toEqual([
      { tone: 'warn', text: 'Mis de côté pour Camille Roy\u202f: sa réservation est gardée.' },
    ])
    expect(lentBefore(paul, camille)[0]?.text).toBe(
      'Mis de côté pour Camille Roy, Paul Roy\u202f: leurs réservations sont gardées.',
    )
    expect(lentBefore()).toEqual([])
  })

  it('is settled once the copy was set aside: it asks nothing, and may be put back', () => {
    const settled: LaneLine = { ...line, step: { name: 'set-aside', awaited: paul, was: line.step } }
    expect(lineWordsOf(settled, null, moment)).toMatchObject({
      sentence: '',
      state: { word: 'Non prêté', tone: 'quiet' },
      options: [],
      awaited: { by: { ...paul, is_set_aside: true }, isRecorded: true },
      takeBack: null,
    })
  })

  it('says for whom where nobody has come yet, and what to do, and offers to set it aside', () => {
    const { known, ...copy } = copyOfCounter('1005', null)
    const waitingFor = (
      set_aside_copy: number | null,
      step: LaneLine['step'] = { name: 'asks-reader', to: null, is_over: false },
    ) => {
      const reservation = {
        id: 4,
        beneficiary_id: 7,
        beneficiary_info: 'Camille Roy (M7)',
        reference_id: 1005,
        copy_id: null,
        set_aside_copy,
        start_date: null,
        end_date: null,
        queue_position: set_aside_copy === null ? 1 : null,
        closed: false,
      }
      const reserved = { ...copy, known: known && { ...known, reservations: [reservation] } }
      return lineWordsOf({ ...line, copy: reserved, step }, null, moment)
    }
    expect(waitingFor(null)).toMatchObject({
      sentence: 'Réservé pour Camille Roy\u202f: scannez sa carte pour le lui prêter, ou mettez-le de côté.',
      awaited: { by: { id: 4 }, isOffer: true },
    })
    expect(waitingFor(1005)).toMatchObject({
      sentence: 'Mis de côté pour Camille Roy\u202f: scannez sa carte pour le lui prêter.',
      awaited: null,
    })
    // Another card says nothing against them.
    const whether = askWhether({ ...copy, known }, readerOf(2)).step
    expect(waitingFor(null, whether)).toMatchObject({
      sentence: expect.stringMatching(/^Réservé pour Camille Roy\. Prêter à /) as string,
      awaited: { by: { id: 4 }, isOffer: true },
    })
  })
})

describe('a card’s code', () => {
  it('is no name where somebody is asked', () => {
    const waiting: LaneLine = { ...line, step: { name: 'asks-reader', to, is_over: false } }
    expect(lineWordsOf(waiting, null, moment).sentence).toBe(
      'Disponible\u202f: encore pour la carte 21555\u202f? Sinon, scannez la carte du lecteur.',
    )
    expect([optionLabel('lend', waiting), optionLabel('continue', waiting)]).toEqual([
      'Prêter à la carte 21555',
      'Continuer avec la carte 21555',
    ])
    expect(optionLabel('lend', waiting, ['Prêter à la carte 21555\u202f?'])).toBe('Prêter')
  })
})

describe('the line of a late return', () => {
  const late = (step: object) => ({
    ...line,
    step: { ...line.step, act: 'return', days_late: 9, penalty: '0.50', ...step } as LaneLine['step'],
  })
  const noteOf = (step: object, receipt: object | null = null) =>
    lineWordsOf(late(step), receipt ? { ...entry, state: 'done', receipt } : entry, moment).notes[0]?.text

  it('tells its days and what they cost, as the device and then the server reckons them', () => {
    expect(noteOf({})).toMatch(/^9 jours de retard, pénalité 0,50\s€$/)
    expect(noteOf({ penalty: null })).toBe('9 jours de retard')
    expect(noteOf({}, { id: 7, penalty: { total: '1.00' } })).toMatch(/^9 jours de retard, pénalité 1,00\s€$/)
  })

  it('offers to lift what it costs as long as the return can be undone, and says that it is lifted', () => {
    const offered = (step: object, now = moment.now) =>
      lineWordsOf(late(step), entry, { ...moment, now }).options
    expect(offered({})).toEqual(['waive'])
    expect(offered({}, line.at + 10 * 60_000)).toEqual([])
    expect(offered({ penalty: null })).toEqual([])
    expect(noteOf({ penalty: null, is_waived: true })).toBe('9 jours de retard, pénalité levée')
  })

  it('tells the open days that a penalty counts, where it counts no others', () => {
    const open_days = 3
    expect(noteOf({ open_days })).toMatch(
      /^9 jours de retard, 3 jours d’ouverture comptés, pénalité 0,50\s€$/,
    )
    expect(noteOf({ open_days: 0, penalty: null })).toBe('9 jours de retard')
    const receipt = { id: 7, penalty: { total: '0.50' }, penalty_duration: 1 }
    expect(noteOf({ open_days }, receipt)).toMatch(/, 1 jour d’ouverture compté, pénalité 0,50\s€$/)
    expect(noteOf({ open_days }, { id: 7, penalty: null, penalty_duration: null })).toBe('9 jours de retard')
  })
})
