import type { exportLoans as exportLoansCall } from '../../contract/loan-exports.ts'
import type { Loan } from '../../contract/loans.ts'
import { daysBetween } from '../../domain/calendar-day.ts'
import { copyStates, durationWords, loanStatuses } from '../../domain/loan-rules.ts'
import { type AccountingCodes, withAccountingCodes } from '../library-facts/accounting-codes.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { ServedFile } from '../http/served-file.ts'
import { listFile } from '../files/list-file.ts'
import type { KeyedColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { noteHistoryRead, whoseHistory } from './note-history-read.ts'
import { serializeLoan } from './serialize-loan.ts'
import { everyLoan } from './loan-queries.ts'

/** All loans of a list as a file, in its order. */
export function exportLoans(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportLoansCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { today, visibility } = exchange
  async function* rows(chosen: readonly KeyedColumn<ExportedLoan>[]) {
    const shown = new Map<string, Pick<Loan, 'beneficiary' | 'status'>>()
    for await (const loans of everyLoan(reads, list, exchange)) {
      const told = loans.map((loan) => serializeLoan(visibility, loan))
      for (const { beneficiary, status } of told)
        shown.set(`${beneficiary} ${status}`, { beneficiary, status })
      yield await withAccountingCodes(reads, 'loanings', { rows: told, columns: chosen })
    }
    await noteHistoryRead(exchange, whoseHistory(list, [...shown.values()]))
  }
  return listFile(reads, query, exchange, { holds: 'prets', title: 'Prêts', columns: columnsOn(today), rows })
}

type ExportedLoan = Loan & AccountingCodes

const columnsOn = (today: string): KeyedColumn<ExportedLoan>[] => [
  {
    key: 'reference',
    title: 'Article',
    width: 40,
    kind: 'text',
    isPrinted: true,
    value: (loan) => loan.reference_name,
  },
  {
    key: 'bar_code',
    title: 'Code-barres',
    width: 14,
    kind: 'text',
    isPrinted: true,
    value: (loan) => loan.copy_barcode,
  },
  {
    key: 'beneficiary',
    title: 'Lecteur',
    width: 30,
    kind: 'text',
    isPrinted: true,
    value: (loan) => loan.beneficiary_name,
  },
  {
    key: 'relative',
    title: 'Membre de la famille',
    width: 22,
    kind: 'text',
    value: (loan) => loan.relative?.name ?? null,
  },
  {
    key: 'category',
    title: 'Catégorie',
    width: 18,
    kind: 'text',
    isPrinted: true,
    value: (loan) => loan.category,
  },
  { key: 'medium', title: 'Support', width: 16, kind: 'text', value: (loan) => loan.medium },
  { key: 'start', title: 'Début', width: 12, kind: 'day', isPrinted: true, value: (loan) => loan.start_date },
  {
    key: 'due',
    title: 'Retour prévu',
    width: 12,
    kind: 'day',
    isPrinted: true,
    value: (loan) => loan.end_date,
  },
  {
    key: 'returned',
    title: 'Rendu le',
    width: 12,
    kind: 'day',
    isPrinted: true,
    value: (loan) => loan.return_date,
  },
  {
    key: 'status',
    title: 'Statut',
    width: 10,
    kind: 'text',
    isPrinted: true,
    value: (loan) => loanStatuses[loan.status],
  },
  {
    key: 'days_late',
    title: 'Jours de retard',
    width: 8,
    kind: 'count',
    value: (loan) => daysLate(loan, today),
  },
  { key: 'duration', title: 'Durée', width: 12, kind: 'text', value: durationWords },
  { key: 'amount', title: 'Montant', width: 10, kind: 'money', value: (loan) => loan.amount },
  { key: 'free', title: 'Gratuit', width: 8, kind: 'text', value: (loan) => (loan.free ? 'Oui' : 'Non') },
  {
    key: 'free_reason',
    title: 'Motif de gratuité',
    width: 20,
    kind: 'text',
    value: (loan) => loan.free_reason?.name ?? null,
  },
  { key: 'comment', title: 'Commentaire', width: 30, kind: 'text', value: (loan) => loan.comment },
  {
    key: 'return_comment',
    title: 'Commentaire de retour',
    width: 30,
    kind: 'text',
    value: (loan) => loan.return_comment,
  },
  {
    key: 'state',
    title: 'État au retour',
    width: 16,
    kind: 'text',
    value: ({ state }) => state && copyStates[state],
  },
  {
    key: 'delay_reason',
    title: 'Motif de retard',
    width: 20,
    kind: 'text',
    value: (loan) => loan.delay_reason?.name ?? null,
  },
  {
    key: 'delay_comment',
    title: 'Précisions sur le retard',
    width: 30,
    kind: 'text',
    value: (loan) => loan.delay_comment,
  },
  {
    key: 'penalty',
    title: 'Pénalité',
    width: 10,
    kind: 'money',
    value: (loan) => loan.penalty?.total ?? null,
  },
  { key: 'lent_by', title: 'Prêté par', width: 16, kind: 'text', value: (loan) => loan.lent_by },
  { key: 'returned_by', title: 'Repris par', width: 16, kind: 'text', value: (loan) => loan.returned_by },
  { key: 'analytic', title: 'Code analytique', width: 16, kind: 'text', value: (loan) => loan.analytic },
  {
    key: 'accounting_code',
    title: 'Code comptable',
    width: 16,
    kind: 'text',
    value: (loan) => loan.accounting_code,
  },
]

const daysLate = ({ islate, end_date, return_date }: Loan, today: string): number | null =>
  islate ? daysBetween(end_date, return_date ?? today) : null
