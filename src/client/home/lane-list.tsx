import { Anchor, Button, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
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
} from '@tabler/icons-react'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'

import { likelyCode } from '../../domain/bar-code.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { useConnection } from '../api/connection.ts'
import { useToday } from '../loans/use-today.ts'
import { useEntry, knownEntry, useEntries } from '../outbox/outbox-entries.ts'
import { inWords } from '../page/house-words.ts'
import type { Awaited } from '../reservations/awaited.ts'
import { Cover, Initials } from '../ui/cover.tsx'
import { MotiveAct } from '../ui/forms/motive-act.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import styles from './home.module.css'
import { codesToShow, groupsOf, isApart, firstGroups } from './lane-groups.ts'
import { helpsInForm } from './lane-rules.ts'
import { happen } from './lane-store.ts'
import { type LaneIcon, type LineWords, lineWordsOf, optionLabel } from './lane-words.ts'
import { barCodeOf, isCard, type LaneLine, type May, nameOf, type LineOption } from './lane.ts'

/** After this, the person is at something else. */
const longestAgoMs = 10_000

/** Lines already offered, so that coming back to the counter opens nothing again. */
const offered = new Set<string>()

/** Offers the newest loan that was just refused, or that only the whole form can make. */
function useRefusedLines(lines: readonly LaneLine[], may: May, onRefused: (line: LaneLine) => void): void {
  useEntries()
  const offer = useCallbackRef(onRefused)
  const fresh = lines.filter((line) => {
    if (offered.has(line.key) || line.under_way !== null || Date.now() - line.at > longestAgoMs) return false
    const { step } = line
    const entry = step.name === 'kept' ? knownEntry(step.entry_id) : null
    return helpsInForm(line, entry ?? null, may)
  })
  useEffect(() => {
    for (const { key } of fresh) offered.add(key)
    const newest = fresh.at(-1)
    if (newest) offer(newest)
  })
}

const OfferCopy = lazyPart(() => import('../catalogue/offer-copy.tsx'))
const UnavailableCopy = lazyPart(() => import('../catalogue/unavailable-copy.tsx'))
const AwaitedCopy = lazyPart(() => import('../reservations/awaited-copy.tsx'))
const SendHome = lazyPart(() => import('../catalogue/send-home.tsx'))
const ConditionsFile = lazyPart(() => import('../catalogue/conditions-file.tsx'))

const icons: Record<LaneIcon, typeof IconUser> = {
  lend: IconArrowBigRightLines,
  return: IconArrowBackUp,
  reader: IconUser,
  looking: IconSearch,
  question: IconQuestionMark,
  stop: IconHandStop,
  undone: IconRotate2,
}

type LaneGestures = {
  may: May
  /** `reason` is the motive of an override. */
  onOption: (line: LaneLine, option: LineOption, reason?: string) => void
  /** A motive is asked on a line, and a person gave it up. */
  onAsk: () => void
  onGiveUp: () => void
  onTakeBack: (line: LaneLine) => void
  /** Its copy is kept for whoever waits, and lent to nobody else; `refused` was its action. */
  onSetAside: (line: LaneLine, awaited: Awaited, refused: string | null) => void
}

type LaneListProps = LaneGestures & {
  lines: readonly LaneLine[]
  most: number
  /** Lines whose whole loan is shown beside them: they offer it no second time. */
  shown: readonly string[]
  /** A loan was refused just now, or only the whole form can make it. */
  onRefused: (line: LaneLine) => void
}

/** Acts at this counter under their readers, the last first. */
export default function LaneList({ lines, most, shown, onRefused, ...latest }: LaneListProps) {
  useRefusedLines(lines, latest.may, onRefused)
  const gestures = useSameGestures(latest)
  const today = useToday()
  const codeToShow = codesToShow(lines)
  return (
    <ol className={styles['lane']} aria-label="Derniers passages" data-scanned>
      {firstGroups(groupsOf(lines), most).flatMap((group, at, groups) => [
        ...(group.heading
          ? [
              <LaneHeading
                // A reader has several groups when something awaited came back meanwhile.
                key={`${group.heading.key} of ${group.lines.at(-1)?.key ?? ''}`}
                line={group.heading}
                isAgain={group.isAgain}
              />,
            ]
          : []),
        ...(isApart(group, groups[at - 1]) && group.lines[0]
          ? [
              <li key={`apart ${group.lines[0].key}`} className={styles['heading']} data-heading>
                <span className={styles['sentence']}>{inWords('Sans lecteur')}</span>
              </li>,
            ]
          : []),
        ...group.lines.map((line) => (
          <LaneRow
            key={line.key}
            line={line}
            under={readerOf(group.heading)}
            today={today}
            isShown={shown.includes(line.key)}
            shownCode={codeToShow(line)}
            {...gestures}
          />
        )),
      ])}
    </ol>
  )
}

/** The same objects at each drawing: a row is drawn again only for what concerns it. */
function useSameGestures(latest: LaneGestures): LaneGestures {
  const { lend, return: takes, override, sell = false, receive = false } = latest.may
  return {
    may: useMemo(
      () => ({ lend, return: takes, override, sell, receive }),
      [lend, takes, override, sell, receive],
    ),
    onOption: useCallbackRef(latest.onOption),
    onAsk: useCallbackRef(latest.onAsk),
    onGiveUp: useCallbackRef(latest.onGiveUp),
    onTakeBack: useCallbackRef(latest.onTakeBack),
    onSetAside: useCallbackRef(latest.onSetAside),
  }
}

