import '@mantine/dates/styles.css'
import 'dayjs/locale/fr'

import { DatePicker } from '@mantine/dates'

type DateCalendarProps = {
  value: string
  /** Its month is shown where no day is chosen. */
  today: string
  onChange: (day: string) => void
  minDate?: string | undefined
  maxDate?: string | undefined
}

export default function DateCalendar({ value, today, onChange, minDate, maxDate }: DateCalendarProps) {
  return (
    <DatePicker
      locale="fr"
      size="md"
      value={value || null}
      onChange={(day) => onChange(day ?? '')}
      defaultDate={value || today}
      {...(minDate ? { minDate } : {})}
      {...(maxDate ? { maxDate } : {})}
      ariaLabels={{
        previousMonth: 'Mois précédent',
        nextMonth: 'Mois suivant',
        previousYear: 'Année précédente',
        nextYear: 'Année suivante',
        previousDecade: 'Décennie précédente',
        nextDecade: 'Décennie suivante',
        monthLevelControl: 'Choisir un mois',
        yearLevelControl: 'Choisir une année',
      }}
    />
  )
}
