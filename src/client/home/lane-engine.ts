import type { Symbology } from '../../domain/bar-code.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import { codeToKeep } from '../../domain/code-to-keep.ts'
import type { KnownCopy } from '../../offline/counter.ts'
import type { Entry } from '../../offline/entry.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'
import { turnTaking } from '../counter/turns.ts'
import { bareCopy, type Found, type ScannedCopy } from '../find/found.ts'
import { awaitedIn, awaitedWords } from '../reservations/awaited.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import type { TakenUp } from '../scanner/scans-not-taken.ts'
import { brokenScan } from '../scanner/typed-scan.ts'
import {
  type Answers,
  type Ask,
  type AskOf,
  type Effect,
  emptyLane,
  type Happening,
  type Keeping,
  type Known,
  type LaneState,
  type Looking,
  type Pressed,
  type Settles,
  type Trouble,
  type Turn,
  type Answered,
} from './lane-happenings.ts'
import { keepLoan, keepLoanToVerify, keepReturn } from './lane-keeping.ts'
import {
  askInForm,
  askWhether,
  conditionsGivenBefore,
  copyOfRow,
  type Counter,
  decide,
  type Decision,
  isLentSince,
  isOver,
  isRepeat,
  lentSinceWords,
  type LoanJudged,
  mayBeCard,
  meetReader,
  objectionTo,
  optionsBack,
  optionsOf,
  presenceAfter,
  withoutOldest,
} from './lane-rules.ts'
import {
  barCodeOf,
  beforeNext,
  type Ended,
  isCard,
  isSameReader,
  type Kept,
  labelOf,
  type LaneLine,
  type LaneReader,
  type LendChoice,
  type LineOption,
  nameOf,
  readerKey,
  type Scan,
  type ScanSource,
  type Step,
} from './lane.ts'

// The counter's engine is pure: what is there, what happened and what is known come in; what is there next and what is to
// be done go out. Scans and presses are worked on one after the other, each to its end.

/** The pieces of one scan come in less. */
const oneScanMs = 3_000

