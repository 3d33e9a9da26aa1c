/** `at` in milliseconds. */
export interface TypedKey {
  key: string
  at: number
  /** Held down: the system repeats it, about every 30 ms. */
  repeat?: boolean
  composing?: boolean
  modified?: boolean
  /** Into a name or password field, where a password manager types as fast as a scanner. */
  credential?: boolean
}

export interface TypedScanOptions {
  /** Empty when the scanner types none. */
  readonly prefix: string
  /** Fewest characters of a code; less where nothing else is typed. */
  readonly shortest?: number
}

export type TypedScanStep =
  /** `first`: a burst may begin here. `fast`: it came faster than fingers type. */
  | { kind: 'pass'; first: boolean; fast: boolean }
  | { kind: 'scan'; text: string }
  /** A second ending of the same scan (CR then LF, Enter then Tab). */
  | { kind: 'swallow' }

const usualShortest = 6
const longestGap = 100
const longestMeanGap = 30
/** Of a slow radio scanner: nobody types so many figures that fast. */
const longestMeanGapOfFigures = 60
const manyFigures = 8
const longestFastGap = 50
/** Fingers never end three keys with Enter that fast: it is a code, but too short to take. */
const shortestBurst = 3

/**
 * At least six characters, 30 ms apart on average (eight figures or more, 60) and never over 100, then Enter or
 * Tab; after the prefix only the 100 ms count. In a name or password field only figures are a scan. Pass every keydown.
 */
export function createTypedScan(options: TypedScanOptions): (key: TypedKey) => TypedScanStep {
  let text = ''
  let prefix = ''
  let credential = false
  let startedAt = 0
  let lastAt = Number.NEGATIVE_INFINITY
  let scannedAt = Number.NEGATIVE_INFINITY

  return ({
    key,
    at,
    repeat = false,
    composing = false,
    modified = false,
    credential: intoCredential = false,
  }) => {
    if (isModifierKey(key)) return { kind: 'pass', first: false, fast: false }
    const near = at - lastAt <= longestGap

    if ((key === 'Enter' || key === 'Tab') && !composing && !modified) {
      if (text === '' && at - scannedAt <= longestGap) return { kind: 'swallow' }
      const burst = text
      const duration = lastAt - startedAt
      const scan = near && !repeat ? findScan(burst, duration, credential, { ...options, prefix }) : null
      text = ''
      if (scan === null) {
        const fast = burst.length >= shortestBurst && isFast(burst, duration) && at - lastAt <= longestFastGap
        return { kind: 'pass', first: false, fast }
      }
      scannedAt = at
      return { kind: 'scan', text: scan }
    }

    if (repeat || composing || modified || Array.from(key).length !== 1) {
      text = ''
      return { kind: 'pass', first: false, fast: false }
    }
    const first = text === '' || !near
    const fast = !first && at - lastAt <= longestFastGap
    if (first) {
      startedAt = at
      prefix = options.prefix
      credential = intoCredential
    }
    text = first ? key : text + key
    lastAt = at
    return { kind: 'pass', first, fast }
  }
}

function isModifierKey(key: string): boolean {
  return key === 'Shift' || key === 'AltGraph' || key === 'CapsLock' || key === 'Control' || key === 'Alt'
}

/** `duration` in ms from first to last key; null when a person may have typed it. */
function findScan(
  burst: string,
  duration: number,
  credential: boolean,
  { prefix, shortest = usualShortest }: TypedScanOptions,
): string | null {
  if (prefix !== '' && burst.startsWith(prefix) && burst.length > prefix.length) {
    return digitsOfAzerty(burst.slice(prefix.length))
  }
  if (burst.length < shortest || !isFast(burst, duration)) return null
  const text = digitsOfAzerty(burst)
  return credential && !/^[\d -]+$/.test(text) ? null : text
}

function isFast(burst: string, duration: number): boolean {
  const isFigures = burst.length >= manyFigures && /^\d+$/.test(digitsOfAzerty(burst))
  return duration / (burst.length - 1) <= (isFigures ? longestMeanGapOfFigures : longestMeanGap)
}

// French digit rows without Shift, as a scanner set to QWERTY writes (Windows; Mac and Belgian for 6, 8).
const digitOf: Record<string, string> = {
  '&': '1',
  é: '2',
  '"': '3',
  "'": '4',
  '(': '5',
  '-': '6',
  '§': '6',
  è: '7',
  _: '8',
  '!': '8',
  ç: '9',
  à: '0',
}

function digitsOfAzerty(text: string): string {
  const digits = Array.from(text).map((sign) => digitOf[sign])
  return digits.every((digit) => digit !== undefined) ? digits.join('') : text
}
