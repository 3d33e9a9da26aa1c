import type { Symbology } from '../../domain/bar-code.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import { codeToKeep } from '../../domain/code-to-keep.ts'
import { notOnLoan, standingOf } from '../../domain/copy-obstacles.ts'
import { fullName, nameAndNumber } from '../../domain/person-names.ts'
import { heldKey } from '../../offline/open-loans.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import { byItsName, type Refused, withoutRefused, withRefused } from '../counter/refused.ts'
import { type AnsweredAsk, turnTaking, type Turns } from '../counter/turns.ts'
import type { EngineEffect, Trouble } from '../counter/use-engine.ts'
import {
  bareCopy,
  cardAndCopy,
  type Found,
  isNobodysForSure,
  mayBeKnownLater,
  type Nobodys,
  nobodysWords,
  type ScannedCopy,
} from '../find/found.ts'
import type { HeldLoan } from '../loans/held-loan.ts'
import { type Awaited, awaitedWords } from '../reservations/awaited.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { brokenScan } from '../scanner/typed-scan.ts'

// « Rendre » gathers loans to be given back: what is scanned is ticked, and a person records it.

export type ReceivedLine = {
  copy: number
  title: string
  bar_code: string
  from: string
  awaited: Awaited | null
}

export type ReturnState = Turns<Turn, ReturnAsk> & {
  chosen: ScannedReader | null
  /** Loans of scanned copies, whoever has them, the newest first. */
  scanned: readonly HeldLoan[]
  /** Keys of loans. */
  ticks: ReadonlySet<string>
  /** The last one that was ticked alone. */
  in_hand: string | null
  /** Copies that another site had sent here. */
  received: readonly ReceivedLine[]
  /** The newest first. */
  refused: readonly Refused[]
}

export const emptyReturn = (ticked: readonly string[]): ReturnState => ({
  chosen: null,
  scanned: [],
  ticks: new Set(ticked),
  in_hand: ticked.length === 1 ? (ticked[0] ?? null) : null,
  received: [],
  refused: [],
  turns: [],
  doing: null,
})

/** `kind_of` is what a code is by its looks. */
type ReturnFacts = {
  today: CalendarDay
  may_receive: boolean
  is_online: boolean
  kind_of: (code: string) => CodeKind | null
}

export type ReturnHappening =
  /** `kind` is what a person says that it is. */
  | { what: 'scan'; code: string; symbology?: Symbology | undefined; kind?: CodeKind | undefined }
  /** A copy chosen by its title: its loan is a row to tick, and nothing more. */
  | { what: 'look-up'; bar_code: string }
  | { what: 'choose'; chosen: ScannedReader | null }
  | { what: 'tick'; keys: readonly string[]; isOn: boolean }
  /** Loans that were taken back leave. */
  | { what: 'returned'; keys: readonly string[] }
  /** A refusal that was read, or a copy that was put away. */
  | { what: 'forget'; code: string }
  | { what: 'put-away'; copy: number }
  /** A scan came in pieces: its line stays until it is scanned again and read. */
  | { what: 'broken' }
  | Answered
  | Trouble<ReturnAsk>

/** A reader chosen by hand comes after the scans before. */
type Turn = Scanned | { chosen: ScannedReader | null }

/** `isTicked`: it lies on the counter, and was not only looked up. */
type Scanned = {
  code: string
  symbology: Symbology | undefined
  isTicked: boolean
  kind?: CodeKind | undefined
}

export type ReturnAsk =
  | ({ ask: 'find' } & Scanned)
  /** `isLent`: it is on loan, whatever may be read of it here. */
  | { ask: 'loan'; code: string; copy: ScannedCopy; isTicked: boolean; isLent?: boolean }
  | { ask: 'receive'; code: string; copy: number; title: string; bar_code: string }

export type ReturnAnswers = {
  find: Found
  /** The copy's open loan. */
  loan: HeldLoan | null
  /** Null where it is no longer under way. */
  receive: ReceivedLine | null
}

export type ReturnAskOf<Name extends ReturnAsk['ask']> = Extract<ReturnAsk, { ask: Name }>

type Answered = AnsweredAsk<ReturnAsk, ReturnAnswers>