/** What is there next, and what is to be done. */
export function advance(
  before: LaneState,
  happening: Happening,
  facts: Known,
): { state: LaneState; effects: Effect[] } {
  let state = before
  const effects: Effect[] = []
  const { enqueue, putFirst, ask, takeUp, proceed } = turnTaking<Turn, Ask>({
    read: () => state,
    write: become,
    begin,
    end: endTurn,
    send: (ask) => effects.push({ do: 'ask', ask }),
  })

  function take(happening: Happening): void {
    switch (happening.what) {
      case 'scan':
        return scan(happening)
      case 'choose':
        return press(labelOf(happening.chosen), null, (key) => ({
          do: 'choose',
          key,
          chosen: happening.chosen,
        }))
      case 'name':
        return enqueue({ do: 'name', search: happening.search })
      case 'return':
        if (!isReturning(happening.bar_code))
          press(happening.bar_code, 'return', (key) => {
            const { copy = null, is_waived } = happening
            mapLine(key, { copy })
            return { do: 'return', key, is_waived, ...(copy?.loan?.loan_id ? { of: copy.loan } : {}) }
          })
        return
      case 'lend':
        return press(happening.bar_code, 'lend', (key) => ({
          do: 'look',
          key,
          how: { lend_to: { reader: happening.to } },
        }))
      case 'option':
        return pressOption(happening)
      case 'take-back':
        return once(happening.key, 'take-back', { do: 'take-back', key: happening.key })
      case 'code-given':
        return changeLine(happening.key, { code: happening.code, symbology: undefined })
      case 'under-way':
        for (const key of happening.keys) mapLine(key, { under_way: happening.by })
        return
      case 'form-settled':
        return changeLine(happening.key, {
          at: facts.now,
          with_reader: happening.reader,
          step: happening.step,
        })
      case 'set-aside': {
        const { key, awaited, refused } = happening
        const was = lineOf(key)?.step
        if (was) setStep(key, { name: 'set-aside', awaited, was })
        tell(
          'success',
          'Mis de côté',
          lineOf(key)?.copy?.title,
          ` pour ${awaited.name ?? 'la personne qui l’attend'}`,
        )
        if (refused !== null) enqueue({ do: 'settle', key, id: refused })
        return
      }
      case 'put-back':
        return putBack(happening.key)
      case 'scanned-again':
        return setStep(happening.key, scannedAgain)
      case 'missed':
        return doubtReaderAfter(happening.code, null)
      case 'propose':
        return propose(happening.proposed)
      case 'close-reader':
        become({ gestures: state.gestures + 1 })
        // No sound: the person who closes it is looking.
        if (state.chosen) say('success', 'Lecteur fermé.')
        return setChosen(null)
      case 'touch':
        return touch()
      case 'time':
        return passTime()
      case 'gesture':
        return become({ gestures: state.gestures + 1 })
      case 'say':
        return tell(happening.signal, happening.text, happening.title, happening.more)
      case 'broken':
        return addBroken()
      case 'kept-lines':
        return showKept(happening.lines)
      case 'leave':
        // A line's key is never used again in this page.
        return become({ ...emptyLane, keys: state.keys })
      case 'answer':
        if (takeUp(happening.ask)) answered(happening)
        return
      case 'trouble':
        if (takeUp(happening.ask)) troubled(happening.ask, happening.trouble)
        return
    }
  }

  // ── Turns ──

  function endTurn(turn: Turn): void {
    // The reader was waiting while the scan was worked on.
    become({ touched_at: facts.now })
    if (turn.do !== 'name') mapLine(turn.key, { under_way: null })
  }

  /** Asked of a line again while it is under way, it is one gesture. */
  function once(key: string, under_way: NonNullable<LaneLine['under_way']>, turn: Turn): void {
    if (lineOf(key)?.under_way !== null) return
    mapLine(key, { under_way })
    enqueue(turn)
  }

  /** A press that is no scan, with a line of its own. */
  function press(code: string, under_way: LaneLine['under_way'], turn: (key: string) => Turn): void {
    const line = addLine(code, 'fingers')
    if (!line) return
    if (under_way !== null) mapLine(line.key, { under_way })
    enqueue(turn(line.key))
  }

  function begin(turn: Turn): void {
    switch (turn.do) {
      case 'name':
        return ask({ ask: 'name', search: turn.search })
      case 'choose': {
        const line = lineOf(turn.key)
        return line ? choose(line, turn.chosen) : undefined
      }
      case 'look':
        if (turn.is_again) changeLine(turn.key, { before: beforeNow() })
        return look(turn.key, turn.how)
      case 'return':
        return lookToReturn(turn.key, null, turn)
      case 'option': {
        const line = lineOf(turn.key)
        if (line?.step.name === 'kept')
          return ask({
            ask: 'entry',
            key: turn.key,
            id: line.step.entry_id,
            option: turn.option,
            reason: turn.reason,
          })
        return takeOption(turn, null)
      }
      case 'take-back':
        return takeBack(turn.key)
      case 'settle':
        return ask({ ask: 'drop', key: turn.key, id: turn.id, reason: 'Mis de côté au comptoir' })
    }
  }

  function answered(happening: Answered): void {
    switch (happening.ask.ask) {
      case 'find':
        return found(happening.ask, happening.answer as Answers['find'])
      case 'find-to-return':
        return foundToReturn(happening.ask, happening.answer as Answers['find'])
      case 'name':
        return named(happening.answer as Answers['name'])
      case 'judge':
        return judged(happening.ask, happening.answer as Answers['judge'])
      case 'judge-return':
        return judgedReturn(happening.ask, happening.answer as Answers['judge-return'])
      case 'keep':
        return kept(happening.ask, happening.answer as Answers['keep'])
      case 'receive':
        return received(happening.ask, happening.answer as Answers['receive'])
      case 'entry':
        return takeOption(happening.ask, happening.answer as Answers['entry'])
      case 'undo':
        return undone(happening.ask, happening.answer as Answers['undo'])
      case 'drop':
        return
    }
  }

  function troubled(asked: Ask, trouble: Trouble): void {
    if (asked.ask === 'name') return tell('refusal', trouble.message)
    // It lies on the counter, whoever has it: what the line knows of it is enough.
    if (asked.ask === 'find-to-return') return foundToReturn(asked, null)
    if (asked.ask === 'receive' && trouble.is_network)
      return refuseToReceive(asked.key, receivingNeedsNetwork)
    fail(asked, trouble)
  }

  // ── What is scanned ──

  function scan({ code, by, symbology, in_sight = false, of }: Extract<Happening, { what: 'scan' }>): void {
    const line = addLine(code, by, in_sight, symbology, of)
    if (line) enqueue({ do: 'look', key: line.key, how: {} })
  }

  function look(key: string, how: Looking): void {
    const line = lineOf(key)
    if (line) ask({ ask: 'find', key, code: line.code, symbology: line.symbology, how })
  }

  function found({ key, how }: AskOf<'find'>, found: Found): void {
    const line = lineOf(key)
    if (!line) return
    // It is a copy after all, so nobody else has come.
    const isCopy = how.kind === 'copy' || (found.kind === 'copy' && !found.card)
    if (state.doubted_by === key && isCopy) become({ presence: 'here', doubted_by: null, is_doubted: false })
    const { may, fast_input, kind_of } = facts
    const read = { code: codeToKeep(line.code, line.symbology), kind: how.kind ?? kind_of(line.code) }
    const counter = {
      ...readerFor(line, how),
      lines: state.lines,
      fast_input,
      may,
      read,
      said: how.kind,
    }
    const decision = decide(found, line, how.lend_to ? { ...counter, only: 'lend' } : counter)
    const lentTo = decision.do === 'lend' || decision.do === 'lend-to-verify' ? decision.to : null
    const confirmed = isSameReader(lentTo, state.proposed) ? lentTo : null
    if (confirmed) setChosen(confirmed)
    changeLine(key, {
      copy: decision.do === 'choose' ? null : decision.copy,
      with_reader: chosenKey(),
      confirmed,
    })
    perform(key, decision)
  }

  /** Who a copy goes to; a scan that was read for another reader asks first. */
  function readerFor(line: LaneLine, how: Looking): Pick<Counter, 'chosen' | 'settled'> {
    const meant = readerMeant(line, how)
    return meant.settled === 'yes' && isReadForAnother(line, meant.chosen)
      ? { ...meant, settled: 'unseen' }
      : meant
  }

  /** It is for whoever's card was taken up with it. */
  function isReadForAnother({ before: { of } }: LaneLine, reader: LaneReader | null): boolean {
    if (of?.reader === undefined || reader === null || of.reader === readerKey(reader)) return false
    return !state.lines.some(
      ({ step, before }) =>
        step.name === 'reader' && before.of?.turn === of.turn && isSameReader(step.chosen, reader),
    )
  }

  /** The reader of the button; without one the reader who is proposed in sight, unless another was settled since; else the chosen one. */
  function readerMeant({ before }: LaneLine, { lend_to }: Looking): Pick<Counter, 'chosen' | 'settled'> {
    const { chosen, presence, proposed } = state
    if (lend_to?.reader && !isSameReader(lend_to.reader, chosen))
      return { chosen: lend_to.reader, settled: 'unseen' }
    if (lend_to && !lend_to.reader && presence !== 'gone') return { chosen, settled: 'unseen' }
    if (before.proposed && isSameReader(before.chosen, chosen)) {
      const isUnseen = !before.in_sight || !isSameReader(before.proposed, proposed)
      return { chosen: before.proposed, settled: isUnseen ? 'unseen' : 'yes' }
    }
    return { chosen, settled: presence === 'gone' ? 'left-alone' : 'yes' }
  }

  function perform(key: string, decision: Decision): void {
    const line = lineOf(key)
    if (!line) return
    switch (decision.do) {
      case 'choose':
        return choose(line, decision.chosen)
      case 'lend':
        return judge(key, decision.known, decision.to, {}, null)
      case 'lend-to-verify':
        return lendToVerify(key, decision.copy, decision.to, null)
      case 'return':
        return ask({ ask: 'judge-return', key, copy: decision.copy, settles: null })
      case 'receive':
        if (facts.is_online) return ask({ ask: 'receive', key, copy: decision.copy })
        return refuseToReceive(key, receivingNeedsNetwork)
      case 'ask-reader':
        replaceWaiting(line)
        setStep(key, { name: 'asks-reader', to: decision.to, is_over: false })
        return tell('warning', 'Scannez la carte du lecteur', decision.copy.title)
      case 'open-form':
        return end(key, askInForm(decision.copy, decision.to))
      case 'say':
        return end(key, decision.step)
    }
  }

  /** A copy waits once, so its older line says that it was scanned again. */
  function replaceWaiting(line: LaneLine): void {
    for (const older of state.lines)
      if (
        older.key !== line.key &&
        older.step.name === 'asks-reader' &&
        older.under_way === null &&
        barCodeOf(older) === barCodeOf(line)
      )
        setStep(older.key, scannedAgain)
  }

  // ── Readers ──

  function named(chosen: LaneReader | null): void {
    const line = chosen && addLine(labelOf(chosen), 'fingers')
    if (chosen && line) choose(line, chosen, false)
  }

  /** Chooses a reader, and lends the copies that waited, or asks. */
  function choose(line: LaneLine, chosen: LaneReader, isSeen = true): void {
    const { chosen: before, presence, lines, is_doubted } = state
    const isAgain = isSameReader(chosen, before) && presence !== 'gone'
    setChosen(chosen)
    setStep(line.key, { name: 'reader', chosen })
    tell('success', isAgain ? `${nameOf(chosen)}\u202f: déjà choisi.` : chosenWords(chosen))
    const lent: LaneLine[] = []
    for (const waiting of lines.filter(isWaiting)) {
      const meeting = meetReader(waiting, line, lines, facts.times)
      if (meeting === 'over') setStep(waiting.key, { name: 'asks-reader', to: null, is_over: true })
      else if (
        waiting.copy &&
        (meeting === 'ask' || !isSeen || (is_doubted && isForAnother(waiting, chosen)))
      )
        end(waiting.key, askWhether(waiting.copy, chosen).step)
      else lent.push(waiting)
    }
    lookAgainFirst(lent)
  }

  /** Before the next scan, which may choose another reader. */
  function lookAgainFirst(lines: readonly LaneLine[]): void {
    putFirst(...lines.map(({ key }) => ({ do: 'look', key, how: {}, is_again: true }) as const))
  }

  /** « Continuer avec » makes the reader of before present again, with the copies scanned since. */
  function continueWith(line: LaneLine): void {
    const to = line.step.name === 'asks-reader' ? line.step.to : null
    if (!to) return
    setChosen(to)
    tell('success', chosenWords(to))
    const others = state.lines.filter(
      (other) =>
        other.key !== line.key &&
        isWaiting(other) &&
        other.step.name === 'asks-reader' &&
        isSameReader(other.step.to, to),
    )
    lookAgainFirst([line, ...others])
  }

  function setChosen(chosen: LaneReader | null): void {
    become({
      touched_at: facts.now,
      chosen,
      presence: 'here',
      doubted_by: null,
      is_doubted: false,
      proposed: null,
    })
  }

  const chosenKey = () => state.chosen && readerKey(state.chosen)

  function propose(proposed: LaneReader | null): void {
    if (isSameReader(proposed, state.proposed)) return
    touch()
    become({ is_proposal_stale: false, proposed })
  }

  // ── Loans ──

  function judge(
    key: string,
    known: KnownCopy,
    to: ScannedReader,
    choice: LendChoice,
    settles: Settles,
  ): void {
    const { medium } = known
    const given =
      choice.conditions_given ??
      (medium?.loaning_conditions_enabled
        ? conditionsGivenBefore(to.reader.id, medium.id, state.lines)
        : undefined)
    const granted = given === undefined ? choice : { ...choice, conditions_given: given }
    ask({ ask: 'judge', key, known, to, choice: granted, settles })
  }

  /** Lends at the medium's terms, unless a rule or a reservation objects. */
  function judged({ key, known, to, choice, settles }: AskOf<'judge'>, found: LoanJudged): void {
    const objection = objectionTo(known, to, choice, found)
    if (objection) return end(key, objection)
    ask(keepLoan({ key, known, to, choice, settles }, found))
  }

  function lendToVerify(key: string, copy: ScannedCopy, to: LaneReader, settles: Settles): void {
    ask(keepLoanToVerify({ key, copy, to, settles }))
  }

  // ── Returns ──

  /** Takes the line's copy back, even if its code is unknown or cannot be looked up now. */
  function lookToReturn(key: string, settles: Settles, { is_waived, of }: Pressed = {}): void {
    const line = lineOf(key)
    if (!line) return
    const symbology = line.copy ? undefined : line.symbology
    ask({ ask: 'find-to-return', key, code: barCodeOf(line), symbology, settles, is_waived, of })
  }

  function foundToReturn(
    { key, code, settles, is_waived, of }: AskOf<'find-to-return'>,
    found: Found | null,
  ): void {
    const line = lineOf(key)
    const isUntold = found === null || (found.kind === 'unknown' && found.answer !== 'nobody-knows')
    const seen = found?.kind === 'copy' ? found.copy : (isUntold && line?.copy) || bareCopy(code)
    const copy = of ? copyOfRow(seen, of) : seen
    // A button pressed is an act of now, however old its line.
    changeLine(key, { copy, at: facts.now, with_reader: chosenKey() })
    standLast(key)
    if (of && isLentSince(seen, of))
      return end(key, { name: 'said', signal: 'refusal', message: lentSinceWords(seen), options: [] })
    ask({ ask: 'judge-return', key, copy, settles, is_waived, of })
  }

  function judgedReturn(asked: AskOf<'judge-return'>, found: Answers['judge-return']): void {
    const { chosen, presence } = state
    ask(keepReturn(asked, found, presence === 'gone' ? null : chosen))
  }

  function kept({ key, step, tells, settles }: Keeping, { entry_id }: Answers['keep']): void {
    const isLent = step.act === 'lend' && step.to
    changeLine(key, {
      step: { ...step, entry_id },
      ...(isLent ? { with_reader: readerKey(isLent) } : {}),
    })
    tell(tells.signal, tells.text, tells.title, tells.more)
    // Only a kept action settles the refused one, in this person's name.
    if (settles && settles.id !== entry_id) ask({ ask: 'drop', key, ...settles })
  }

  // ── What comes from another site ──

  function received({ key, copy: { title } }: AskOf<'receive'>, received: Answers['receive']): void {
    if (!received)
      return refuseToReceive(key, 'Cet exemplaire n’est plus en transfert. Scannez-le de nouveau.')
    const { from, awaited } = received
    setStep(key, { name: 'received', from, awaited })
    if (awaited) tell('warning', `Reçu de ${from}, ${awaitedWords(awaited)}`, title)
    else tell('success', 'Reçu', title, ` de ${from}`)
  }

  function refuseToReceive(key: string, message: string): void {
    end(key, { name: 'said', signal: 'refusal', message, options: ['again', 'return'] })
  }

  // ── A person's acts on a line, which wait for their turn behind the scans ──

  function pressOption({ key, option, reason }: Extract<Happening, { what: 'option' }>): void {
    const line = lineOf(key)
    if (option === 'return' && line && isReturning(barCodeOf(line))) return
    once(key, option, { do: 'option', key, option, reason })
  }

  function isReturning(bar_code: string): boolean {
    return state.lines.some((line) => line.under_way === 'return' && barCodeOf(line) === bar_code)
  }

  function takeOption(
    { key, option, reason }: { key: string; option: LineOption; reason: string | undefined },
    entry: Entry | null,
  ): void {
    const line = lineOf(key)
    // Its offer may be over when its turn comes.
    if (!line || !optionsOf(line, entry, facts.may).includes(option)) return
    const choice = choiceOf(line.step, entry)
    const settles = (act: ActingOption): Settles =>
      choice.resolves === undefined
        ? null
        : { id: choice.resolves, reason: reason ?? reasonOf[act] ?? 'Prêté de nouveau au comptoir' }
    switch (option) {
      case 'again':
      case 'add-copy':
        // « add-copy » comes back here once the copy has been made.
        return again(line)
      case 'is-card':
        return again(line, 'beneficiary')
      case 'is-copy':
        return again(line, 'copy')
      case 'continue':
        return continueWith(line)
      case 'return':
        return lookToReturn(key, settles(option))
      case 'lend':
        if (line.step.name === 'kept' && line.step.act === 'return') return lendOn(line, line.step)
        return lendAgain(line, choice, settles(option))
      case 'override':
        return lendAgain(
          line,
          { ...choice, ...(reason === undefined ? {} : { override_reason: reason }) },
          settles(option),
        )
      case 'despite-reservations':
        return lendAgain(
          line,
          { ...choice, despite_reservations: true, passed: awaitedIn(entry?.problem ?? null) },
          settles(option),
        )
      case 'conditions':
      case 'no-conditions':
        return lendAgain(line, { ...choice, conditions_given: option === 'conditions' }, settles(option))
      case 'waive':
        if (line.step.name === 'kept')
          ask({ ask: 'undo', key, id: line.step.entry_id, act: 'return', waives: true })
        return
      // The screen sees to them.
      case 'open-form':
      case 'export':
        return
    }
  }

  /** Looks a line up as if scanned now; a copy that waited too long asks all the same. `kind` is what a person says it is. */
  function again({ key, copy, step, before }: LaneLine, kind?: CodeKind): void {
    const { chosen, presence, gestures } = state
    const of = before.of ?? (before.chosen && { reader: readerKey(before.chosen), turn: key })
    if (step.name === 'asks-reader' && copy && chosen && presence !== 'gone') {
      changeLine(key, { at: facts.now })
      return end(key, askWhether(copy, chosen).step)
    }
    changeLine(key, {
      at: facts.now,
      gestures,
      before: { ...beforeNow(), of },
      step: { name: 'looking' },
    })
    look(key, kind === undefined ? {} : { kind })
  }

  /** What was asked before it was set aside is asked again; its refused action was dropped meanwhile. */
  function putBack(key: string): void {
    const { copy, step } = lineOf(key) ?? {}
    if (step?.name !== 'set-aside') return
    const { was } = step
    changeLine(key, { at: facts.now, step: was })
    if (copy && was.name === 'kept' && was.to) setStep(key, askWhether(copy, was.to).step)
  }

  function lendAgain({ key, step, copy }: LaneLine, choice: LendChoice, settles: Settles): void {
    const to = step.name === 'asks' || step.name === 'kept' ? step.to : null
    if (!copy || !to) return
    // The button's name settles a proposed choice.
    if (isSameReader(to, state.proposed)) setChosen(to)
    changeLine(key, { at: facts.now })
    if (copy.known && !isCard(to)) judge(key, copy.known, to, choice, settles)
    else lendToVerify(key, copy, to, settles)
  }

  /** Passes what another reader's return left here on to the chosen one; the return keeps its line, and its « Annuler ». */
  function lendOn(returned: LaneLine, step: Kept): void {
    if (!step.not_theirs) return
    const line = addLine(barCodeOf(returned), 'fingers')
    if (!line) return
    setStep(returned.key, { ...step, not_theirs: { ...step.not_theirs, is_lent: true } })
    look(line.key, { lend_to: { reader: step.not_theirs.chosen } })
  }

  /** « Annuler » drops an unsent action from the outbox, or asks the server to undo it. */
  function takeBack(key: string): void {
    const step = lineOf(key)?.step
    if (step?.name === 'kept') ask({ ask: 'undo', key, id: step.entry_id, act: step.act })
    else if (step) setStep(key, { name: 'taken-back', was: 'Retiré' })
  }

  function undone({ key, act, waives = false }: AskOf<'undo'>, trouble: string | null): void {
    const line = lineOf(key)
    if (!line) return
    if (trouble !== null) return keepWithTrouble(key, trouble)
    const was = act === 'lend' ? 'Prêt annulé' : 'Retour annulé'
    setStep(key, { name: 'taken-back', was })
    if (waives) return lookToReturn(key, null, { is_waived: true })
    tell('warning', was, line.copy?.title ?? line.code)
  }

  // ── Ends ──

  /** How a line ended when nothing was kept. */
  function end(key: string, step: Ended): void {
    // The line's refused action is still there to be settled.
    if (step.name === 'said' && lineOf(key)?.step.name === 'kept') return keepWithTrouble(key, step.message)
    setStep(key, step)
    const line = lineOf(key)
    if (step.name === 'said' && line?.copy === null)
      doubtReaderAfter(line.code, key, step.options.includes('is-card'))
    const more = step.name === 'asks' ? step.details.filter(Boolean).map(asSentence).join(' ') : ''
    tell(step.signal, step.message, null, more && beforeNext(step.message) + more)
  }

  /** What chose nobody may be the next person's card: what they bring is not for the reader before. */
  function doubtReaderAfter(code: string, doubted_by: string | null, isCard = false): void {
    if (!state.chosen || !(isCard || mayBeCard(code, facts))) return
    const isAlone = state.presence !== 'gone' || state.doubted_by === doubted_by
    become({
      presence: 'gone',
      doubted_by: isAlone ? doubted_by : null,
      is_doubted: state.is_doubted || doubted_by !== null,
    })
  }

  /** Tells on the line what could not be kept, to be saved as a file; what was kept stays kept. */
  function fail(
    { key, how }: { key: string; how?: Looking },
    { message, message_beside_kept, unsaved, is_call }: Trouble,
  ): void {
    const line = lineOf(key)
    if (!line) return
    if (line.step.name === 'kept' || line.step.name === 'set-aside')
      return keepWithTrouble(key, message_beside_kept)
    const refused = { name: 'said', signal: 'refusal', message } as const
    if (unsaved) return end(key, { ...refused, options: ['again', 'export'], unsaved })
    // A copy that could not be looked up may still be taken back on this device.
    const back = is_call ? optionsBack(line.copy ? 'copy' : (how?.kind ?? facts.kind_of(line.code))) : []
    end(key, { ...refused, options: ['again', ...back] })
  }

  function keepWithTrouble(key: string, trouble: string): void {
    changeLine(key, { trouble })
    tell('refusal', trouble)
  }

  function tell(signal: ScanSignal, text: string, title: string | null = null, more = ''): void {
    say(signal, text, title, more)
    effects.push({ do: 'signal', signal })
  }

  function say(signal: ScanSignal, text: string, title: string | null = null, more = ''): void {
    become({ said: { signal, text, more, title, turn: (state.said?.turn ?? 0) + 1 } })
  }

  // ── Lines and time ──

  function become(next: Partial<LaneState>): void {
    state = { ...state, ...next }
  }

  const lineOf = (key: string): LaneLine | null => state.lines.find((line) => line.key === key) ?? null

  /** Notes something of a line; a trouble told meanwhile stays. */
  function mapLine(key: string, change: Partial<Omit<LaneLine, 'key'>>): void {
    become({
      lines: state.lines.map((line) => (line.key === key ? { ...line, ...change } : line)),
    })
  }

  function changeLine(key: string, change: Partial<Omit<LaneLine, 'key'>>): void {
    mapLine(key, { trouble: null, ...change })
  }

  function setStep(key: string, step: Step): void {
    changeLine(key, { step })
  }

  /** What is done last stands last, but before what still waits for its turn. */
  function standLast(key: string): void {
    const { lines } = state
    const from = lines.findIndex((line) => line.key === key)
    if (from < 0) return
    const turn = lines.findIndex(({ step }, at) => at > from && step.name === 'looking')
    const to = turn < 0 ? lines.length : turn
    become({
      lines: [
        ...lines.slice(0, from),
        ...lines.slice(from + 1, to),
        ...lines.slice(from, from + 1),
        ...lines.slice(to),
      ],
    })
  }

  const beforeNow = () => ({ proposed: null, in_sight: false, chosen: state.chosen })

  /** Adds a line before it is looked up; null when the camera saw the same label again. */
  function addLine(
    code: string,
    by: ScanSource,
    inSight = false,
    symbology?: Symbology,
    of?: TakenUp,
  ): LaneLine | null {
    touch()
    const key = state.keys + 1
    const scan: Scan = { key: String(key), code, at: facts.now, by, symbology }
    become({ keys: key })
    return isRepeat(scan, state.lines) ? null : putLine(scan, { name: 'looking' }, inSight, of)
  }

  /** A line stays, because the next scan takes the place of what is said under the box. */
  function addBroken(): void {
    touch()
    const last = state.lines.at(-1)
    // The end of the same scan, which came late.
    if (last?.code === brokenScan.code && facts.now - last.at < oneScanMs)
      return tell('refusal', brokenScan.message)
    const key = state.keys + 1
    become({ keys: key })
    const scan: Scan = {
      key: String(key),
      code: brokenScan.code,
      at: facts.now,
      by: 'scanner',
      symbology: undefined,
    }
    putLine(scan, { name: 'said', signal: 'refusal', message: brokenScan.message, options: [] })
    tell('refusal', brokenScan.message)
  }

  function putLine(scan: Scan, step: Step, inSight = false, of?: TakenUp): LaneLine {
    const { proposed, chosen, gestures, is_proposal_stale, lines } = state
    const line: LaneLine = {
      ...scan,
      step,
      copy: null,
      with_reader: null,
      trouble: null,
      under_way: null,
      gestures,
      before: { proposed, in_sight: inSight && !is_proposal_stale, chosen, of },
      confirmed: null,
    }
    become({ lines: withoutOldest([...lines, line]) })
    return line
  }

  /** Shows lines of before a reload above those scanned since. They get new keys, because the page has given theirs again. */
  function showKept(kept: readonly LaneLine[]): void {
    const newest = Math.max(0, ...kept.map(({ key }) => Number(key)))
    if (state.lines.length === 0) return become({ lines: kept, keys: Math.max(state.keys, newest) })
    const older = kept.map((line) => ({ ...line, key: String(Number(line.key) - newest) }))
    become({ lines: withoutOldest([...older, ...state.lines]) })
  }

  const isAtWork = (): boolean =>
    state.doing !== null ||
    state.lines.some(({ step, under_way }) => step.name === 'looking' || under_way !== null)

  /** Time alone greys the reader and lets them go, and ends the wait of copies. */
  function passTime(): void {
    const { now, times } = facts
    const { presence, chosen, lines, touched_at } = state
    const isWorking = isAtWork()
    // Nobody leaves while scans are worked on.
    const quiet = isWorking ? 'here' : presenceAfter(now - touched_at, times)
    if (quiet === 'gone' && !state.is_proposal_stale) become({ is_proposal_stale: true })
    if (quiet === 'gone' && state.is_doubted) become({ doubted_by: null, is_doubted: false })
    // A reader who is gone comes back only by being chosen again.
    const next = presence === 'gone' ? 'gone' : chosen === null ? 'here' : quiet
    const isLate = (line: LaneLine) => !isWorking && isWaiting(line) && isOver(line, now, times)
    if (next === presence && !lines.some(isLate)) return
    become({
      presence: next,
      lines: lines.map((line) =>
        isLate(line) ? { ...line, step: { name: 'asks-reader', to: null, is_over: true } } : line,
      ),
    })
  }

  function touch(): void {
    passTime()
    become({ touched_at: facts.now })
    if (state.presence === 'idle') become({ presence: 'here' })
  }

  take(happening)
  proceed()
  return { state, effects }
}

