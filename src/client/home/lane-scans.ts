import type { Symbology } from '../../domain/bar-code.ts'
import type { CodeKind } from '../../domain/code-shapes.ts'
import { codeToKeep } from '../../domain/code-to-keep.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import { whyNotKept } from '../outbox/counter-actions.ts'
import { giveBack, lend, returnLine } from './lane-acts.ts'
import {
  askInForm,
  askWhether,
  barCodeOf,
  type Counter,
  type Decision,
  decide,
  isCard,
  isSameReader,
  type LaneLine,
  type LaneReader,
  type Mouth,
  nameOf,
  type Step,
} from './lane.ts'
import {
  addLine,
  changeLine,
  chosenKey,
  findLine,
  isReturning,
  laneState,
  laneTimes,
  renewLine,
  sayInLane,
  setChosen,
  setStep,
} from './lane-store.ts'
import { end, fail, type LaneTools, takeTurn, tell, workOn, workOnce } from './lane-turn.ts'
import { meetReader } from './lane-waiting.ts'

/** Shows a code's line at once and works on it in turn; `inSight` tells that the proposed card is shown. */
export function scanIntoLane(
  code: string,
  by: Mouth,
  { symbology, inSight = false }: { symbology?: Symbology | undefined; inSight?: boolean } = {},
): Promise<void> {
  const line = addLine(code, by, inSight)
  return line
    ? workOn(line.key, (now, with_) => follow(now, with_, symbology ? { symbology } : {}))
    : Promise.resolve()
}

/** Chooses a reader in sight, as their card would. */
export function chooseInLane(chosen: LaneReader): Promise<void> {
  const line = addLine(labelOf(chosen), 'fingers')
  return line ? workOn(line.key, (now, with_) => choose(now, with_, chosen)) : Promise.resolve()
}

const labelOf = (chosen: LaneReader): string => (isCard(chosen) ? chosen.card : chosen.reader.label)

/** A typed name holds the scans until it chooses its only reader; answers whether it did. */
export async function nameIntoLane(find: () => Promise<LaneReader | null>): Promise<boolean> {
  let isChosen = false
  await takeTurn(
    async (with_) => {
      const chosen = await find()
      const line = chosen && addLine(labelOf(chosen), 'fingers')
      if (!chosen || !line) return
      isChosen = true
      await choose(line, with_, chosen, false)
    },
    (error) => sayInLane('refusal', whyNotKept(error)),
  )
  return isChosen
}

/** Takes a loan of the card back, only once if pressed twice. */
export function returnIntoLane(bar_code: string): Promise<void> {
  const line = isReturning(bar_code) ? null : addLine(bar_code, 'fingers')
  return line ? workOnce(line.key, 'return', returnLine) : Promise.resolve()
}

/** Lends a looked-up copy to the button's reader, and never takes it back instead. */
export function lendIntoLane(bar_code: string, to: LaneReader | null): Promise<void> {
  const line = addLine(bar_code, 'fingers')
  if (!line) return Promise.resolve()
  return workOnce(line.key, 'lend', (now, with_) => follow(now, with_, { lendTo: { reader: to } }))
}

/** `lendTo` is the button's reader, and `kind` what a button says that an unknown code is. */
type Following = { symbology?: Symbology; lendTo?: { reader: LaneReader | null }; kind?: CodeKind }

async function follow(line: LaneLine, with_: LaneTools, how: Following = {}): Promise<void> {
  const found = await with_.find(line.code, how.symbology)
  const { fast_input, may } = with_
  const read = {
    code: codeToKeep(line.code, how.symbology),
    kind: how.kind ?? knownShapes().kindOf(line.code),
  }
  const counter = { ...readerFor(line, how), lines: laneState().lines, fast_input, may, read }
  const decision = decide(found, line, how.lendTo ? { ...counter, only: 'lend' } : counter)
  const isLent = decision.do === 'lend' || decision.do === 'lend-to-verify'
  const isConfirmed = isLent && isSameReader(decision.to, laneState().proposed)
  if (isConfirmed) setChosen(decision.to)
  changeLine(line.key, {
    copy: copyOf(decision),
    with_reader: chosenKey(),
    confirmed: isConfirmed ? decision.to : null,
  })
  await perform(line.key, decision, with_)
}

/** The button's reader, the one proposed in sight unless another was settled since, or the chosen one. */
function readerFor({ before }: LaneLine, { lendTo }: Following): Pick<Counter, 'chosen' | 'settled'> {
  const { chosen, presence, proposed } = laneState()
  if (lendTo?.reader && !isSameReader(lendTo.reader, chosen))
    return { chosen: lendTo.reader, settled: 'unseen' }
  if (lendTo && !lendTo.reader && presence !== 'gone') return { chosen, settled: 'unseen' }
  if (before.proposed && isSameReader(before.chosen, chosen)) {
    const isUnseen = !before.in_sight || !isSameReader(before.proposed, proposed)
    return { chosen: before.proposed, settled: isUnseen ? 'unseen' : 'yes' }
  }
  return { chosen, settled: presence === 'gone' ? 'left-alone' : 'yes' }
}

