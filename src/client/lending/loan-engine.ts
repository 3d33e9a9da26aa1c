import type { Symbology } from '../../domain/bar-code.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import { codeToKeep } from '../../domain/code-to-keep.ts'
import { frenchMoney } from '../../domain/money.ts'
import { fullName, ofName } from '../../domain/person-names.ts'
import {
  copyFreed,
  type LoanSought,
  ownReservation,
  reservationsBefore,
} from '../../domain/reservation-rules.ts'
import { copyReserved, readerNotEligible, reservedQuestion } from '../../domain/sentences/counter.ts'
import type { KnownCopy } from '../../offline/counter.ts'
import { cardWords } from '../../offline/counter-actions.ts'
import { verdictOf } from '../../offline/verdict.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import { copyOfKnown, type CounterCopy } from '../catalogue/counter-copy.ts'
import { byItsName, type Refused, verifiedLater, withoutRefused, withRefused } from '../counter/refused.ts'
import { type AnsweredAsk, turnTaking, type Turns } from '../counter/turns.ts'
import type { EngineEffect, Trouble } from '../counter/use-engine.ts'
import {
  cardAndCopy,
  cardOrCopy,
  type Found,
  isNobodysForSure,
  mayBeKnownLater,
  nobodysWords,
} from '../find/found.ts'
import type { HeldLoan } from '../loans/held-loan.ts'
import { reservationWords } from '../loans/reservation-words.ts'
import { type Awaited, awaitedAs, awaitedBy, freedWords } from '../reservations/awaited.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import type { TakenUp } from '../scanner/scans-not-taken.ts'
import { brokenScan } from '../scanner/typed-scan.ts'
import {
  amountOf,
  areConditionsGiven,
  type BasketLine,
  copyToVerify,
  dueOf,
  isSale,
  type LendingDay,
  type LoanTerms,
  newLine,
  quotaReasons,
  whyNotAddable,
} from './basket.ts'
import type { LendCheck } from './lend-check.ts'

// « Prêter » prepares a loan: the same turns as the counter's, but what is scanned joins a basket, and a person records it.

export type LoanState = Turns<Turn, LoanAsk> & {
  chosen: ScannedReader | null
  /** What was read on a card that stands for a reader whom nobody here knows; null beside who is chosen. */
  card: string | null
  /** With which scans their card was taken up; null where it was not. */
  came_with: string | null
  /** The newest first. */
  lines: readonly BasketLine[]
  /** Copies scanned before the reader. */
  early: readonly CounterCopy[]
  /** The newest first. */
  refused: readonly RefusedLoan[]
  /** Lines that the device let in and of which the server has not answered. */
  unheard: readonly LoanAskOf<'hear'>[]
}

export const emptyLoan: LoanState = {
  chosen: null,
  card: null,
  came_with: null,
  lines: [],
  early: [],
  refused: [],
  turns: [],
  doing: null,
  unheard: [],
}

/** The terms and the reader's loans of the moment, and the day. */
type LoanFacts = LendingDay & {
  terms: LoanTerms
  /** The reader's, before this loan. */
  open_loans: readonly HeldLoan[]
  may: { sell: boolean }
  is_online: boolean
  /** Somebody was chosen before this screen, and is being asked for. */
  is_reader_coming: boolean
  /** What a code is by its looks. */
  kind_of: (code: string) => CodeKind | null
}

export type LoanHappening =
  /** `kind` is what a person says that it is. */
  | {
      what: 'scan'
      code: string
      symbology?: Symbology | undefined
      kind?: CodeKind | undefined
      of?: TakenUp | undefined
    }
  | { what: 'copy'; copy: CounterCopy }
  | { what: 'choose'; chosen: ScannedReader | null }
  /** `leaves` the screen once all is recorded. */
  | { what: 'save'; leaves: boolean }
  | { what: 'lines'; lines: readonly BasketLine[] }
  | { what: 'line'; copy: number; changes: Partial<BasketLine> }
  /** A refusal that was read, or a copy that waits for no reader any more. */
  | { what: 'forget'; code: string }
  /** A person lends a refused copy all the same; the reason is null where nothing but a reservation is passed over. */
  | { what: 'insist'; candidate: Candidate; override_reason: string | null }
  /** A scan came in pieces: its line stays until it is scanned again and read. */
  | { what: 'broken' }
  | Answered
  | Trouble<LoanAsk>

