import type { Found, ScannedCopy } from '../../src/client/find/found.ts'
import type { LaneLine, Step } from '../../src/client/home/lane.ts'
import { advance } from '../../src/client/home/lane-engine.ts'
import {
  type Answers,
  type Ask,
  type Effect,
  emptyLane,
  type Happening,
  type Keeping,
  type LaneState,
} from '../../src/client/home/lane-happenings.ts'
import { deliveredTimes, type LaneTimes } from '../../src/client/home/lane-rules.ts'
import type { ScannedReader } from '../../src/client/beneficiaries/beneficiary-data.ts'
import type { CodeKind } from '../../src/domain/code-shapes.ts'
import type { LoanJudged } from '../../src/client/home/lane-rules.ts'
import type { KnownCopy } from '../../src/offline/counter.ts'
import { verdictOf } from '../../src/offline/verdict.ts'

/** Readers have the cards R1 to R9; whose number is 9 has no right to borrow. */
export const readerOf = (id: number): ScannedReader => ({
  reader: {
    id,
    label: `R${id}`,
    matricule: `M${id}`,
    lastname: 'Lecteur',
    firstname: String(id),
    reader_id: `R${id}`,
    is_active: true,
    relatives: [],
  },
  relative: null,
})

/** A counter whose library is some codes: R1 to R9 are cards, four figures are copies (1777 is a card too), and anything else is unknown. */
export class ModelCounter {
  state: LaneState = emptyLane
  now = new Date('2026-03-10T15:00:00Z').getTime()
  is_online = true
  /** As long as the device lacks the library's data, it does not. */
  knows_due = true
  today = '2026-03-10'
  /** Of a late return. */
  penalty: string | null = null
  times: LaneTimes = deliveredTimes
  /** Who has which copy, as the device knows it. */
  readonly lent = new Map<string, number>()
  readonly kept: Keeping[] = []
  readonly effects: Effect[] = []
  private asks: Ask[] = []

  happen(happening: Happening): void {
    const { state, effects } = advance(this.state, happening, {
      now: this.now,
      times: this.times,
      may: { lend: true, return: true, override: true },
      fast_input: true,
      is_online: this.is_online,
      kind_of: kindOf,
      resembles: kindOf,
    })
    this.state = state
    this.effects.push(...effects)
    this.asks.push(...effects.flatMap((effect) => (effect.do === 'ask' ? [effect.ask] : [])))
  }

  /** What is asked and not answered yet. */
  get asked(): readonly Ask[] {
    return this.asks
  }

  answerNext(): void {
    const ask = this.asks.shift()
    if (ask) this.happen({ what: 'answer', ask, answer: this.answerTo(ask) } as Happening)
  }

  /** The network or the disk fails what is asked. */
  failNext(is_call = false): void {
    const ask = this.asks.shift()
    const message = 'Le disque est plein.'
    const trouble = {
      message,
      message_beside_kept: message,
      unsaved: null,
      is_call,
      is_network: false,
    }
    if (ask) this.happen({ what: 'trouble', ask, trouble })
  }

  answerAll(): void {
    while (this.asks.length > 0) this.answerNext()
  }

  scan(code: string, by: 'scanner' | 'camera' = 'scanner'): LaneLine {
    this.happen({ what: 'scan', code, by })
    return this.state.lines.at(-1)!
  }

  /** A scan that is worked on to its end before anything else happens. */
  scanned(code: string): LaneLine {
    const { key } = this.scan(code)
    this.answerAll()
    return this.line(key)
  }

  line(key: string): LaneLine {
    return this.state.lines.find((line) => line.key === key)!
  }

  step(key: string): Step {
    return this.line(key).step
  }

  after(seconds: number): void {
    this.now += seconds * 1000
  }

