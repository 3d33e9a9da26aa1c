import '@mantine/core/styles/SegmentedControl.css'

import { ActionIcon, Button, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { type Calendar, readBoard, readCalendar } from '../../contract/calendar.ts'
import { resourceOf } from '../../contract/changed-resources.ts'
import type { QueryOf } from '../../contract/endpoint.ts'
import { membersOf, totalOf } from '../../contract/list.ts'
import { type CalendarDay, frenchDay, isCalendarDay, plusDays } from '../../domain/calendar-day.ts'
import {
  boardDays,
  boardDaysBefore,
  boardRows,
  type CalendarState,
  calendarStates,
  daysShown,
  isEnough,
  mostReferences,
  weeksBefore,
  weeksShown,
  weeksTo,
} from '../../domain/calendar-weeks.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { useLoanActions } from '../loans/use-loan-actions.tsx'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { useReservationForms } from '../queue/reservation-addresses.ts'
import { useScans } from '../scanner/scan-source.tsx'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { CameraToggle } from '../ui/forms/camera-toggle.tsx'
import { DateField } from '../ui/forms/date-field.tsx'
import { SearchFilter } from '../ui/lists/search-filter.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { PageTurner } from '../ui/page-turner.tsx'
import { useIsPhone } from '../ui/screen-width.ts'
import { EmptyState, ErrorState, UnreadState } from '../ui/states.tsx'
import { counted } from '../ui/words.ts'
import { BoardGrid } from './board-grid.tsx'
import { CalendarGrid } from './calendar-grid.tsx'
import { wholeDay } from './calendar-words.ts'
import styles from './calendar.module.css'
import { ChoiceDialog, soughtOf } from './choice-dialog.tsx'
import { DayMoves } from './day-moves.tsx'
import type { GridHands, Pressed } from './grid-frame.tsx'

const ProlongDialog = lazy(() => import('./prolong-dialog.tsx'))

type CalendarQuery = QueryOf<typeof readCalendar>

const calendarQuery = (query: CalendarQuery) =>
  queryOptions({
    queryKey: [resourceOf(readCalendar), readCalendar.name, query],
    queryFn: ({ signal }) => call(readCalendar, { query, signal }),
    placeholderData: keepPreviousData,
  })

const boardQuery = (date: CalendarDay | undefined, page: number) =>
  queryOptions({
    queryKey: [resourceOf(readBoard), readBoard.name, date, page],
    queryFn: ({ signal }) =>
      call(readBoard, { query: { ...(date === undefined ? {} : { date }), page: String(page) }, signal }),
    placeholderData: keepPreviousData,
  })

const names = ['reference', 'category', 'bar_code', 'date'] as const

/** Nothing is searched. */
const isOfBoard = (query: CalendarQuery): boolean => names.every((name) => query[name] === undefined)

type Changes = Partial<Record<keyof CalendarQuery | 'day' | 'view' | 'page', string>>

/** The address keeps the search, the weeks, the board's day and its view. */
function useCalendarAddress() {
  const [search, setSearch] = useSearchParams()
  const written = search.toString()
  const query = useMemo((): CalendarQuery => {
    const read = new URLSearchParams(written)
    const found: CalendarQuery = {}
    for (const name of names) {
      const value = read.get(name)?.trim()
      if (value && (name !== 'date' || isCalendarDay(value))) found[name] = value
    }
    const weeks = read.get('weeks')
    if (weeks !== null && /^-?[1-9]\d{0,2}$/.test(weeks)) found.weeks = weeks
    return found
  }, [written])
  const change = useCallback(
    (changes: Changes) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value === '' || value === '0') next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace: true },
      ),
    [setSearch],
  )
  const isListed = search.get('view') === 'moves'
  const asked = search.get('page') ?? ''
  const day = search.get('day') ?? ''
  return {
    query,
    /** The board's day; undefined for today. */
    day: isCalendarDay(day) ? day : undefined,
    isListed,
    page: /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1,
    change,
  }
}

/** Each state by its colour, its pattern and its word. */
function CalendarLegend() {
  return (
    <ul className={styles['legend']} aria-label="Légende">
      {(Object.keys(calendarStates) as CalendarState[]).map((state) => (
        <li key={state}>
          <span className={styles['swatch']} data-state={state} aria-hidden />
          {calendarStates[state]}
        </li>
      ))}
      <li>
        <span className={styles['swatch']} data-state="closed" aria-hidden />
        Jour fermé
      </li>
    </ul>
  )
}

/** What stays of the weeks shown before, so that nobody loses their place. */
const weeksAStep = weeksShown - weeksBefore