/** Works on one happening: answers the next state, and what the screen is to do. */
export function advanceReturn(
  before: ReturnState,
  happening: ReturnHappening,
  facts: ReturnFacts,
): { state: ReturnState; effects: EngineEffect<ReturnAsk>[] } {
  let state = before
  const effects: EngineEffect<ReturnAsk>[] = []
  const { enqueue, ask, takeUp, proceed } = turnTaking<Turn, ReturnAsk>({
    read: () => state,
    write: become,
    begin: (turn) => ('chosen' in turn ? become({ chosen: turn.chosen }) : ask({ ask: 'find', ...turn })),
    send: (ask) => effects.push({ do: 'ask', ask }),
  })

  function take(happening: ReturnHappening): void {
    switch (happening.what) {
      case 'scan':
        return enqueue({
          code: happening.code,
          symbology: happening.symbology,
          isTicked: true,
          kind: happening.kind,
        })
      case 'look-up':
        return enqueue({ code: happening.bar_code, symbology: undefined, isTicked: false })
      case 'choose':
        return enqueue({ chosen: happening.chosen })
      case 'tick':
        return tick(happening.keys, happening.isOn)
      case 'returned':
        return leave(new Set(happening.keys))
      case 'broken':
        return refuse(brokenScan)
      case 'forget':
        return forget(happening.code)
      case 'put-away':
        return become({ received: state.received.filter(({ copy }) => copy !== happening.copy) })
      case 'answer':
        if (takeUp(happening.ask)) answered(happening)
        return
      case 'trouble':
        if (takeUp(happening.ask)) troubled(happening)
        return
    }
  }

  function answered({ ask: asked, answer }: Answered): void {
    switch (asked.ask) {
      case 'find':
        return found(asked, answer as ReturnAnswers['find'])
      case 'loan':
        return loanFound(asked, (answer as ReturnAnswers['loan']) ?? unreadLoan(asked, facts.today))
      case 'receive':
        return received(asked, answer as ReturnAnswers['receive'])
    }
  }

  /** A failure keeps a line, so that a code which could not be looked up is not lost. */
  function troubled({ ask: asked, message, is_network }: Trouble<ReturnAsk>): void {
    switch (asked.ask) {
      case 'find':
        return refuse({
          code: asked.code,
          symbology: asked.symbology,
          title: asked.code,
          message,
          isTrouble: true,
        })
      case 'loan': {
        const unread = unreadLoan(asked, facts.today)
        if (unread) return loanFound(asked, unread)
        return refuse({ code: asked.code, title: asked.copy.title, message, isTrouble: true })
      }
      case 'receive':
        if (is_network) return refuseToReceive(asked)
        return refuse({ code: asked.code, title: asked.title, message, isTrouble: true })
    }
  }

  function found(asked: ReturnAskOf<'find'>, found: Found): void {
    const { code, isTicked } = asked
    if (found.kind === 'copy') {
      const { copy, card } = found
      if (card && isTicked)
        return refuse({ code, title: copy.title, message: cardAndCopy(copy.title, card, byItsName) })
      return ask({ ask: 'loan', code, copy, isTicked })
    }
    // It lies on this counter: it is brought back, wherever it was lent.
    if (found.kind === 'elsewhere' && found.isLent) {
      const copy = { ...bareCopy(found.code), title: found.title }
      return ask({ ask: 'loan', code, copy, isTicked, isLent: true })
    }
    if (found.kind !== 'reader') return foundNobodys(asked, found)
    forget(code)
    become({ chosen: found.chosen })
    tell('success', `Lecteur\u202f: ${fullName(found.chosen.reader)}.`, true)
  }

  /** Where nobody can be asked, a copy's label is brought back under its code, and the server finds its loan. */
  function foundNobodys(
    { code, symbology, isTicked, kind: said }: ReturnAskOf<'find'>,
    found: Nobodys,
  ): void {
    const isUnanswered = found.kind === 'unknown' && found.answer !== 'nobody-knows' && isTicked
    const kind = said ?? facts.kind_of(code)
    if (isUnanswered && kind === 'copy' && (said !== undefined || found.answer === 'offline')) {
      const copy = bareCopy(codeToKeep(code, symbology))
      const asked = { ask: 'loan', code, copy, isTicked, isLent: true } as const
      return loanFound(asked, unreadLoan(asked, facts.today))
    }
    refuse(
      {
        code,
        symbology,
        title: found.kind === 'elsewhere' ? found.title : code,
        message: nobodysLabel(found),
        isUnknown: isNobodysForSure(found),
        isTrouble: mayBeKnownLater(found),
        // A reader's card is nothing to return.
        asks: isUnanswered && kind !== 'beneficiary' ? ['copy'] : [],
      },
      { said: nobodysWords(found) },
    )
  }

  function loanFound(asked: ReturnAskOf<'loan'>, loan: HeldLoan | null): void {
    const { code, isTicked } = asked
    if (!loan) return notLent(asked)
    forget(code)
    // Scanned again, it comes to the top again.
    become({ scanned: [loan, ...state.scanned.filter((one) => heldKey(one) !== heldKey(loan))] })
    if (!isTicked) return tell('warning', `${loan.title}\u202f: cochez son prêt pour le rendre.`)
    tick([heldKey(loan)], true)
    tell('success', `${loan.title}\u202f: à rendre.`, true)
  }

  /** What was scanned lies on the counter, and may come from another site; what was looked up may be anywhere. */
  function notLent({ code, copy: { bar_code, title, known }, isTicked }: ReturnAskOf<'loan'>): void {
    if (known?.copy.status === 'En transfert' && facts.may_receive && isTicked) {
      if (facts.is_online) return ask({ ask: 'receive', code, copy: known.copy.id, title, bar_code })
      return refuseToReceive({ title, code })
    }
    const standing = known
      ? standingOf(
          known.copy,
          known.reservations,
          ({ beneficiary_info }) => nameAndNumber(beneficiary_info)[0],
        )
      : 'inconnu'
    refuse(
      { code, title, message: `Pas en prêt (${standing})` },
      { said: notOnLoan(title, standing), signal: 'warning' },
    )
  }

  function refuseToReceive({ title, code }: Pick<ReturnAskOf<'receive'>, 'title' | 'code'>): void {
    refuse(
      { code, title, message: 'En transfert vers ce site', isTrouble: true },
      { said: `${title} est en transfert vers ce site\u202f: le recevoir demande le réseau.` },
    )
  }

  function received({ code, title }: ReturnAskOf<'receive'>, line: ReceivedLine | null): void {
    if (!line)
      return refuse(
        { code, title, message: 'Plus en transfert' },
        { said: `${title} n’est plus en transfert.`, signal: 'warning' },
      )
    forget(code)
    become({ received: [line, ...state.received.filter(({ copy }) => copy !== line.copy)] })
    const told = `${title}\u202f: reçu de ${line.from}`
    if (line.awaited) tell('warning', `${told}, ${awaitedWords(line.awaited)}.`)
    else tell('success', `${told}.`, true)
  }

  function tick(keys: readonly string[], isOn: boolean): void {
    const [key, ...others] = keys
    const ticks = new Set(state.ticks)
    for (const one of keys) {
      if (isOn) ticks.add(one)
      else ticks.delete(one)
    }
    const isAlone = isOn && key !== undefined && others.length === 0
    become({ ticks, in_hand: isAlone ? key : state.in_hand })
  }

  function leave(gone: ReadonlySet<string>): void {
    become({
      scanned: state.scanned.filter((loan) => !gone.has(heldKey(loan))),
      ticks: new Set([...state.ticks].filter((key) => !gone.has(key))),
    })
  }

  /** Nothing leaves without a line: the next scan takes the place of what was said. */
  function refuse(
    line: Refused,
    { said = line.message, signal = 'refusal' }: { said?: string; signal?: ScanSignal } = {},
  ): void {
    become({ refused: withRefused(state.refused, line) })
    tell(signal, said, true)
  }

  function forget(code: string): void {
    become({ refused: withoutRefused(state.refused, code) })
  }

  function tell(signal: ScanSignal, text: string, hasLine = false): void {
    effects.push({ do: 'tell', signal, text, hasLine })
  }

  function become(next: Partial<ReturnState>): void {
    state = { ...state, ...next }
  }

  take(happening)
  proceed()
  return { state, effects }
}

