import { type CalendarState, calendarStates } from '../../domain/calendar-weeks.ts'
import styles from './calendar.module.css'

/** Each state by its colour, its pattern and its word. */
export function CalendarLegend() {
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
