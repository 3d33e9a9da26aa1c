import { Button } from '@mantine/core'

import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import { monthOf, type Period } from '../../domain/stat-periods.ts'
import { useToday } from '../loans/use-today.ts'
import { DateField } from '../ui/forms/date-field.tsx'
import styles from './stats.module.css'
import type { PeriodAddress } from './use-stat-address.ts'

/** From one day to another, both counted, or a month or a year by one press. */
export function PeriodFilter({ period, fault, change }: PeriodAddress) {
  const today = useToday()
  return (
    <div className={styles['period']}>
      <DateField label="Du" value={period.start_date} onChange={(start_date) => change({ start_date })} />
      <DateField
        label="Au"
        value={period.end_date}
        onChange={(end_date) => change({ end_date })}
        error={fault ?? undefined}
      />
      <div className={styles['shortcuts']} role="group" aria-label="Périodes">
        {shortcutsOf(today).map(([label, { start_date, end_date }]) => (
          <Button
            key={label}
            variant="default"
            px="sm"
            aria-pressed={start_date === period.start_date && end_date === period.end_date}
            onClick={() => change({ start_date, end_date })}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}

function shortcutsOf(today: CalendarDay): readonly (readonly [label: string, Period])[] {
  const month = monthOf(today)
  const year = Number(today.slice(0, 4))
  return [
    ['Ce mois', month],
    ['Mois dernier', monthOf(plusDays(month.start_date, -1))],
    ['Cette année', yearOf(year)],
    ['Année dernière', yearOf(year - 1)],
  ]
}

const yearOf = (year: number): Period => ({ start_date: `${year}-01-01`, end_date: `${year}-12-31` })
