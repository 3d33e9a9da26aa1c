import { useCallbackRef, useHotkeys, useWindowEvent } from '@mantine/hooks'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'

import styles from './beside-list.module.css'
import { Beside } from './beside.ts'
import { unlessCovered, useLoneKeys } from '../lone-keys.ts'
import { useOpenDetail } from './open-detail.ts'
import { usePreferences } from '../../page/preferences.ts'
import { useIsPhone } from '../screen-width.ts'
import { wasEscapeForOverlay } from '../overlay-open.ts'

type BesideListProps = {
  detail: ReactNode
  hasRoom: boolean
  /** Gets its width in rem, null on a phone, and tells how its rows are held. */
  list: (isBeside: boolean, room: number | null, hold: RefObject<() => void>) => ReactNode
}

export function BesideList({ detail, hasRoom, list }: BesideListProps) {
  const { close } = useOpenDetail()
  const { pathname } = useLocation()
  const isBeside = detail !== null && hasRoom
  const isAlone = detail !== null && !hasRoom
  const isPhone = useIsPhone()
  const isWide = usePreferences().is_panel_wide
  const [listPlace, width] = useWidth(!isPhone && !isAlone)
  const panel = useRef<HTMLElement>(null)
  const hold = useRef(nothingToHold)
  const beside = useMemo(() => ({ close, hold: () => hold.current() }), [close])
  // Each detail starts at its top.
  useLayoutEffect(() => {
    if (isBeside) panel.current?.scrollTo(0, 0)
    else if (isAlone) window.scrollTo(0, 0)
  }, [pathname, isBeside, isAlone])
  return (
    <div className={isBeside ? styles['both'] : undefined} data-wide={isWide || undefined}>
      {isAlone ? null : <div ref={listPlace}>{list(isBeside, isPhone ? null : width, hold)}</div>}
      {detail === null ? null : (
        <section
          ref={panel}
          aria-label="Fiche"
          data-detail
          className={isBeside ? styles['panel'] : undefined}
        >
          <Beside value={isBeside ? beside : null}>{detail}</Beside>
        </section>
      )}
    </div>
  )
}

const nothingToHold = () => undefined

/** Measured before the first picture, so that no column comes and goes. */
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

const fromRowToRow = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']

/**
 * J and K open the next and previous row, Escape closes; inside fields they need Alt. Where the keyboard goes through the rows, the
 * detail follows it, and the focus stays in the list.
 */
export function DetailKeys({ paths }: { paths: readonly string[] }): null {
  const { open, lead, close } = useOpenDetail()
  const { pathname } = useLocation()
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
  // Once it is up, because a key that is held down passes many rows.
  useWindowEvent('keyup', ({ key, target }) => {
    if (!fromRowToRow.includes(key) || !(target instanceof Element)) return
    const links = Array.from(target.closest('tbody tr')?.querySelectorAll('a') ?? [])
    const to = links.map((link) => link.pathname).find((path) => paths.includes(path))
    if (to !== undefined && to !== pathname) void lead(to)
  })
  useLoneKeys([
    ['J', next],
    ['K', previous],
  ])
  useHotkeys(
    [
      ['alt+J', unlessCovered(next)],
      ['alt+K', unlessCovered(previous)],
      ['Escape', onEscape, { preventDefault: false }],
    ],
    [],
  )
  return null
}

/** Shows an open detail's row once, and focuses it when that closes; call the answer after drawing rows. */
export function useRowInSight(opened: string | null): () => void {
  const row = useRef<Element | null>(null)
  const sought = useRef<string | null>(null)
  const look = useCallbackRef(() => {
    if (opened === null) return
    row.current = document.querySelector('tr[aria-current]')
    if (row.current === null || sought.current === opened) return
    sought.current = opened
    row.current.scrollIntoView?.({ block: 'nearest' })
  })
  const isOpen = opened !== null
  useEffect(() => look(), [opened, look])
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    return () => {
      sought.current = null
      const active = document.activeElement
      const isFree = active === null || active === document.body || active.closest('[data-detail]') !== null
      if (isFree && row.current?.isConnected) row.current.querySelector('a')?.focus({ preventScroll: true })
    }
  }, [isOpen])
  return look
}
