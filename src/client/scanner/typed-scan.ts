import { figuresOfAzerty } from '../../domain/azerty.ts'
import type { CodeShapes } from '../../domain/code-shapes.ts'
import { nothingKnown } from './known-shapes.ts'
import { createSlowSigns, type SlowText } from './slow-signs.ts'

/** The line of a scan that came in pieces: of its code nothing can be told. */
export const brokenScan = {
  code: 'Scan coupé',
  title: 'Scan coupé',
  message: 'Code lu en deux fois, à scanner de nouveau',
}

/** `at` in milliseconds. */
export interface TypedKey {
  key: string
  at: number
  /** Held down: the system repeats it, about every 30 ms. */
  repeat?: boolean
  composing?: boolean
  modified?: boolean
  /** With Ctrl, as scanners write control signs: Ctrl+J is LF, Ctrl+] is GS. */
  control?: boolean
  /** Into a name or password field, where a password manager types as fast as a scanner. */
  credential?: boolean
  /** Keys just before it may have gone to no page: those of a fast scanner, and of a slow one. */
  follows?: boolean
  followsSlowly?: boolean
  /** What stands in the box for codes, where that has the focus. */
  box?: string | undefined
  /** Into a field, where a person may write a code sign by sign. */
  isWriting?: boolean
}

export interface TypedScanOptions {
  /** Empty when the scanner types none. */
  readonly prefix: string
  /** Fewest characters of a code; less where nothing else is typed. */
  readonly shortest?: number
  /** What the library's codes look like. */
  readonly shapes?: CodeShapes
}

export type TypedScanStep =
  /**
   * `begins`: the number of the burst that begins here, so that a scan may. `fast`: no fingers pressed it.
   * `left`: at an ending, what a scanner typed but is not surely a code; none where it is a part of one.
   */
  | { kind: 'pass'; begins: number | null; fast: boolean; left: readonly string[] | null }
  /**
   * `from`: its first burst. Several codes where they were scanned in one breath. `quick`: no fingers roll so fast.
   * `empties`: what stood in the box before belongs to it.
   */
  | { kind: 'scan'; from: number; codes: string[]; quick: boolean; empties: boolean }
  /** Fast bursts that are not one code: their ending acts on nothing. */
  | { kind: 'broken'; from: number; empties: boolean }
  /** A control sign within a scan, or the second ending of one (CR then LF, Enter then Tab). */
  | { kind: 'swallow' }

interface TypedScan {
  /** Pass every keydown. */
  press(key: TypedKey): TypedScanStep
  /** How many ms after the last key `rest` is to be called if no other comes; null for never. */
  waits(): number | null
  /** Ends the scan of a scanner that types no ending; a text that is not surely a code stays where people write (`isWriting`). */
  rest(at: number, isWriting: boolean, box?: string): TypedScanStep
  /** Something was pressed that is no key: the next Enter is a person's. */
  touch(): void
  /** The window has the keys again: what they wrote a moment ago went to another. */
  returnTo(at: number): void
}

const usualShortest = 6
/** Fingers never type so many keys that fast; fewer may be two fingers that roll. */
const surelyFast = 4
/** The same of several rolls. */
const surelyFastGaps = 5
/** Fewest signs of a code that is ours, and of a burst whose Enter presses nothing. */
const shortestBurst = 3
const longestGap = 100
const longestMeanGap = 45
/** Of a slow radio scanner: nobody types so many figures that fast. */
const longestMeanGapOfFigures = 60
const manyFigures = 7
/** Of a code shorter than six signs, and of rolls. */
const longestMeanGapOfFew = 30
const longestFastGap = 50
/** A radio link or a busy machine holds keys back for less. */
const longestPause = 500
const mostPauses = 2
/** What follows so soon on a burst that broke off may be its tail. */
const tailWithin = 1_000
/** An Enter that comes no later after what a scanner typed, and after nothing else, is the scanner's. */
const latestEnding = 2_000
const restAfterOurs = 150
/** Longer texts are typed by programs that expand abbreviations. */
const longestUnended = 40
/** So many figures, typed where nobody writes, come from a scanner, however slow. */
const surelyFigures = 8
/** In ms: a scanner out of reach may hold the rest of a code back for half that long; what comes later is another. */
const forgottenAfter = 60_000

