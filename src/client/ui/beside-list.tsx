import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'

import styles from './beside-list.module.css'
import { Beside } from './beside.ts'
import { unlessCovered, useLoneKeys } from './lone-keys.ts'
import { useOpenDetail } from './open-detail.ts'
import { wasEscapeForOverlay } from './overlay-open.ts'

type BesideListProps = {
  /** What the address opens, null where it is the list's own. */
  detail: ReactNode
  /** Whether both have room; the detail is a page of its own otherwise. */
  hasRoom: boolean
  /** The list, told how wide it is beside a detail, in rem; null where it has the page for itself. */
  list: (room: number | null) => ReactNode
}

/** A list and the detail of one of its rows, side by side. */
export function BesideList({ detail, hasRoom, list }: BesideListProps) {
  const { close } = useOpenDetail()
  const { pathname } = useLocation()
  const isBeside = detail !== null && hasRoom
  const isAlone = detail !== null && !hasRoom
  const [listPlace, width] = useWidth(isBeside)
  const panel = useRef<HTMLElement>(null)
  // Each detail from its top on: the panel's own, or the page's.
  useLayoutEffect(() => {
    if (isBeside) panel.current?.scrollTo(0, 0)
    else if (isAlone) window.scrollTo(0, 0)
  }, [pathname, isBeside, isAlone])
  return (
    <div className={isBeside ? styles['both'] : undefined}>
      {isAlone ? null : <div ref={listPlace}>{list(isBeside ? width : null)}</div>}
      {detail === null ? null : (
        <section
          ref={panel}
          aria-label="Fiche"
          data-detail
          className={isBeside ? styles['panel'] : undefined}
        >
          <Beside value={isBeside ? close : null}>{detail}</Beside>
        </section>
      )}
    </div>
  )
}

/** Known before the first picture, so that no column comes and goes. */
function useWidth(isAsked: boolean) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    if (!isAsked || element === null) return
    const measure = () =>
      setWidth(element.clientWidth / parseFloat(getComputedStyle(document.documentElement).fontSize))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [isAsked])
  return [place, width] as const
}

/** The keys of an open detail: J and K open the rows around its own, Escape closes it. Alone outside of fields, with Alt in them as well. */
export function DetailKeys({ paths }: { paths: readonly string[] }): null {
  const { open, close } = useOpenDetail()
  const { pathname } = useLocation()
  const alone = useLoneKeys()
  const at = paths.indexOf(pathname)
  const go = (to: number) => () => {
    const path = paths[to]
    if (path !== undefined) void open(path)
  }
  const next = go(at + 1)
  const previous = go(at - 1)
  const onEscape = (event: KeyboardEvent) => {
    if (!event.defaultPrevented && !wasEscapeForOverlay()) close()
  }
  useHotkeys([
    ['J', alone(next)],
    ['K', alone(previous)],
  ])
  useHotkeys(
    [
      ['alt+J', unlessCovered(next)],
      ['alt+K', unlessCovered(previous)],
      ['Escape', onEscape, { preventDefault: false }],
    ],
    [],
  )
  useRowInSight(pathname, at >= 0)
  return null
}

/** Keeps the open row in sight, and gives it the focus once its detail is closed, unless somebody is busy in the list. */
function useRowInSight(pathname: string, isListed: boolean): void {
  const row = useRef<Element | null>(null)
  useLayoutEffect(() => {
    row.current = document.querySelector('tr[aria-current]')
    row.current?.scrollIntoView?.({ block: 'nearest' })
  }, [pathname, isListed])
  useLayoutEffect(
    () => () => {
      const active = document.activeElement
      const isFree = active === null || active === document.body || active.closest('[data-detail]') !== null
      if (isFree && row.current?.isConnected) row.current.querySelector('a')?.focus({ preventScroll: true })
    },
    [],
  )
}
