import { Anchor, UnstyledButton } from '@mantine/core'
import { IconDots, IconScan } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router-dom'

import { useSession } from '../session/session.ts'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { CounterProviders } from './counter-providers.tsx'
import styles from './frame.module.css'
import { openPlaces, type Place } from './places.ts'
import { Shortcuts } from './shortcuts.tsx'
import { TopBar } from './top-bar.tsx'

/** Top bar and places: a bottom bar on a phone, a rail on a tablet, a side bar by groups on a desktop. */
export function Frame() {
  const rights = useSession()?.user?.rights ?? []
  const open = openPlaces(rights)
  const groups = [...new Set(open.map(({ group }) => group))]
  return (
    <div className={styles['frame']}>
      <Anchor href="#contenu" className={styles['skip']}>
        Aller au contenu
      </Anchor>
      <TopBar />
      <nav className={styles['side']} aria-label="Écrans">
        {groups.map((group) => (
          <div key={group} className={styles['group']}>
            <span className={styles['groupName']}>{group}</span>
            {open
              .filter((place) => place.group === group)
              .map((place) => (
                <PlaceLink key={place.to} place={place} />
              ))}
          </div>
        ))}
      </nav>
      <main id="contenu" className={styles['content']} tabIndex={-1}>
        <CounterProviders>
          <Suspense fallback={<ScreenSkeleton />}>
            <Outlet />
          </Suspense>
        </CounterProviders>
        <div id="floating" />
      </main>
      <BottomBar open={open} />
      <Shortcuts />
    </div>
  )
}

function PlaceLink({ place: { to, label, Icon } }: { place: Place }) {
  return (
    <NavLink to={to} className={styles['place'] ?? ''}>
      <Icon size="1.5rem" stroke={1.75} aria-hidden />
      <span>{label}</span>
    </NavLink>
  )
}

/** Five places on a phone, the scanner raised in the middle; « Plus » holds the rest. */
function BottomBar({ open }: { open: readonly Place[] }) {
  const navigate = useNavigate()
  const [isMore, setMore] = useState(false)
  const { pathname } = useLocation()
  const more = useRef<HTMLDivElement>(null)
  useEffect(() => setMore(false), [pathname])
  useEffect(() => {
    if (isMore) more.current?.querySelector('a')?.focus()
  }, [isMore])
  const find = (to: string) => open.find((place) => place.to === to)
  const [home, lend, back] = [find('/home'), find('/loaning/add'), find('/loaning/return')]
  const rest = open.filter((place) => ![home, lend, back].includes(place))
  return (
    <nav
      className={styles['bottom']}
      aria-label="Places"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isMore) return
        event.preventDefault()
        setMore(false)
      }}
    >
      {isMore ? (
        <div className={styles['more']} ref={more}>
          {rest.map((place) => (
            <PlaceLink key={place.to} place={place} />
          ))}
        </div>
      ) : null}
      {home ? <PlaceLink place={home} /> : null}
      {lend ? <PlaceLink place={lend} /> : null}
      {lend || back ? (
        <UnstyledButton className={styles['scan'] ?? ''} onClick={() => void navigate('/home?scanner=1')}>
          <IconScan size="1.75rem" aria-hidden />
          <span>Scanner</span>
        </UnstyledButton>
      ) : null}
      {back ? <PlaceLink place={back} /> : null}
      <UnstyledButton
        className={styles['place'] ?? ''}
        aria-expanded={isMore}
        onClick={() => setMore((shown) => !shown)}
      >
        <IconDots size="1.5rem" stroke={1.75} aria-hidden />
        <span>Plus</span>
      </UnstyledButton>
    </nav>
  )
}