/** Keys at most 100 ms apart. */
interface Burst {
  number: number
  text: string
  startedAt: number
  lastAt: number
  /** It may have begun before the page could hear it. */
  follows: boolean
}

/**
 * `isOurs`: so does the library write its codes. `sure`: many of them say so, and nothing longer begins so. `isPart`:
 * only something longer does.
 */
type Heard =
  | { kind: 'broken'; from: number; empties: boolean }
  | {
      kind: 'code'
      from: number
      codes: string[]
      empties: boolean
      isOurs: boolean
      sure: boolean
      isPart: boolean
    }
type Verdict = { kind: 'typed' } | Heard

const typed = { kind: 'typed' } as const
const pass = { kind: 'pass', begins: null, fast: false, left: null } as const

/**
 * A scan is six signs or more, 45 ms apart on average (60 where they are seven figures or more) and never over 100, ended
 * by Enter, Tab, CR or LF within 500 ms, or by rest. It may pause twice, for less than 500 ms. What follows a burst
 * that broke off, within a second, is never a code by itself, nor is what makes a code of the library with what had no
 * ending before. After the prefix only the 100 ms count; in a name or password field only figures are a scan; what looks
 * like the library's codes may be shorter. What stood in the box for codes before a scan is the beginning of its code, or
 * no part of it, or else nothing acts. An Enter within two seconds of what a scanner typed presses nothing. Where nobody
 * writes, signs less than a second apart that make a code of the library are a scan, however slow.
 */