/** Who has what when: from today on, or of what is searched, week by week; and what may be done with it. */
export default function CalendarScreen() {
  const { query, day, isListed, page, change } = useCalendarAddress()
  const isBoard = isOfBoard(query)
  const isSearched = !isBoard && isEnough(query)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...calendarQuery(query),
    enabled: isSearched,
  })
  const mayReserve = useRight('RESERVATION_EDIT')
  const mayExtend = useRight('LOANING_EDIT')
  const mayRead = useRight('LIST_LOANINGS')
  const isDated = useFlagParameter('reservations_without_dates') === false
  const { actions, dialog } = useLoanActions({ isOutside: true })
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const [prolonged, setProlonged] = useState<{ loan: number; until: CalendarDay } | null>(null)
  useScans((code) =>
    change({ reference: '', category: '', date: '', weeks: '', day: '', view: '', page: '', bar_code: code }),
  )
  const deviceToday = useToday()
  const today = data?.today ?? deviceToday
  // A phone has no room for days side by side.
  const isPhone = useIsPhone()
  const isList = isListed || isPhone
  const { reserve } = useReservationForms()
  const reserveDays = useCallbackRef((days: Pressed) => void reserve(soughtOf(days, { today, isDated })))
  const prolong = useCallback((loan: number, until: CalendarDay) => setProlonged({ loan, until }), [])
  const endProlonging = useCallback(() => setProlonged(null), [])
  const onReserve = mayReserve && isDated ? reserveDays : undefined
  const shown = isSearched ? data : undefined
  const isDayAlone = !query.reference && !query.category && !query.bar_code
  const turner = isBoard ? (
    <DayTurner
      day={day ?? today}
      today={today}
      isByDay={isList}
      onTurn={(next) => change({ day: next === today ? '' : next, page: '' })}
    />
  ) : null
  const fields = (
    <search className={styles['search']} data-board={isBoard || undefined}>
      <SearchFilter
        label={inWords('Référence')}
        value={query.reference ?? ''}
        onChange={(reference) => change({ reference })}
      />
      <SearchFilter
        label={inWords('Catégorie')}
        value={query.category ?? ''}
        onChange={(category) => change({ category })}
      />
      <SearchFilter
        label={inWords('Code-barres')}
        value={query.bar_code ?? ''}
        onChange={(bar_code) => change({ bar_code })}
      />
      <DateField label="Date" value={query.date ?? ''} onChange={(date) => change({ date, weeks: '' })} />
      {isPhone ? null : turner}
    </search>
  )
  return (
    <Page
      title="Calendrier"
      tools={
        <>
          {isBoard ? (
            <BoardView
              day={day ?? today}
              isList={isList}
              onChange={isPhone ? undefined : (view) => change({ view })}
            />
          ) : null}
          <CameraToggle notice={null} />
        </>
      }
    >
      {isPhone && isBoard ? (
        <>
          {turner}
          <details className={styles['sought']}>
            <summary>Chercher un exemplaire</summary>
            {fields}
          </details>
        </>
      ) : (
        fields
      )}
      {isBoard ? (
        isList ? (
          <DayMoves date={day} onPress={setPressed} />
        ) : (
          <Board
            date={day}
            page={page}
            onTurn={(next) => change({ page: next === 1 ? '' : String(next) })}
            onPress={setPressed}
            onReserve={onReserve}
            onProlong={mayExtend && mayRead ? prolong : undefined}
          />
        )
      ) : !isSearched ? (
        <EmptyState message="Scannez un exemplaire, ou cherchez par au moins 3 caractères de la référence, 2 de la catégorie, un code-barres ou une date." />
      ) : error && !shown ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : shown === undefined ? (
        <Stack gap="sm">
          <LoadingText />
          <Skeleton height="2.75rem" />
          <Skeleton height="24rem" radius="lg" />
        </Stack>
      ) : (
        <>
          <Weekly
            calendar={shown}
            weeks={Number(query.weeks ?? 0)}
            onMove={(weeks) => change({ weeks: String(weeks) })}
          />
          {membersOf(shown).length === 0 ? (
            <EmptyState message={nothingFound(isDayAlone)} />
          ) : (
            <>
              <CalendarLegend />
              <CalendarGrid
                calendar={shown}
                isStale={isPlaceholderData}
                onPress={setPressed}
                onReserve={onReserve}
              />
            </>
          )}
        </>
      )}
      {pressed ? (
        <ChoiceDialog
          pressed={pressed}
          today={today}
          isDated={isDated}
          loanActionsOf={actions}
          onClose={() => setPressed(null)}
        />
      ) : null}
      {prolonged ? (
        <Suspense fallback={null}>
          <ProlongDialog {...prolonged} onClose={endProlonging} />
        </Suspense>
      ) : null}
      {dialog}
    </Page>
  )
}

