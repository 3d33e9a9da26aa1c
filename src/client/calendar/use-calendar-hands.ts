import { useCallbackRef } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'

import type { CalendarBlock, CalendarCopy } from '../../contract/calendar.ts'
import { daysShown } from '../../domain/calendar-weeks.ts'
import type { Cell, Days, FreeCell, Line } from './line-of.ts'

export type ShownRow = { block: CalendarBlock; copy: CalendarCopy | null; line: Line }

/** Free days of one line that are about to be reserved. */
export type Selection = Days & { row: string; block: number; site: number }

type Hands = {
  grid: RefObject<HTMLDivElement | null>
  rows: ReadonlyMap<string, ShownRow>
  /** Its place; nothing is reserved before it. */
  today: number
  onPress: (row: ShownRow, cell: Cell) => void
  /** Undefined where days are not reserved. */
  onSelect: ((row: ShownRow, days: Days) => void) | undefined
}

type Held = {
  row: string
  left: number
  width: number
  anchor: number
  bounds: Days
  /** Null until it moved. */
  days: Days | null
}

/** Mouse and keys over the grid; a finger scrolls, and its tap presses. */
export function useCalendarHands({ grid, rows, today, onPress, onSelect }: Hands) {
  const [selection, setSelection] = useState<Selection | null>(null)
  const held = useRef<Held | null>(null)
  const wasDragged = useRef(false)
  /** In which column up and down go, whatever the bars under them. */
  const column = useRef(0)

  const found = (target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null
    const key = element?.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? ''
    const row = rows.get(key)
    const cell = row?.line.cells[Number(element?.dataset['cell'])]
    return element && row && cell ? { element, key, row, cell } : null
  }
  /** The days around a free cell that may still be reserved. */
  const boundsOf = ({ run }: FreeCell): Days => ({ first: Math.max(run.first, today), last: run.last })
  const choose = (key: string, days: Days) => {
    const copy = rows.get(key)?.copy
    const block = rows.get(key)?.block
    if (copy && block) setSelection({ row: key, block: block.id, site: copy.site, ...days })
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
    if (!at || !onSelect || at.cell.kind !== 'free' || event.pointerType === 'touch' || event.button !== 0)
      return
    const track = at.element.closest('[data-track]')
    const bounds = boundsOf(at.cell)
    if (!track || bounds.first > bounds.last) return
    const { left, width } = track.getBoundingClientRect()
    const anchor = dayUnder(event.clientX, left, width)
    if (anchor < bounds.first) return
    held.current = { row: at.key, left, width, anchor, bounds, days: null }
    event.currentTarget.setPointerCapture(event.pointerId)
  })
  const onPointerMove = useCallbackRef((event: PointerEvent<HTMLElement>) => {
    const { current: drag } = held
    if (!drag) return
    const { anchor, bounds } = drag
    const day = Math.min(Math.max(dayUnder(event.clientX, drag.left, drag.width), bounds.first), bounds.last)
    if (drag.days === null && day === anchor) return
    const days = { first: Math.min(anchor, day), last: Math.max(anchor, day) }
    if (drag.days?.first === days.first && drag.days.last === days.last) return
    // Kept beside the state, which may be drawn only after the button is up.
    drag.days = days
    choose(drag.row, days)
  })
  const onPointerUp = useCallbackRef(() => {
    const drag = held.current
    held.current = null
    if (!drag?.days) return
    wasDragged.current = true
    const row = rows.get(drag.row)
    setSelection(null)
    if (row) onSelect?.(row, drag.days)
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
    if (isSide && shiftKey) return onSelect && cell.kind === 'free' ? () => extend(row, cell, step) : null
    if (isSide && selection) return cell.kind === 'free' ? () => shift(selection, boundsOf(cell), step) : null
    if (key === 'Escape') return selection ? giveUp : null
    if (key === 'Enter' || key === ' ') {
      if (!selection) return () => onPress(shown, cell)
      return () => {
        setSelection(null)
        onSelect?.(shown, selection)
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
      if (step === 1 && from <= cell.last) choose(row, { first: from, last: from })
      return
    }
    const last = Math.min(Math.max(selection.last + step, selection.first), bounds.last)
    choose(row, { first: selection.first, last })
  }
  function shift({ row, first, last }: Selection, bounds: Days, step: 1 | -1): void {
    if (first + step < bounds.first || last + step > bounds.last) return
    choose(row, { first: first + step, last: last + step })
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

const dayUnder = (x: number, left: number, width: number): number =>
  Math.min(Math.max(Math.floor(((x - left) / width) * daysShown), 0), daysShown - 1)
