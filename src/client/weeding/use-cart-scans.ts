import { useCallbackRef } from '@mantine/hooks'
import { useRef, useState } from 'react'

import { type CartScan, scanIntoCart } from '../../contract/weeding.ts'
import { type Symbology, writtenForms } from '../../domain/bar-code.ts'
import { newKey } from '../../offline/new-key.ts'
import { CallError } from '../api/call-error.ts'
import { useChange } from '../api/queries.ts'
import { whyNotACopy } from '../find/not-a-copy.ts'
import { sentenceOf } from '../loans/loan-errors.ts'
import { currentPreferences } from '../page/preferences.ts'
import { type ScanSignal, signalScan } from '../scanner/scan-feedback.ts'
import type { Tone } from '../ui/status-tag.tsx'
import { sentenceOfScan, verdictWords } from './weeding-words.ts'

/** A code that was scanned on this device, and what became of it. */
export type ScanLine = {
  key: string
  code: string
  symbology: Symbology | undefined
  /** `unanswered`: nobody could tell; asked again it is the same gesture. */
  state: 'asked' | 'told' | 'unanswered'
  scan: CartScan | null
  word: string
  tone: Tone
  sentence: string
}

const mostShown = 30

const ofCart: readonly CartScan['verdict'][] = ['added', 'awaited', 'already']
const isOfCart = (scan: CartScan | null): scan is CartScan & { copy: number } =>
  scan !== null && scan.copy !== null && ofCart.includes(scan.verdict)

export type CartScans = ReturnType<typeof useCartScans>

/** A card is not unknown: it is refused, and named. */
async function wordsOf({ code, symbology }: ScanLine, scan: CartScan): Promise<Partial<ScanLine>> {
  if (scan.verdict !== 'unknown') return { sentence: sentenceOfScan(scan) }
  const { isCard, sentence } = await whyNotACopy(code, symbology)
  return isCard ? { word: 'Refusé', sentence } : { sentence }
}

/** Puts into the cart what is scanned, one after the other: no scan is lost while another is asked about. */
export function useCartScans() {
  const { mutateAsync } = useChange(scanIntoCart)
  const [lines, setLines] = useState<readonly ScanLine[]>([])
  const known = useRef(lines)
  const change = (next: readonly ScanLine[]) => {
    known.current = next
    setLines(next)
  }
  const note = (key: string, changes: Partial<ScanLine>) =>
    change(known.current.map((line) => (line.key === key ? { ...line, ...changes } : line)))
  const tell = (key: string, signal: ScanSignal, changes: Partial<ScanLine>) => {
    note(key, changes)
    signalScan(signal, { sound: currentPreferences().sound })
  }
  const settle = async (key: string): Promise<void> => {
    const line = known.current.find((one) => one.key === key)
    if (!line) return
    try {
      const codes = writtenForms(line.code, line.symbology)
      const scan = await mutateAsync({ body: { codes }, gesture: key })
      const { word, tone, signal } = verdictWords[scan.verdict]
      tell(key, signal, { state: 'told', scan, word, tone, ...(await wordsOf(line, scan)) })
    } catch (error) {
      const isUnanswered = error instanceof CallError && error.isUnanswered
      tell(key, 'refusal', {
        state: isUnanswered ? 'unanswered' : 'told',
        word: isUnanswered ? 'Sans réponse' : 'Refusé',
        tone: isUnanswered ? 'warn' : 'bad',
        sentence: sentenceOf(error),
      })
    }
  }
  const last = useRef(Promise.resolve())
  const inTurn = (key: string) => {
    note(key, { state: 'asked', word: 'Recherche…', tone: 'wait', sentence: '' })
    last.current = last.current.then(() => settle(key))
  }
  const take = useCallbackRef((code: string, symbology?: Symbology) => {
    const line: ScanLine = {
      key: newKey(),
      code: code.trim(),
      symbology,
      state: 'asked',
      scan: null,
      word: '',
      tone: 'wait',
      sentence: '',
    }
    change([line, ...known.current].filter((one, at) => at < mostShown || one.state !== 'told'))
    inTurn(line.key)
  })
  const forget = useCallbackRef((copies: readonly number[] | null) =>
    change(known.current.filter(({ scan }) => !isOfCart(scan) || !(copies?.includes(scan.copy) ?? true))),
  )
  return {
    lines,
    take,
    again: useCallbackRef(inTurn),
    /** These copies, or all where it is null, are in the cart no more. */
    forget,
    isUnfinished: lines.some(({ state }) => state !== 'told'),
  }
}
