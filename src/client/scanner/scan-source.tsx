import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { wholeScan } from '../../domain/bar-code.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import { currentPreferences } from '../page/preferences.ts'
import { forgetIgnored, sayBroken, sayIgnored } from './ignored-scan.ts'
import { knownShapes, whenKnown } from './known-shapes.ts'
import { keepNotTaken, type TakenUp } from './scans-not-taken.ts'
import { listenForTypedScans } from './typed-scan-listener.ts'

/** Whoever gives the scan may await the answer, which comes once it is worked on. `of` is where a code was read that is taken up again. */
export type ScanHandler = (text: string, symbology?: Symbology, of?: TakenUp) => unknown

interface Taker {
  order: number
  handler: ScanHandler
  onBroken: (() => void) | undefined
}

let takers: readonly Taker[] = []
let lastOrder = 0

/** The last mounted first. */
const byHeight = (): Taker[] => takers.toSorted((one, other) => other.order - one.order)

/** Scans, whole or in pieces, that came before the first screen stands; null from then on. */
let early: ([code: string, symbology: Symbology | undefined] | 'broken')[] | null = null

/** Call it before the page is drawn. */
export function holdUntilStanding(): void {
  early = []
}

/** The first screen calls it, and takes what was scanned while it loaded. */
export function useStandingScreen(): void {
  useEffect(() => {
    const waiting = early ?? []
    early = null
    for (const scan of waiting) {
      if (scan === 'broken') listening.onBroken()
      else submitScan(...scan)
    }
  }, [])
}

let hold: { isHeld: () => boolean; onScan: (isKept: boolean) => void } | null = null

export function holdScans(isHeld: () => boolean, onScan: (isKept: boolean) => void): () => void {
  const held = { isHeld, onScan }
  hold = held
  return () => {
    if (hold === held) hold = null
  }
}

/** Camera, typing scanner and keyboard all end here; a scan that nobody takes is said to wait. */
export const submitScan: ScanHandler = (text, symbology, ...of) => {
  const code = wholeScan(text, symbology)
  if (code === '') return
  if (hold?.isHeld()) return hold.onScan(keepNotTaken(code, symbology, ...of))
  if (early !== null) return void early.push([code, symbology])
  const [top] = byHeight()
  if (!top) return sayIgnored(code, { symbology, of: of[0] })
  forgetIgnored()
  return top.handler(code, symbology, ...of)
}

/** Gives a scan of the topmost screen to the counter beneath it. Answers false where another screen lies there, which must not act on it. */
export function takeBeneath(...scan: Parameters<ScanHandler>): boolean {
  const [, beneath] = byHeight()
  if (!beneath?.onBroken) return false
  beneath.handler(...scan)
  return true
}

/** Render it once. */
export function TypingScanners(): null {
  useEffect(() => listenForTypedScans(window, listening), [])
  return null
}

const listening = {
  get prefix() {
    return currentPreferences().scanner_prefix
  },
  get shapes() {
    return knownShapes()
  },
  onScan: (text: string) => submitScan(text),
  onBroken() {
    if (early !== null) return void early.push('broken')
    const onBroken = hold?.isHeld() ? undefined : byHeight()[0]?.onBroken
    if (!onBroken) return sayBroken()
    forgetIgnored()
    onBroken()
  },
  onLeft: (text: string) => void keepLeft(wholeScan(text)),
}

/** Two signs may be two fingers, unless the library has such codes. */
async function keepLeft(code: string): Promise<void> {
  if (code.length <= 2) {
    await whenKnown
    if (!knownShapes().fits(code)) return
  }
  if (hold?.isHeld()) hold.onScan(keepNotTaken(code))
  else sayIgnored(code)
}

/**
 * The last mounted taker has the scans alone, so a dialog takes over from its screen. A counter gives `onBroken`:
 * it keeps a line of a scan in pieces; elsewhere that is said in passing.
 */
export function useScans(handler: ScanHandler, active = true, onBroken?: () => void): void {
  const latest = useRef(handler)
  // Counted while rendering, because parents render first but run their effects last.
  const [order] = useState(() => ++lastOrder)

  useLayoutEffect(() => {
    latest.current = handler
  }, [handler])

  // With its drawing: a screen that is in sight takes the scan that comes before the browser is idle.
  useLayoutEffect(() => {
    if (!active) return undefined
    const taker: Taker = {
      order,
      onBroken,
      handler: (...scan) => latest.current(...scan),
    }
    takers = [...takers, taker]
    return () => {
      takers = takers.filter((one) => one !== taker)
    }
  }, [active, order, onBroken])
}