  find(code: string): Found {
    const kind = kindOf(code)
    if (kind === 'beneficiary') return { kind: 'reader', chosen: readerOf(Number(code.slice(1))) }
    // An old card has the code of a copy.
    if (code === '1777') return { kind: 'copy', copy: this.copy(code), card: readerOf(7) }
    if (kind === 'copy') return { kind: 'copy', copy: this.copy(code) }
    return {
      kind: 'unknown',
      code,
      answer: this.is_online ? 'nobody-knows' : 'offline',
      elsewhere: false,
    }
  }

  private copy(code: string): ScannedCopy {
    return copyOfCounter(code, this.lent.get(code) ?? null)
  }

  private answerTo(ask: Ask): Answers[Ask['ask']] {
    switch (ask.ask) {
      case 'find':
      case 'find-to-return':
        return this.find(ask.code)
      case 'name':
        return readerOf(ask.search)
      case 'judge':
        return judgedAs(ask.to.reader.id === 9 ? ['Pas de contrat.'] : [], this.knows_due)
      case 'judge-return':
        return { today: this.today, penalty: this.penalty, open_days: null }
      case 'keep':
        return this.keep(ask)
      case 'receive':
      case 'entry':
      case 'drop':
        return null
      case 'undo': {
        const { copy } = this.line(ask.key)
        if (copy && ask.act === 'lend') this.lent.delete(copy.bar_code)
        const undone = this.kept[Number(ask.id.slice(1)) - 1]?.action
        if (undone?.do === 'return' && undone.gesture.loan)
          this.lent.set(undone.gesture.bar_code, undone.gesture.loan.beneficiary_id)
        return null
      }
    }
  }

  private keep(keeping: Keeping): Answers['keep'] {
    this.kept.push(keeping)
    const { action } = keeping
    if (action.do === 'lend') this.lent.set(action.gesture.copy.bar_code, action.gesture.beneficiary.id)
    if (action.do === 'return') this.lent.delete(action.gesture.bar_code)
    return { entry_id: `e${this.kept.length}` }
  }
}

const kindOf = (code: string): CodeKind | null =>
  /^R\d$/.test(code) ? 'beneficiary' : /^\d{4}$/.test(code) ? 'copy' : null

const borrowerOf = (id: number) => readerOf(id).reader as unknown as KnownCopy['borrower']

/** A copy that the device knows, free or on loan to a reader. */
export function copyOfCounter(bar_code: string, lentTo: number | null): ScannedCopy {
  const id = Number(bar_code)
  const title = `Titre ${bar_code}`
  const loan: ScannedCopy['loan'] =
    lentTo === null
      ? null
      : {
          loan_id: null,
          loan_key: `of ${bar_code}`,
          copy_id: id,
          bar_code,
          title,
          medium: null,
          site: 1,
          beneficiary_id: lentTo,
          start_date: '2026-03-10',
          end_date: '2026-03-31',
          late: false,
          waiting: true,
        }
  return {
    bar_code,
    title,
    loan,
    known: {
      copy: {
        id,
        bar_code,
        name: title,
        reference: id,
        medium: null,
        status: loan ? 'En Location' : 'Disponible',
        state: 'GOOD',
        site: 1,
        price: '0.00',
        type: 'Location',
        cycle_type: null,
        cycle_value: null,
        deleted: false,
      },
      medium: null,
      loan,
      borrower: lentTo === null ? null : borrowerOf(lentTo),
      reservations: [],
      capacity: null,
    },
  }
}

/** What the device's rules say of a loan of three weeks. */
const judgedAs = (refusals: readonly string[], is_due_known: boolean): LoanJudged => ({
  today: '2026-03-10',
  server: null,
  judged: {
    obstacle: null,
    refusals: refusals.map((message) => ({ code: 'CONTRACT' as const, message })),
    beyond: [],
    duration: { duration_value: 3, duration_type: 'WEEK' },
    due: '2026-03-31',
    is_due_known,
    steps: { counted: '2026-03-31', wanted: '2026-03-31', due: '2026-03-31' },
    doubts: [],
    verdict: verdictOf(refusals, []),
  },
})
