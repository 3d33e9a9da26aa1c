import { Anchor } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Outlet } from 'react-router-dom'

import { useRights, useSession } from '../api/session.ts'
import { floatingPlace } from '../ui/floating-place.ts'
import { usePrinted } from '../ui/printing.ts'
import { useInWords } from '../page/house-words.ts'
import { usePreferences } from '../page/preferences.ts'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { CounterProviders } from './counter-providers.tsx'
import styles from './frame.module.css'
import { OpenSettings } from './open-settings.ts'
import { ScannedReaders } from './scanned-readers.tsx'
import { useIsMultisite } from '../settings/multisite.ts'
import { openPlaces, openSettings } from './screens.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { SideBar } from './side-bar.tsx'
import { TopBar } from './top-bar.tsx'

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
  const { is_menu_folded } = usePreferences()
  const isPhone = !useMediaQuery('(min-width: 768px)', true, atOnce)
  const isDesktop = useMediaQuery('(min-width: 1200px)', false, atOnce)
  const [isFinding, setFinding] = useState(false)
  const find = () => setFinding(true)
  return (
    <div className={styles['frame']} data-folded={is_menu_folded || undefined}>
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

/** Known before the first picture, so that nothing moves after it. */
const atOnce = { getInitialValueInEffect: false }

/** The element is kept, because a menu may be made while the page is away (page-away.ts). */
const putFloatingPlace = (place: HTMLElement | null) => place?.append(floatingPlace)