export function createTypedScan(options: TypedScanOptions): TypedScan {
  let bursts: Burst[] = []
  let begun = 0
  let prefix = ''
  let credential = false
  let scannedAt = Number.NEGATIVE_INFINITY
  let isEndedByRest = false
  /** When the last sign came of what rest has ended, while nothing else was pressed. */
  let restedFrom = Number.NEGATIVE_INFINITY
  let isTouched = false
  /** Signs that were typed within the last minute without an ending: a later burst may complete their code. */
  let unended = ''
  let lastSignAt = Number.NEGATIVE_INFINITY
  const slow = createSlowSigns()
  /** Whether the last scan came sign by sign: so does its second ending. */
  let isEndedSlowly = false
  /** What begins before may be the tail of a scan that rest ended too early. */
  let tailUntil = 0
  /** Whether the scanners here type an ending: what has none then broke off. */
  let hasEndings = false

  const rules = (box?: string): Rules => {
    const { shortest = usualShortest, shapes = nothingKnown } = options
    return { prefix, credential, shortest, shapes, box, unended: box === undefined ? unended : '' }
  }
  const judge = (box?: string): Verdict => judgeBursts(bursts, rules(box))

  const forget = (isEnding = false): void => {
    bursts = []
    unended = ''
    slow.forget(isEnding)
  }

  /** With what came too slowly to be told by its pace; not once something else was pressed, or in a field. */
  const withSlow = (verdict: Verdict): Verdict =>
    isTouched ? verdict : judgeSlow(slow.read(), verdict, rules())

  const endAt = (at: number, verdict: Verdict, quick: boolean): TypedScanStep => {
    forget(true)
    if (verdict.kind === 'typed') return pass
    if (verdict.kind === 'broken') return verdict
    scannedAt = at
    const { from, codes, empties } = verdict
    return { kind: 'scan', from, codes, quick, empties }
  }

  const isLateEnding = (key: string, at: number, from: number): boolean =>
    key === 'Enter' && !isTouched && at - from <= latestEnding

  const end = (key: string, at: number, repeat: boolean, box: string | undefined): TypedScanStep => {
    const last = bursts.at(-1)
    if (!last) {
      const isSoon = at - scannedAt <= (isEndedByRest || isEndedSlowly ? longestPause : longestGap)
      if (!isSoon && !isLateEnding(key, at, restedFrom)) return pass
      // Later it may be a person's.
      if (isSoon) hasEndings ||= isEndedByRest
      else scannedAt = at
      tailUntil = 0
      restedFrom = Number.NEGATIVE_INFINITY
      return { kind: 'swallow' }
    }
    const late = at - last.lastAt
    const isSoon = late <= longestFastGap
    const quick = isSoon && isFast(bursts, longestMeanGapOfFew)
    const fast = judge(box)
    const verdict = late > longestPause ? fast : withSlow(fast)
    const slowly = late > tailWithin || isTouched ? null : leftOfSlow(slow.read(), rules())
    const left = leftOf(bursts, late, verdict, rules()) ?? slowly
    isEndedSlowly = verdict !== fast || (slowly !== null && fast.kind === 'typed')
    const step = endAt(at, late > longestPause || repeat ? typed : verdict, quick)
    if (step.kind === 'pass') {
      const isByScanner = verdict.kind !== 'typed' || isSurelyFast(last)
      const isLate = late > longestPause && isByScanner && isLateEnding(key, at, last.lastAt)
      if (isLate || slowly) scannedAt = at
      // Two keys may be two fingers that roll.
      const isQuick = isSoon && left !== null && (left[0]?.length !== 2 || rules().shapes.fits(left[0]))
      return { ...step, fast: isQuick || isLate || slowly !== null, left }
    }
    isEndedByRest = false
    hasEndings = true
    return step
  }

  const addSign = ({ key, at, credential: intoCredential = false, ...of }: TypedKey): TypedScanStep => {
    const last = bursts.at(-1)
    const gap = at - (last?.lastAt ?? Number.NEGATIVE_INFINITY)
    const isLongAgo = at - lastSignAt > forgottenAfter
    const follows = of.follows === true || at < tailUntil
    const isJoined = last !== undefined && gap <= longestGap
    const { isWriting = false } = of
    const followsSlowly = follows || of.followsSlowly === true
    slow.add({ key, at, burst: isJoined ? last.number : begun + 1, isWriting, follows: followsSlowly })
    lastSignAt = at
    restedFrom = Number.NEGATIVE_INFINITY
    isTouched = false
    if (isJoined) {
      last.text += key
      last.lastAt = at
      return { ...pass, fast: gap <= longestFastGap }
    }
    // Pressed by itself, it acted on a button or a tick.
    if (last?.text === ' ') bursts = bursts.slice(0, -1)
    if (gap >= (bursts.some(isFastBurst) || last?.text.length === 1 ? tailWithin : longestPause)) {
      if (bursts.some(isFastBurst) || textOf(bursts).length === 1)
        unended = (unended + textOf(bursts)).slice(-longestUnended)
      bursts = []
    }
    if (isLongAgo) unended = ''
    if (bursts.length === 0) {
      prefix = options.prefix
      credential = intoCredential
    }
    begun += 1
    bursts = [...bursts, { number: begun, text: key, startedAt: at, lastAt: at, follows }].slice(-mostBursts)
    return { ...pass, begins: begun }
  }

  /** A control sign that a scanner types, as against a shortcut. */
  const isOfScan = (at: number): boolean => {
    const last = bursts.at(-1)
    return last ? at - last.lastAt <= longestGap && isFastBurst(last) : at - scannedAt <= longestGap
  }

  return {
    press({
      key,
      at,
      repeat = false,
      composing = false,
      modified = false,
      control = false,
      credential: isSecret = false,
      follows = false,
      followsSlowly = false,
      box,
      isWriting = box !== undefined || isSecret,
    }) {
      if (isModifierKey(key)) return pass
      const isPlain = !composing && !modified
      if (isPlain && (key === 'Enter' || key === 'Tab')) return end(key, at, repeat, box)
      if (control && !repeat && isOfScan(at)) {
        if (endingLetters.has(key.toLowerCase())) return end(key, at, false, box)
        const last = bursts.at(-1)
        if (last) last.lastAt = at
        return { kind: 'swallow' }
      }
      if (repeat || !isPlain || Array.from(key).length !== 1) {
        forget()
        restedFrom = Number.NEGATIVE_INFINITY
        return pass
      }
      return addSign({ key, at, credential: isSecret, follows, followsSlowly, isWriting })
    },
    waits() {
      const verdict = judge()
      if (verdict.kind === 'typed') return null
      if (verdict.kind === 'broken') return tailWithin
      if (verdict.sure) return restAfterOurs
      if (verdict.isOurs && !hasEndings) return longestPause
      return verdict.isOurs || isLikeACode(textOf(bursts)) ? tailWithin : null
    },
    rest(at, isWriting, box) {
      const verdict = isWriting || box !== undefined ? judge(box) : withSlow(judge())
      const endedAt = bursts.at(-1)?.lastAt ?? 0
      const text = unended + textOf(bursts)
      const isUnsure = verdict.kind === 'code' && !verdict.sure
      // Programs that expand abbreviations type as fast as scanners.
      const isLeft = isUnsure && isWriting
      const isCut = isUnsure && (hasEndings || verdict.isPart)
      const step = endAt(at, isLeft ? typed : isCut ? { ...verdict, kind: 'broken' } : verdict, !isUnsure)
      isEndedByRest = step.kind === 'scan'
      // A person sees what stays in a field.
      if (isEndedByRest || (step.kind === 'broken' && !isWriting)) restedFrom = endedAt
      if (!isEndedByRest) unended = text
      if (isEndedByRest) tailUntil = endedAt + tailWithin
      // Where it began as the library's codes do, a scanner was held too far: its end comes later.
      else if (isCut && verdict.isPart && box === undefined) tailUntil = endedAt + 3 * tailWithin
      return step
    },
    touch() {
      isTouched = true
    },
    returnTo: slow.returnTo,
  }
}

