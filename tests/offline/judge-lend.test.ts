import { describe, expect, it } from 'vitest'

import { writeMeta } from '../../src/offline/device-meta.ts'
import { transact } from '../../src/offline/device-store.ts'
import type { KnownCopy } from '../../src/offline/counter.ts'
import { doubtsAbout, judgeLend } from '../../src/offline/judge-lend.ts'
import { copyRow, freshDevice, lending, loanRow, readerRow, record } from './device.ts'

const today = '2026-03-10'
const asked_at = '2026-03-10T09:00:00.000Z'
const minutesAfter = (minutes: number) => new Date(Date.parse(asked_at) + minutes * 60_000)

const medium = {
  id: 1,
  name: 'Livre',
  duration: 3,
  duration_type: 'WEEK',
  end_day: null,
  max_loaning: 2,
  max_late: null,
  eligibility: { contracts: ['CDI'], statuses: [], dossiers: [] },
} as unknown as NonNullable<KnownCopy['medium']>

const known = (changes: Partial<Pick<KnownCopy, 'copy' | 'medium' | 'loan' | 'borrower'>> = {}) => ({
  copy: copyRow(1),
  medium,
  loan: null,
  borrower: null,
  ...changes,
})

/** A device that holds three copies and a reader, asked for at `asked_at`. */
const seed = ({
  contract_type = 'CDI',
  offset = 0,
  parameters = {},
  openings = { weeks: [], closures: [] },
}: {
  contract_type?: string
  offset?: number
  parameters?: Record<string, string>
  openings?: { weeks: { site: number; weekdays: number[] }[]; closures: [] }
} = {}) =>
  transact(['meta', 'copies_a', 'beneficiaries_a'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    const mark = { side: 'a', environment_id: 1, site: 1, cursor: 'c', asked_at } as const
    await writeMeta(meta, 'snapshot', mark)
    await writeMeta(meta, 'settings_a', { media: [medium], reasons: [], parameters, openings })
    await writeMeta(meta, 'clock', { offset, measured_at: asked_at })
    for (const n of [1, 2, 3]) await tx.objectStore('copies_a').put(copyRow(n))
    await tx.objectStore('beneficiaries_a').put({ ...readerRow(1, { contract_type }), codes: [], words: [] })
  })

