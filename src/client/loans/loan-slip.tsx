import { frenchDay } from '../../domain/calendar-day.ts'
import { dueWords } from '../../domain/due-words.ts'
import { useSession } from '../api/session.ts'
import { useEnvironment } from '../session/environment-data.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { PrintSheet } from '../ui/print-sheet.tsx'
import { counted } from '../ui/words.ts'
import { heldKey } from '../../offline/open-loans.ts'
import { firstDue } from '../../offline/open-loans.ts'
import type { HeldLoan } from './held-loan.ts'
import styles from './loan-slip.module.css'
import { useToday } from './use-today.ts'
import { inWords } from '../page/house-words.ts'

type LoanSlipProps = {
  paper: 'slip' | 'upright'
  /** The reader, as people read a name. */
  name: string
  loans: readonly HeldLoan[]
}

/** What a reader has and when it is due, on paper: a slip to take home, or a sheet. */
export default function LoanSlip({ paper, name, loans }: LoanSlipProps) {
  const { data: environment, isLoading } = useEnvironment()
  const site = useSession()?.site?.name
  const isMultisite = useIsMultisite()
  const today = useToday()
  const places = [environment?.name, isMultisite ? site : null].filter(Boolean)
  const count = counted(loans.length, 'prêt en cours', 'prêts en cours', 'Aucun prêt en cours')
  const soonestFirst = loans.toSorted(firstDue)
  // A slip is cut to what stands on it: all of it is known first.
  if (isLoading) return null
  return (
    <PrintSheet paper={paper} title={`Prêts, ${name}`}>
      {paper === 'slip' ? (
        <>
          {places.map((place) => (
            <p key={place} className={styles['place']}>
              {place}
            </p>
          ))}
          <p>{frenchDay(today)}</p>
          <h1 className={styles['name']}>{name}</h1>
          <ul className={styles['loans']}>
            {soonestFirst.map((loan) => (
              <li key={heldKey(loan)}>
                {loan.title}
                <strong>{toBringBack(loan)}</strong>
              </li>
            ))}
          </ul>
          <p>{count}</p>
        </>
      ) : (
        <>
          <h1>{name}</h1>
          <p>{[...places, frenchDay(today), count].join(' · ')}</p>
          <table>
            <thead>
              <tr>
                <th scope="col">Article</th>
                <th scope="col">{inWords('Code-barres')}</th>
                <th scope="col">Début</th>
                <th scope="col">{inWords('Retour prévu')}</th>
              </tr>
            </thead>
            <tbody>
              {soonestFirst.map((loan) => (
                <tr key={heldKey(loan)}>
                  <td>{loan.title}</td>
                  <td data-role="day">{loan.bar_code}</td>
                  <td data-role="day">{frenchDay(loan.start_date)}</td>
                  <td data-role="day">
                    {dueWords(loan, '', 'à vérifier')}
                    {loan.late ? <strong className={styles['late']}>En retard</strong> : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </PrintSheet>
  )
}

const toBringBack = (loan: HeldLoan): string =>
  dueWords(loan, loan.late ? 'En retard, attendu le' : 'À rendre le', 'Date de retour à vérifier')
