import type { CounterCopy } from '../../src/client/catalogue/counter-copy.ts'
import { copyOfKnown } from '../../src/client/catalogue/counter-copy.ts'
import { noTerms } from '../../src/client/lending/basket.ts'
import {
  advanceLoan,
  emptyLoan,
  type LoanAnswers,
  type LoanAsk,
  type LoanHappening,
  type LoanState,
} from '../../src/client/lending/loan-engine.ts'
import type { Found, ScannedCopy } from '../../src/client/find/found.ts'
import { alwaysOpen } from '../../src/domain/open-days.ts'
import { copyOfCounter, readerOf } from '../home/counter-model.ts'

/** The reader who may not borrow, as the server knows and the device does not. */
export const forbidden = 9
/** The copy that only the server knows. */
export const unknownHere = '1004'
/** The copy that somebody else waits for. */
export const reserved = '1005'

/**
 * A loan in preparation, of a library that is some codes: R1 to R9 are cards, four figures are copies, and anything else is unknown;
 * of that, CARTE looks like a card and LIVRE like a label, which counts off line.
 */
export class PreparedLoan {
  state: LoanState = emptyLoan
  is_online = true
  is_reader_coming = false
  /** What a person says where they are asked. */
  change: LoanAnswers['change-reader'] = 'stay'
  /** Who was recorded to have which copy; a card stands for who is not known. */
  readonly saved: [copy: string, reader: number | string][] = []
  /** Of which copies the server was asked, and for whom. */
  readonly judged = new Set<string>()
  readonly told: string[] = []
  asks: LoanAsk[] = []

  happen(happening: LoanHappening): void {
    const { state, effects } = advanceLoan(this.state, happening, {
      today: '2026-03-10',
      openAt: () => alwaysOpen,
      terms: noTerms,
      open_loans: [],
      may: { sell: false },
      is_online: this.is_online,
      is_reader_coming: this.is_reader_coming,
      kind_of: (code) => (code === 'CARTE' ? 'beneficiary' : code === 'LIVRE' ? 'copy' : null),
    })
    this.state = state
    for (const effect of effects) {
      if (effect.do === 'ask') this.asks.push(effect.ask)
      else this.told.push(effect.text)
    }
  }

  scan(...codes: readonly string[]): void {
    for (const code of codes) this.happen({ what: 'scan', code })
  }

  /** Answers the question at this place, whatever else was asked before. */
  answer(at = 0): void {
    const [ask] = this.asks.splice(at, 1)
    if (ask) this.happen({ what: 'answer', ask, answer: this.answerTo(ask) } as LoanHappening)
  }

  insist(code: string, override_reason: string | null = null): void {
    const candidate = this.state.refused.find((line) => line.code === code)?.candidate
    if (candidate) this.happen({ what: 'insist', candidate, override_reason })
  }

  fail(at = 0): void {
    const [ask] = this.asks.splice(at, 1)
    if (ask) this.happen({ what: 'trouble', ask, message: 'Le serveur ne répond pas.', is_network: true })
  }

  /** Answers until it is so, and throws where nothing is asked any more. */
  answerUntil(isSo: () => boolean): void {
    while (!isSo()) {
      if (this.asks.length === 0) throw new Error('nothing is asked any more')
      this.answer()
    }
  }

  answerAll(): void {
    while (this.asks.length > 0) this.answer()
  }

  get copies(): string[] {
    return this.state.lines.map(({ copy }) => copy.bar_code)
  }

  /** Copies that wait for a reader, or for their turn after one. What is asked about a line is of no copy that waits: a person may have taken the line out. */
  get waiting(): string[] {
    return [
      ...this.state.early.map(({ bar_code }) => bar_code),
      ...this.asks.flatMap((ask) => ('copy' in ask && ask.ask !== 'hear' ? [ask.copy.bar_code] : [])),
      ...this.state.turns.flatMap((turn) =>
        'copy' in turn && turn.do !== 'hear' ? [turn.copy.bar_code] : [],
      ),
    ]
  }

  private answerTo(ask: LoanAsk): LoanAnswers[LoanAsk['ask']] {
    switch (ask.ask) {
      case 'find':
        return this.find(ask.code)
      case 'copy':
        return this.copy(ask.copy.bar_code)
      case 'device':
        return ask.copy.bar_code === unknownHere ? null : { reasons: [], doubts: [] }
      case 'server':
      case 'hear':
        this.judged.add(`${ask.copy.bar_code} for ${ask.reader}`)
        return { reasons: ask.reader === forbidden ? ['Pas de contrat.'] : [], doubts: [] }
      case 'change-reader':
        return this.change
      case 'save':
        return this.save()
    }
  }

  private save(): boolean {
    const { lines, chosen, card } = this.state
    for (const { copy } of lines) this.saved.push([copy.bar_code, chosen?.reader.id ?? card ?? 0])
    this.happen({ what: 'lines', lines: [] })
    return true
  }

  private copy(code: string): CounterCopy {
    return copyOfKnown(this.scanned(code).known!)
  }

  private scanned(code: string): ScannedCopy {
    const copy = copyOfCounter(code, this.holderOf(code))
    if (code === reserved) copy.known!.reservations.push(waitingFor)
    return copy
  }

  private holderOf(code: string): number | null {
    const reader = this.saved.find(([copy]) => copy === code)?.[1] ?? null
    return typeof reader === 'string' ? 0 : reader
  }

  private find(code: string): Found {
    if (/^R\d$/.test(code)) return { kind: 'reader', chosen: readerOf(Number(code.slice(1))) }
    // A label may be read with more than is kept of it.
    const [label] = /\d{4}$/.exec(code) ?? []
    if (label !== undefined) return { kind: 'copy', copy: this.scanned(label) }
    // What waits to be sent is known of the device.
    const holder = this.holderOf(code)
    if (holder !== null) return { kind: 'copy', copy: { ...copyOfCounter(code, holder), known: null } }
    return { kind: 'unknown', code, answer: this.is_online ? 'nobody-knows' : 'offline', elsewhere: false }
  }
}

const waitingFor = {
  id: 1,
  reference_id: Number(reserved),
  beneficiary_id: 7,
  beneficiary_name: 'Lecteur 7',
  beneficiary_info: 'M7',
  copy_id: null,
  set_aside_copy: null,
  start_date: null,
  end_date: null,
  queue_position: 1,
  closed: false,
}