const receivingNeedsNetwork = 'En transfert vers ce site\u202f: le recevoir demande le réseau.'

const scannedAgain: Step = { name: 'taken-back', was: 'Scanné de nouveau' }

/** Asked about for somebody else than who came. */
const isForAnother = ({ step }: LaneLine, chosen: LaneReader): boolean =>
  step.name === 'asks-reader' && step.to !== null && !isSameReader(step.to, chosen)

const isWaiting = ({ step, under_way }: LaneLine): boolean =>
  step.name === 'asks-reader' && !step.is_over && under_way === null

const asSentence = (words: string): string => (beforeNext(words) === ' ' ? words : `${words}.`)

const chosenWords = (chosen: LaneReader): string =>
  `Lecteur\u202f: ${nameOf(chosen)}${isCard(chosen) ? ' (à vérifier)' : ''}.`

type ActingOption = Exclude<
  LineOption,
  'again' | 'continue' | 'open-form' | 'export' | 'add-copy' | 'waive' | 'is-card' | 'is-copy'
>

const reasonOf: Partial<Record<ActingOption, string>> = {
  return: 'Rendu au comptoir',
  override: 'Prêté quand même',
  'despite-reservations': 'Prêté malgré la réservation',
}

/** What was granted so far, and the refused action that the next one settles. */
function choiceOf(step: Step, entry: Entry | null): LendChoice {
  if (step.name === 'asks') return step.choice
  return step.name === 'kept' ? { ...step.choice, resolves: entry?.id ?? step.entry_id } : {}
}
