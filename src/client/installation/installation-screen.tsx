import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCopy, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { type CodeHolder, getInstallation, listSharedCodes } from '../../contract/installation.ts'
import {
  type Check,
  type CheckState,
  clockCheck,
  inOrder,
  stateWords,
  textOfChecks,
} from '../../domain/installation-checks.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { copyText } from '../ui/copy-text.ts'
import { Page } from '../ui/page.tsx'
import { ErrorState } from '../ui/states.tsx'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import styles from './installation.module.css'

/** Codes that a scan may take for another thing, from before they were refused. */
function SharedCodes() {
  const { data, error, refetch } = useQuery({
    queryKey: ['installation', listSharedCodes.name],
    queryFn: ({ signal }) => call(listSharedCodes, { signal }),
    staleTime: 0,
  })
  if (!data) return error ? <ErrorState error={error} onRetry={refetch} /> : null
  const { total, codes } = data
  const rest = total - codes.length
  return (
    <section className="panel">
      <Title order={2} size="h4" mb="xs">
        Codes qui nomment plusieurs choses
      </Title>
      <Text>
        {total === 0
          ? 'Aucun\u202f: chaque code lu au comptoir ne désigne qu’une chose.'
          : `${counted(total, 'code nomme', 'codes nomment')} plusieurs choses, et un scan peut prendre l’une pour l’autre. Gardez-le à l’une, et donnez un autre code aux autres.`}
      </Text>
      <ul>
        {codes.map(({ code, holders }) => (
          <li key={code} className={styles['row']}>
            <strong>{code}</strong>
            <ul className={`marked ${styles['fact']}`}>
              {holders.map((holder) => (
                <li key={`${holder.kind} ${holder.written}`}>
                  <Holder holder={holder} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <Text c="dimmed">{`Et ${counted(rest, 'autre', 'autres')}, qui viendront ici ensuite.`}</Text>
      ) : null}
    </section>
  )
}

const placeOf = { copy: '/references/view', reader: '/beneficiaries/view', relative: '/beneficiaries/view' }

function Holder({ holder: { kind, written, name, leads_to } }: { holder: CodeHolder }) {
  const [mayOpenTitles, mayOpenReaders] = [useRight('LIST_REFERENCES'), useRight('LIST_BENEFICIARIES')]
  const mayOpen = kind === 'copy' ? mayOpenTitles : mayOpenReaders
  const words = wordsOf[kind](name)
  return (
    <>
      {written},{' '}
      {kind !== 'location' && leads_to !== null && mayOpen ? (
        <Link to={`${placeOf[kind]}/${leads_to}`}>{words}</Link>
      ) : (
        words
      )}
    </>
  )
}

const elsewhere = 'd’un autre site'

const wordsOf: Record<CodeHolder['kind'], (name: string | null) => string> = {
  copy: (name) => `${inWords('un exemplaire')} ${name === null ? elsewhere : `de «\u00a0${name}\u00a0»`}`,
  location: (name) => `${inWords('l’emplacement')} «\u00a0${name ?? ''}\u00a0»`,
  reader: () => inWords('la carte d’un lecteur'),
  relative: () => inWords('la carte d’un proche'),
}

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
  if (!data) return <UnreadScreen title={title} error={error} onRetry={refetch} />
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
        <ul className="panel">
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