type Turn =
  | ({ do: 'scan' } & Read)
  | { do: 'add'; copy: CounterCopy; known: KnownCopy | null }
  /** The server has to agree before the copy joins. */
  | { do: 'check'; copy: CounterCopy }
  | { do: 'hear'; copy: CounterCopy; check: LendCheck | { trouble: string } }
  | {
      do: 'choose'
      chosen: ScannedReader | null
      card?: string
      isScanned: boolean
      of?: TakenUp | undefined
    }
  | { do: 'insist'; candidate: Candidate; override_reason: string | null }
  | { do: 'save'; leaves: boolean }

type Read = {
  code: string
  symbology: Symbology | undefined
  kind: CodeKind | undefined
  of: TakenUp | undefined
}

/** A copy that does not join by itself, and what a person would pass over for this reader. */
export type Candidate = {
  copy: CounterCopy
  reader: number
  refusals: readonly string[]
  doubts: readonly string[]
  waiting: CounterCopy['reservations']
  /** For whom it may be set aside instead. */
  awaited: Awaited | null
}

/** `isOfBefore`: it was refused while another reader stood there. */
type RefusedLoan = Refused & { candidate?: Candidate; isOfBefore?: boolean }

/** The device, the server or a person is asked; each ask is answered once, or ends in trouble. */
export type LoanAsk =
  | ({ ask: 'find' } & Read)
  /** Anew from the server, because what the device knows may be behind. */
  | { ask: 'copy'; copy: CounterCopy; known: KnownCopy | null }
  /** By the rules alone. */
  | (CheckOf<'device'> & { known: KnownCopy | null })
  | CheckOf<'server'>
  /** The server's word on a line that the device let in. */
  | CheckOf<'hear'>
  | { ask: 'change-reader'; name: string; count: number; to: Extract<Turn, { do: 'choose' }> }
  /** Whether all was recorded; `to` is who comes then. */
  | { ask: 'save'; leaves: boolean; to: Extract<Turn, { do: 'choose' }> | null }

type CheckOf<Name> = {
  ask: Name
  copy: CounterCopy
  reader: number
  /** Null is today. */
  start_date: CalendarDay | null
}

export type LoanAnswers = {
  find: Found
  /** Null where nobody can tell. */
  copy: CounterCopy | null
  /** Null where the device does not know the copy. */
  device: LendCheck | null
  server: LendCheck
  hear: LendCheck
  'change-reader': 'save' | 'drop' | 'stay'
  save: boolean
}

export type LoanAskOf<Name extends LoanAsk['ask']> = Extract<LoanAsk, { ask: Name }>

type Answered = AnsweredAsk<LoanAsk, LoanAnswers>

