import { exportLoans as exportLoansCall, type Loan } from '../../contract/loans.ts'
import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { copyStates, durationWords, loanStatuses } from '../../domain/loan-rules.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { tableFile } from '../files/table-file.ts'
import type { FileColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { tellLoan } from './tell-loan.ts'
import { everyLoan } from './loan-queries.ts'

/** All loans of a list as a file, in its order (file 1, « Loans list »). */
export async function exportLoans(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportLoansCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { parameters, now, today, sight } = exchange
  async function* rows() {
    for await (const loans of everyLoan(reads, list, exchange))
      yield loans.map((loan) => tellLoan(sight, loan))
  }
  const type = query.export_type
  const about = `${parameters.get('work_council')}, le ${frenchDay(today)}`
  return done({
    name: fileName('prets', type, now, parameters.get('timezone')),
    type,
    bytes: tableFile({ title: 'Prêts', about, columns: columnsOn(today), rows: rows() }, type),
  })
}

const columnsOn = (today: string): FileColumn<Loan>[] => [
  { title: 'Article', width: 40, kind: 'text', isPrinted: true, value: (loan) => loan.reference_name },
  { title: 'Code-barres', width: 14, kind: 'text', isPrinted: true, value: (loan) => loan.copy_barcode },
  { title: 'Bénéficiaire', width: 30, kind: 'text', isPrinted: true, value: (loan) => loan.beneficiary_name },
  { title: 'Membre de la famille', width: 22, kind: 'text', value: (loan) => loan.relative?.name ?? null },
  { title: 'Catégorie', width: 18, kind: 'text', isPrinted: true, value: (loan) => loan.category },
  { title: 'Support', width: 16, kind: 'text', value: (loan) => loan.medium },
  { title: 'Début', width: 12, kind: 'day', isPrinted: true, value: (loan) => loan.start_date },
  { title: 'Retour prévu', width: 12, kind: 'day', isPrinted: true, value: (loan) => loan.end_date },
  { title: 'Rendu le', width: 12, kind: 'day', isPrinted: true, value: (loan) => loan.return_date },
  { title: 'Statut', width: 10, kind: 'text', isPrinted: true, value: (loan) => loanStatuses[loan.status] },
  { title: 'Jours de retard', width: 8, kind: 'count', value: (loan) => daysLate(loan, today) },
  { title: 'Durée', width: 12, kind: 'text', value: durationWords },
  { title: 'Montant', width: 10, kind: 'money', value: (loan) => loan.amount },
  { title: 'Gratuit', width: 8, kind: 'text', value: (loan) => (loan.free ? 'Oui' : 'Non') },
  { title: 'Motif de gratuité', width: 20, kind: 'text', value: (loan) => loan.free_reason?.name ?? null },
  { title: 'Commentaire', width: 30, kind: 'text', value: (loan) => loan.comment },
  { title: 'Commentaire de retour', width: 30, kind: 'text', value: (loan) => loan.return_comment },
  { title: 'État au retour', width: 16, kind: 'text', value: ({ state }) => state && copyStates[state] },
  { title: 'Motif de retard', width: 20, kind: 'text', value: (loan) => loan.delay_reason?.name ?? null },
  { title: 'Précisions sur le retard', width: 30, kind: 'text', value: (loan) => loan.delay_comment },
  { title: 'Pénalité', width: 10, kind: 'money', value: (loan) => loan.penalty?.total ?? null },
  { title: 'Prêté par', width: 16, kind: 'text', value: (loan) => loan.lent_by },
  { title: 'Repris par', width: 16, kind: 'text', value: (loan) => loan.returned_by },
]

const daysLate = ({ islate, end_date, return_date }: Loan, today: string): number | null =>
  islate ? daysBetween(end_date, return_date ?? today) : null
