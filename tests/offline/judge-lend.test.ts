import { describe, expect, it } from 'vitest'

import { writeMeta } from '../../src/offline/device-meta.ts'
import { transact } from '../../src/offline/device-store.ts'
import type { KnownCopy } from '../../src/offline/counter.ts'
import { doubtsAbout, judgeLend } from '../../src/offline/judge-lend.ts'
import { freshDevice, lending, record } from './device.ts'

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

const copy = (n: number, changes: Partial<KnownCopy['copy']> = {}): KnownCopy['copy'] => ({
  id: n,
  bar_code: String(1000 + n),
  name: `Livre numéro ${n}`,
  reference: n,
  medium: 1,
  status: 'Disponible',
  state: 'GOOD',
  site: 1,
  price: '1.00',
  type: 'Location',
  cycle_type: null,
  cycle_value: null,
  deleted: false,
  ...changes,
})

const known = (changes: Partial<Pick<KnownCopy, 'copy' | 'medium' | 'loan' | 'borrower'>> = {}) => ({
  copy: copy(1),
  medium,
  loan: null,
  borrower: null,
  ...changes,
})

const reader = {
  id: 1,
  matricule: 'M1',
  lastname: 'Martin',
  firstname: 'Alice',
  reader_id: 'R1',
  contract_type: 'CDI',
  beneficiary_status: null,
  dossiers: [],
  agency_id: 1,
  exit_date: null,
  message: '',
  relatives: [],
  deleted: false,
  codes: [],
  words: [],
}

/** A device that holds three copies and a reader, asked for at `asked_at`. */
const furnish = ({
  contract_type = 'CDI',
  offset = 0,
  parameters = {},
}: {
  contract_type?: string
  offset?: number
  parameters?: Record<string, string>
} = {}) =>
  transact(['meta', 'copies_a', 'beneficiaries_a'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    const mark = { side: 'a', environment_id: 1, site: 1, cursor: 'c', asked_at } as const
    await writeMeta(meta, 'snapshot', mark)
    await writeMeta(meta, 'settings_a', { media: [medium], reasons: [], parameters })
    await writeMeta(meta, 'clock', { offset, measured_at: asked_at })
    for (const n of [1, 2, 3]) await tx.objectStore('copies_a').put(copy(n))
    await tx.objectStore('beneficiaries_a').put({ ...reader, contract_type })
  })

describe('a verdict off line', () => {
  freshDevice()
  const judged = async (minutes: number, asked = known(), who = 1) =>
    (await judgeLend(asked, who, today, { now: minutesAfter(minutes) })).verdict

  it('is green while the data are fresh and every rule is known', async () => {
    await furnish()
    expect(await judged(0)).toEqual({ colour: 'green', reasons: [] })
    expect(await judged(15)).toEqual({ colour: 'green', reasons: [] })
  })

  it.each([
    [16, '16\u00a0min'],
    [119, '119\u00a0min'],
    [185, '3\u00a0h'],
    [60 * 24 * 5, '5\u00a0j'],
  ])('is amber %i minutes later, and says so', async (minutes, age) => {
    await furnish()
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
    await furnish()
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
    expect(await judged(0, known({ copy: copy(1, { medium: null }), medium: null }))).toMatchObject({
      colour: 'green',
    })
  })

  it('is amber when the clock is more than two minutes off, or was put back', async () => {
    await furnish({ offset: -120_000 })
    expect(await judged(0)).toMatchObject({ colour: 'green' })
    await furnish({ offset: 12 * 60_000 + 1 })
    expect((await judged(0)).reasons).toEqual([
      'L’horloge de cet appareil est fausse de 12\u00a0min\u202f: les jours comptés peuvent l’être aussi.',
    ])
    await furnish()
    expect(await judged(-3)).toEqual({
      colour: 'amber',
      reasons: ['L’heure de cet appareil a changé\u202f: l’âge de ses données n’est pas connu.'],
    })
  })

  it('is amber while a loan of the reader waits whose medium only the server knows', async () => {
    await furnish()
    await record(lending(2))
    expect(await judged(0)).toMatchObject({ colour: 'green' })
    await record(lending(77))
    expect(await judged(0)).toEqual({
      colour: 'amber',
      reasons: ['Le support d’un prêt en attente de ce lecteur n’est pas connu de cet appareil.'],
    })
  })

  it('is red with the rule’s sentence, and with the doubt when there is one', async () => {
    await furnish({ contract_type: 'CDD' })
    const sentence = 'Le contrat du lecteur ne permet pas d’emprunter le support «\u00a0Livre\u00a0».'
    expect(await judged(0)).toEqual({ colour: 'red', reasons: [sentence] })
    expect(await judged(180)).toEqual({
      colour: 'red',
      reasons: [sentence, 'Les données de cet appareil datent d’il y a 3\u00a0h.'],
    })
    await furnish()
    expect(await judged(0, known({ copy: copy(1, { status: 'En transfert' }) }))).toMatchObject({
      colour: 'red',
      reasons: [expect.stringContaining('n’est pas disponible (En transfert).')],
    })
  })

  it('is red beyond the bounds that the device knows, and leaves those it does not know to the server', async () => {
    const judge = (terms: object) => judgeLend(known(), 1, today, { now: minutesAfter(0), ...terms })
    const long = { duration: { duration_value: 53, duration_type: 'WEEK' } }
    await furnish()
    expect(await judge(long)).toMatchObject({ beyond: [], verdict: { colour: 'green' } })
    await furnish({ parameters: { longest_loan_days: '366', earliest_start_days: '30' } })
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

  it('counts what waits against the limit', async () => {
    await furnish()
    await record(lending(2))
    await record(lending(3))
    expect(await judged(0)).toEqual({
      colour: 'red',
      reasons: ['Le nombre de prêts en cours du support «\u00a0Livre\u00a0» est atteint (2).'],
    })
  })
})
