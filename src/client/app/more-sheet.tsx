import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconHelp, IconSearch } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { NavLink } from 'react-router-dom'

import { useRights } from '../api/session.ts'
import { useHelpAddress } from '../help/help-address.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { EmptyState } from '../ui/states.tsx'
import styles from './more-sheet.module.css'
import { findScreens, wherein } from './screens.tsx'
import { inWords } from '../page/house-words.ts'

/** « Plus » of a phone: every screen, each of the settings once it is searched. */
export default function MoreSheet({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const found = findScreens(useRights(), useIsMultisite(), typed)
  const help = useHelpAddress()
  const shown = typed.trim() === '' ? found.filter((screen) => !('section' in screen)) : found
  return (
    <Sheet title="Tous les écrans" position="bottom" size="85dvh" onClose={onClose}>
      <Stack gap="sm">
        <TextInput
          type="search"
          label="Rechercher un écran"
          autoComplete="off"
          leftSection={<IconSearch size="1.2rem" aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {typed.trim() === '' ? (
          <UnstyledButton
            className={styles['row'] ?? ''}
            aria-haspopup="dialog"
            onClick={() => {
              onClose()
              help.open()
            }}
          >
            <span className={styles['icon']}>
              <IconHelp size="1.5rem" stroke={1.75} aria-hidden />
            </span>
            <span className={styles['label']}>Aide de cet écran</span>
          </UnstyledButton>
        ) : null}
        {shown.length === 0 ? <EmptyState message="Aucun écran ne porte ce nom." /> : null}
        <nav aria-label="Tous les écrans">
          {shown.map((screen) => (
            <NavLink key={screen.path} to={screen.path} end className={styles['row'] ?? ''} onClick={onClose}>
              <span className={styles['icon']}>
                {'Icon' in screen ? <screen.Icon size="1.5rem" stroke={1.75} aria-hidden /> : null}
              </span>
              <span className={styles['label']}>{inWords(screen.label)}</span>
              {'Count' in screen && screen.Count ? (
                <Suspense fallback={null}>
                  <screen.Count />
                </Suspense>
              ) : null}
              {'section' in screen ? (
                <Text span size="sm" c="dimmed">
                  {wherein(screen)}
                </Text>
              ) : null}
              <IconChevronRight size="1.2rem" className={styles['end']} aria-hidden />
            </NavLink>
          ))}
        </nav>
      </Stack>
    </Sheet>
  )
}
