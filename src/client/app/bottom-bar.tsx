import { UnstyledButton } from '@mantine/core'
import { IconDots, IconScan } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { matchPath, useLocation } from 'react-router-dom'

import { useCameraAddress } from '../scanner/use-camera-address.ts'
import { useRight } from '../api/session.ts'
import styles from './frame.module.css'
import { PlaceLink } from './place-link.tsx'
import { type MenuPlace, screens } from './screens.tsx'

const MoreSheet = lazy(() => import('./more-sheet.tsx'))

/** A phone's five places, with the scanner in the middle for whoever lends or returns, and « Plus ». */
export function BottomBar({ open }: { open: readonly MenuPlace[] }) {
  const { pathname } = useLocation()
  const camera = useCameraAddress()
  const hasCamera = screens.some((screen) => screen.hasCamera && matchPath(screen.path, pathname))
  const [isMore, setMore] = useState(false)
  const isCounter = useRight('LOANING_ADD', 'LOANING_RETURN')
  const inBar = open.slice(0, isCounter ? 3 : 4)
  const links = inBar.map((place) => <PlaceLink key={place.path} place={place} />)
  return (
    <>
      <nav className={styles['bottom']} aria-label="Places">
        {links.slice(0, 2)}
        {isCounter ? (
          <UnstyledButton
            className={styles['scan'] ?? ''}
            onClick={() => camera.open(hasCamera ? pathname : '/home')}
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
          <MoreSheet inBar={inBar} onClose={() => setMore(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
