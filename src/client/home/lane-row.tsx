import { Anchor, Button, UnstyledButton, VisuallyHidden } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowBigRightLines,
  IconCheck,
  IconChevronDown,
  IconHandStop,
  IconInfoCircle,
  IconQuestionMark,
  IconRotate2,
  IconSearch,
  IconUser,
  IconX,
} from '@tabler/icons-react'
import { memo, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { useConnection } from '../api/connection.ts'
import { useEntry } from '../outbox/outbox-entries.ts'
import { inWords } from '../page/house-words.ts'
import type { Awaited } from '../reservations/awaited.ts'
import { Cover } from '../ui/cover.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import styles from './lane-list.module.css'
import { happen } from './lane-store.ts'
import { type LaneIcon, type LineWords, lineWordsOf } from './lane-words.ts'
import { barCodeOf, type LaneLine, type May } from './lane.ts'
import { LineActs, type LineGestures } from './line-acts.tsx'

const UnavailableCopy = lazyPart(() => import('../catalogue/unavailable-copy.tsx'))
const AwaitedCopy = lazyPart(() => import('../reservations/awaited-copy.tsx'))

const icons: Record<LaneIcon, typeof IconUser> = {
  lend: IconArrowBigRightLines,
  return: IconArrowBackUp,
  reader: IconUser,
  looking: IconSearch,
  question: IconQuestionMark,
  stop: IconHandStop,
  undone: IconRotate2,
}

export type LaneGestures = LineGestures & {
  may: May
  onTakeBack: (line: LaneLine) => void
  /** Its copy is kept for whoever waits, and lent to nobody else; `refused` was its action. */
  onSetAside: (line: LaneLine, awaited: Awaited, refused: string | null) => void
}

type LaneRowProps = LaneGestures & {
  line: LaneLine
  under: string | null
  today: CalendarDay
  isShown: boolean
  /** Tells it from another copy of its title. */
  shownCode: string | null
  isPhone: boolean
  isDesktop: boolean
}

/** Drawn again only when its line or its action changes, because a scan must not draw all those before. */
export const LaneRow = memo(function LaneRow({
  line,
  under,
  today,
  isShown,
  shownCode,
  isPhone,
  isDesktop,
  may,
  onOption,
  onAsk,
  onGiveUp,
  onTakeBack,
  onSetAside,
}: LaneRowProps) {
  const entry = useEntry(line.step.name === 'kept' ? line.step.entry_id : null)
  const now = useMinutes()
  const isOnline = useConnection() === 'online'
  const words = lineWordsOf(line, entry, { now, today, isOnline, may, under })
  const code = barCodeOf(line)
  const name = shownCode === null ? words.title : `${words.title}, ${code}`
  const Icon = icons[words.icon]
  const UndoIcon = words.takeBack === 'Annuler' ? IconRotate2 : IconX
  const { tone, word } = words.state
  const told = words.awaited
  const isOffer = told?.isOffer ?? false
  const awaited = told ? (
    <AwaitedCopy
      of={entry?.id ?? line.key}
      copy={told.copy}
      bar_code={code}
      title={words.title}
      awaited={told.by}
      isRecorded={told.isRecorded}
      isOffer={isOffer}
      isHeld={line.under_way !== null && line.under_way !== 'set-aside'}
      onPending={(isPending) => {
        if (isOffer) happen({ what: 'under-way', keys: [line.key], by: isPending ? 'set-aside' : null })
      }}
      onSetAside={() => {
        if (isOffer) onSetAside(line, told.by, entry?.id ?? null)
      }}
      onPutBack={() => happen({ what: 'put-back', key: line.key })}
    />
  ) : null
  const isQuestion = tone === 'bad' || tone === 'warn'
  const tag = tone === 'good' ? null : <StatusTag tone={tone}>{word}</StatusTag>
  const room = isDesktop ? roomOfDesktop : isPhone ? roomOfPhone : roomOfTablet
  // Beside what takes back, a phone has no room for both a title and a state.
  const isTagUnder = isPhone && words.takeBack !== null
  const said = [under ?? '', words.sentence, ...words.notes.map(({ text }) => text)]
  const { ref, isCut, isWhole, setWhole } = useFold(isQuestion ? said.join(' ') : null)
  const unfold = isCut ? (
    <UnstyledButton
      className={styles['unfold'] ?? ''}
      aria-expanded={isWhole}
      aria-label={`Détails\u202f: ${name}`}
      title="Détails"
      onClick={() => setWhole(!isWhole)}
    >
      <IconChevronDown size="1.2rem" aria-hidden />
    </UnstyledButton>
  ) : null
  return (
    <li
      ref={ref}
      data-line={line.key}
      className={styles['line']}
      data-tone={tone}
      data-under={under !== null || undefined}
      data-whole={isWhole || undefined}
    >
      <span className={styles['mark']}>
        <Icon size="1.25rem" aria-hidden />
        {line.copy && line.copy.title !== line.copy.bar_code && !(isPhone && (isQuestion || told)) ? (
          <Cover title={words.title} medium={line.copy.known?.medium?.name ?? null} />
        ) : null}
      </span>
      <div className={styles['what']}>
        <span className={styles['title']} title={name}>
          {shownCode === null ? null : <span className={styles['code']}>{`${shownCode} `}</span>}
          {words.title}
        </span>
        {isQuestion ? (
          <div className={styles['told']} data-fold>
            {isTagUnder ? tag : null}
            <span className={styles['sentence']}>{words.sentence}</span>
            <Notes notes={words.notes} />
          </div>
        ) : words.sentence === '' ? null : (
          <span className={styles['sentence']}>{words.sentence}</span>
        )}
        {isTagUnder && !isQuestion ? tag : null}
        {words.price === null ? null : <span className={styles['price']}>{words.price}</span>}
      </div>
      <div className={styles['end']}>
        {tone === 'good' ? (
          <span className={styles['tick']} title={word}>
            <IconCheck size="1.25rem" stroke={2.5} aria-hidden />
            <VisuallyHidden>{word}</VisuallyHidden>
          </span>
        ) : isTagUnder ? null : (
          tag
        )}
        {isPhone ? null : unfold}
        {words.takeBack === null ? null : (
          <Button
            className={styles['undo'] ?? ''}
            variant="default"
            loading={line.under_way === 'take-back'}
            onClick={() => onTakeBack(line)}
            aria-label={`${words.takeBack}\u202f: ${name}`}
            title={words.takeBack}
          >
            <span className={styles['brief']}>
              <UndoIcon size="1.2rem" aria-hidden />
              <span>{words.takeBack}</span>
            </span>
          </Button>
        )}
      </div>
      <div className={styles['below']}>
        <div className={styles['notes']}>
          {isOffer ? null : awaited}
          {isQuestion ? null : <Notes notes={words.notes} />}
          {/* A phone has room for the one who is served first. */}
          <Offers words={isPhone && told ? { ...words, reserved: null } : words} />
        </div>
        <div className={styles['options']}>
          {isOffer ? awaited : null}
          <LineActs
            line={line}
            entry={entry}
            words={words}
            name={name}
            said={said}
            isFormShown={isShown}
            room={isQuestion ? room : roomOfDesktop}
            onOption={onOption}
            onAsk={onAsk}
            onGiveUp={onGiveUp}
          />
          {isPhone ? unfold : null}
        </div>
      </div>
    </li>
  )
})

const roomOfPhone = { alone: 2, beside: 0 }
const roomOfTablet = { alone: 3, beside: 1 }
const roomOfDesktop = { alone: Infinity, beside: Infinity }

/** Pixels. */
const halfLine = 9

/** Whether a line cuts what it says: `said` is all of it, or null where nothing folds. Once unfolded it stays so until it is folded again. */
function useFold(said: string | null) {
  const ref = useRef<HTMLLIElement>(null)
  const [isCut, setCut] = useState(false)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    const line = ref.current
    if (!line || isWhole || said === null) return undefined
    const watch = new ResizeObserver(() => {
      const fold = line.querySelector('[data-fold]')
      // Letters and pictures reach a little out of their line, which cuts nothing.
      setCut(fold !== null && fold.scrollHeight > fold.clientHeight + halfLine)
    })
    watch.observe(line)
    return () => watch.disconnect()
  }, [said, isWhole])
  // Once settled, a question has nothing to unfold.
  return { ref, isCut: isCut && said !== null, isWhole, setWhole }
}

const Notes = ({ notes }: Pick<LineWords, 'notes'>) =>
  notes.map(({ tone, text }) => (
    <p key={text} className={styles['note']} data-tone={tone}>
      <NoteIcon tone={tone} />
      {text}
    </p>
  ))

function Offers({ words: { reserved, unusable } }: { words: LineWords }) {
  return (
    <>
      {reserved === null ? null : (
        <Anchor
          component={Link}
          to={`/reservations?reference_id%7Ceq=${reserved}`}
          py="xs"
          display="inline-block"
        >
          {inWords('Voir les réservations')}
        </Anchor>
      )}
      {unusable === undefined ? null : <UnavailableCopy copy={unusable} />}
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

/** Now, to the minute, because « Annuler » leaves a line after ten. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
