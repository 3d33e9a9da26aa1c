import { useEffect, useRef, useState } from 'react'
import { wholeScan } from '../../domain/bar-code.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import { currentPreferences } from '../page/preferences.ts'
import { forgetIgnored, sayIgnored } from './ignored-scan.ts'
import { listenForTypedScans } from './typed-scan-listener.ts'

/** Receives a cleaned scan. `symbology` is known only to the camera. */
export type ScanHandler = (text: string, symbology?: Symbology) => void

interface Taker {
  order: number
  handler: ScanHandler
}

let takers: readonly Taker[] = []
let lastOrder = 0

let hold: { isHeld: () => boolean; onScan: () => void } | null = null

/** While the page is away no scan reaches it, whichever mouth it comes from. Returns how to stop. */
export function holdScans(isHeld: () => boolean, onScan: () => void): () => void {
  const held = { isHeld, onScan }
  hold = held
  return () => {
    if (hold === held) hold = null
  }
}

/**
 * Three mouths, one throat: camera, scanner that types and keyboard end here; it knows nothing of loans. What nobody takes is said to be
 * ignored.
 */
const submitScan: ScanHandler = (text, symbology) => {
  const code = wholeScan(text, symbology)
  if (code === '') return
  if (hold?.isHeld()) return hold.onScan()
  const top = takers.reduce<Taker | null>(
    (highest, one) => (highest === null || one.order > highest.order ? one : highest),
    null,
  )
  if (top === null) return sayIgnored(code)
  forgetIgnored()
  top.handler(code, symbology)
}

/** Hears the scanners that type, on every screen, the sign-in included. Render it once, around nothing. */
export function TypingScanners(): null {
  useEffect(() => listenForTypedScans(window, listening), [])
  return null
}

const listening = {
  get prefix() {
    return currentPreferences().scanner_prefix
  },
  onScan: submitScan,
}

/**
 * Takes the scans while mounted (and `active`). The most recently mounted taker has them alone, so a dialog takes over
 * from its screen and gives back on closing. The handler may change between renders.
 */
export function useScans(handler: ScanHandler, active = true): void {
  const latest = useRef(handler)
  // Given while rendering, parents before children: effects run the other way round.
  const [order] = useState(() => ++lastOrder)

  useEffect(() => {
    latest.current = handler
  }, [handler])

  useEffect(() => {
    if (!active) return undefined
    const taker: Taker = { order, handler: (text, symbology) => latest.current(text, symbology) }
    takers = [...takers, taker]
    return () => {
      takers = takers.filter((one) => one !== taker)
    }
  }, [active, order])
}

/** For the other two mouths: gives what the camera read, or a person typed and confirmed, to whoever takes scans. */
export const useSubmitScan = (): ScanHandler => submitScan