/** A loan at a site that is closed to this person, or that nobody could read: the copy's code is enough to take it back. */
const unreadLoan = (
  { copy: { bar_code, title }, isLent }: ReturnAskOf<'loan'>,
  today: CalendarDay,
): HeldLoan | null =>
  isLent
    ? {
        loan_id: null,
        loan_key: null,
        copy_id: null,
        bar_code,
        title,
        medium: null,
        site: null,
        beneficiary_id: 0,
        beneficiary_name: '',
        copy_state: null,
        start_date: today,
        end_date: null,
        late: false,
        waiting: false,
      }
    : null

/** Why in a few words, beside the code. */
function nobodysLabel(found: Nobodys): string {
  if (found.kind === 'isbn') return 'ISBN, et non une étiquette'
  if (found.kind === 'elsewhere') return `Du site «\u00a0${found.site}\u00a0»`
  return nobodysLabels[found.answer]
}

const nobodysLabels: Record<Extract<Nobodys, { kind: 'unknown' }>['answer'], string> = {
  'nobody-knows': 'Code inconnu',
  offline: 'Pas connu de cet appareil, qui n’a pas de réseau',
  late: 'Pas connu de cet appareil, et le serveur tarde à répondre',
  'no-right': 'Pas connu de cet appareil, et votre profil ne permet pas de le chercher ailleurs',
}
