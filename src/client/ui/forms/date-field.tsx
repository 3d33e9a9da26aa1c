import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useContext, useEffect, useState } from 'react'

import { frenchDay, fullYear, isCalendarDay, isNoDay } from '../../../domain/calendar-day.ts'
import { LibraryToday } from '../library-today.ts'
import { useValidity } from './validity.ts'

const Calendar = lazy(() => import('./date-calendar.tsx'))

type DateFieldProps = {
  label: string
  /** `YYYY-MM-DD`, or empty. */
  value: string
  onChange: (day: string) => void
  error?: string | undefined
  required?: boolean
  minDate?: string
  maxDate?: string
  /** Of what is over: « 98 » is 1998, as in a file that is imported. */
  isPast?: boolean
}

/** A day typed as dd/MM/yyyy or picked. */
export function DateField({
  label,
  value,
  onChange,
  error,
  required,
  minDate,
  maxDate,
  isPast = false,
}: DateFieldProps) {
  const [typed, setTyped] = useState(value ? frenchDay(value) : '')
  const [isOpen, setOpen] = useState(false)
  const today = useContext(LibraryToday)
  const [isWrong, setWrong] = useState(false)
  const fault = isWrong ? 'Date inconnue\u202f: écrivez-la JJ/MM/AAAA.' : ''
  const field = useValidity(fault)
  useEffect(() => {
    setTyped(value ? frenchDay(value) : '')
    setWrong(false)
  }, [value])

  const lastYear = isPast ? Number(today().slice(0, 4)) : 2099
  const read = () => {
    const day = dayOf(typed, lastYear)
    setWrong(day === null)
    if (day !== null && day !== value) onChange(day)
  }
  const choose = (day: string) => {
    onChange(day)
    setOpen(false)
  }
  return (
    <TextInput
      ref={field}
      label={label}
      placeholder="JJ/MM/AAAA"
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      required={required ?? false}
      error={fault || error}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        // What waits for a day need not wait for its field to be left.
        const day = isWhole.test(text) ? dayOf(text, lastYear) : null
        if (day && day !== value) onChange(day)
      }}
      onBlur={read}
      onKeyDown={(event) => {
        if (event.key === 'Enter') read()
      }}
      rightSectionWidth="2.75rem"
      rightSection={
        <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-end" withinPortal shadow="md">
          <Popover.Target>
            <ActionIcon
              aria-label={`Choisir\u202f: ${label}`}
              onClick={() => setOpen((open) => !open)}
              c="dimmed"
            >
              <IconCalendar size="1.2rem" aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <Suspense fallback={null}>
              <Calendar value={value} today={today()} onChange={choose} minDate={minDate} maxDate={maxDate} />
            </Suspense>
            <Group justify="space-between" gap="xs" mt="xs">
              <Button variant="subtle" size="sm" mih="2.75rem" onClick={() => choose(today())}>
                Aujourd'hui
              </Button>
              <Button variant="subtle" size="sm" mih="2.75rem" onClick={() => choose('')}>
                Effacer
              </Button>
              <Button variant="subtle" size="sm" mih="2.75rem" onClick={() => setOpen(false)}>
                Fermer
              </Button>
            </Group>
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}

const isWhole = /^\d{2}\/\d{2}\/\d{4}$/

/** `''` for nothing or a year 0001, null for no day; `1/2/26` and `01022026` are days. */
function dayOf(typed: string, lastYear: number): string | null {
  const text = typed.trim()
  if (text === '') return ''
  const parts = /^(\d{1,2})[/.\-\s]?(\d{1,2})[/.\-\s]?(\d{4}|\d{2})$/.exec(text)
  if (!parts) return null
  const [, date = '', month = '', year = ''] = parts
  const day = `${fullYear(year, lastYear)}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  if (isNoDay(day)) return ''
  return isCalendarDay(day) ? day : null
}
