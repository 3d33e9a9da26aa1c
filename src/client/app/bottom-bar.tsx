import { UnstyledButton } from '@mantine/core'
import { IconDots, IconScan } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router-dom'

import { unlockSound } from '../scanner/scan-feedback.ts'
import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { useRight } from '../api/session.ts'
import styles from './frame.module.css'
import { PlaceLink } from './place-link.tsx'
import type { Place } from './screens.tsx'

const MoreSheet = lazy(() => import('./more-sheet.tsx'))

/** A phone's five places, with the scanner in the middle for whoever lends or returns, and « Plus ». */
export function BottomBar({ open }: { open: readonly Place[] }) {
  const { pathname } = useLocation()
  const camera = useCameraAddress()
  const [isMore, setMore] = useState(false)
  const isCounter = useRight('LOANING_ADD', 'LOANING_RETURN')
  const links = open.slice(0, isCounter ? 3 : 4).map((place) => <PlaceLink key={place.path} place={place} />)
  return (
    <>
      <nav className={styles['bottom']} aria-label="Places">
        {links.slice(0, 2)}
        {isCounter ? (
          <UnstyledButton
            className={styles['scan'] ?? ''}
            onClick={() => {
              unlockSound()
              // The camera of the screen that has one, else the counter's.
              camera.open(
                /^\/(loaning\/|references\/add|inventories\/count|transfers|weeding\/cart)/.test(pathname)
                  ? pathname
                  : '/home',
              )
            }}
          >
            <IconScan size="1.75rem" aria-hidden />
            <span>Scanner</span>
          </UnstyledButton>
        ) : null}
        {links.slice(2)}
        <UnstyledButton
          className={styles['place'] ?? ''}
          aria-haspopup="dialog"
          aria-expanded={isMore}
          onClick={() => setMore(true)}
        >
          <IconDots size="1.5rem" stroke={1.75} aria-hidden />
          <span>Plus</span>
        </UnstyledButton>
      </nav>
      {isMore ? (
        <Suspense fallback={null}>
          <MoreSheet onClose={() => setMore(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