describe('a verdict off line', () => {
  freshDevice()
  const judged = async (minutes: number, asked = known(), who = 1) =>
    (await judgeLend(asked, who, today, { now: minutesAfter(minutes) })).verdict

  it('is green while the data are fresh and every rule is known', async () => {
    await seed()
    expect(await judged(0)).toEqual({ colour: 'green', reasons: [] })
    expect(await judged(15)).toEqual({ colour: 'green', reasons: [] })
  })

  it.each([
    [16, '16\u00a0min'],
    [119, '119\u00a0min'],
    [185, '3\u00a0h'],
    [60 * 24 * 5, '5\u00a0j'],
  ])('is amber %i minutes later, and says so', async (minutes, age) => {
    await seed()
    expect(await judged(minutes)).toEqual({
      colour: 'amber',
      reasons: [`Les données de cet appareil datent d’il y a ${age}.`],
    })
  })

  it('is amber without any data', async () => {
    expect(await judged(0)).toEqual({
      colour: 'amber',
      reasons: ['Cet appareil n’a pas encore les données de la bibliothèque.'],
    })
  })

  it('is amber where the reader or the rules of the medium are not known', async () => {
    await seed()
    expect(await judged(0, known(), 9)).toEqual({
      colour: 'amber',
      reasons: ['Ce lecteur n’est pas encore connu de cet appareil.'],
    })
    expect(await doubtsAbout(9, minutesAfter(0))).toEqual([
      'Ce lecteur n’est pas encore connu de cet appareil.',
    ])
    expect(await judged(0, known({ medium: null }))).toEqual({
      colour: 'amber',
      reasons: ['Les règles de ce support ne sont pas connues de cet appareil.'],
    })
    expect(await judged(0, known({ copy: copyRow(1, { medium: null }), medium: null }))).toMatchObject({
      colour: 'green',
    })
  })

  it('is amber when the clock is more than two minutes off, or was put back', async () => {
    await seed({ offset: -120_000 })
    expect(await judged(0)).toMatchObject({ colour: 'green' })
    await seed({ offset: 12 * 60_000 + 1 })
    expect((await judged(0)).reasons).toEqual([
      'L’horloge de cet appareil est fausse de 12\u00a0min\u202f: les jours comptés peuvent l’être aussi.',
    ])
    await seed()
    expect(await judged(-3)).toEqual({
      colour: 'amber',
      reasons: ['L’heure de cet appareil a changé\u202f: l’âge de ses données n’est pas connu.'],
    })
  })

  it('is amber while a loan of the reader waits whose medium only the server knows', async () => {
    await seed()
    await record(lending(2))
    expect(await judged(0)).toMatchObject({ colour: 'green' })
    await record(lending(77))
    expect(await judged(0)).toEqual({
      colour: 'amber',
      reasons: ['Le support d’un prêt en attente de ce lecteur n’est pas connu de cet appareil.'],
    })
  })

  it('is red with the rule’s sentence, and with the doubt when there is one', async () => {
    await seed({ contract_type: 'CDD' })
    const sentence = 'Le contrat du lecteur ne permet pas d’emprunter le support «\u00a0Livre\u00a0».'
    expect(await judged(0)).toEqual({ colour: 'red', reasons: [sentence] })
    expect(await judged(180)).toEqual({
      colour: 'red',
      reasons: [sentence, 'Les données de cet appareil datent d’il y a 3\u00a0h.'],
    })
    await seed()
    expect(await judged(0, known({ copy: copyRow(1, { status: 'En transfert' }) }))).toMatchObject({
      colour: 'red',
      reasons: [expect.stringContaining('n’est pas disponible (En transfert).')],
    })
  })

  it('is red beyond the bounds that the device knows, and leaves those it does not know to the server', async () => {
    const judge = (terms: object) => judgeLend(known(), 1, today, { now: minutesAfter(0), ...terms })
    const long = { duration: { duration_value: 53, duration_type: 'WEEK' } }
    await seed()
    expect(await judge(long)).toMatchObject({ beyond: [], verdict: { colour: 'green' } })
    await seed({ parameters: { longest_loan_days: '366', earliest_start_days: '30' } })
    expect(await judge(long)).toMatchObject({
      beyond: [{ bound: 'longest_loan_days', limit: '2027-03-11' }],
      verdict: {
        colour: 'red',
        reasons: ['Le prêt dure plus de 366 jours\u202f: retour prévu au plus tard le 11/03/2027.'],
      },
    })
    expect(await judge({ start_date: '2026-02-07' })).toMatchObject({
      beyond: [{ bound: 'earliest_start_days' }],
      verdict: { colour: 'red' },
    })
    expect((await judge({ start_date: '2026-02-08' })).verdict.colour).toBe('green')
  })

  it('is red for what is lent already, for sale, or not there', async () => {
    await seed()
    const loan = {
      loan_id: 12,
      loan_key: null,
      copy_id: 1,
      bar_code: '1001',
      title: '',
      medium: 1,
      site: 1,
      beneficiary_id: 2,
      start_date: '2026-03-02',
      end_date: '2026-03-31',
      late: false,
      waiting: false,
    }
    const obstacle = async (changes: Parameters<typeof known>[0], who = 1) =>
      (await judgeLend(known(changes), who, today, { now: minutesAfter(0) })).obstacle
    expect(await obstacle({})).toBeNull()
    expect(await obstacle({ copy: copyRow(1, { type: 'Vente' }) })).toEqual({
      code: 'NOT_FOR_LOAN',
      message: '«\u00a0Livre numéro 1\u00a0» se vend et ne se prête pas.',
    })
    expect(await obstacle({ copy: copyRow(1, { status: 'Non Disponible', type: 'Vente' }) })).toMatchObject({
      code: 'COPY_UNAVAILABLE',
    })
    expect(await obstacle({ loan })).toEqual({
      code: 'ALREADY_LENT',
      message: '«\u00a0Livre numéro 1\u00a0» est déjà prêté à un autre lecteur, depuis le 02/03/2026.',
    })
    expect((await obstacle({ loan, borrower: readerRow(2) }))?.message).toContain('à Alice Martin (M2),')
    expect(await obstacle({ loan, borrower: readerRow(2) }, 2)).toEqual({
      code: 'ALREADY_LENT_TO_SAME',
      message: '«\u00a0Livre numéro 1\u00a0» est déjà prêté à ce lecteur.',
    })
  })

  it('counts the day of return by the medium, or by what the person chose', async () => {
    await seed()
    const judge = (terms: object, asked = known()) =>
      judgeLend(asked, 1, today, { now: minutesAfter(0), ...terms })
    expect(await judge({})).toMatchObject({
      duration: { duration_value: 3, duration_type: 'WEEK' },
      due: '2026-03-31',
      steps: { counted: '2026-03-31', wanted: '2026-03-31', due: '2026-03-31' },
    })
    expect(await judge({ duration: { duration_value: 2, duration_type: 'DAY' } })).toMatchObject({
      due: '2026-03-12',
    })
    expect(await judge({ start_date: '2026-03-11' })).toMatchObject({ due: '2026-04-01' })
    expect(await judge({}, known({ medium: null }))).toMatchObject({ due: '2026-03-11' })
    const friday = { ...medium, end_day: 5 }
    expect(await judge({}, known({ medium: friday }))).toMatchObject({
      steps: { counted: '2026-03-31', wanted: '2026-04-03' },
      due: '2026-04-03',
    })
  })

  it('knows the day of return once it has the library’s days and the medium’s durations', async () => {
    const isKnown = async (asked = known()) =>
      (await judgeLend(asked, 1, today, { now: minutesAfter(0) })).is_due_known
    expect(await isKnown()).toBe(false)
    await seed()
    expect(await isKnown()).toBe(true)
    expect(await isKnown(known({ medium: null }))).toBe(false)
    expect(await isKnown(known({ copy: copyRow(1, { medium: null }), medium: null }))).toBe(true)
  })

  it('moves the day of return to one when the loan’s site is open', async () => {
    // The 31st is a Tuesday.
    const weeks = [
      { site: 1, weekdays: [3] },
      { site: 2, weekdays: [4] },
      { site: 3, weekdays: [5] },
    ]
    const due = async (site: number | undefined, from: number) => {
      const asked = known({ copy: copyRow(1, { site: from }) })
      return (await judgeLend(asked, 1, today, { now: minutesAfter(0), site })).due
    }
    expect(await due(undefined, 3)).toBe('2026-03-31')
    await seed({ openings: { weeks, closures: [] } })
    expect(await due(2, 3)).toBe('2026-04-02')
    expect(await due(undefined, 3)).toBe('2026-04-01')
    expect(await due(0, 3)).toBe('2026-04-03')
  })

  it('counts the loans of the copy’s medium and those that are late, and none for a copy of no medium', async () => {
    const rules = { ...medium, max_loaning: 2, max_late: 1 }
    await seed()
    await transact(['loanings_a'], 'readwrite', async (tx) => {
      await tx.store.put(loanRow(7, { end_date: '2026-03-09' }))
      await tx.store.put(loanRow(8, { end_date: '2026-03-09', medium: 5 }))
      await tx.store.put(loanRow(9, { medium: 5 }))
    })
    const codes = async (changes: Partial<NonNullable<KnownCopy['medium']>>, of = copyRow(1)) =>
      (
        await judgeLend(known({ copy: of, medium: { ...rules, ...changes } }), 1, today, {
          now: minutesAfter(0),
        })
      ).refusals.map(({ code }) => code)
    expect(await codes({})).toEqual(['MAX_LATE'])
    expect(await codes({ max_loaning: 1, max_late: 2 })).toEqual(['MAX_LOANING'])
    expect(await codes({ max_loaning: 1, max_late: 2 }, copyRow(1, { medium: null }))).toEqual([])
    expect(await codes({ max_loaning: 0, max_late: 2 }, copyRow(1, { medium: null }))).toEqual([
      'MAX_LOANING',
    ])
  })

  it('has no doubt of a waiting loan where the medium has no limit, or the copy is known', async () => {
    await seed()
    await record({ ...lending(77), copy_id: null })
    expect((await judged(0)).colour).toBe('amber')
    expect(await judged(0, known({ medium: { ...medium, max_loaning: null } }))).toEqual({
      colour: 'green',
      reasons: [],
    })
  })

  it('has no doubt of a waiting loan of a copy without a medium', async () => {
    await seed()
    await transact(['copies_a'], 'readwrite', (tx) => tx.store.put(copyRow(2, { medium: null })))
    await record(lending(2))
    expect((await judged(0)).colour).toBe('green')
  })

  it('refuses nobody by rules where the reader is not known', async () => {
    expect(await judgeLend(known(), 1, today, { now: minutesAfter(0) })).toMatchObject({
      refusals: [],
      beyond: [],
      due: '2026-03-31',
    })
  })

  it('counts what waits against the limit', async () => {
    await seed()
    await record(lending(2))
    await record(lending(3))
    expect(await judged(0)).toEqual({
      colour: 'red',
      reasons: ['Le nombre de prêts en cours du support «\u00a0Livre\u00a0» est atteint (2).'],
    })
  })
})