/** Works on one happening: answers the next state, and what the screen is to do. */
export function advanceLoan(
  before: LoanState,
  happening: LoanHappening,
  facts: LoanFacts,
): { state: LoanState; effects: EngineEffect<LoanAsk>[] } {
  let state = before
  const effects: EngineEffect<LoanAsk>[] = []
  const { enqueue, ask, takeUp, proceed } = turnTaking<Turn, LoanAsk>({
    read: () => state,
    write: become,
    begin,
    // An answer about a line may take it out, so a change of reader, a check and a save wait for it.
    isReady: (turn) => state.unheard.length === 0 || !isAfterAnswers(turn),
    send: (ask) => effects.push({ do: 'ask', ask }),
  })

  function take(happening: LoanHappening): void {
    switch (happening.what) {
      case 'scan': {
        const { code, symbology, kind, of } = happening
        if (state.doing?.ask.ask === 'change-reader')
          tell('warning', `${code} attend\u202f: décidez d’abord du lecteur.`)
        return enqueue({ do: 'scan', code, symbology, kind, of })
      }
      case 'copy':
        return enqueue({ do: 'add', copy: happening.copy, known: null })
      case 'choose':
        return enqueue({ do: 'choose', chosen: happening.chosen, isScanned: false })
      case 'save':
        // Pressed twice, it is one save: a second one would find nothing, and keep the screen.
        return isSaving(state) ? undefined : enqueue({ do: 'save', leaves: happening.leaves })
      case 'lines':
        return become({ lines: happening.lines })
      case 'line':
        return changeLine(happening.copy, happening.changes)
      case 'broken':
        return refuse(brokenScan)
      case 'forget':
        become({ early: state.early.filter(({ bar_code }) => bar_code !== happening.code) })
        return forget(happening.code)
      case 'insist':
        return enqueue({
          do: 'insist',
          candidate: happening.candidate,
          override_reason: happening.override_reason,
        })
      case 'answer':
        if (happening.ask.ask === 'hear') return hear(happening.ask, happening.answer as LendCheck)
        if (takeUp(happening.ask)) answered(happening)
        return
      case 'trouble':
        if (happening.ask.ask === 'hear') return hear(happening.ask, { trouble: happening.message })
        if (takeUp(happening.ask)) troubled(happening.ask, happening.message)
        return
    }
  }

  function begin(turn: Turn): void {
    switch (turn.do) {
      case 'scan': {
        const { code, symbology, kind, of } = turn
        return ask({ ask: 'find', code, symbology, kind, of })
      }
      case 'add':
        become({ early: state.early.filter(({ id }) => id !== turn.copy.id) })
        return offer(turn.copy, turn.known)
      case 'check':
        return ask(checkOf('server', turn.copy))
      case 'hear':
        return heard(turn.copy, turn.check)
      case 'choose':
        return choose(turn)
      case 'insist':
        return insist(turn)
      case 'save':
        return ask({ ask: 'save', leaves: turn.leaves, to: null })
    }
  }

  function answered({ ask: asked, answer }: Answered): void {
    switch (asked.ask) {
      case 'find':
        return found(asked, answer as LoanAnswers['find'])
      case 'copy':
        return join((answer as LoanAnswers['copy']) ?? asked.copy, asked.known)
      case 'device':
        return judgedHere(asked, answer as LoanAnswers['device'])
      case 'server':
        return judged(asked.copy, answer as LoanAnswers['server'])
      case 'change-reader':
        return changeReader(asked, answer as LoanAnswers['change-reader'])
      case 'save':
        return saved(asked, answer as LoanAnswers['save'])
      // `take` hears it: no turn waits for it.
      case 'hear':
        return
    }
  }

  /** A failure keeps a line, so that a code which could not be looked up is not lost. */
  function troubled(asked: LoanAsk, message: string): void {
    switch (asked.ask) {
      case 'find':
        return refuse({
          code: asked.code,
          symbology: asked.symbology,
          title: asked.code,
          message,
          isTrouble: true,
        })
      case 'copy':
        return join(asked.copy, asked.known)
      case 'device':
      case 'server':
        return giveUp(asked.copy, message)
      case 'change-reader':
      case 'save':
        if (asked.to) putBy(asked.to)
        return tell('refusal', message)
      case 'hear':
        return
    }
  }

  /** Before what waits already, but after what the server has answered: whoever comes next must not be before it. */
  function next(...turns: readonly Turn[]): void {
    const isHeard = (turn: Turn) => turn.do === 'hear'
    become({
      turns: [...state.turns.filter(isHeard), ...turns, ...state.turns.filter((turn) => !isHeard(turn))],
    })
  }

  // ── Copies ──

  function found(asked: LoanAskOf<'find'>, found: Found): void {
    const { code, symbology } = asked
    if (found.kind === 'copy') {
      const { known, title } = found.copy
      if (found.card) return refuse({ code, title, message: cardAndCopy(title, found.card, byItsName) })
      if (known && isKeptForAnother(asked.of)) return askWhether(copyOfKnown(known))
      if (known) {
        // What was refused under the code as it was read has another line by now.
        if (known.copy.bar_code !== code) forget(code)
        return offer(copyOfKnown(known), known)
      }
      return refuse({ code, title, message: `«\u00a0${title}\u00a0» est déjà en prêt.` })
    }
    if (found.kind === 'unknown' && found.answer === 'offline') return foundByLooks(asked)
    if (found.kind !== 'reader')
      return refuse({
        code,
        symbology,
        title: code,
        message: nobodysWords(found),
        isUnknown: isNobodysForSure(found),
        isTrouble: mayBeKnownLater(found),
      })
    forget(code)
    next({ do: 'choose', chosen: found.chosen, isScanned: true, of: asked.of })
  }

  /** A card is believed to be somebody's and a label some copy's: the server finds them later, or a person does. */
  function foundByLooks({ code, symbology, kind: said, of }: LoanAskOf<'find'>): void {
    const kind = said ?? facts.kind_of(code)
    if (kind === null)
      return refuse({
        code,
        symbology,
        title: code,
        message: cardOrCopy(code),
        asks: ['beneficiary', 'copy'],
      })
    forget(code)
    const read = codeToKeep(code, symbology)
    if (kind === 'beneficiary') return next({ do: 'choose', chosen: null, card: read, isScanned: true, of })
    // « Réessayer » adds it: a person has said so.
    if (isKeptForAnother(of))
      return refuse({ code, symbology, title: code, message: readForAnother, isTrouble: true })
    const copies = [...state.lines.map(({ copy }) => copy), ...state.early]
    const id = copies.find(({ bar_code }) => bar_code === read)?.id
    join(copyToVerify(read, id ?? Math.min(0, ...copies.map((copy) => copy.id)) - 1), null)
  }

  function offer(copy: CounterCopy, known: KnownCopy | null): void {
    // The server has the last word before a copy is turned away.
    if (!copy.is_code_alone && whyNotAddable(copy, state.lines, facts.may) !== null)
      ask({ ask: 'copy', copy, known })
    else join(copy, known)
  }

  function join(copy: CounterCopy, known: KnownCopy | null): void {
    const { lines, chosen, card, early } = state
    const obstacle = whyNotAddable(copy, lines, facts.may)
    if (obstacle !== null) {
      // Its line is in the loan already.
      if (lines.some((line) => line.copy.id === copy.id)) return tell('refusal', obstacle)
      return turnAway(copy, obstacle)
    }
    if (!chosen && card === null) {
      forget(copy.bar_code)
      if (!early.some(({ id }) => id === copy.id)) become({ early: [...early, copy] })
      return facts.is_reader_coming
        ? tell('success', `${copy.name}\u202f: en attente du lecteur.`, true)
        : tell('warning', `${copy.name}\u202f: choisissez le lecteur, l’exemplaire rejoindra le prêt.`)
    }
    if (isSale({ copy })) return card === null ? addSale(copy) : turnAway(copy, saleNeedsReader)
    if (card !== null || copy.is_code_alone) return drawToVerify(copy)
    if (facts.is_online && quotaOf(copy).length + waitingFor(copy).length === 0)
      return ask({ ...checkOf('device', copy), known })
    next({ do: 'check', copy })
  }

  /** Draws the line at once where the device sees no objection: the server may still take it out. */
  function judgedHere({ copy }: LoanAskOf<'device'>, check: LendCheck | null): void {
    if (check?.reasons.length !== 0) return next({ do: 'check', copy })
    // The device's doubts are only told where the server does not answer.
    draw({ ...newLine(copy), verdict: check.doubts.length === 0 ? verdictOf([], []) : null })
    const asked = checkOf('hear', copy)
    become({ unheard: [...state.unheard, asked] })
    effects.push({ do: 'ask', ask: asked })
  }

  function judged(copy: CounterCopy, { reasons, doubts }: LendCheck): void {
    const candidate = candidateOf(copy, { reasons: [...new Set([...reasons, ...quotaOf(copy)])], doubts })
    if (candidate.refusals.length + candidate.waiting.length > 0) return holdBack(candidate)
    draw({ ...newLine(copy), verdict: verdictOf([], doubts) }, doubts)
  }

  const candidateOf = (copy: CounterCopy, { reasons, doubts }: LendCheck): Candidate => ({
    copy,
    reader: state.chosen?.reader.id ?? 0,
    refusals: reasons,
    doubts,
    waiting: waitingFor(copy),
    awaited: awaitedBy(waitingFor(copy), copy.id, facts.today),
  })

  /** Asks nobody anything, so that what is scanned next goes on: its line offers to lend all the same. */
  function holdBack(candidate: Candidate): void {
    const { copy, refusals, waiting } = candidate
    const message = [
      ...(refusals.length > 0 ? [readerNotEligible, ...refusals] : []),
      ...(waiting.length > 0
        ? [`${copyReserved}\u202f: ${waiting.map(reservationWords).join(', ')}. ${reservedQuestion}`]
        : []),
    ].join(' ')
    const { bar_code: code, name: title } = copy
    refuse(
      { code, title, message, candidate },
      { said: `${title}\u202f: ${message}`, signal: refusals.length > 0 ? 'refusal' : 'warning' },
    )
  }

  /** Whoever's card was taken up with it is the one that it was read for. */
  function isKeptForAnother(of: TakenUp | undefined): boolean {
    const there = readerIn(state)
    return of?.reader !== undefined && there !== null && of.reader !== there && of.turn !== state.came_with
  }

  /** Its line offers to lend it to who is there. */
  function askWhether(copy: CounterCopy): void {
    const candidate = { copy, reader: 0, refusals: [], doubts: [], waiting: [], awaited: null }
    refuse({
      code: copy.bar_code,
      title: copy.name,
      message: readForAnother,
      candidate,
      isOfBefore: true,
    })
  }

  function insist({ candidate, override_reason }: Extract<Turn, { do: 'insist' }>): void {
    const { copy, reader, refusals, doubts, waiting } = candidate
    const line = state.refused.find(({ code }) => code === copy.bar_code)
    // It was put away, or joined, while the motive was written.
    if (!line) return
    // What was passed over was said of somebody else, or is no more what stands there.
    if (line.candidate !== candidate || line.isOfBefore || state.chosen?.reader.id !== reader)
      return offer(copy, null)
    if (refusals.length > 0 && override_reason === null) return
    const verdict = verdictOf(refusals, doubts)
    const passed = waiting.length > 0 ? waiting.map((one) => awaitedAs(one, copy.id)) : null
    draw({ ...newLine(copy), verdict, override_reason, passed }, doubts)
  }

  function draw(line: BasketLine, doubts: readonly string[] = []): void {
    const { copy } = line
    const conditions_given = areConditionsGiven(state.lines, copy.medium?.id)
    become({ lines: [{ ...line, conditions_given }, ...state.lines] })
    forget(copy.bar_code)
    const due = frenchDay(dueOf(line, facts.terms, facts))
    const frees = copyFreed(ownReservation(copy.reservations, soughtOf(copy)), copy.id) !== null
    const notes = [...(frees ? [freedWords(null)] : []), ...doubts]
    tell('success', [`Ajouté au prêt\u202f: ${copy.name}, retour le ${due}.`, ...notes].join(' '), !frees)
  }

  /** What this device does not know whole: no rule is asked here, and a person settles what the server refuses. */
  function drawToVerify(copy: CounterCopy): void {
    become({ lines: [{ ...newLine(copy), verdict: verdictOf([], [verifiedLater]) }, ...state.lines] })
    forget(copy.bar_code)
    tell('success', `Ajouté au prêt\u202f: ${copy.name}, à vérifier.`, true)
  }

  /** Of who buys, only being active is asked, which the server does. */
  function addSale(copy: CounterCopy): void {
    const line = newLine(copy)
    become({ lines: [line, ...state.lines] })
    forget(copy.bar_code)
    tell('success', `Ajouté\u202f: ${copy.name}, vente à ${frenchMoney(amountOf(line, facts.terms))}.`, true)
  }

  function hear(asked: LoanAskOf<'hear'>, check: LendCheck | { trouble: string }): void {
    if (!state.unheard.includes(asked)) return
    become({ unheard: state.unheard.filter((one) => one !== asked) })
    next({ do: 'hear', copy: asked.copy, check })
  }

  function heard(copy: CounterCopy, check: LendCheck | { trouble: string }): void {
    const line = state.lines.find((one) => one.copy.id === copy.id)
    // It was removed meanwhile, or a person has answered already.
    if (!line || line.override_reason !== null) return
    if ('trouble' in check) return giveUp(copy, check.trouble)
    const { reasons, doubts } = check
    if (reasons.length > 0) {
      takeOut(copy)
      return holdBack(candidateOf(copy, { reasons, doubts }))
    }
    const verdict = verdictOf([], doubts)
    if (line.verdict?.colour !== 'green' || verdict.colour !== 'green')
      changeLine(copy.id, { verdict, override_reason: null })
    if (doubts.length > 0) tell('success', doubts.join(' '), true)
  }

  const quotaOf = (copy: CounterCopy): string[] => {
    const held = facts.open_loans.filter(({ medium }) => medium !== null && medium === copy.medium?.id)
    return quotaReasons(copy, state.lines, held.length)
  }

  const waitingFor = (copy: CounterCopy): CounterCopy['reservations'] =>
    reservationsBefore(copy.reservations, soughtOf(copy), copy.capacity)

  const soughtOf = (copy: CounterCopy): LoanSought => ({
    reader: state.chosen?.reader.id ?? 0,
    copy: copy.id,
    start_date: facts.terms.start_date ?? facts.today,
    end_date: dueOf({ copy }, facts.terms, facts),
  })

  const checkOf = <Name extends 'device' | 'server' | 'hear'>(
    name: Name,
    copy: CounterCopy,
  ): CheckOf<Name> => ({
    ask: name,
    copy,
    reader: state.chosen?.reader.id ?? 0,
    start_date: facts.terms.start_date,
  })

  // ── Readers ──

  function choose(turn: Extract<Turn, { do: 'choose' }>): void {
    const name = nameOf(state)
    const count = state.lines.length
    if (name !== null && !isSame(turn, state) && count > 0)
      return ask({ ask: 'change-reader', name, count, to: turn })
    come(turn)
  }

  function changeReader({ to }: LoanAskOf<'change-reader'>, answer: LoanAnswers['change-reader']): void {
    if (answer === 'stay') return putBy(to)
    if (answer === 'save') return ask({ ask: 'save', leaves: false, to })
    become({ lines: [] })
    come(to)
  }

  /** What was read after a card whose reader does not come was for them: it is lent to nobody unasked. */
  function putBy({ chosen, card, isScanned }: Extract<Turn, { do: 'choose' }>): void {
    if (!isScanned) return
    const after = state.turns.flatMap((turn) => (turn.do === 'scan' ? [turn.code] : []))
    become({ turns: state.turns.filter((turn) => turn.do !== 'scan') })
    const whose = chosen ? `la carte ${ofName(fullName(chosen.reader))}` : cardWords(card ?? '')
    const message = `Lu après ${whose}\u202f: scannez-le de nouveau s’il est pour ce prêt.`
    for (const code of after) refuse({ code, title: code, message })
  }

  function saved({ to, leaves }: LoanAskOf<'save'>, isSaved: boolean): void {
    // The reader is let go even while a refusal keeps the screen: the next scan is not for who has left.
    if (!to && isSaved && leaves) setChosen({ chosen: null })
    if (!to) return
    if (isSaved) return come(to)
    putBy(to)
    tell('refusal', `Le prêt n’est pas enregistré\u202f: le lecteur reste ${nameOf(state) ?? ''}.`)
  }

  function come(turn: Extract<Turn, { do: 'choose' }>): void {
    setChosen(turn)
    if (turn.isScanned) tell('success', readerWords(turn), true)
  }

  /** Copies that waited for a reader join before what came after the reader. */
  function setChosen(to: Whom): void {
    const { early, refused } = state
    const last = nameOf(state)
    const isAnother = !isSame(to, state)
    become({ chosen: to.chosen, card: to.card ?? null, came_with: to.of?.turn ?? null })
    // Its copies may lie on the counter still.
    if (last !== null && isAnother) become({ refused: refused.map((line) => refusedTo(last, line)) })
    // Each has its line until its turn comes.
    if (nameOf(state) !== null) next(...early.map((copy) => ({ do: 'add', copy, known: null }) as const))
  }

  // ── Lines ──

  /** Nothing that was refused leaves without a line: the next scan takes the place of what was said. */
  function refuse(
    line: RefusedLoan,
    { said = line.message, signal = 'refusal' }: { said?: string; signal?: ScanSignal } = {},
  ): void {
    become({ refused: withRefused(state.refused, line) })
    tell(signal, said, true)
  }

  function turnAway({ bar_code, name }: CounterCopy, message: string): void {
    refuse({ code: bar_code, title: name, message })
  }

  /** Nobody could say whether it may be lent: what had a line has none any more. */
  function giveUp(copy: CounterCopy, message: string): void {
    takeOut(copy)
    const { bar_code: code, name: title } = copy
    refuse({ code, title, message, isTrouble: true }, { said: `${title}\u202f: ${message}` })
  }

  function forget(code: string): void {
    become({ refused: withoutRefused(state.refused, code) })
  }

  function takeOut({ id }: CounterCopy): void {
    become({ lines: state.lines.filter(({ copy }) => copy.id !== id) })
  }

  function changeLine(copy: number, changes: Partial<BasketLine>): void {
    become({ lines: state.lines.map((line) => (line.copy.id === copy ? { ...line, ...changes } : line)) })
  }

  function tell(signal: ScanSignal, text: string, hasLine = false): void {
    effects.push({ do: 'tell', signal, text, hasLine })
  }

  function become(next: Partial<LoanState>): void {
    state = { ...state, ...next }
  }

  take(happening)
  proceed()
  return { state, effects }
}

