import { Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconHelp, IconSearch } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { NavLink } from 'react-router-dom'

import { useRights } from '../api/session.ts'
import { useHelpAddress } from '../help/help-address.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { Sheet } from '../ui/dialogs/sheet.tsx'
import { EmptyState } from '../ui/states.tsx'
import styles from './more-sheet.module.css'
import { findScreens, type Group, groups, type MenuPlace, screens, wherein } from './screens.tsx'
import { inWords } from '../page/house-words.ts'

type Found = ReturnType<typeof findScreens>[number]
type MoreSheetProps = { inBar: readonly MenuPlace[]; onClose: () => void }

/** « Plus » of a phone: by groups what the bar has not, and every screen, each of the settings too, once one is searched. */
export default function MoreSheet({ inBar, onClose }: MoreSheetProps) {
  const [typed, setTyped] = useState('')
  const found = findScreens(useRights(), useIsMultisite(), typed)
  const help = useHelpAddress()
  const isSearched = typed.trim() !== ''
  const shown = isSearched
    ? found
    : found.filter((screen) => !('section' in screen) && !inBar.some(({ path }) => path === screen.path))
  const groupOf = (screen: Found): Group | null => {
    if (isSearched) return null
    const over = screens.find(({ path }) => path === screen.under)
    return 'group' in screen ? screen.group : over && 'group' in over ? over.group : 'Réglages'
  }
  const named = isSearched ? [null] : (Object.keys(groups) as Group[])
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
        {isSearched ? null : (
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
        )}
        {shown.length === 0 ? <EmptyState message="Aucun écran ne porte ce nom." /> : null}
        <nav aria-label="Tous les écrans">
          {named
            .filter((group) => shown.some((screen) => groupOf(screen) === group))
            .map((group) => (
              <section key={group}>
                {group === null ? null : (
                  <Title order={3} className={styles['group'] ?? ''}>
                    {inWords(group)}
                  </Title>
                )}
                {shown
                  .filter((screen) => groupOf(screen) === group)
                  .map((screen) => (
                    <Row key={screen.path} screen={screen} onClose={onClose} />
                  ))}
              </section>
            ))}
        </nav>
      </Stack>
    </Sheet>
  )
}

function Row({ screen, onClose }: { screen: Found; onClose: () => void }) {
  return (
    <NavLink to={screen.path} end className={styles['row'] ?? ''} onClick={onClose}>
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
  )
}
