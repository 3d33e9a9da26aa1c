import { Anchor } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router-dom'

import { useRights, useSession } from '../api/session.ts'
import { useLibraryClock } from '../loans/use-today.ts'
import { startCounterWork } from '../outbox/counter-work.ts'
import { useInWords } from '../page/house-words.ts'
import { currentPreferences, usePreferences } from '../page/preferences.ts'
import { sayIgnored } from '../scanner/ignored-scan.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import { type ScanHandler, useScans } from '../scanner/scan-source.tsx'
import { keepNotTaken } from '../scanner/scans-not-taken.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { floatingPlace } from '../ui/floating-place.ts'
import { LibraryToday } from '../ui/library-today.ts'
import { isOverlayOpen } from '../ui/overlay-open.ts'
import { usePrinted } from '../ui/printing.ts'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { watchStaying } from '../ui/staying.ts'
import { BottomBar } from './bottom-bar.tsx'
import styles from './frame.module.css'
import { OpenSettings } from './open-settings.ts'
import { openPlaces, openSettings } from './screens.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { SideBar } from './side-bar.tsx'
import { TopBar } from './top-bar.tsx'

/** Sends the outbox, refreshes the device's data and keeps the screen lit for every signed-in screen. */
export function CounterProviders({ children }: { children: ReactNode }): ReactNode {
  const session = useSession()
  // The device works for the person, whatever profile they look at its screens by.
  const held = session?.user?.rights ?? []
  const isCounter = held.includes('LOANING_ADD') || held.includes('LOANING_RETURN')
  const isAtCounter = /^\/(home|loaning)(\/|$)/.test(useLocation().pathname)
  const person = session?.user?.id
  const site = session?.site?.id
  const { today } = useLibraryClock()
  const isReady = person !== undefined && site !== undefined
  useEffect(() => {
    if (person === undefined || site === undefined) return undefined
    return startCounterWork(site, isCounter)
  }, [person, site, isCounter])
  const counts = held.includes('INVENTORY')
  useEffect(() => (isReady ? startLater(loadWork, counts) : undefined), [isReady, person, site, counts])
  useEffect(() => (isCounter && isAtCounter ? startLater(loadAwake) : undefined), [isCounter, isAtCounter])
  return <LibraryToday value={today}>{children}</LibraryToday>
}

const loadWork = async () => (await import('./later-work.ts')).startLaterWork
const loadAwake = async () => (await import('../page/keep-awake.ts')).keepAwake

/** Starts what the first screen does not need; `load` and this answer how to stop it. */
function startLater<T extends unknown[]>(
  load: () => Promise<(...of: T) => () => void>,
  ...of: T
): () => void {
  let stop: (() => void) | undefined
  let isOver = false
  load().then(
    (start) => {
      if (!isOver) stop = start(...of)
    },
    () => undefined,
  )
  return () => {
    isOver = true
    stop?.()
  }
}

/** A card that no screen takes opens its reader; any other code, or one under a menu, is said to wait, as everywhere. */
function ScannedReaders(): null {
  const client = useQueryClient()
  const navigate = useNavigate()
  const rights = useSession()?.user?.rights ?? []
  const turn = useRef(0)
  const before = useRef<Promise<unknown>>(Promise.resolve())
  /** Until its reader is there: whoever stays for what is not saved has it in the bar. */
  const opening = useRef<Parameters<ScanHandler> | null>(null)
  const here = useLocation()
  useEffect(() => void (opening.current = null), [here])
  useEffect(
    () =>
      watchStaying(() => {
        if (opening.current) keepNotTaken(...opening.current)
        opening.current = null
      }),
    [],
  )
  const open: ScanHandler = (code, symbology, of) => {
    if (isOverlayOpen()) return void sayIgnored(code, { symbology, of })
    const own = ++turn.current
    const from = location.pathname
    const find = async () => {
      const { addressOfScannedReader } = await import('../find/open-scan.ts')
      return addressOfScannedReader(client, (right) => rights.includes(right), code, symbology)
    }
    const found = find().catch(() => null)
    // In the order in which they were read, whichever is found first.
    before.current = before.current
      .then(() => found)
      .then((to) => {
        // A later scan, another place or a dialog makes this answer void, but not the code.
        if (own !== turn.current || from !== location.pathname || isOverlayOpen())
          return keepNotTaken(code, symbology, of)
        if (to === null) return sayIgnored(code, { symbology, of })
        signalScan('success', currentPreferences())
        opening.current = [code, symbology, of]
        return navigate(to)
      })
      .catch(() => undefined)
    return before.current
  }
  useScans(open)
  return null
}

const SearchAnything = lazy(() => import('./search-anything.tsx'))
const HouseWords = lazy(() => import('./house-words.tsx'))
const SeenAsBand = lazy(() => import('./seen-as-band.tsx'))

/** A top bar and the places: a phone's bottom bar, a tablet's rail, a desktop's folding side bar. */
export function Frame() {
  // The words may come after the places were drawn with others.
  useInWords()
  const rights = useRights()
  const isSeenAs = useSession()?.seen_as != null
  const open = openPlaces(rights, useIsMultisite())
  const settings = useMemo(() => openSettings(rights), [rights])
  const { is_menu_folded, is_dense } = usePreferences()
  const isPhone = !useMediaQuery('(min-width: 768px)', true, atOnce)
  const isDesktop = useMediaQuery('(min-width: 1200px)', false, atOnce)
  const [isFinding, setFinding] = useState(false)
  const find = () => setFinding(true)
  return (
    <div
      className={styles['frame']}
      data-folded={is_menu_folded || undefined}
      data-dense={is_dense || undefined}
    >
      <Anchor href="#contenu" className={styles['skip']}>
        Aller au contenu
      </Anchor>
      <ScannedReaders />
      <TopBar onFind={find} />
      {isPhone ? null : <SideBar open={open} isDesktop={isDesktop} isFolded={is_menu_folded} />}
      <main id="contenu" className={styles['content']} tabIndex={-1}>
        {isSeenAs ? (
          <Suspense fallback={null}>
            <SeenAsBand />
          </Suspense>
        ) : null}
        <CounterProviders>
          <Printed />
          <Suspense fallback={<ScreenSkeleton />}>
            <OpenSettings value={settings}>
              <Outlet />
            </OpenSettings>
          </Suspense>
        </CounterProviders>
        <div ref={putFloatingPlace} />
      </main>
      {isPhone ? <BottomBar open={open} /> : null}
      <Suspense fallback={null}>
        <HouseWords />
      </Suspense>
      <Shortcuts onFind={find} />
      {isFinding ? (
        <Suspense fallback={null}>
          <SearchAnything onClose={() => setFinding(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** What is on its way to the printer. */
function Printed() {
  const { turn, sheet } = usePrinted()
  return sheet === null ? null : (
    <Suspense key={turn} fallback={null}>
      {sheet}
    </Suspense>
  )
}

/** Known before the first paint, so that nothing moves after it. */
const atOnce = { getInitialValueInEffect: false }

/** The element is kept, because a menu may be made while the page is away (page-away.ts). */
const putFloatingPlace = (place: HTMLElement | null) => place?.append(floatingPlace)
