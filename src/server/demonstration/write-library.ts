import type { CalendarDay } from '../../domain/calendar-day.ts'
import { addReferences } from '../catalogue/add-references.ts'
import type { Trx } from '../db/handles.ts'
import { bulkInsert } from './bulk-insert.ts'
import type { Furniture } from './seed-demonstration.ts'
import type { LibraryPlan } from './plan-library.ts'

export type Writing = {
  trx: Trx
  plan: LibraryPlan
  furniture: Furniture
  dayOf: (rank: number) => CalendarDay
  today: CalendarDay
  wrote: (rows: number, label: string) => void
}

/** Writes works in bulk; answers the reference's id by line. */
export async function writeWorks({ trx, plan, wrote }: Writing): Promise<ReadonlyMap<number, number>> {
  let before = 0
  const { ids, errors } = await addReferences(trx, plan.works, {
    onProgress: (done) => {
      wrote(done - before, 'Œuvres')
      before = done
    },
  })
  const [error] = errors
  if (error) throw new Error(`catalogue de démonstration, ligne ${error.line}\u202f: ${error.message}`)
  return ids
}

export async function writeCopies(
  { trx, plan, furniture, dayOf, wrote }: Writing,
  references: ReadonlyMap<number, number>,
): Promise<void> {
  const lent = new Set(
    plan.loans.filter(({ returned, isCancelled }) => returned > 0 && !isCancelled).map(({ copy }) => copy),
  )
  await bulkInsert(
    trx,
    'copies',
    {
      id: 'int',
      reference: 'int',
      bar_code: 'text',
      site: 'int',
      state: 'text',
      status: 'text',
      location: 'int',
      buy_date: 'date',
      sent_from: 'int',
      sent_at: 'timestamptz',
      created_at: 'timestamptz',
    },
    plan.copies.map((copy) => {
      const bought = dayOf(copy.bought)
      return {
        id: copy.id,
        reference: references.get(copy.work.line),
        bar_code: copy.bar_code,
        site: furniture.sites[copy.site],
        state: copy.state,
        status: lent.has(copy) ? 'En Location' : copy.status,
        location: furniture.locations.get(copy.work.location),
        buy_date: bought,
        sent_from: copy.sent && furniture.sites[copy.sent.from],
        sent_at: copy.sent && `${dayOf(copy.sent.rank)}T10:00:00Z`,
        created_at: `${bought}T09:00:00Z`,
      }
    }),
    { onProgress: (rows) => wrote(rows, 'Exemplaires') },
  )
}

export async function writeReaders({ trx, plan, furniture, dayOf, wrote }: Writing): Promise<void> {
  await bulkInsert(
    trx,
    'beneficiaries',
    {
      id: 'int',
      matricule: 'text',
      lastname: 'text',
      firstname: 'text',
      kind: 'text',
      birth_year: 'int',
      commune: 'text',
      contract_type: 'text',
      beneficiary_status: 'text',
      agency_id: 'int',
      exit_date: 'date',
      reader_id: 'text',
      email: 'text',
      phone: 'text',
      address: 'text',
      displayed: 'jsonb',
      message: 'text',
      created_at: 'timestamptz',
    },
    plan.readers.map((reader) => ({
      id: reader.id,
      matricule: reader.matricule,
      lastname: reader.lastname,
      firstname: reader.firstname,
      kind: reader.kind,
      birth_year: reader.birth_year,
      commune: reader.commune,
      contract_type: reader.contract_type,
      beneficiary_status: reader.beneficiary_status,
      agency_id: furniture.sites[reader.site],
      exit_date: reader.exit === null ? null : dayOf(reader.exit),
      reader_id: reader.reader_id,
      email: reader.email,
      phone: reader.phone,
      address: reader.address,
      displayed: reader.displayed,
      message: reader.message,
      created_at: `${dayOf(reader.joined)}T09:00:00Z`,
    })),
    { onProgress: (rows) => wrote(rows, 'Lecteurs') },
  )
  await bulkInsert(
    trx,
    'relatives',
    { id: 'int', beneficiary: 'int', lastname: 'text', firstname: 'text', reader_id: 'text' },
    plan.readers.flatMap(({ relatives }) => relatives),
  )
}

export async function writeReservations(
  { trx, plan, furniture, dayOf, wrote }: Writing,
  references: ReadonlyMap<number, number>,
): Promise<void> {
  const loanIds = new Map(plan.loans.map((loan, at) => [loan, at + 1]))
  await bulkInsert(
    trx,
    'reservations',
    {
      id: 'int',
      beneficiary_id: 'int',
      reference_id: 'int',
      copy_id: 'int',
      site: 'int',
      status: 'text',
      source: 'text',
      reservation_date: 'timestamptz',
      queue_position: 'int',
      comment: 'text',
      fulfilled_by: 'int',
    },
    plan.reservations.map(({ reader, work, copy, site, made, fulfilledBy, ...own }, at) => ({
      id: at + 1,
      beneficiary_id: reader.id,
      reference_id: references.get(work.line),
      copy_id: copy?.id ?? null,
      site: furniture.sites[site],
      status: own.status,
      source: own.source,
      reservation_date: `${dayOf(made)}T10:00:00Z`,
      queue_position: own.queue_position,
      comment: own.comment,
      fulfilled_by: fulfilledBy ? (loanIds.get(fulfilledBy) ?? null) : null,
    })),
    { onProgress: (rows) => wrote(rows, 'Réservations') },
  )
}
