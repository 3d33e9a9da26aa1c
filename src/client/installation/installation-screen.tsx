import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCopy, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import { getInstallation } from '../../contract/installation.ts'
import {
  type Check,
  type CheckState,
  clockCheck,
  inOrder,
  stateWords,
  textOfChecks,
} from '../../domain/installation-checks.ts'
import { call } from '../api/call.ts'
import { copyText } from '../ui/copy-text.ts'
import { Page } from '../ui/page.tsx'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { ErrorState } from '../ui/states.tsx'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'
import styles from './installation.module.css'
import { SharedCodes } from './shared-codes.tsx'

const title = 'État de l’installation'
const tones: Record<CheckState, Tone> = { fine: 'good', look: 'warn', wrong: 'bad', unknown: 'quiet' }

/** Paramètres: what is well with the server and what is not, for the administrator and for whoever helps them. */
export default function InstallationScreen() {
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({
    queryKey: ['installation', getInstallation.name],
    queryFn: ({ signal }) => call(getInstallation, { signal }),
    // An administrator who comes back after a repair must not read the state before it.
    staleTime: 0,
  })
  if (!data) {
    if (!error) return <ScreenSkeleton />
    return (
      <Page title={title}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  const { at, version } = data
  const checks = inOrder([
    ...data.checks,
    clockCheck('browser_clock', dataUpdatedAt - new Date(at).getTime()),
  ])
  const text = textOfChecks(checks, { version, at: frenchInstant(at) })
  return (
    <Page title={title}>
      <Stack maw="46rem">
        <Text c="dimmed">
          {`Comptoir ${version}, le ${frenchInstant(at)}. Le texte à copier ne nomme personne et ne tient aucun secret\u202f: envoyez-le à qui vous aide.`}
        </Text>
        <Group>
          {/* Browsers give no clipboard to pages that come without HTTPS. */}
          {'clipboard' in navigator ? (
            <Button
              leftSection={<IconCopy size="1.2em" aria-hidden />}
              onClick={() => void copyText(text, 'État copié.')}
            >
              Copier
            </Button>
          ) : null}
          <Button
            variant="default"
            leftSection={<IconRefresh size="1.2em" aria-hidden />}
            loading={isFetching}
            onClick={() => void refetch()}
          >
            Regarder de nouveau
          </Button>
        </Group>
        <ul className={`panel ${styles['list']}`}>
          {checks.map((check) => (
            <Row key={check.id} check={check} />
          ))}
        </ul>
        <SharedCodes />
        {'clipboard' in navigator ? null : <pre className={`panel ${styles['text']}`}>{text}</pre>}
      </Stack>
    </Page>
  )
}

const Row = ({ check: { id, label, state, fact, advice } }: { check: Check }) => (
  <li className={styles['row']}>
    <Title order={2} size="h5">
      {label}
    </Title>
    <StatusTag tone={tones[state]}>{stateWords[state]}</StatusTag>
    <Text className={styles['fact'] ?? ''}>{fact}</Text>
    {advice === null ? null : (
      <Text className={styles['fact'] ?? ''} c="dimmed">
        {advice}{' '}
        {id === 'mail' ? (
          <Anchor inherit underline="always" href="/guide/mails.html" target="_blank">
            Comment brancher le courrier
          </Anchor>
        ) : null}
      </Text>
    )}
  </li>
)
