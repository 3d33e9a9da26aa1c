import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { type Calendar, readCalendar } from '../../contract/calendar.ts'
import { resourceOf } from '../../contract/changed-resources.ts'
import type { QueryOf } from '../../contract/endpoint.ts'
import { membersOf, totalOf } from '../../contract/list.ts'
import { frenchDay, isCalendarDay, plusDays } from '../../domain/calendar-day.ts'
import {
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
import { inWords } from '../page/house-words.ts'
import { useReservationForms } from '../queue/reservation-addresses.ts'
import { useScans } from '../scanner/scan-source.tsx'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { CameraToggle } from '../ui/forms/camera-toggle.tsx'
import { DateField } from '../ui/forms/date-field.tsx'
import { SearchFilter } from '../ui/lists/search-filter.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { counted } from '../ui/words.ts'
import { CalendarGrid, type Pressed } from './calendar-grid.tsx'
import styles from './calendar.module.css'
import { ChoiceDialog, soughtOf } from './choice-dialog.tsx'

type CalendarQuery = QueryOf<typeof readCalendar>

const calendarQuery = (query: CalendarQuery) =>
  queryOptions({
    queryKey: [resourceOf(readCalendar), readCalendar.name, query],
    queryFn: ({ signal }) => call(readCalendar, { query, signal }),
    placeholderData: keepPreviousData,
  })

const names = ['reference', 'category', 'bar_code', 'date'] as const

/** What is searched and which weeks are shown, in the address. */
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
    (changes: Partial<Record<keyof CalendarQuery, string>>) =>
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
  return { query, change }
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

/** Who has what when, week by week, and what may be done with it. */
export default function CalendarScreen() {
  const { query, change } = useCalendarAddress()
  const isSearched = isEnough(query)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...calendarQuery(query),
    enabled: isSearched,
  })
  const mayReserve = useRight('RESERVATION_EDIT')
  const isDated = useFlagParameter('reservations_without_dates') === false
  const { actions, dialog } = useLoanActions({ isOutside: true })
  const [pressed, setPressed] = useState<Pressed | null>(null)
  useScans((code) => change({ reference: '', category: '', date: '', weeks: '', bar_code: code }))
  const today = data?.today ?? ''
  const { reserve } = useReservationForms()
  const reserveDays = useCallbackRef((days: Pressed) => void reserve(soughtOf(days, { today, isDated })))
  const shown = isSearched ? data : undefined
  const isDayAlone = !query.reference && !query.category && !query.bar_code
  return (
    <Page title="Calendrier" tools={<CameraToggle notice={null} />}>
      <search className={styles['search']}>
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
      </search>
      {!isSearched ? (
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
                onReserve={mayReserve && isDated ? reserveDays : undefined}
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
      {dialog}
    </Page>
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
