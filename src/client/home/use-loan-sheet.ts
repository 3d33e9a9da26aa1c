import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

import { useIsPhone } from '../ui/screen-width.ts'
import { barCodeOf, isSameReader, type LaneLine, type LaneReader, readerKey } from './lane.ts'
import { findLine, happen } from './lane-store.ts'
import { isForForm, readerAskedFor } from './lane-rules.ts'

/** Lines whose whole loan stands beside the lane; `id` is another one for another loan. */
type SheetState = { id: number; keys: readonly string[]; isUnfolded: boolean }

/** What the sheet tells: for whom it is, whether somebody is at work in it, and whether it may be closed, which it may ask. */
export type SheetNews = {
  reader: LaneReader | null
  isInUse: () => boolean
  mayBeLeft: () => Promise<boolean>
}

const closed: SheetState = { id: 0, keys: [], isUnfolded: false }
const nobodyThere: SheetNews = {
  reader: null,
  isInUse: () => false,
  mayBeLeft: () => Promise.resolve(true),
}

/** The whole loan beside the lane: which lines it is of, folded once another reader is `chosen`. */
export function useLoanSheet(chosen: LaneReader | null) {
  const [sheet, setSheet] = useState(closed)
  const news = useRef(nobodyThere)
  const isPhone = useIsPhone()
  const here = chosen && readerKey(chosen)
  useEffect(() => {
    const { reader } = news.current
    if (here !== null && reader && readerKey(reader) !== here)
      setSheet((before) => ({ ...before, isUnfolded: false }))
  }, [here])
  const show = (line: LaneLine, isUnfolded: boolean) => {
    news.current = { ...nobodyThere, reader: readerAskedFor(line) }
    setSheet(({ id }) => ({ id: id + 1, keys: [line.key], isUnfolded }))
  }
  const keep = useCallbackRef((keys: readonly string[]) => {
    if (keys.length === 0) news.current = nobodyThere
    setSheet((before) => ({ ...before, keys }))
  })

  return {
    sheet,
    keep,
    tell: (next: SheetNews) => {
      news.current = next
    },
    unfold: (isUnfolded: boolean) => setSheet((before) => ({ ...before, isUnfolded })),
    /** Somebody asked for it. */
    open: async (line: LaneLine) => {
      if (sheet.keys.includes(line.key)) setSheet({ ...sheet, isUnfolded: true })
      else if (await news.current.mayBeLeft()) show(line, true)
    },
    /** Answers whether it is closed. */
    close: async () => {
      const isLeft = await news.current.mayBeLeft()
      if (isLeft) keep([])
      return isLeft
    },
    /** It comes by itself, and takes nothing from who is at work in another one. */
    offer: useCallbackRef((line: LaneLine) => {
      const of = sheet.keys.flatMap((key) => findLine(key) ?? [])
      const isTheirs = isSameReader(news.current.reader, readerAskedFor(line))
      const again = isTheirs ? of.find((older) => barCodeOf(older) === barCodeOf(line)) : undefined
      // A motive that is being written stays on its line.
      if (again && isMotiveWritten(`[data-line="${again.key}"]`))
        happen({ what: 'scanned-again', key: line.key })
      else if (again) {
        keep(sheet.keys.map((key) => (key === again.key ? line.key : key)))
        happen({ what: 'scanned-again', key: again.key })
      } else if (isTheirs && of.length > 0 && [...of, line].every(isForForm)) {
        keep([...sheet.keys, line.key])
      } else if (!news.current.isInUse()) show(line, !isPhone && !isMotiveWritten())
    }),
  }
}

/** On a line beside, which an unfolded sheet might cover. */
const isMotiveWritten = (of = ''): boolean => document.querySelector(`${of} [data-motive]`) !== null