/** The verdict on a fast burst, or on none, that ends what came sign by sign. */
function judgeSlow(slow: SlowText, verdict: Verdict, rules: Rules): Verdict {
  const { shapes } = rules
  const text = withoutPrefix(slow, rules)
  const codes = verdict.kind === 'code' ? verdict.codes : []
  const ahead = text.length - codes.join('').length
  if (verdict.kind === 'broken' || ahead <= 0 || text.length < usualShortest || mayHaveActed(text))
    return verdict
  const isAlone = codes.length > 0 && codes.every(shapes.fits)
  const fits = shapes.fits(text)
  if (!fits && (codes.length === 0 || isAlone || ahead === 1 || !isFigures(text))) return verdict
  const { from } = slow
  if (!fits || isAlone || mayBeTail(slow, rules)) return { kind: 'broken', from, empties: false }
  const looks = { isOurs: true, sure: shapes.proves(text), isPart: false }
  return { kind: 'code', from, codes: [figuresOfAzerty(text)], empties: false, ...looks }
}

/** Of figures that no person types where nobody writes: what was read, or nothing where it may be the end of it; else null. */
function leftOfSlow(slow: SlowText, rules: Rules): readonly string[] | null {
  const text = withoutPrefix(slow, rules)
  if (text.length < surelyFigures || !isFigures(text)) return null
  return mayBeTail(slow, rules) ? [] : [figuresOfAzerty(text)]
}

const mayBeTail = (slow: SlowText, rules: Rules): boolean => slow.isCut || isEndOf(slow.text, rules)

const withoutPrefix = ({ text }: SlowText, { prefix }: Rules): string =>
  prefix !== '' && text.startsWith(prefix) ? text.slice(prefix.length) : text

/** A space presses a button, and a small letter or « ? » that stands alone opens a screen. */
const mayHaveActed = (text: string): boolean => /[\sa-z?]/.test(text)

const isFigures = (text: string): boolean => /^\d+$/.test(figuresOfAzerty(text))

/** More than any scan is made of. */
const mostBursts = 8

/** Ctrl+M is CR, Ctrl+J is LF, Ctrl+I is Tab. */
const endingLetters = new Set(['m', 'j', 'i'])

function isModifierKey(key: string): boolean {
  return /^(Shift|AltGraph|CapsLock|NumLock|Control|Alt)$/.test(key)
}

