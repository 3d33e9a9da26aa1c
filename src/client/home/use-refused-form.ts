import { useCallbackRef } from '@mantine/hooks'
import { useEffect } from 'react'

import { useNumberParameter } from '../settings/parameter-data.ts'
import { isOverlayOpen } from '../ui/overlay-open.ts'
import type { LaneLine, May, Way } from './lane.ts'
import { waysOf } from './lane-rules.ts'

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
/** After this, the person is at something else. */
const longestAgoMs = 10_000

/** Lines already opened or seen to, so that coming back opens nothing again. */
const seenTo = new Set<string>()

/** Opens a refused loan's full form after the parameter's seconds without a touch (file 1, section 8). */
export function useRefusedForm(
  lines: readonly LaneLine[],
  may: May,
  onWay: (line: LaneLine, way: Way) => void,
): void {
  const seconds = useNumberParameter('counter_refused_form_seconds') ?? 0
  const last = lines.at(-1)
  // A refusal in the outbox is settled there: a loan beside it would leave it to be lent again.
  const isRefused = last?.step.name === 'asks' && waysOf(last, null, may).includes('open-form')
  const key = isRefused && seconds > 0 && isNew(last) ? last.key : null

  const open = useCallbackRef(() => {
    if (last && document.visibilityState === 'visible' && !isOverlayOpen()) onWay(last, 'open-form')
  })

  useEffect(() => {
    if (key === null) return undefined
    const seeTo = () => {
      seenTo.add(key)
      clearTimeout(timer)
    }
    const timer = setTimeout(() => {
      seeTo()
      open()
    }, seconds * 1_000)
    const options = { capture: true, passive: true }
    for (const touch of touches) addEventListener(touch, seeTo, options)
    return () => {
      clearTimeout(timer)
      for (const touch of touches) removeEventListener(touch, seeTo, options)
    }
  }, [key, seconds, open])
}

const isNew = ({ key, at }: LaneLine): boolean => !seenTo.has(key) && Date.now() - at < longestAgoMs
