import { useCallbackRef } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

import type { CalendarBar, CalendarCopy, CalendarTitle } from '../../contract/calendar.ts'
import { type BarCell, type Cell, type Days, type FreeCell, type Line, mayGrow } from './line-of.ts'

export type ShownRow = { block: CalendarTitle; copy: CalendarCopy | null; line: Line }

/** Days of one line that are about to be reserved, where they are free, or added to a loan. */
export type Selection = Days & { row: string; block: number; site: number; bar: CalendarBar | null }

type Hands = {
  grid: RefObject<HTMLDivElement | null>
  rows: ReadonlyMap<string, ShownRow>
  /** How many days are shown. */
  columns: number
  /** Its place; nothing is reserved before it. */
  today: number
  onPress: (row: ShownRow, cell: Cell) => void
  /** Undefined where days are not reserved. */
  onSelect: ((row: ShownRow, days: Days) => void) | undefined
  /** Undefined where loans are not prolonged by hand. */
  onProlong: ((bar: CalendarBar, last: number) => void) | undefined
}

type Held = {
  row: string
  left: number
  width: number
  /** The loan whose edge is held. */
  bar: CalendarBar | null
  anchor: number
  bounds: Days
  /** Null until it moved. */
  days: Days | null
}

/** Mouse and keys over the grid; a finger scrolls, and its tap presses. */
export function useCalendarHands({ grid, rows, columns, today, onPress, onSelect, onProlong }: Hands) {
  const [selection, setSelection] = useState<Selection | null>(null)
  const held = useRef<Held | null>(null)
  const wasDragged = useRef(false)
  /** In which column up and down go, whatever the bars under them. */
  const column = useRef(0)
  useEffect(() => {
    // One cell is in the order of the Tab key: the last that was visited, else the first.
    const cells = grid.current?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')
    if (!cells) grid.current?.querySelector<HTMLElement>('[role=gridcell]')?.setAttribute('tabindex', '0')
  }, [grid, rows])

  const found = (target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null
    const key = element?.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? ''
    const row = rows.get(key)
    const cell = row?.line.cells[Number(element?.dataset['cell'])]
    return element && row && cell ? { element, key, row, cell } : null
  }
  /** The days around a free cell that may still be reserved. */
  const boundsOf = ({ run }: FreeCell): Days => ({ first: Math.max(run.first, today), last: run.last })
  const choose = (key: string, days: Days, bar: CalendarBar | null) => {
    const copy = rows.get(key)?.copy
    const block = rows.get(key)?.block
    if (!copy || !block) return
    setSelection(days.last < days.first ? null : { row: key, block: block.id, site: copy.site, bar, ...days })
  }
  const focus = (element: HTMLElement | null | undefined) => {
    if (!element) return
    grid.current
      ?.querySelectorAll('[role=gridcell][tabindex="0"]')
      .forEach((one) => one.setAttribute('tabindex', '-1'))
    element.setAttribute('tabindex', '0')
    element.focus()
  }

  const onPointerDown = useCallbackRef((event: PointerEvent<HTMLElement>) => {
    wasDragged.current = false
    const at = found(event.target)
    const track = at?.element.closest('[data-track]')
    if (!at || !track || event.pointerType === 'touch' || event.button !== 0) return
    const { key: row, cell } = at
    const { left, width } = track.getBoundingClientRect()
    if (cell.kind === 'bar') {
      const isEdge = event.target instanceof Element && event.target.closest('[data-edge]') !== null
      if (!isEdge) return
      const bounds = { first: cell.last, last: columns - 1 }
      held.current = { row, left, width, bar: cell.bar, anchor: cell.last, bounds, days: null }
    } else {
      const bounds = boundsOf(cell)
      const anchor = dayUnder(event.clientX, { left, width, columns })
      if (!onSelect || bounds.first > bounds.last || anchor < bounds.first) return
      held.current = { row, left, width, bar: null, anchor, bounds, days: null }
    }
    event.currentTarget.setPointerCapture(event.pointerId)
  })
  const onPointerMove = useCallbackRef((event: PointerEvent<HTMLElement>) => {
    const { current: drag } = held
    if (!drag) return
    const { anchor, bounds, bar } = drag
    const under = dayUnder(event.clientX, { ...drag, columns })
    const day = Math.min(Math.max(under, bounds.first), bounds.last)
    if (drag.days === null && day === anchor) return
    // What is added to a loan begins after it.
    const days = bar
      ? { first: anchor + 1, last: day }
      : { first: Math.min(anchor, day), last: Math.max(anchor, day) }
    if (drag.days?.first === days.first && drag.days.last === days.last) return
    // Kept beside the state, which may be drawn only after the button is up.
    drag.days = days
    choose(drag.row, days, bar)
  })
  const onPointerUp = useCallbackRef(() => {
    const drag = held.current
    held.current = null
    if (!drag?.days) return
    wasDragged.current = true
    const row = rows.get(drag.row)
    setSelection(null)
    if (!row || drag.days.last < drag.days.first) return
    if (drag.bar) onProlong?.(drag.bar, drag.days.last)
    else onSelect?.(row, drag.days)
  })
  const drop = useCallbackRef(() => {
    held.current = null
    setSelection(null)
  })
  /** The button is still down, and its release then presses nothing. */
  const giveUp = () => {
    wasDragged.current = held.current !== null
    drop()
  }
  const onClick = useCallbackRef((event: { target: EventTarget | null }) => {
    // The end of a drag is no press; a captured pointer's click is of the grid, and its cell the one under it.
    if (wasDragged.current) {
      wasDragged.current = false
      return
    }
    const pressed = event as unknown as MouseEvent
    const at = found(event.target) ?? found(document.elementFromPoint(pressed.clientX, pressed.clientY))
    if (!at) return
    column.current = at.cell.first
    focus(at.element)
    onPress(at.row, at.cell)
  })

  const onKeyDown = useCallbackRef((event: KeyboardEvent<HTMLElement>) => {
    const at = found(event.target)
    if (!at || event.altKey || event.metaKey) return
    const act = keyed(event, at)
    if (!act) return
    event.preventDefault()
    act()
  })
  function keyed(
    { key, shiftKey, ctrlKey }: KeyboardEvent,
    { element, key: row, row: shown, cell }: NonNullable<ReturnType<typeof found>>,
  ): (() => void) | null {
    const isSide = key === 'ArrowLeft' || key === 'ArrowRight'
    const step = key === 'ArrowRight' ? 1 : -1
    if (isSide && cell.kind === 'bar' && (shiftKey || selection)) {
      return onProlong && mayGrow(cell, columns) ? () => grow(row, cell, step) : null
    }
    if (isSide && shiftKey) return onSelect && cell.kind === 'free' ? () => extend(row, cell, step) : null
    if (isSide && selection) return cell.kind === 'free' ? () => shift(selection, boundsOf(cell), step) : null
    if (key === 'Escape') return selection ? giveUp : null
    if (key === 'Enter' || key === ' ') {
      if (!selection) return () => onPress(shown, cell)
      return () => {
        setSelection(null)
        if (selection.bar) onProlong?.(selection.bar, selection.last)
        else onSelect?.(shown, selection)
      }
    }
    const sideways = (to: Element | null | undefined) => () => {
      focus(to as HTMLElement | null)
      const cellThere = found(to ?? null)?.cell
      if (cellThere) column.current = cellThere.first
    }
    const own = [...(element.parentElement?.querySelectorAll('[role=gridcell]') ?? [])]
    if (isSide) return sideways(own[own.indexOf(element) + step])
    if ((key === 'Home' || key === 'End') && !ctrlKey) return sideways(key === 'Home' ? own[0] : own.at(-1))
    const lines = [...(grid.current?.querySelectorAll('[data-row]:has([role=gridcell])') ?? [])]
    const here = lines.findIndex((line) => line.contains(element))
    const to =
      key === 'ArrowDown'
        ? lines[here + 1]
        : key === 'ArrowUp'
          ? lines[here - 1]
          : ctrlKey && key === 'Home'
            ? lines[0]
            : ctrlKey && key === 'End'
              ? lines.at(-1)
              : undefined
    if (!['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key)) return null
    return () => {
      setSelection(null)
      const cells = [...(to?.querySelectorAll<HTMLElement>('[role=gridcell]') ?? [])]
      focus(cells.find(({ dataset }) => Number(dataset['last']) >= column.current) ?? cells.at(-1))
    }
  }

  function extend(row: string, cell: FreeCell, step: 1 | -1): void {
    const bounds = boundsOf(cell)
    const from = Math.max(cell.first, today)
    if (!selection) {
      if (step === 1 && from <= cell.last) choose(row, { first: from, last: from }, null)
      return
    }
    const last = Math.min(Math.max(selection.last + step, selection.first), bounds.last)
    choose(row, { first: selection.first, last }, null)
  }
  function grow(row: string, { bar, last: end }: BarCell, step: 1 | -1): void {
    const last = Math.min((selection?.last ?? end) + step, columns - 1)
    choose(row, { first: end + 1, last }, bar)
  }
  function shift({ row, first, last }: Selection, bounds: Days, step: 1 | -1): void {
    if (first + step < bounds.first || last + step > bounds.last) return
    choose(row, { first: first + step, last: last + step }, null)
  }

  return {
    selection,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: drop,
      onClick,
      onKeyDown,
      onBlur: useCallbackRef(() => {
        if (!held.current) setSelection(null)
      }),
    },
  }
}

type Track = { left: number; width: number; columns: number }

const dayUnder = (x: number, { left, width, columns }: Track): number =>
  Math.min(Math.max(Math.floor(((x - left) / width) * columns), 0), columns - 1)