interface Rules {
  /** Empty when the scanner types none. */
  prefix: string
  credential: boolean
  shortest: number
  shapes: CodeShapes
  /** What stands in the box for codes, where that has the focus. */
  box: string | undefined
  /** Signs typed earlier without an ending; empty inside the box, which shows them. */
  unended: string
}

function judgeBursts(bursts: readonly Burst[], rules: Rules): Verdict {
  const run = lastRun(bursts, rules)
  const codes = codesOf(run, bursts.length === 1, rules)
  if (codes === null) return typed
  const isCertain = beginsWithPrefix(run[0], rules)
  const apart = isCertain ? [] : bursts.slice(0, bursts.length - run.length)
  const head =
    apart.find(isFastBurst) ?? (isTailOfOneSign(apart.at(-1), run, rules) ? apart.at(-1) : undefined)
  const from = (head ?? run[0])?.number ?? 0
  const { shapes, box, unended } = rules
  const fits = codes.every(shapes.fits)
  const text = textOf(run)
  const isTail = !isCertain && (isEndOf(text, rules) || (run[0]?.follows === true && !fits))
  const mayGoOn = shapes.mayGoOn(codes.at(-1) ?? '') || shapes.mayGoOn(unended + text)
  const verdict: Heard =
    head || isTail || isBroken(run)
      ? { kind: 'broken', from, empties: false }
      : {
          kind: 'code',
          from,
          codes,
          empties: false,
          isOurs: fits && text.length >= usualShortest,
          sure: codes.every(shapes.proves) && !mayGoOn,
          isPart: !fits && mayGoOn,
        }
  if (box === undefined || isCertain) return verdict
  const isAlone = verdict.kind === 'code' ? fits : shapes.fits(bursts.at(-1)?.text ?? '')
  return settledInBox(verdict, { box, text, isAlone, shapes })
}

/** `isAlone`: the library has such codes as it is without what stood in the box before. */
type InBox = { box: string; text: string; isAlone: boolean; shapes: CodeShapes }

/** With what stood in the box before, a scan is one code, or one without it, or else nothing acts. */
function settledInBox(verdict: Heard, { box, text, isAlone, shapes }: InBox): Verdict {
  const { from } = verdict
  const isRefused = verdict.kind === 'broken'
  const stood = box.replace(text, '').trim()
  if (stood === '' && !isRefused) return verdict
  const isWhole = shapes.fits(box)
  if (isWhole && !isAlone) {
    const looks = { isOurs: true, sure: shapes.proves(box), isPart: false }
    return { kind: 'code', from, codes: [figuresOfAzerty(box.trim())], empties: true, ...looks }
  }
  const isApart = text.startsWith(stood) || !isLikeACode(stood)
  const isInDoubt = isRefused ? isAlone : !isAlone && (!isApart || shapes.mayGoOn(box))
  if (isWhole || isInDoubt) return { kind: 'broken', from, empties: true }
  // What stands in the box is all that was read, and its Enter acts.
  return isRefused ? typed : verdict
}

/**
 * At an ending that comes `late` ms after them, what a scanner typed that is not surely a code: none where it may be a
 * part of one, null where fingers may have typed it.
 */
function leftOf(
  bursts: readonly Burst[],
  late: number,
  verdict: Verdict,
  rules: Rules,
): readonly string[] | null {
  const { credential, shapes } = rules
  if (late > longestPause) return verdict.kind === 'code' && late <= tailWithin ? verdict.codes : null
  const [first, other] = bursts
  const last = bursts.at(-1)
  if (!first || !last || credential) return null
  const whole = textOf(bursts)
  const isAlone = other === undefined && !first.follows
  const isByScanner = isFast(bursts, longestMeanGapOfFew)
  if ((isByScanner || late <= longestFastGap) && isEndOf(whole, rules)) return []
  if (isByScanner && (isAlone || shapes.fits(whole))) return [figuresOfAzerty(whole)]
  if (last.text.length < shortestBurst || !isFast([last])) return null
  return isAlone ? [figuresOfAzerty(whole)] : []
}

