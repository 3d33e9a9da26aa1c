import { Button, UnstyledButton } from '@mantine/core'
import {
  IconBuildingCommunity,
  IconCloudDownload,
  IconCloudOff,
  IconHelp,
  IconSearch,
  IconUserCircle,
  IconWifi,
} from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'

import { accountName } from '../../domain/person-names.ts'
import { useConnection, useIsConnectionTold } from '../api/connection.ts'
import { useSession } from '../api/session.ts'
import { useHelpAddress } from '../help/help-address.ts'
import { useChangeSite } from '../session/site-gate.tsx'
import { useNotTaken } from '../scanner/scans-not-taken.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { useTextParameter } from '../settings/parameter-data.ts'
import { shareOf, usePreparation } from '../outbox/counter-work.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useMenuButton } from '../ui/menu-button.ts'
import styles from './top-bar.module.css'
import { WaitingBadge } from './waiting-badge.tsx'
import { inWords } from '../page/house-words.ts'

const AccountMenu = lazyPart(() => import('./account-menu.tsx'))
const NotTakenMenu = lazy(() => import('./not-taken-menu.tsx'))

/** Role, organisation and site; whether the server answers; what waits, one tap away. */
export function TopBar({ onFind }: { onFind: () => void }) {
  const user = useSession()?.user
  const name = user ? accountName(user) : ''
  const organisation = useTextParameter('work_council')
  const { button, attributes, of } = useMenuButton()
  const help = useHelpAddress()
  return (
    <header className={styles['bar']}>
      <div className={styles['place']}>
        <Link
          to="/home"
          className={styles['brand'] ?? ''}
          aria-label={`${organisation ?? 'Comptoir'}, accueil`}
        >
          <img src="/icons/icon.svg" alt="" width="32" height="32" />
          <span className={styles['name']} title={organisation ?? undefined}>
            {organisation ?? 'Comptoir'}
          </span>
        </Link>
        <Site />
      </div>
      <UnstyledButton
        className={styles['find'] ?? ''}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        title="Rechercher partout (Ctrl K)"
        onClick={onFind}
      >
        <IconSearch size="1.3rem" aria-hidden />
        <span className={styles['findWord']}>Rechercher partout</span>
        <kbd className={styles['findKey']} aria-hidden>
          Ctrl K
        </kbd>
      </UnstyledButton>
      <div className={styles['beside']}>
        <ConnectionState />
        <UnstyledButton
          className={styles['help'] ?? ''}
          aria-label="Aide"
          aria-haspopup="dialog"
          aria-keyshortcuts="Alt+A"
          title="Aide (Alt A)"
          onClick={help.open}
        >
          <IconHelp size="1.4rem" stroke={1.6} aria-hidden />
        </UnstyledButton>
        <Button
          ref={button}
          {...attributes}
          variant="subtle"
          color="gray"
          c="inherit"
          px="xs"
          flex="none"
          aria-label={`${user?.role ?? ''}\u202f: ${name}, mon compte et déconnexion`}
        >
          <IconUserCircle size="1.6rem" stroke={1.6} aria-hidden />
          <span className={styles['role']}>{user?.role}</span>
        </Button>
        <AccountMenu of={of} name={name} about={[user?.role, organisation].filter(Boolean).join(' · ')} />
      </div>
    </header>
  )
}

/** The current site of a library with several; a button for whoever may choose another. */
function Site() {
  const site = useSession()?.site
  const isMultisite = useIsMultisite()
  const changeSite = useChangeSite()
  if (!site || !isMultisite) return null
  const content = (
    <>
      <IconBuildingCommunity size="1.1em" aria-hidden />
      <span>{site.name}</span>
    </>
  )
  return changeSite ? (
    <UnstyledButton
      className={`${styles['site']} ${styles['change']}`}
      title={inWords('Changer de site')}
      onClick={changeSite}
    >
      {content}
    </UnstyledButton>
  ) : (
    <span className={styles['site']}>{content}</span>
  )
}

function ConnectionState() {
  const connection = useConnection()
  const hasNotTaken = useNotTaken().length > 0
  return (
    <>
      {hasNotTaken ? (
        <Suspense fallback={null}>
          <NotTakenMenu />
        </Suspense>
      ) : null}
      <WaitingBadge />
      <span role="status" className={styles['state'] ?? ''}>
        {connection === 'offline' ? (
          <span key="offline" className="tag toned" data-tone="warn">
            <IconCloudOff size="1.1em" aria-hidden />
            <span className={styles['offline']}>Hors ligne</span>
          </span>
        ) : (
          <Online />
        )}
      </span>
    </>
  )
}

/** While the device gets ready to work off line, how far it is; then that the server answers. Until both are known only their place. */
function Online() {
  const preparation = usePreparation()
  const isKnown = useIsConnectionTold() && preparation !== undefined
  if (!preparation) {
    return (
      <span
        key="online"
        className="tag toned"
        data-tone="quiet"
        style={isKnown ? undefined : { visibility: 'hidden' }}
      >
        <IconWifi size="1.1em" aria-hidden />
        <span className={styles['word']}>En ligne</span>
      </span>
    )
  }
  const share = shareOf(preparation)
  return (
    <span
      key="preparing"
      className={`tag toned ${styles['preparing']}`}
      data-tone="wait"
      title={`Préparation du travail hors ligne\u202f: ${share}`}
    >
      <IconCloudDownload size="1.1em" aria-hidden />
      <span className={styles['word']}>Préparation du travail hors ligne&#8239;:</span>
      <span className={styles['share']}>{share}</span>
    </span>
  )
}
