import { Anchor, Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowBigRightLines,
  IconCheck,
  IconHandStop,
  IconInfoCircle,
  IconQuestionMark,
  IconRotate2,
  IconSearch,
  IconUser,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'

import { useConnection } from '../api/connection.ts'
import { useEntry } from '../loans/outbox-entries.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import styles from './home.module.css'
import type { LaneLine, May, Way } from './lane.ts'
import { type LaneIcon, type LineWords, wordsOf } from './lane-words.ts'

const icons: Record<LaneIcon, typeof IconUser> = {
  lend: IconArrowBigRightLines,
  return: IconArrowBackUp,
  reader: IconUser,
  looking: IconSearch,
  question: IconQuestionMark,
  stop: IconHandStop,
  undone: IconRotate2,
}

const wayLabels: Record<Way, string> = {
  return: 'Rendre',
  lend: 'Prêter',
  override: 'Prêter quand même',
  'despite-reservations': 'Prêter quand même',
  'open-form': 'Ouvrir le prêt complet',
  again: 'Réessayer',
  export: 'Exporter les actions',
}

export type LaneGestures = {
  may: May
  onWay: (line: LaneLine, way: Way) => void
  onTakeBack: (line: LaneLine) => void
}

/** What was done at this counter, the last first. */
export function LaneList({ lines, ...gestures }: LaneGestures & { lines: readonly LaneLine[] }) {
  if (lines.length === 0) {
    return (
      <p className={styles['hint']}>
        Scannez une carte puis des exemplaires pour prêter, ou un exemplaire en prêt pour le rendre.
      </p>
    )
  }
  return (
    <ol className={styles['lane']} aria-label="Derniers passages">
      {lines.toReversed().map((line) => (
        <LaneRow key={line.key} line={line} {...gestures} />
      ))}
    </ol>
  )
}

function LaneRow({ line, may, onWay, onTakeBack }: LaneGestures & { line: LaneLine }) {
  const entry = useEntry(line.step.name === 'kept' ? line.step.entry_id : null)
  const now = useMinutes()
  const isOnline = useConnection() === 'online'
  const words = wordsOf(line, entry, { now, isOnline, may })
  const Icon = icons[words.icon]
  return (
    <li
      className={styles['line']}
      data-tone={words.state.tone}
      data-quiet={words.icon === 'reader' ? true : undefined}
    >
      <span className={styles['mark']}>
        <Icon size="1.4rem" aria-hidden />
      </span>
      <div>
        <div className={styles['title']}>{words.title}</div>
        {words.sentence === '' ? null : <div className={styles['sentence']}>{words.sentence}</div>}
        <Notes words={words} />
      </div>
      <div className={styles['end']}>
        <StatusTag tone={words.state.tone}>{words.state.word}</StatusTag>
        {words.takeBack === null ? null : (
          <Button
            variant="default"
            px="sm"
            loading={line.under_way === 'take-back'}
            onClick={() => onTakeBack(line)}
            aria-label={`${words.takeBack}\u202f: ${words.title}`}
          >
            {words.takeBack}
          </Button>
        )}
      </div>
      <div className={styles['ways']}>
        {words.ways.map((way) => (
          <Button
            key={way}
            variant={way === 'open-form' ? 'default' : 'light'}
            loading={line.under_way === way}
            onClick={() => onWay(line, way)}
          >
            {wayLabels[way]}
          </Button>
        ))}
        {words.toSettle ? (
          <Button
            component={Link}
            to="/waiting"
            variant="default"
            aria-label={`Régler\u202f: ${words.title}`}
          >
            Régler
          </Button>
        ) : null}
      </div>
    </li>
  )
}

function Notes({ words: { notes, reserved } }: { words: LineWords }) {
  return (
    <>
      {notes.map(({ tone, text }) => (
        <p key={text} className={styles['note']} data-tone={tone}>
          <NoteIcon tone={tone} />
          {text}
        </p>
      ))}
      {reserved === null ? null : (
        <Anchor
          component={Link}
          to={`/reservations?reference_id%7Ceq=${reserved}`}
          py="xs"
          display="inline-block"
        >
          Voir les réservations
        </Anchor>
      )}
    </>
  )
}

const noteIcons = {
  good: IconCheck,
  quiet: IconInfoCircle,
  warn: IconAlertTriangle,
  bad: IconAlertTriangle,
} as const

function NoteIcon({ tone }: { tone: keyof typeof noteIcons }) {
  const Icon = noteIcons[tone]
  return <Icon size="1.1em" aria-hidden />
}

/** Now, to the minute: « Annuler » leaves a line after ten. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
