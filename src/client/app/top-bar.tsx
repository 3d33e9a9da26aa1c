import { Button, Menu, UnstyledButton } from '@mantine/core'
import {
  IconBuildingCommunity,
  IconCloudOff,
  IconLogout,
  IconUserCircle,
  IconWifi,
} from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router-dom'

import { useConnection } from '../api/connection.ts'
import { useSession } from '../session/session.ts'
import { useChangeSite } from '../session/site-gate.tsx'
import { useSignOut } from '../session/use-sign-out.ts'
import { useParameter } from '../settings/parameter-data.ts'
import styles from './top-bar.module.css'
import { WaitingBadge } from './waiting-badge.tsx'

/** Role, organisation and site; whether the server answers; what waits, one tap away. */
export function TopBar() {
  const session = useSession()
  const organisation = useParameter('work_council')
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <header className={styles['bar']}>
      <Link
        to="/home"
        className={styles['brand'] ?? ''}
        aria-label={`${organisation ?? 'Comptoir'}, accueil`}
      >
        <img src="/icons/icon.svg" alt="" width="32" height="32" />
        <span className={styles['name']}>{organisation ?? 'Comptoir'}</span>
      </Link>
      <Site />
      <span className={styles['space']} />
      <ConnectionState />
      <Menu position="bottom-end" width="16rem">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            c="inherit"
            px="xs"
            flex="none"
            aria-label={`${session?.user?.role ?? ''}\u202f: ${session?.user?.username ?? ''}, mon compte et déconnexion`}
          >
            <IconUserCircle size="1.6rem" stroke={1.6} aria-hidden />
            <span className={styles['role']}>{session?.user?.role}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconUserCircle size="1.2em" aria-hidden />}
            onClick={() => void navigate('/account')}
          >
            Mon compte
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size="1.2em" aria-hidden />} onClick={() => void signOut()}>
            Se déconnecter
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </header>
  )
}

/** The current site, where there are several; a button for whoever may choose another. */
function Site() {
  const site = useSession()?.site
  const isMultisite = useParameter('multisite') === '1'
  const changeSite = useChangeSite()
  if (!site || (!isMultisite && !changeSite)) return null
  const content = (
    <>
      <IconBuildingCommunity size="1.1em" aria-hidden />
      <span>{site.name}</span>
    </>
  )
  return changeSite ? (
    <UnstyledButton
      className={`${styles['site']} ${styles['change']}`}
      title="Changer de site"
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
  return (
    <>
      <WaitingBadge />
      <span role="status" className={styles['state'] ?? ''}>
        {connection === 'offline' ? (
          <span className="tag" data-tone="warn">
            <IconCloudOff size="1.1em" aria-hidden />
            <span className={styles['offline']}>Hors ligne</span>
          </span>
        ) : (
          <span className={`tag ${styles['online']}`} data-tone="quiet">
            <IconWifi size="1.1em" aria-hidden />
            <span className={styles['word']}>En ligne</span>
          </span>
        )}
      </span>
    </>
  )
}
