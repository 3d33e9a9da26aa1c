import { ActionIcon, Button, Group, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { useScans } from '../scanner/scan-source.tsx'
import AwaitedCopy from '../reservations/awaited-copy.tsx'
import { ScanLine } from '../ui/forms/scan-line.tsx'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { counted } from '../ui/words.ts'
import styles from './arrival-scans.module.css'
import { type Arrival, useArrivals } from './use-arrivals.ts'
import { inWords } from '../page/house-words.ts'

const leaving = {
  title: 'Quitter sans attendre la réponse\u202f?',
  message: 'Des exemplaires scannés ne sont pas encore reçus.',
}

/** Scans what arrives, each received at once; what is not for here says so on its line. */
export function ArrivalScans() {
  const { lines, take, again, dismiss, isUnfinished } = useArrivals()
  useScans(take)
  useUnsavedGuard(isUnfinished, leaving)
  const [latest] = lines
  const received = lines.filter(({ state }) => state === 'received').length
  return (
    <section className={`panel ${styles['scans']}`} aria-labelledby="arrivals">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" id="arrivals">
          Scanner ce qui arrive
        </Title>
        {received > 0 ? <Text c="dimmed">{counted(received, 'reçu', 'reçus')}</Text> : null}
      </Group>
      <ScanLine
        label={inWords('Code-barres de ce qui arrive')}
        action="Recevoir"
        notice={
          latest
            ? { signal: latest.state === 'received' ? 'success' : 'warning', text: lineOf(latest) }
            : null
        }
        onCode={take}
      />
      <div aria-live="polite">
        {lines.length > 0 ? (
          <ul className={styles['lines']} aria-label={inWords('Exemplaires scannés')}>
            {lines.map((line) => (
              <ArrivalLine
                key={line.key}
                line={line}
                onAgain={() => again(line.key)}
                onDismiss={() => dismiss(line.key)}
              />
            ))}
          </ul>
        ) : null}
      </div>
    </section>
  )
}

const lineOf = ({ copy, code, words }: Arrival): string => `${copy?.name ?? code}\u202f: ${words}`

const tones: Record<Arrival['state'], { tone: Tone; word: string }> = {
  asked: { tone: 'wait', word: 'Recherche…' },
  received: { tone: 'good', word: 'Reçu' },
  refused: { tone: 'bad', word: 'Non reçu' },
  unanswered: { tone: 'warn', word: 'Sans réponse' },
}

type ArrivalLineProps = { line: Arrival; onAgain: () => void; onDismiss: () => void }

function ArrivalLine({ line, onAgain, onDismiss }: ArrivalLineProps) {
  const { copy, code, state, words, awaited } = line
  const { tone, word } = tones[state]
  const title = copy?.name ?? code
  return (
    <li>
      <StatusTag tone={tone}>{state === 'received' ? words : word}</StatusTag>
      <span className={styles['what']}>
        <Text span fw={600}>
          {title}
        </Text>{' '}
        {copy ? (
          <Text span c="dimmed" size="sm">
            {copy.bar_code}
          </Text>
        ) : null}
        {state === 'refused' || state === 'unanswered' ? (
          <Text size="sm" c={`var(--${state === 'refused' ? 'bad' : 'warn'}-ink)`}>
            {words}
          </Text>
        ) : null}
        {copy && awaited ? (
          <AwaitedCopy
            of={line.key}
            copy={copy.id}
            bar_code={copy.bar_code}
            title={copy.name}
            awaited={awaited}
            isRecorded
          />
        ) : null}
      </span>
      {state === 'unanswered' ? (
        <Button variant="default" onClick={onAgain}>
          Réessayer
        </Button>
      ) : null}
      {state === 'refused' ? (
        <ActionIcon aria-label={`Masquer\u202f: ${title}`} onClick={onDismiss} c="dimmed">
          <IconX size="1.2rem" aria-hidden />
        </ActionIcon>
      ) : null}
    </li>
  )
}
