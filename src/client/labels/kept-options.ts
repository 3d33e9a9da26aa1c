import { useState } from 'react'
import * as v from 'valibot'

import { labelKinds, labelLines } from '../../contract/labels.ts'

/** How this device printed labels last: a sheet's and a printer's key, what a label is and says. */
const keptSchema = v.object({
  sheet: v.fallback(v.pipe(v.string(), v.maxLength(20)), 'L7160'),
  printer: v.fallback(v.pipe(v.string(), v.maxLength(20)), ''),
  kind: v.fallback(v.picklist(labelKinds), 'bar_code'),
  show: v.fallback(v.array(v.picklist(labelLines)), [...labelLines]),
})
export type KeptOptions = v.InferOutput<typeof keptSchema>

const storageKey = 'comptoir.labels'

function read(): KeptOptions {
  try {
    return v.parse(keptSchema, JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return v.parse(keptSchema, {})
  }
}

export function useKeptOptions(): [KeptOptions, (changes: Partial<KeptOptions>) => void] {
  const [kept, setKept] = useState(read)
  const keep = (changes: Partial<KeptOptions>) => {
    const next = { ...kept, ...changes }
    setKept(next)
    try {
      localStorage.setItem(storageKey, JSON.stringify(next))
    } catch {
      // Storage is full or forbidden: the choice lasts as long as the screen.
    }
  }
  return [kept, keep]
}
