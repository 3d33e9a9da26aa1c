import type { getReaderData as getReaderDataCall } from '../../contract/beneficiary-changes.ts'
import { readerKindNames } from '../../domain/age-bands.ts'
import { calendarDayOf, frenchDay } from '../../domain/calendar-day.ts'
import { loanStatuses } from '../../domain/loan-rules.ts'
import { frenchMoney } from '../../domain/money.ts'
import { fullName } from '../../domain/person-names.ts'
import { reservationStatuses } from '../../domain/reservation-rules.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { finished, made, mm, openDocument } from '../pdf/open-document.ts'
import { type ReaderData, readReaderData } from './reader-data.ts'

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
