/** One key of a keydown event; `at` in milliseconds. */
export interface TypedKey {
  key: string
  at: number
  /** Held down: the system repeats it, about every 30 ms. */
  repeat?: boolean
  /** An input method or a dead key is at work. */
  composing?: boolean
  /** Ctrl, Alt or Meta is held, and not as AltGr. */
  modified?: boolean
  /** It goes into a field of a name or a password, where a password manager types as fast as a scanner. */
  credential?: boolean
}

export interface TypedScanOptions {
  /** What the scanner is set to type before each code; empty when it types none. Read when a burst begins. */
  readonly prefix: string
  /** Fewest characters of a code; less where nothing else is typed. */
  readonly shortest?: number
}

export type TypedScanStep =
  /**
   * Nothing certain: the key goes its way. `first` says that a new burst may begin with it, `fast` that it follows others faster than
   * fingers type.
   */
  | { kind: 'pass'; first: boolean; fast: boolean }
  /** The key ended a scan: it must not reach the page. */
  | { kind: 'scan'; text: string }
  /** A second ending of the scan just taken (CR then LF, Enter then Tab): it must not reach the page either. */
  | { kind: 'swallow' }

const usualShortest = 6
const longestGap = 100
const longestMeanGap = 30
/** Some keys of a fast burst come a little late. */
const longestFastGap = 50
/** Fingers never end so few keys with Enter at that pace: it is a code too short to be told from a word. */
const shortestBurst = 3

/**
 * Tells a hardware scanner that types from a person who types: six characters or more, 30 ms apart or less in the mean,
 * never more than 100 ms, ended by Enter or Tab. After the prefix only the 100 ms count. In a field of a name or a password only figures
 * are a scan. Feed it every keydown in order.
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

/** The code in a burst of keys that lasted `duration` ms from first to last, or null when a person may have typed it. */
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

const isFast = (burst: string, duration: number): boolean => duration / (burst.length - 1) <= longestMeanGap

// A scanner left on its QWERTY setting presses the digit row without Shift: a French keyboard (Windows, then Mac and
// Belgian for 6 and 8) writes these signs.
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

/** Digits, when every sign is of a French digit row without Shift; else the text as it is. */
function digitsOfAzerty(text: string): string {
  const digits = Array.from(text).map((sign) => digitOf[sign])
  return digits.every((digit) => digit !== undefined) ? digits.join('') : text
}
