import { sql } from 'kysely'

import { lendCopy } from '../../contract/loans.ts'
import { returnCopy, returnLoan } from '../../contract/returns.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { erasedName } from '../../domain/erasing.ts'
import type { Trx } from '../db/handles.ts'
import { readerInfo, readerName, relativeName } from '../library-facts/person-names.ts'
import { journalEach, type Witnessed } from '../http/journal.ts'
import { cutLoansOf } from './cut-loans.ts'
import { forgetInJournal } from './forget-in-journal.ts'

type Known = {
  ids: readonly number[]
  /** Their names in full, addresses and telephones. */
  names: readonly string[]
  /** Of cards and matricules, which in other filters are numbers of something else. */
  numbers: readonly string[]
}

/** A kept view that seeks one of these readers, or is called by their name, goes with them, and so does what the journal calls it. */
async function forgetInViews(trx: Trx, { ids, names, numbers }: Known): Promise<void> {
  await sql`
    with sought as (
      select w.id, split_part(f.key, '|', 1) as field, f.value
      from views w cross join jsonb_each_text(w.content -> 'filters') f),
    named as (
      select id, value from sought where field ~ 'name|search|email|phone'
      union all select id, name from views)
    delete from views where id in (
      select id from sought
      where field in ('beneficiary', 'beneficiary_id') and value = any(${ids}::int[]::text[])
        or field ~ 'matricule|reader|search' and value = any(${numbers}::text[])
      union
      select named.id from named join unnest(${names}::text[]) known
        on position(search_text(known) in search_text(named.value)) > 0)`.execute(trx)
  // Also of those that were renamed or removed before.
  await sql`
    update audit_journal j set before = before - 'name', after = after - 'name'
    where j.entity = 'views' and exists (
      select from unnest(${names}::text[]) known
      where position(search_text(known) in search_text(concat_ws(' / ', j.before ->> 'name', j.after ->> 'name'))) > 0)`.execute(
    trx,
  )
}

type Erased = {
  ids: readonly number[]
  /** Theirs and those of their relatives, in each way that an answer writes them. */
  names: readonly string[]
}

const names = new Set(['beneficiary_info', 'beneficiary_name', 'relative_name'])
const words = new Set(['comment', 'return_comment', 'delay_comment', 'override_reason'])

/** Most answers are of these, which name a reader along with the number, but for who waits: looking for names takes long. */
const tellByNumber = [lendCopy.name, returnLoan.name, returnCopy.name]

/** Takes readers out of the answers that are kept by key: what comes again is still answered, without them. */
async function forgetInAnswers(trx: Trx, { ids, names: all }: Erased): Promise<void> {
  const among = ids.join('|')
  const named = all.filter((name) => name.length > 2)
  // As they stand in what is kept, which writes some signs otherwise.
  const inJson = named.map((name) => JSON.stringify(name).slice(1, -1))
  const { rows } = await sql<{ key: string; answer: string }>`
    select key, answer from idempotency_keys
    where answer ~ ${`("beneficiary(_id)?":|/api/beneficiaries/)(${among})[^0-9]`}
      or not (endpoint = any(${tellByNumber}::text[]) and status < 300 and position('"awaited_by"' in answer) = 0)
        and exists (select from unnest(${inJson}::text[]) name where position(name in answer) > 0)`.execute(
    trx,
  )
  const of: Forgotten = { ids, written: named.length === 0 ? null : asWritten(named) }
  for (const { key, answer } of rows) {
    const without = JSON.stringify(withoutReaders(JSON.parse(answer), of))
    await trx.updateTable('idempotency_keys').set({ answer: without }).where('key', '=', key).execute()
  }
}

type Forgotten = { ids: readonly number[]; written: RegExp | null }

/** Any of these names, the longest first as one may hold another, and none that a longer word begins with. */
function asWritten(some: readonly string[]): RegExp {
  const longestFirst = [...some].sort((a, b) => b.length - a.length)
  const plain = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${plain.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
}

function withoutReaders(value: unknown, erased: Forgotten): unknown {
  if (typeof value === 'string') return erased.written ? value.replace(erased.written, erasedName) : value
  if (Array.isArray(value)) return value.map((one) => withoutReaders(one, erased))
  if (typeof value !== 'object' || value === null) return value
  const facts = value as Record<string, unknown>
  const isOne = (id: unknown) => typeof id === 'number' && erased.ids.includes(id)
  if (facts['@type'] === 'Beneficiary' && isOne(facts['id'])) return blank(facts)
  const isAbout = isOne(facts['beneficiary']) || isOne(facts['beneficiary_id'])
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => {
      if (isAbout && names.has(name)) return [name, erasedName]
      if (isAbout && words.has(name)) return [name, fact === null ? null : '']
      if (isAbout && name === 'relative') return [name, null]
      if (name === 'beneficiary' && isOne(fact)) return [name, null]
      return [name, withoutReaders(fact, erased)]
    }),
  )
}

