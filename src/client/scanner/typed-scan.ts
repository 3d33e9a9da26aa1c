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
}

export interface TypedScanOptions {
  /** What the scanner is set to type before each code; empty when it types none. */
  prefix: string
}

export type TypedScanStep =
  /** Nothing certain: the key goes its way. `first` says that a new burst may begin with it. */
  | { kind: 'pass'; first: boolean }
  /** The key ended a scan: it must not reach the page. */
  | { kind: 'scan'; text: string }
  /** A second ending of the scan just taken (CR then LF, Enter then Tab): it must not reach the page either. */
  | { kind: 'swallow' }

const shortest = 6
const longestGap = 100
const longestMeanGap = 30

/**
 * Tells a hardware scanner that types from a person who types: six characters or more, 30 ms apart or less in the mean,
 * never more than 100 ms, ended by Enter or Tab. After the prefix only the 100 ms count. Feed it every keydown in order.
 */
export function createTypedScan(options: TypedScanOptions): (key: TypedKey) => TypedScanStep {
  let text = ''
  let startedAt = 0
  let lastAt = Number.NEGATIVE_INFINITY
  let scannedAt = Number.NEGATIVE_INFINITY

  return ({ key, at, repeat = false, composing = false, modified = false }) => {
    if (isModifierKey(key)) return { kind: 'pass', first: false }
    const near = at - lastAt <= longestGap

    if ((key === 'Enter' || key === 'Tab') && !composing && !modified) {
      if (text === '' && at - scannedAt <= longestGap) return { kind: 'swallow' }
      const scan = near && !repeat ? findScan(text, lastAt - startedAt, options.prefix) : null
      text = ''
      if (scan === null) return { kind: 'pass', first: false }
      scannedAt = at
      return { kind: 'scan', text: scan }
    }

    if (repeat || composing || modified || Array.from(key).length !== 1) {
      text = ''
      return { kind: 'pass', first: false }
    }
    const first = text === '' || !near
    if (first) startedAt = at
    text = first ? key : text + key
    lastAt = at
    return { kind: 'pass', first }
  }
}

function isModifierKey(key: string): boolean {
  return key === 'Shift' || key === 'AltGraph' || key === 'CapsLock' || key === 'Control' || key === 'Alt'
}

/** The code in a burst of keys that lasted `duration` ms from first to last, or null when a person may have typed it. */
function findScan(burst: string, duration: number, prefix: string): string | null {
  if (prefix !== '' && burst.startsWith(prefix) && burst.length > prefix.length) {
    return digitsOfAzerty(burst.slice(prefix.length))
  }
  if (burst.length < shortest || duration / (burst.length - 1) > longestMeanGap) return null
  return digitsOfAzerty(burst)
}

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
