import { Button, Text, Title, VisuallyHidden } from '@mantine/core'

import { takeOut } from '../../contract/weeding.ts'
import { useChange } from '../api/queries.ts'
import { sayError } from '../page/messages.ts'
import { useScans } from '../scanner/scan-source.tsx'
import { ScanLine as CodeLine } from '../ui/forms/scan-line.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import type { CartScans as CartScansOfDevice, ScanLine } from './use-cart-scans.ts'
import styles from './weeding.module.css'
import { verdictWords } from './weeding-words.ts'

const leaving = {
  title: 'Quitter sans attendre la réponse\u202f?',
  message: 'Des exemplaires scannés ne sont pas encore au panier.',
}

/** Where one walks along the shelves: what is scanned goes into the cart, or says why it does not. */
export function CartScans({ scans }: { scans: CartScansOfDevice }) {
  const { lines, take, again, forget, isUnfinished } = scans
  const taking = useChange(takeOut)
  useScans(take)
  useUnsavedGuard(isUnfinished, leaving)
  const [latest] = lines
  const undo = (copy: number) =>
    taking.mutateAsync({ params: { id: copy } }).then(
      () => forget([copy]),
      (error: unknown) => sayError(error),
    )
  return (
    <section className={`panel ${styles['scans']}`} aria-labelledby="cart-scans">
      <Title order={2} size="h4" id="cart-scans">
        Scanner ce qui quitte le fonds
      </Title>
      <CodeLine
        label="Code-barres de ce qui quitte le fonds"
        action="Mettre au panier"
        notice={
          latest && latest.state !== 'asked' ? { signal: signalOf(latest), text: wholeOf(latest) } : null
        }
        onCode={take}
      />
      {/* Two equal sentences are two events: the key makes the second one read as well. */}
      <VisuallyHidden aria-live={latest?.tone === 'bad' ? 'assertive' : 'polite'}>
        {latest && latest.state !== 'asked' ? <span key={latest.key}>{wholeOf(latest)}</span> : null}
      </VisuallyHidden>
      {latest ? (
        <div className={`toned ${styles['last']}`} data-tone={latest.tone} aria-hidden>
          <div className={styles['word']}>{latest.word}</div>
          <div className={styles['of']}>{nameOf(latest)}</div>
          {latest.sentence === '' ? null : <div>{latest.sentence}</div>}
        </div>
      ) : null}
      {lines.length > 0 ? (
        <ul className={styles['lines']} aria-label="Scans de cet appareil">
          {lines.map((line) => (
            <Line key={line.key} line={line} onAgain={() => again(line.key)} onUndo={undo} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}

const nameOf = ({ scan, code }: ScanLine): string => scan?.name ?? code
const wholeOf = (line: ScanLine): string =>
  [`${nameOf(line)}\u202f: ${line.word}`, line.sentence].filter((part) => part !== '').join('. ')
const signalOf = ({ scan }: ScanLine) => (scan ? verdictWords[scan.verdict].signal : 'refusal')

type LineProps = { line: ScanLine; onAgain: () => void; onUndo: (copy: number) => unknown }

function Line({ line, onAgain, onUndo }: LineProps) {
  const { scan, code, state, tone, word, sentence } = line
  const name = nameOf(line)
  const added = scan && (scan.verdict === 'added' || scan.verdict === 'awaited') ? scan.copy : null
  return (
    <li>
      <StatusTag tone={tone}>{word}</StatusTag>
      <span className={styles['what']}>
        <Text span fw={600}>
          {name}
        </Text>{' '}
        {name === code ? null : (
          <Text span c="dimmed" size="sm">
            {code}
          </Text>
        )}
        {sentence === '' ? null : <Text size="sm">{sentence}</Text>}
      </span>
      {added === null ? null : (
        <Button
          variant="subtle"
          px="xs"
          aria-label={`Ôter du panier\u202f: ${name}`}
          onClick={() => onUndo(added)}
        >
          Ôter
        </Button>
      )}
      {state === 'unanswered' ? (
        <Button variant="default" onClick={onAgain}>
          Réessayer
        </Button>
      ) : null}
    </li>
  )
}
