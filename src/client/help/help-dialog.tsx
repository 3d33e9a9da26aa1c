import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useRef } from 'react'
import { useLocation, matchPath } from 'react-router-dom'

import { useConnection } from '../api/connection.ts'
import { inWords } from '../page/house-words.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { catalogueHelp } from './catalogue-help.ts'
import { counterHelp } from './counter-help.ts'
import { followHelp } from './follow-help.ts'
import { KeysTable } from './keys-table.tsx'
import { listsHelp } from './lists-help.ts'
import { readerHelp } from './reader-help.ts'
import type { HelpOfScreens, ScreenHelp } from './screen-help.ts'
import { settingsHelp } from './settings-help.ts'
import { statisticsHelp } from './statistics-help.ts'

export const helpOfScreens: HelpOfScreens = {
  ...counterHelp,
  ...readerHelp,
  ...catalogueHelp,
  ...followHelp,
  ...statisticsHelp,
  ...settingsHelp,
  ...listsHelp,
}

/** Help of the screen at an address; none where there is no such screen. */
export const helpAt = (pathname: string): ScreenHelp | undefined =>
  Object.entries(helpOfScreens).find(([path]) => matchPath(path, pathname))?.[1]

const coarsePointer = '(pointer: coarse)'

/** « Aide »: the screen in a few sentences, the keys, and where to read more. */
export default function HelpDialog({ onClose }: { onClose: () => void }) {
  const help = helpAt(useLocation().pathname)
  const isClosing = useRef(false)
  // Where there is most likely no keyboard, its keys come last.
  const isTouched = useMediaQuery(coarsePointer, matchMedia(coarsePointer).matches)
  // Going back takes a moment, and a second Escape would leave the screen.
  const close = () => {
    if (!isClosing.current) onClose()
    isClosing.current = true
  }
  return (
    <Dialog title="Aide" size="lg" onClose={close}>
      <Stack gap="lg">
        {help ? (
          <Stack gap="xs" component="section">
            <Title order={3} size="h4">
              {inWords(help.title)}
            </Title>
            {help.says.map((sentence) => (
              <Text key={sentence}>{quotedInWords(sentence)}</Text>
            ))}
          </Stack>
        ) : null}
        {isTouched ? <ReadMore /> : null}
        <section>
          <Title order={3} size="h4">
            Raccourcis du clavier
          </Title>
          <KeysTable />
        </section>
        {isTouched ? null : <ReadMore />}
      </Stack>
    </Dialog>
  )
}

/** In another window, because a half-made loan stays where it is. */
function ReadMore() {
  const isOffline = useConnection() === 'offline'
  return (
    <Group gap="lg">
      {isOffline ? (
        <Text c="dimmed">Le guide se lit avec le réseau.</Text>
      ) : (
        <Anchor href="/guide/index.html" target="_blank">
          Le guide, tâche par tâche
        </Anchor>
      )}
      <Anchor href="/accessibility" target="_blank">
        Déclaration d’accessibilité
      </Anchor>
    </Group>
  )
}

/** What stands between « and » names a button here, which says the library's words too. */
const quotedInWords = (sentence: string): string =>
  sentence
    .split(/([«»])/)
    .map(inWords)
    .join('')
