import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { getReaderData as getReaderDataCall } from '../../contract/beneficiary-changes.ts'
import { type Collection, type Filter, type ListQuery, membersOf } from '../../contract/list.ts'
import { listLoans } from '../../contract/loans.ts'
import { listMails as listMailsCall } from '../../contract/mail.ts'
import { listSales as listSalesCall } from '../../contract/sales.ts'
import { readerKindNames } from '../../domain/age-bands.ts'
import { calendarDayOf, frenchDay } from '../../domain/calendar-day.ts'
import { loanStatuses } from '../../domain/loan-rules.ts'
import { frenchMoney } from '../../domain/money.ts'
import { fullName } from '../../domain/person-names.ts'
import { reservationStatuses } from '../../domain/reservation-rules.ts'
import type { Right } from '../../domain/rights.ts'
import { findVisibleBeneficiary, serializeBeneficiary } from '../beneficiaries/beneficiary-queries.ts'
import type { Db } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { readJournal } from '../journal/journal-routes.ts'
import { listLoans as readLoanPage } from '../loans/loan-queries.ts'
import { serializeLoan } from '../loans/serialize-loan.ts'
import { listMails } from '../mail/mail-queries.ts'
import { finished, made, mm, openDocument } from '../pdf/open-document.ts'
import { listReservations } from '../queue/reservation-queries.ts'
import { listSales, serializeSale } from '../sales/sale-queries.ts'
import { visibilityFrom } from '../visibility/visibility.ts'

type Section = { title: string; lines: readonly string[] | null; otherwise: string }

const margin = 20 * mm
const inside = 170 * mm

/** The same on paper, part after part. */
async function* drawReaderData(data: ReaderData, exchange: Exchange): AsyncIterable<Uint8Array> {
  const { parameters, today } = exchange
  const name = fullName(data.reader)
  const document = await openDocument({
    size: 'A4',
    margins: { top: margin, bottom: margin, left: margin, right: margin },
    info: { Title: `Données de ${name}` },
  })
  document.addPage()
  document.fillColor('#000').font('bold').fontSize(15).text(name, { width: inside })
  document
    .font('plain')
    .fontSize(9)
    .text(`Ce que ${parameters.get('work_council')} garde sur cette personne, le ${frenchDay(today)}.`, {
      width: inside,
    })
  for (const section of sectionsOf(data, exchange)) {
    const { title, lines, otherwise } = section
    document.moveDown().font('bold').fontSize(11).text(title, { width: inside })
    document.font('plain').fontSize(9)
    if (lines === null) document.text(notSeen, { width: inside })
    else if (lines.length === 0) document.text(otherwise, { width: inside })
    for (const line of lines ?? []) {
      document.text(line, { width: inside, lineGap: 1.5 })
      yield* made(document)
    }
  }
  yield* finished(document)
}

const notSeen = 'Pas dans ce document\u202f: la personne qui l’a fait n’y a pas accès.'

function sectionsOf(
  { reader, loans, reservations, sales, mails, journal }: ReaderData,
  { visibility, parameters }: Exchange,
): Section[] {
  const dayOf = (at: string) => frenchDay(calendarDayOf(new Date(at), parameters.get('timezone')))
  const since = visibility.returnsSince === null ? '' : ' (en cours, ou rendus aujourd’hui)'
  return [
    { title: 'Identité', lines: identityOf(reader), otherwise: '' },
    {
      title: 'Proches',
      lines: reader.relatives.map(({ name, reader_id }) => (reader_id ? `${name}, ${reader_id}` : name)),
      otherwise: 'Aucun.',
    },
    {
      title: `Prêts${since}`,
      lines:
        loans?.map(
          (loan) =>
            `${frenchDay(loan.start_date)}\u202f: ${loan.reference_name} (${loan.copy_barcode}), ${loanStatuses[loan.status].toLowerCase()}${
              loan.return_date ? ` le ${frenchDay(loan.return_date)}` : ''
            }${[loan.comment, loan.return_comment, loan.delay_comment]
              .filter((words) => words !== '')
              .map((words) => `. ${words}`)
              .join('')}`,
        ) ?? null,
      otherwise: 'Aucun qui soit encore lié à cette personne.',
    },
    {
      title: 'Réservations',
      lines:
        reservations?.map(
          ({ reservation_date, reference_name, status, comment }) =>
            `${dayOf(reservation_date)}\u202f: ${reference_name}, ${reservationStatuses[status].toLowerCase()}${comment ? `. ${comment}` : ''}`,
        ) ?? null,
      otherwise: 'Aucune.',
    },
    {
      title: 'Ventes',
      lines:
        sales?.map(
          ({ date, reference_name, price, comment }) =>
            `${frenchDay(date)}\u202f: ${reference_name}, ${frenchMoney(price)}${comment ? `. ${comment}` : ''}`,
        ) ?? null,
      otherwise: 'Aucune.',
    },
    {
      title: 'Courriels',
      lines: mails?.map(({ created_at, subject }) => `${dayOf(created_at)}\u202f: ${subject}`) ?? null,
      otherwise: 'Aucun.',
    },
    {
      title: 'Journal de sa fiche',
      lines:
        journal?.map(
          ({ at, action, who, changes }) =>
            `${dayOf(at)}\u202f: ${action}${who ? ` par ${who}` : ''}${changes
              .map(({ field, before, after }) => `. ${field}\u202f: ${before ?? '—'} → ${after ?? '—'}`)
              .join('')}`,
        ) ?? null,
      otherwise: 'Rien.',
    },
  ]
}

