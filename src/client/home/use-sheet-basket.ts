import { useEffect, useRef, useState } from 'react'

import { type Entry, isRefused } from '../../offline/entry.ts'
import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import { copyOfKnown } from '../catalogue/counter-copy.ts'
import { type BasketLine, newLine } from '../lending/basket.ts'
import type { FormBasket } from '../lending/use-loan-form.ts'
import { firstRefusal, useEntries, violationsOf } from '../outbox/outbox-entries.ts'
import { isCard, type LaneLine, type LaneReader } from './lane.ts'
import { readerAskedFor } from './lane-rules.ts'

export type SheetLine = { of: LaneLine; line: BasketLine }

type SheetBasket = FormBasket & {
  sheetLines: readonly SheetLine[]
  /** Whether a person changed something of a copy, or for whom it is. */
  isChanged: boolean
  choose: (chosen: ChosenReader | null) => void
}

type SheetBasketOf = {
  lines: readonly LaneLine[]
  keys: readonly string[]
  /** The counter's reader, who may come after the copy. */
  here: LaneReader | null
  onKeep: (keys: readonly string[]) => void
}

/** Lines of the lane as a basket: it asks nothing by itself, and lets go of what the lane has settled. */
export function useSheetBasket({ lines, keys, here, onKeep }: SheetBasketOf): SheetBasket {
  const entries = useEntries()
  const entryOf = ({ step }: LaneLine): Entry | null =>
    step.name === 'kept' ? (entries.find(({ id }) => id === step.entry_id) ?? null) : null
  const [edited, setEdited] = useState<ReadonlyMap<number, BasketLine>>(new Map())
  const latest = useRef(edited)
  const shown = lines.filter((line) => keys.includes(line.key) && isOpenStill(line, entryOf(line)))

  const [picked, setPicked] = useState<ChosenReader | null | undefined>(undefined)
  const asked = shown.map(readerAskedFor).find((to) => to !== null && !isCard(to)) ?? null
  const late = useLateReader(asked === null, here)
  const chosen = picked === undefined ? knownReader(asked ?? late) : picked

  const sheetLinesOf = (now: ReadonlyMap<number, BasketLine>): SheetLine[] =>
    shown.flatMap((of) => {
      const known = of.copy?.known
      return known ? [{ of, line: now.get(known.copy.id) ?? lineOf(of, entryOf(of)) }] : []
    })
  const sheetLines = sheetLinesOf(edited)
  const change = ({ lines: next }: { lines: readonly BasketLine[] }) => {
    latest.current = new Map(next.map((line) => [line.copy.id, line]))
    setEdited(latest.current)
    const left = sheetLines.filter(({ line }) => latest.current.has(line.copy.id))
    if (left.length < sheetLines.length) onKeep(left.map(({ of }) => of.key))
  }
  const read = () => ({ chosen, lines: sheetLinesOf(latest.current).map(({ line }) => line) })

  const still = shown.map(({ key }) => key).join(' ')
  useEffect(() => {
    if (still !== keys.join(' ')) onKeep(still === '' ? [] : still.split(' '))
  }, [still, keys, onKeep])

  return {
    sheetLines,
    isChanged: edited.size > 0 || picked !== undefined,
    chosen,
    lines: sheetLines.map(({ line }) => line),
    choose: setPicked,
    read,
    change,
    changeLine: (copy, changes) =>
      change({ lines: read().lines.map((line) => (line.copy.id === copy ? { ...line, ...changes } : line)) }),
  }
}

const isOpenStill = ({ step }: LaneLine, entry: Entry | null): boolean =>
  step.name === 'asks' || (step.name === 'kept' && (entry === null || isRefused(entry)))

const knownReader = (to: LaneReader | null): ChosenReader | null => (to && !isCard(to) ? to : null)

/** A refused action is settled by the one that follows it. */
function lineOf({ copy }: LaneLine, entry: Entry | null): BasketLine {
  const line = newLine(copyOfKnown(copy!.known!))
  if (!isRefused(entry)) return line
  const { id: entry_id, problem } = entry
  const reason = problem?.reason ?? null
  return {
    ...line,
    failure: { entry_id, message: firstRefusal(entry), reason, violations: violationsOf(entry) },
  }
}

/** Who is chosen first once the sheet stands; a reader of before was left too long ago. */
function useLateReader(isWanted: boolean, here: LaneReader | null): LaneReader | null {
  const [before] = useState(here)
  const [late, setLate] = useState<LaneReader | null>(null)
  useEffect(() => {
    if (isWanted && late === null && here !== null && here !== before) setLate(here)
  }, [isWanted, late, here, before])
  return late
}
