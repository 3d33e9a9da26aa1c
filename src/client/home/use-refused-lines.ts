import { useCallbackRef } from '@mantine/hooks'
import { useEffect } from 'react'

import { knownEntry, useEntries } from '../outbox/outbox-entries.ts'
import type { LaneLine, May } from './lane.ts'
import { helpsInForm } from './lane-rules.ts'

/** After this, the person is at something else. */
const longestAgoMs = 10_000

/** Lines already offered, so that coming back to the counter opens nothing again. */
const offered = new Set<string>()

/** Offers the newest loan that was just refused, or that only the whole form can make. */
export function useRefusedLines(
  lines: readonly LaneLine[],
  may: May,
  onRefused: (line: LaneLine) => void,
): void {
  useEntries()
  const offer = useCallbackRef(onRefused)
  const fresh = lines.filter((line) => {
    if (offered.has(line.key) || line.under_way !== null || Date.now() - line.at > longestAgoMs) return false
    const { step } = line
    const entry = step.name === 'kept' ? knownEntry(step.entry_id) : null
    return helpsInForm(line, entry ?? null, may)
  })
  useEffect(() => {
    for (const { key } of fresh) offered.add(key)
    const newest = fresh.at(-1)
    if (newest) offer(newest)
  })
}
