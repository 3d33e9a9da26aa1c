import type { Beneficiary } from '../../contract/beneficiaries.ts'
import { membersOf, type Collection, type Filter, type ListQuery } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import { listMails as listMailsCall } from '../../contract/mail.ts'
import { listSales as listSalesCall } from '../../contract/sales.ts'
import type { Right } from '../../domain/rights.ts'
import { findVisibleBeneficiary } from '../beneficiaries/beneficiary-queries.ts'
import { serializeBeneficiary } from '../beneficiaries/serialize-beneficiary.ts'
import type { Db } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { Exchange } from '../http/exchange.ts'
import { readJournal } from '../journal/journal-routes.ts'
import { listLoans as readLoanPage } from '../loans/loan-queries.ts'
import { serializeLoan } from '../loans/serialize-loan.ts'
import { listMails } from '../mail/mail-queries.ts'
import { listReservations } from '../queue/reservation-queries.ts'
import { listSales, serializeSale } from '../sales/sale-queries.ts'
import { visibilityFrom } from '../visibility/visibility.ts'

/** What the library holds of one reader, as far as the caller may see it; a part that they may not see is null. */
export type ReaderData = {
  reader: Beneficiary
  loans: Awaited<ReturnType<typeof loansOf>> | null
  reservations: Awaited<ReturnType<typeof reservationsOf>> | null
  sales: Awaited<ReturnType<typeof salesOf>> | null
  mails: Awaited<ReturnType<typeof mailsOf>> | null
  journal: Awaited<ReturnType<typeof journalOf>> | null
}

const pageOf = 100

export async function readReaderData(
  reads: ReadInTurn,
  id: number,
  asked: Exchange,
): Promise<ReaderData | null> {
  // Of every site that is open, whichever was chosen.
  const exchange = { ...asked, visibility: visibilityFrom(asked.visibility, null) }
  const row = await reads((db) => findVisibleBeneficiary(db, id, exchange))
  if (!row) return null
  const ifMay = <T>(right: Right, read: () => Promise<T>): Promise<T | null> =>
    asked.caller.rights.has(right) ? read() : Promise.resolve(null)
  return {
    reader: serializeBeneficiary(row, asked.caller),
    loans: await ifMay(listLoans.access, () => loansOf(reads, id, exchange)),
    reservations: await ifMay('LIST_RESERVATIONS', () => reservationsOf(reads, id, exchange)),
    sales: await ifMay(listSalesCall.access, () => salesOf(reads, id, exchange)),
    mails: await ifMay(listMailsCall.access, () => mailsOf(reads, id, exchange)),
    journal: await ifMay('BENEFICIARY_EDIT', () => journalOf(reads, id, exchange)),
  }
}

type ReadPage<T> = (db: Db, list: ListQuery) => Promise<Collection<T>>

async function everyRow<T>(
  reads: ReadInTurn,
  { filters, order }: { filters: Filter[]; order: string },
  read: ReadPage<T>,
): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page += 1) {
    const list: ListQuery = {
      page,
      limit: pageOf,
      filters,
      order: [
        { field: order, direction: 'desc' },
        { field: 'id', direction: 'desc' },
      ],
    }
    const some = membersOf(await reads((db) => read(db, list)))
    rows.push(...some)
    if (some.length < pageOf) return rows
  }
}

const of = (field: string, value: number): Filter => ({ field, operator: 'eq', value })

const loansOf = async (reads: ReadInTurn, id: number, exchange: Exchange) => {
  const rows = await everyRow(reads, { filters: [of('beneficiary', id)], order: 'start_date' }, (db, list) =>
    readLoanPage(db, list, exchange),
  )
  return rows.map((row) => serializeLoan(exchange.visibility, row))
}

const reservationsOf = async (reads: ReadInTurn, id: number, exchange: Exchange) => {
  const own = [of('beneficiary_id', id)]
  const read = (filters: Filter[]) =>
    everyRow(reads, { filters, order: 'reservation_date' }, (db, list) =>
      listReservations(db, list, exchange),
    )
  const served: Filter = { field: 'served', operator: 'eq', value: true }
  return [...(await read(own)), ...(await read([...own, served]))]
}

const salesOf = async (reads: ReadInTurn, id: number, { visibility }: Exchange) => {
  const rows = await everyRow(reads, { filters: [of('beneficiary', id)], order: 'date' }, (db, list) =>
    listSales(db, list, visibility),
  )
  return rows.map((row) => serializeSale(visibility, row))
}

const mailsOf = (reads: ReadInTurn, id: number, { visibility }: Exchange) =>
  everyRow(reads, { filters: [of('beneficiary', id)], order: 'created_at' }, (db, list) =>
    listMails(db, list, visibility),
  )

const journalOf = (reads: ReadInTurn, id: number, exchange: Exchange) =>
  everyRow(reads, { filters: [], order: 'at' }, async (db, list) => {
    const outcome = await readJournal(db, { list, query: { entity: 'beneficiaries', id } }, exchange)
    if (!outcome.ok) throw new Error(outcome.refusal.message)
    return outcome.answer
  })
