import { VisuallyHidden } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconUser } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'

import { useToday } from '../loans/use-today.ts'
import { knownEntry, useEntries } from '../outbox/outbox-entries.ts'
import { inWords } from '../page/house-words.ts'
import { Initials } from '../ui/cover.tsx'
import { useIsDesktop, useIsPhone } from '../ui/screen-width.ts'
import { codesToShow, firstGroups, groupsOf, isApart } from './lane-groups.ts'
import styles from './lane-list.module.css'
import { type LaneGestures, LaneRow } from './lane-row.tsx'
import { helpsInForm } from './lane-rules.ts'
import { isCard, type LaneLine, type May, nameOf, type ReaderKey } from './lane.ts'

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

type LaneListProps = LaneGestures & {
  lines: readonly LaneLine[]
  most: number
  /** Whose card stands over them. */
  named: ReaderKey | null
  /** Lines whose whole loan is shown beside them: they offer it no second time. */
  shown: readonly string[]
  /** A loan was refused just now, or only the whole form can make it. */
  onRefused: (line: LaneLine) => void
}

/** Acts at this counter under their readers, the last first. */
export default function LaneList({ lines, most, named, shown, onRefused, ...latest }: LaneListProps) {
  useRefusedLines(lines, latest.may, onRefused)
  const gestures = useSameGestures(latest)
  const today = useToday()
  const isPhone = useIsPhone()
  const isDesktop = useIsDesktop()
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
                isNamed={at === 0 && group.reader === named}
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
            isPhone={isPhone}
            isDesktop={isDesktop}
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

type LaneHeadingProps = { line: LaneLine; isAgain: boolean; isNamed: boolean }

function LaneHeading({ line: { step }, isAgain, isNamed }: LaneHeadingProps) {
  if (step.name !== 'reader') return null
  if (isNamed && !isAgain)
    return (
      <VisuallyHidden component="li" data-heading>
        {nameOf(step.chosen)}
      </VisuallyHidden>
    )
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
