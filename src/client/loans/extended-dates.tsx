import { Alert, Text } from '@mantine/core'

import type { Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { durationWords } from '../../domain/loan-rules.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import { daysInWords, isLateUntil, leastInTime, useExtendedDue } from './extended-due.ts'
import styles from './extended-dates.module.css'
import { useToday } from './use-today.ts'
import { inWords } from '../page/house-words.ts'

/** Until when each of several loans would be extended, those that would stay late first. */
export function ExtendedDates({ loans, added }: { loans: readonly Loan[]; added: number }) {
  const today = useToday()
  const dueOf = useExtendedDue(loans)
  const dated = loans.flatMap((loan) => {
    const extended = dueOf(loan, added)
    return extended === null ? [] : [{ loan, ...extended, isLate: isLateUntil(extended.due, today) }]
  })
  const late = dated.filter(({ isLate }) => isLate)
  const unknown = loans.length - dated.length
  return (
    <>
      <div role="status">
        {dated.length > 0 ? <Text>{`Retour prévu ${daysInWords(dated.map(({ due }) => due))}.`}</Text> : null}
        {dated.length > 0 && unknown > 0 ? (
          <Text>{`${counted(unknown, 'prêt suit', 'prêts suivent')} le cycle de l’exemplaire.`}</Text>
        ) : null}
        {late.length > 0 ? (
          <Alert
            color="yellow"
            role="presentation"
            mt="sm"
            title={counted(late.length, 'prêt restera en retard', 'prêts resteront en retard')}
          >
            {stillLate(
              late.map(({ loan }) => loan),
              (loan) => leastInTime(loan, today, dueOf),
            )}
          </Alert>
        ) : null}
      </div>
      {dated.length > 0 ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys must scroll it
        <section className={styles['dates']} aria-label={inWords('Nouvelles dates de retour')} tabIndex={0}>
          <ul>
            {[...late, ...dated.filter(({ isLate }) => !isLate)].map(({ loan, due, why, isLate }) => (
              <li key={loan.id}>
                <span className={styles['title']} title={loan.reference_name}>
                  {loan.reference_name}
                </span>
                <span className={styles['due']}>
                  {isLate ? <StatusTag tone="bad">Restera en retard</StatusTag> : null}
                  {frenchDay(due)}
                </span>
                {why === null ? null : <span className={styles['why']}>{why}</span>}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}

/** What would leave none of them late, where they count in the same units. */
function stillLate(late: readonly Loan[], leastOf: (loan: Loan) => number | null): string {
  const why = 'La prolongation compte depuis l’ancienne date de retour de chaque prêt.'
  const [duration_type, ...others] = new Set(late.map((loan) => loan.duration_type))
  const each = late.map(leastOf)
  if (duration_type === undefined || others.length > 0 || each.includes(null)) return why
  const least = Math.max(...each.map((one) => one ?? 0))
  return `${why} Il faut au moins ${durationWords({ duration_type, duration_value: least })} pour qu’aucun ne soit plus en retard.`
}