const copyOf = (decision: Decision): LaneLine['copy'] => (decision.do === 'choose' ? null : decision.copy)

async function perform(key: string, decision: Decision, with_: LaneTools): Promise<void> {
  const line = findLine(key)
  if (!line) return
  switch (decision.do) {
    case 'choose':
      return choose(line, with_, decision.chosen)
    case 'lend':
      return lend(key, decision.known, decision.to, with_)
    case 'lend-to-verify':
      return (await import('./lane-verify.ts')).lendToVerify(key, decision.copy, decision.to, with_)
    case 'return':
      return giveBack(key, decision.copy, with_)
    case 'receive':
      return (await import('./lane-receive.ts')).receive(key, decision.copy, with_)
    case 'ask-reader':
      replaceWaiting(line)
      setStep(key, { name: 'asks-reader', to: decision.to, is_over: false })
      return tell('warning', `${decision.copy.title}\u202f: scannez la carte du lecteur.`, with_)
    case 'open-form':
      return end(key, askInForm(decision.copy, decision.to))
    case 'say':
      return end(key, decision.step)
  }
}

/** A copy waits once, so its older line says that it was scanned again. */
function replaceWaiting(line: LaneLine): void {
  for (const older of laneState().lines) {
    if (older.key === line.key || older.step.name !== 'asks-reader' || older.under_way !== null) continue
    if (barCodeOf(older) === barCodeOf(line))
      setStep(older.key, { name: 'taken-back', was: 'Scanné de nouveau' })
  }
}

const isWaiting = ({ step, under_way }: LaneLine): boolean =>
  step.name === 'asks-reader' && !step.is_over && under_way === null

/** Chooses a reader, and lends the copies that waited, or asks. */
async function choose(line: LaneLine, with_: LaneTools, chosen: LaneReader, isSeen = true): Promise<void> {
  const isAgain = isSameReader(chosen, laneState().chosen) && laneState().presence !== 'gone'
  setChosen(chosen)
  setStep(line.key, { name: 'reader', chosen })
  tell('success', isAgain ? `${nameOf(chosen)}\u202f: déjà choisi.` : chosenWords(chosen), with_)
  const { lines } = laneState()
  for (const waiting of lines.filter(isWaiting)) {
    const copy = waiting.copy
    const meeting = meetReader(waiting, line, lines, laneTimes())
    if (meeting === 'over') setStep(waiting.key, { name: 'asks-reader', to: null, is_over: true })
    else if (copy && (meeting === 'ask' || !isSeen)) end(waiting.key, askWhether(copy, chosen).step)
    // Before the next scan, which may choose another reader.
    else await followReader(waiting, with_)
  }
}

const chosenWords = (chosen: LaneReader): string =>
  `Lecteur\u202f: ${nameOf(chosen)}${isCard(chosen) ? ' (à vérifier)' : ''}.`

async function followReader(waiting: LaneLine, with_: LaneTools): Promise<void> {
  const before = { proposed: null, in_sight: false, chosen: laneState().chosen }
  changeLine(waiting.key, { before })
  await follow({ ...waiting, before }, with_).catch((error: unknown) => fail(waiting.key, error))
}

/** Passes what another reader's return left here on to the chosen one; the return keeps its line, and its « Annuler ». */
export async function lendOn(
  returned: LaneLine,
  step: Extract<Step, { name: 'kept' }>,
  with_: LaneTools,
): Promise<void> {
  if (!step.not_theirs) return
  const line = addLine(barCodeOf(returned), 'fingers')
  if (!line) return
  setStep(returned.key, { ...step, not_theirs: { ...step.not_theirs, is_lent: true } })
  await follow(line, with_, { lendTo: { reader: step.not_theirs.chosen } }).catch((error: unknown) =>
    fail(line.key, error),
  )
}

/** « Continuer avec » makes the reader of before present again, with the copies scanned since. */
export async function continueWith(line: LaneLine, with_: LaneTools): Promise<void> {
  const to = line.step.name === 'asks-reader' ? line.step.to : null
  if (!to) return
  setChosen(to)
  tell('success', chosenWords(to), with_)
  await followReader(line, with_)
  for (const other of laneState().lines.filter(isWaiting)) {
    if (other.step.name === 'asks-reader' && isSameReader(other.step.to, to)) await followReader(other, with_)
  }
}

/** Looks a line up as if scanned now; a copy that waited too long asks all the same. `kind` is what a person says it is. */
export async function again(line: LaneLine, with_: LaneTools, kind?: CodeKind): Promise<void> {
  const { copy, step } = line
  const { chosen, presence } = laneState()
  if (step.name === 'asks-reader' && copy && chosen && presence !== 'gone') {
    changeLine(line.key, { at: Date.now() })
    return end(line.key, askWhether(copy, chosen).step)
  }
  renewLine(line.key)
  const renewed = findLine(line.key)
  if (renewed) await follow(renewed, with_, kind === undefined ? {} : { kind })
}