type BoardProps = GridHands & {
  /** Today where it is left out. */
  date: CalendarDay | undefined
  page: number
  onTurn: (page: number) => void
}

/** Loans and reservations from a day on, a row a copy. */
function Board({ date, page, onTurn, ...hands }: BoardProps) {
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(boardQuery(date, page))
  if (!data) return <UnreadState error={error} onRetry={refetch} height="24rem" radius="lg" />
  const total = totalOf(data)
  if (total === 0) return <EmptyState message={nothingFound(true)} />
  return (
    <>
      {/* Other rows begin at their first. */}
      <BoardGrid key={`${date ?? ''} ${page}`} board={data} isStale={isPlaceholderData} {...hands} />
      <div className={styles['weekly']}>
        <PageTurner
          page={page}
          limit={boardRows}
          total={total}
          words={counted(total, 'ligne', 'lignes')}
          isFetching={isFetching}
          onTurn={onTurn}
        />
      </div>
      <CalendarLegend />
    </>
  )
}

type BoardViewProps = {
  day: CalendarDay
  isList: boolean
  /** Undefined where there is one view. */
  onChange: ((view: string) => void) | undefined
}

/** Which days are shown, and how. */
function BoardView({ day, isList, onChange }: BoardViewProps) {
  const first_day = plusDays(day, -boardDaysBefore)
  return (
    <>
      <Text fw={600} role="status">
        {isList
          ? wholeDay(day)
          : `Du ${frenchDay(first_day)} au ${frenchDay(plusDays(first_day, boardDays - 1))}`}
      </Text>
      {onChange ? (
        <SegmentedControl
          aria-label="Vue"
          size="md"
          value={isList ? 'moves' : 'board'}
          onChange={(view) => onChange(view === 'moves' ? view : '')}
          data={[
            { value: 'board', label: 'Tableau' },
            { value: 'moves', label: 'Départs / Retours' },
          ]}
        />
      ) : null}
    </>
  )
}

type DayTurnerProps = {
  day: CalendarDay
  today: CalendarDay
  /** By a day, else by a week. */
  isByDay: boolean
  onTurn: (day: CalendarDay) => void
}

function DayTurner({ day, today, isByDay, onTurn }: DayTurnerProps) {
  const step = isByDay ? 1 : 7
  return (
    <div className={styles['turner']}>
      <ActionIcon
        variant="default"
        aria-label={isByDay ? 'Jour précédent' : 'Semaine précédente'}
        onClick={() => onTurn(plusDays(day, -step))}
      >
        <IconChevronLeft size="1.2em" aria-hidden />
      </ActionIcon>
      <DateField label="Jour affiché" value={day} onChange={(next) => onTurn(next === '' ? today : next)} />
      <ActionIcon
        variant="default"
        aria-label={isByDay ? 'Jour suivant' : 'Semaine suivante'}
        onClick={() => onTurn(plusDays(day, step))}
      >
        <IconChevronRight size="1.2em" aria-hidden />
      </ActionIcon>
      <Button variant="default" disabled={day === today} onClick={() => onTurn(today)}>
        Aujourd’hui
      </Button>
    </div>
  )
}

const nothingFound = (isDayAlone: boolean): string =>
  isDayAlone
    ? 'Rien n’est prêté ni réservé ce jour-là.'
    : 'Aucune référence dont un exemplaire se prête ne correspond à cette recherche.'

type WeeklyProps = { calendar: Calendar; weeks: number; onMove: (weeks: number) => void }

function Weekly({ calendar, weeks, onMove }: WeeklyProps) {
  const { first_day, today, is_cut } = calendar
  const last_day = plusDays(first_day, daysShown - 1)
  const toToday = useMemo(() => weeksTo(first_day, today), [first_day, today])
  const found = totalOf(calendar)
  return (
    <div className={styles['weekly']}>
      <div role="status">
        <Text fw={600}>
          Du {frenchDay(first_day)} au {frenchDay(last_day)}
        </Text>
        <Text size="sm" c="dimmed">
          {is_cut
            ? `Les ${mostReferences} premières références\u202f: précisez la recherche pour voir les autres.`
            : counted(found, 'référence', 'références', 'Aucune référence')}
        </Text>
      </div>
      <div className={styles['moves']}>
        <Button
          variant="default"
          leftSection={<IconChevronLeft size="1.2em" aria-hidden />}
          onClick={() => onMove(weeks - weeksAStep)}
        >
          Précédent
        </Button>
        <Button variant="default" disabled={toToday === 0} onClick={() => onMove(weeks + toToday)}>
          Aujourd’hui
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size="1.2em" aria-hidden />}
          onClick={() => onMove(weeks + weeksAStep)}
        >
          Suivant
        </Button>
      </div>
    </div>
  )
}
