import { sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { erasedName } from '../../domain/erasing.ts'
import type { Trx } from '../db/handles.ts'
import { readerInfo, readerName, relativeName } from '../db/person-names.ts'
import { journalEach, type Witnessed } from '../http/journal.ts'
import { cutLoansOf } from './cut-loans.ts'
import { forgetInAnswers } from './forget-in-answers.ts'
import { forgetInJournal } from './forget-in-journal.ts'

export type Erasing = Witnessed & { today: CalendarDay; timezone: string }

/**
 * Erases readers, locked, who have nothing lent and nothing waiting (docs/decisions/0052-forgetting.md): what figures count
 * of them stays, and nothing that names them.
 */
export async function eraseReaders(trx: Trx, ids: readonly number[], erasing: Erasing): Promise<void> {
  if (ids.length === 0) return
  const { today, timezone, now } = erasing
  const names = await namesOf(trx, ids)
  const loans = await cutLoansOf(trx, ids, { endedBefore: null, today, timezone })
  await forgetInJournal(trx, 'loanings', loans)
  await forgetSales(trx, ids)
  await forgetReservations(trx, ids)
  await sql`delete from letters where beneficiary = any(${ids}::int[])`.execute(trx)
  await sql`
    delete from mail_outbox where beneficiary = any(${ids}::int[]) or loaning = any(${loans}::int[])`.execute(
    trx,
  )
  // Before the lines on them: whoever changed one meanwhile has written theirs.
  const { rows: relatives } = await sql<{ id: number }>`
    delete from relatives where beneficiary = any(${ids}::int[]) returning id`.execute(trx)
  await forgetWhatWasWritten(trx, {
    ids,
    relatives: relatives.map(({ id }) => id),
    settled: await forgetSettled(trx, { ids, loans }),
  })
  await forgetInAnswers(trx, { ids, names })
  await sql`delete from last_cut_loans where beneficiary = any(${ids}::int[])`.execute(trx)
  // The files go with the next look at them.
  await sql`delete from archives where ended_at is not null`.execute(trx)
  await sql`
    update beneficiaries set matricule = 'EFFACE-' || id, lastname = ${erasedName}, firstname = '', beneficiary_status = null,
      dossiers = '{}', birth_year = null, exit_date = null, reader_id = null, email = null, phone = null, address = null,
      wallet_amount = null, displayed = '[]', message = '',
      created_at = date_trunc('month', created_at at time zone ${timezone}) at time zone ${timezone},
      deleted_at = ${now.toISOString()}, forgotten_at = ${now.toISOString()}
    where id = any(${ids}::int[])`.execute(trx)
  await journalEach(
    trx,
    erasing,
    ids.map((id) => ({ action: 'beneficiaries.erase', entity: 'beneficiaries', entity_id: id })),
  )
}

/** How a piece of JSON names one of them. */
const namesReader = (ids: readonly number[]) =>
  `"beneficiary(_id)?": ?"?(/api/beneficiaries/)?(${ids.join('|')})[^0-9]`

async function namesOf(trx: Trx, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ names: string[] }>`
    select array[trim(b.firstname || ' ' || b.lastname), ${readerName}, ${readerInfo}] as names
    from beneficiaries b where b.id = any(${ids}::int[])
    union all select array[${relativeName}] from relatives rel where rel.beneficiary = any(${ids}::int[])`.execute(
    trx,
  )
  return rows.flatMap(({ names }) => names)
}

/** How refused actions of theirs, or on loans of theirs, were settled; answers which. */
async function forgetSettled(
  trx: Trx,
  { ids, loans }: { ids: readonly number[]; loans: readonly number[] },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update settlements set action = '{}', reason = null, motive = null
    where loaning = any(${loans}::int[]) or (action ->> 'loaning')::int = any(${loans}::int[])
      or action::text ~ ${namesReader(ids)} returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Accounts need what was sold, when and for how much, and not to whom. */
async function forgetSales(trx: Trx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update sales set beneficiary = null, relative = null, comment = ''
    where beneficiary = any(${ids}::int[]) returning id`.execute(trx)
  await forgetInJournal(
    trx,
    'sales',
    rows.map(({ id }) => id),
  )
}

async function forgetReservations(trx: Trx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    delete from reservations where beneficiary_id = any(${ids}::int[]) returning id`.execute(trx)
  await forgetInJournal(
    trx,
    'reservations',
    rows.map(({ id }) => id),
  )
}

/** Who changed what of them, and when, stays; what it was does not. */
async function forgetWhatWasWritten(
  trx: Trx,
  { ids, relatives, settled }: Record<'ids' | 'relatives' | 'settled', readonly number[]>,
): Promise<void> {
  await sql`
    update audit_journal set before = null, after = null
    where (entity = 'beneficiaries' and entity_id = any(${ids}::int[])
        or entity = 'relatives' and entity_id = any(${relatives}::int[]))
      and (before is not null or after is not null)`.execute(trx)
  await sql`
    update audit_journal set before = null, after = null
    where entity = 'settlements' and entity_id = any(${settled}::int[])
      or entity in ('settlements', 'mail', 'letters')
        and coalesce(before::text, '') || coalesce(after::text, '') ~ ${namesReader(ids)}`.execute(trx)
}
