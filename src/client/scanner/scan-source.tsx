import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { wholeScan } from '../../domain/bar-code.ts'
import type { Symbology } from '../../domain/bar-code.ts'
import { listenForTypedScans } from './typed-scan-listener.ts'

/** Receives a cleaned scan. `symbology` is known only to the camera. */
export type ScanHandler = (text: string, symbology?: Symbology) => void

interface Listener {
  order: number
  handler: ScanHandler
}

interface ScanSource {
  submit: ScanHandler
  add: (listener: Listener) => () => void
}

const ScanSourceContext = createContext<ScanSource | null>(null)

let lastOrder = 0

export interface ScanSourceProviderProps {
  /** What this device's scanner types before each code, if anything. */
  prefix?: string
  /** Whether typing scanners are listened to; camera and keyboard always are. */
  enabled?: boolean
  children: ReactNode
}

/** Three mouths, one throat: camera, scanner that types and keyboard end here; it knows nothing of loans. */
export function ScanSourceProvider({ prefix = '', enabled = true, children }: ScanSourceProviderProps) {
  const listeners = useRef<Listener[]>([])

  const source = useMemo<ScanSource>(
    () => ({
      submit: (text, symbology) => {
        const code = wholeScan(text, symbology)
        const top = listeners.current.reduce<Listener | null>(
          (highest, one) => (highest === null || one.order > highest.order ? one : highest),
          null,
        )
        if (code !== '') top?.handler(code, symbology)
      },
      add: (listener) => {
        listeners.current.push(listener)
        return () => {
          listeners.current = listeners.current.filter((one) => one !== listener)
        }
      },
    }),
    [],
  )

  useEffect(() => {
    if (!enabled) return undefined
    return listenForTypedScans(document, {
      prefix,
      isWanted: () => listeners.current.length > 0,
      onScan: source.submit,
    })
  }, [enabled, prefix, source])

  return <ScanSourceContext value={source}>{children}</ScanSourceContext>
}

/**
 * Takes the scans while mounted (and `active`). The most recently mounted taker has them alone, so a dialog takes over
 * from its screen and gives back on closing. The handler may change between renders.
 */
export function useScans(handler: ScanHandler, active = true): void {
  const { add } = useScanSource()
  const latest = useRef(handler)
  // Given while rendering, parents before children: effects run the other way round.
  const [order] = useState(() => ++lastOrder)

  useEffect(() => {
    latest.current = handler
  }, [handler])

  useEffect(() => {
    if (!active) return undefined
    return add({ order, handler: (text, symbology) => latest.current(text, symbology) })
  }, [add, active, order])
}

/** For the other two mouths: gives what the camera read, or a person typed and confirmed, to whoever takes scans. */
export function useSubmitScan(): ScanHandler {
  const { submit } = useScanSource()
  return useCallback((text, symbology) => submit(text, symbology), [submit])
}

function useScanSource(): ScanSource {
  const source = useContext(ScanSourceContext)
  if (source === null) throw new Error('useScans outside of ScanSourceProvider')
  return source
}