function LaneHeading({ line: { step }, isAgain }: { line: LaneLine; isAgain: boolean }) {
  if (step.name !== 'reader') return null
  const numbers = isCard(step.chosen)
    ? ['à vérifier']
    : [step.chosen.reader.matricule, step.chosen.reader.reader_id]
  return (
    <li className={styles['heading']} data-heading>
      {isCard(step.chosen) ? <IconUser size="1.1rem" aria-hidden /> : <Initials name={nameOf(step.chosen)} />}
      <strong>{nameOf(step.chosen)}</strong>
      <span className={styles['sentence']}>
        {[...numbers, isAgain ? 'déjà choisi' : null].filter(Boolean).join(' · ')}
      </span>
    </li>
  )
}

const readerOf = (heading: LaneLine | null): string | null =>
  heading?.step.name === 'reader' ? nameOf(heading.step.chosen) : null

type LaneRowProps = LaneGestures & {
  line: LaneLine
  under: string | null
  today: CalendarDay
  isShown: boolean
  /** Tells it from another copy of its title. */
  shownCode: string | null
}

/** Drawn again only when its line or its action changes, because a scan must not draw all those before. */
const LaneRow = memo(function LaneRow({
  line,
  under,
  today,
  isShown,
  shownCode,
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
  const isOffered = (option: LineOption) => option !== 'open-form' || !isShown
  const said = [under ?? '', words.sentence, ...words.notes.map(({ text }) => text)]
  const medium = words.options.includes('conditions') ? line.copy?.known?.medium : null
  const isQuestion = tone === 'bad' || tone === 'warn'
  const { ref, isCut, isWhole, setWhole } = useFold(isQuestion ? said.join(' ') : null)
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
        {line.copy && line.copy.title !== line.copy.bar_code ? (
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
            <span className={styles['sentence']}>{words.sentence}</span>
            <Notes notes={words.notes} />
          </div>
        ) : words.sentence === '' ? null : (
          <span className={styles['sentence']}>{words.sentence}</span>
        )}
        {words.price === null ? null : <span className={styles['price']}>{words.price}</span>}
      </div>
      <div className={styles['end']}>
        {tone === 'good' ? (
          <span className={styles['tick']} title={word}>
            <IconCheck size="1.25rem" stroke={2.5} aria-hidden />
            <VisuallyHidden>{word}</VisuallyHidden>
          </span>
        ) : (
          <StatusTag tone={tone}>{word}</StatusTag>
        )}
        {words.takeBack === null ? null : (
          <Button
            variant="default"
            px="sm"
            loading={line.under_way === 'take-back'}
            onClick={() => onTakeBack(line)}
            aria-label={`${words.takeBack}\u202f: ${name}`}
          >
            {words.takeBack}
          </Button>
        )}
      </div>
      <div className={styles['below']}>
        <div className={styles['notes']}>
          {isOffer ? null : awaited}
          {isQuestion ? null : <Notes notes={words.notes} />}
          <Offers words={words} />
        </div>
        <div className={styles['options']}>
          {isOffer ? awaited : null}
          {words.options.filter(isOffered).map((option) =>
            option === 'add-copy' ? (
              <OfferCopy
                key={option}
                code={likelyCode(line.code)}
                loading={line.under_way === option}
                onAdded={(code) => {
                  happen({ what: 'code-given', key: line.key, code })
                  onOption({ ...line, code }, option)
                }}
              />
            ) : option === 'override' ? (
              <MotiveAct
                key={option}
                act={optionLabel(option, line, said)}
                of={name}
                isUnderWay={line.under_way === option}
                onConfirm={(motive) => onOption(line, option, motive)}
                onAsk={onAsk}
                onGiveUp={onGiveUp}
              />
            ) : (
              <Button
                key={option}
                variant={isQuiet(option) ? 'default' : 'light'}
                px="sm"
                disabled={line.under_way === 'set-aside'}
                loading={line.under_way === option}
                onClick={() => onOption(line, option)}
                aria-label={optionLabel(option, line)}
              >
                {optionLabel(option, line, said)}
              </Button>
            ),
          )}
          {medium?.loaning_conditions_file ? (
            <ConditionsFile name={medium.name} of={{ medium: medium.id }} />
          ) : null}
          {words.sendHome && entry ? <SendHome of={entry.id} {...words.sendHome} /> : null}
          {words.toSettle ? (
            <Button component={Link} to="/waiting" variant="default" aria-label={`Régler\u202f: ${name}`}>
              Régler
            </Button>
          ) : null}
          {isCut ? (
            <UnstyledButton
              className={styles['unfold'] ?? ''}
              aria-expanded={isWhole}
              aria-label={`Détails\u202f: ${name}`}
              title="Détails"
              onClick={() => setWhole(!isWhole)}
            >
              <IconChevronDown size="1.2rem" aria-hidden />
            </UnstyledButton>
          ) : null}
        </div>
      </div>
    </li>
  )
})

/** Options that pass over a rule or somebody's turn do not stand out, so that nobody presses them first. */
const isQuiet = (option: LineOption): boolean =>
  option === 'open-form' ||
  option === 'override' ||
  option === 'despite-reservations' ||
  option === 'waive' ||
  option === 'no-conditions'

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
      setCut(fold !== null && fold.scrollHeight > fold.clientHeight + 1)
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