const identityOf = (reader: ReaderData['reader']): string[] =>
  (
    [
      ['Matricule', reader.matricule],
      ['Nom', reader.lastname],
      ['Prénom', reader.firstname],
      ['Type', readerKindNames[reader.kind]],
      ['Année de naissance', reader.birth_year],
      ['Numéro de lecteur', reader.reader_id],
      ['Contrat', reader.contract_type],
      ['Statut', reader.beneficiary_status],
      ['Dossiers', reader.dossiers.join(', ')],
      ['Site', reader.agency],
      ['Date de sortie', reader.exit_date === null ? null : frenchDay(reader.exit_date)],
      ['Courriel', reader.email],
      ['Téléphone', reader.phone],
      ['Adresse', reader.address?.replaceAll(/\s*\n\s*/g, ', ')],
      ['Commune', reader.commune],
      ['Porte-monnaie', reader.wallet_amount === null ? null : frenchMoney(reader.wallet_amount)],
      ['Message au comptoir', reader.message],
      ...reader.displayed.map(({ name, value }) => [name, value] as const),
    ] as const
  ).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [`${name}\u202f: ${value}`],
  )

/** What the library holds of one reader, for a program or on paper; who asked for it is written down. */
export async function exportReaderData(
  reads: ReadInTurn,
  { params: { id }, query }: VerbInput<typeof getReaderDataCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { environment, now, parameters } = exchange
  const data = await readReaderData(reads, id, exchange)
  if (!data) return notFound('Ce lecteur n’existe pas.')
  await environment.db
    .transaction()
    .execute((trx) =>
      journal(trx, exchange, { action: 'beneficiaries.data', entity: 'beneficiaries', entity_id: id }),
    )
  const type = query.export_type
  const name = fileName(`donnees-${id}`, type, now, parameters.get('timezone'))
  const bytes = type === 'json' ? asJson(data, exchange) : drawReaderData(data, exchange)
  return done({ name, type, bytes })
}

async function* asJson(
  data: ReaderData,
  { now, parameters, visibility }: Exchange,
): AsyncIterable<Uint8Array> {
  const parts = Object.entries(data).filter(([, part]) => part !== null)
  const whole = {
    format: 'comptoir-personal-data-1',
    library: parameters.get('work_council'),
    made_at: now.toISOString(),
    ...Object.fromEntries(parts),
    /** Parts that whoever made this file may not see. */
    left_out: Object.keys(data).filter((part) => data[part as keyof ReaderData] === null),
    ...(visibility.returnsSince === null ? {} : { loans_returned_since: visibility.returnsSince }),
  }
  yield await Promise.resolve(Buffer.from(`${JSON.stringify(whole, null, 2)}\n`))
}

/** What the library holds of one reader, as far as the caller may see it; a part that they may not see is null. */
type ReaderData = {
  reader: Beneficiary
  loans: Awaited<ReturnType<typeof loansOf>> | null
  reservations: Awaited<ReturnType<typeof reservationsOf>> | null
  sales: Awaited<ReturnType<typeof salesOf>> | null
  mails: Awaited<ReturnType<typeof mailsOf>> | null
  journal: Awaited<ReturnType<typeof journalOf>> | null
}

const pageOf = 100

async function readReaderData(reads: ReadInTurn, id: number, asked: Exchange): Promise<ReaderData | null> {
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