/** Whether a scan may have paused after its first sign, which stands `apart`: what is left of it is no code then. */
const isTailOfOneSign = (apart: Burst | undefined, run: readonly Burst[], { shapes }: Rules): boolean =>
  apart?.text.length === 1 &&
  !shapes.fits(textOf(run)) &&
  (/^[\dA-Z]$/.test(figuresOfAzerty(apart.text)) || shapes.fits(textOf([apart, ...run])))

/** Whether it makes a code of the library with what was typed before, however long ago, and may be none by itself. */
function isEndOf(text: string, { unended, shapes }: Rules): boolean {
  if (shapes.fits(text)) return unended.length >= surelyFast && shapes.fits(unended + text)
  return Array.from(unended, (_, at) => unended.slice(at) + text).some(shapes.fits)
}

/**
 * The bursts that end with the last one and may be one scan. What the codes look like tells first; else a pause may
 * set one sign apart, but not the first: that one may have been typed before.
 */
function lastRun(bursts: readonly Burst[], rules: Rules): readonly Burst[] {
  if (isFast(bursts) && rules.shapes.fits(textOf(bursts))) return bursts
  let from = bursts.length
  let hasLone = false
  for (const burst of bursts.toReversed()) {
    if (beginsWithPrefix(burst, rules)) return bursts.slice(from - 1)
    const isLone = burst.text.length === 1
    if (isLone ? hasLone : !isFastBurst(burst)) break
    hasLone ||= isLone
    from -= 1
  }
  const run = bursts.slice(from)
  return run.length > 1 && run[0]?.text.length === 1 ? run.slice(1) : run
}

const beginsWithPrefix = (burst: Burst | undefined, { prefix }: Rules): boolean =>
  prefix !== '' && burst?.text.startsWith(prefix) === true

/** A short code stands alone: what was typed just before may be its head. */
function codesOf(
  run: readonly Burst[],
  isAlone: boolean,
  { prefix, credential, shortest, shapes }: Rules,
): string[] | null {
  const text = textOf(run)
  if (prefix !== '' && text.startsWith(prefix) && text.length > prefix.length) {
    const code = text.slice(prefix.length)
    const glued = code.split(prefix)
    return shapes.split(code) ?? (glued.every(shapes.fits) ? glued : [code]).map(figuresOfAzerty)
  }
  if (credential && !/^[\d -]+$/.test(figuresOfAzerty(text))) return null
  const isByNoFingers =
    run.some(isSurelyFast) || (text.length - run.length >= surelyFastGaps && isFast(run, longestMeanGapOfFew))
  const isLong = text.length >= shortest && isFast(run) && isByNoFingers
  const isShort =
    isAlone && text.length >= shortestBurst && isFast(run, longestMeanGapOfFew) && shapes.fits(text)
  return isLong || isShort ? (shapes.split(text) ?? [figuresOfAzerty(text)]) : null
}

const textOf = (run: readonly Burst[]): string => run.map(({ text }) => text).join('')

/** Pauses too long or too many for one scan. */
const isBroken = (run: readonly Burst[]): boolean =>
  run.length - 1 > mostPauses ||
  run.some(({ startedAt }, at) => startedAt - (run[at - 1]?.lastAt ?? startedAt) >= longestPause)

/** Only gaps within bursts count. `meanGap` in ms. */
function isFast(run: readonly Burst[], meanGap?: number): boolean {
  const text = textOf(run)
  const isLongNumber = text.length >= manyFigures && isFigures(text)
  const gaps = text.length - run.length
  const duration = run.reduce((sum, { startedAt, lastAt }) => sum + lastAt - startedAt, 0)
  return gaps > 0 && duration / gaps <= (meanGap ?? (isLongNumber ? longestMeanGapOfFigures : longestMeanGap))
}

const isFastBurst = (burst: Burst): boolean =>
  isFigures(burst.text) ? isFast([burst], longestMeanGapOfFigures) : isFast([burst])
const isSurelyFast = (burst: Burst): boolean => burst.text.length >= surelyFast && isFastBurst(burst)

function isLikeACode(text: string): boolean {
  return text.length <= longestUnended && !/\s/.test(text) && /\d/.test(figuresOfAzerty(text))
}