/** Whether a save is at work, or waits for its turn. */
export const isSaving = ({ doing, turns }: Pick<LoanState, 'doing' | 'turns'>): boolean =>
  [...(doing ? [doing.turn] : []), ...turns].some((turn) => turn.do === 'save')

const isAfterAnswers = (turn: Turn): boolean =>
  turn.do === 'choose' || turn.do === 'check' || turn.do === 'save'

const refusedTo = (name: string, line: RefusedLoan): RefusedLoan =>
  line.isOfBefore ? line : { ...line, isOfBefore: true, message: `Pour ${name}\u202f: ${line.message}` }

/** For whom a loan is. */
type Whom = { chosen: ScannedReader | null; card?: string | null; of?: TakenUp | undefined }

/** As a scan remembers who was there. */
export const readerIn = ({ chosen, card }: LoanState): number | string | null => chosen?.reader.id ?? card

export const nameOf = ({ chosen, card }: Whom): string | null =>
  chosen ? fullName(chosen.reader) : card ? cardWords(card) : null

const isSame = (one: Whom, other: Whom): boolean =>
  one.chosen?.reader.id === other.chosen?.reader.id && (one.card ?? null) === (other.card ?? null)

const readerWords = (whom: Whom): string =>
  `Lecteur\u202f: ${nameOf(whom) ?? ''}${whom.chosen ? '' : ', à vérifier'}.`

const readForAnother = 'Lu pour un autre lecteur\u202f: scannez-le de nouveau s’il est pour ce prêt.'

const saleNeedsReader = 'Une vente demande un lecteur que cet appareil connaît.'