/** A reader as an answer tells them, of the same form. */
const blank = (facts: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => {
      if (name.startsWith('@') || name === 'kind') return [name, fact]
      if (name === 'lastname' || name === 'label') return [name, erasedName]
      if (Array.isArray(fact)) return [name, []]
      if (typeof fact === 'string') return [name, name.endsWith('_date') ? null : '']
      return [name, name === 'birth_year' ? null : fact]
    }),
  )

type Erasing = Witnessed & { today: CalendarDay; timezone: string }

/**
 * Erases readers, locked, who have nothing lent and nothing waiting (docs/decisions/0052-forgetting.md): what figures count
 * of them stays, and nothing that names them.
 */
export async function eraseReaders(trx: Trx, ids: readonly number[], erasing: Erasing): Promise<void> {
  if (ids.length === 0) return
  const { today, timezone, now } = erasing
  const known = await whatIsKnownOf(trx, ids)
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
    settled: await forgetSettled(trx, { ids, loans, numbers: known.numbers }),
    numbers: known.numbers,
  })
  await forgetInAnswers(trx, { ids, names: known.inAnswers })
  await forgetInViews(trx, { ids, ...known })
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

/** How a piece of JSON names one of them: by id, or by the number that a device read off line. */
const namesReader = (ids: readonly number[], numbers: readonly string[]) =>
  [
    `"beneficiary(_id)?": ?"?(/api/beneficiaries/)?(${ids.join('|')})[^0-9]`,
    ...numbers.map((number) => `"beneficiary_code": ?${literally(JSON.stringify(number))}`),
  ].join('|')

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** What they and their relatives are and were called, by what their journal tells: any first name with any last. */
async function whatIsKnownOf(
  trx: Trx,
  ids: readonly number[],
): Promise<{ inAnswers: string[]; names: string[]; numbers: string[] }> {
  const { rows } = await sql<{ in_answers: string[]; names: string[]; numbers: string[] }>`
    with readers as (
      select b.id, b.firstname, b.lastname, b.matricule, b.reader_id, b.email::text, b.phone
      from beneficiaries b where b.id = any(${ids}::int[])),
    was as (
      select j.entity_id as id, j.before from audit_journal j
      where j.entity = 'beneficiaries' and j.entity_id = any(${ids}::int[]) and j.before is not null),
    first as (select id, firstname from readers union select id, before ->> 'firstname' from was),
    last as (select id, lastname from readers union select id, before ->> 'lastname' from was),
    numbered as (select id, matricule from readers union select id, before ->> 'matricule' from was),
    called as (
      select firstname, lastname, matricule from first join last using (id) join numbered using (id)
      where firstname is not null and lastname is not null and matricule is not null)
    select array[trim(b.firstname || ' ' || b.lastname), ${readerName}, ${readerInfo}] as in_answers,
      array[trim(b.firstname || ' ' || b.lastname), trim(b.lastname || ' ' || b.firstname)] as names,
      array[b.matricule] as numbers from called b
    union all select '{}', array_remove(array[email, phone], null), array_remove(array[reader_id], null) from readers
    union all select array[${relativeName}], array[${relativeName}], array_remove(array[rel.reader_id], null)
      from relatives rel where rel.beneficiary = any(${ids}::int[])`.execute(trx)
  const all = (one: 'in_answers' | 'names' | 'numbers') => [...new Set(rows.flatMap((row) => row[one]))]
  return {
    inAnswers: all('in_answers'),
    names: all('names').filter((name) => name.length > 2),
    numbers: all('numbers'),
  }
}

/** How refused actions of theirs, or on loans of theirs, were settled; answers which. */
async function forgetSettled(
  trx: Trx,
  { ids, loans, numbers }: { ids: readonly number[]; loans: readonly number[]; numbers: readonly string[] },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update settlements set action = '{}', reason = null, motive = null
    where loaning = any(${loans}::int[]) or (action ->> 'loaning')::int = any(${loans}::int[])
      or action::text ~ ${namesReader(ids, numbers)} returning id`.execute(trx)
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
  {
    ids,
    relatives,
    settled,
    numbers,
  }: Record<'ids' | 'relatives' | 'settled', readonly number[]> & {
    numbers: readonly string[]
  },
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
        and coalesce(before::text, '') || coalesce(after::text, '') ~ ${namesReader(ids, numbers)}`.execute(
    trx,
  )
}
