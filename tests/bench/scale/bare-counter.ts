import { createHash, randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import type pg from 'pg'

import { hashToken } from '../../../src/server/session/find-caller.ts'
import type { BenchLibrary } from './bench-library.ts'
import { barCodeOf, type LibrarySize, referenceOf } from './fill-library.ts'

// A counter's work in the fewest prepared statements that leave the same rows, on bare `pg`.

export const caller = `
  select s.id, u.id as user_id, u.username, s.last_used_at,
    (select array_agg(right_code) from profile_rights where profile = u.profile) as rights,
    (select array_agg(site) from user_sites where user_id = u.id) as sites
  from sessions s join users u on u.id = s.user_id
  where s.token_hash = $1 and s.revoked_at is null and u.enabled and u.deleted_at is null`

const found = `
  select c.id, c.bar_code, r.name, c.reference, c.state, c.status, s.name as site, c.price, c.type,
    (select json_build_object('id', cat.id, 'name', cat.name) from categories cat where cat.id = r.category) as category,
    (select json_build_object('id', m.id, 'name', m.name) from media m where m.id = r.medium) as medium,
    (select json_agg(v.id order by v.queue_position) from reservations v
      where v.reference_id = c.reference and v.status in ('waiting', 'confirmed') and v.deleted_at is null and v.fulfilled_by is null) as reservations,
    (select json_build_object('id', l.id, 'beneficiary', b.lastname, 'end_date', l.end_date)
      from loanings l join beneficiaries b on b.id = l.beneficiary where l.copy = c.id and l.status = 'in_progress') as loaning
  from copies c join "references" r on r.id = c.reference join sites s on s.id = c.site
  where c.bar_code = $1 and c.deleted_at is null`

const lockToLend = `
  with claimed as materialized (select pg_try_advisory_xact_lock(hashtextextended($1::text, 7302115)) as mine),
    copy as materialized (select id from copies where id = $2 and (select mine from claimed) for update),
    reader as materialized (
      select id from beneficiaries where id = $3 and (select count(*) from copy) = 1 for no key update)
  select count(*)::int as locked from reader`

/** Texts name the loan by the number of the model ($11): its own takes that place. */
const lend = `
  with facts as materialized (
    select c.id as copy, nextval('loanings_id_seq')::int as id, c.site
    from copies c join "references" r on r.id = c.reference left join media m on m.id = r.medium
      join beneficiaries b on b.id = $3
    where c.id = $2 and c.status = 'Disponible' and c.deleted_at is null and c.type = 'Location'
      and b.deleted_at is null and (b.exit_date is null or b.exit_date > $4)
      and not exists (select from idempotency_keys k where k.key = $1)
      and not exists (
        select from reservations v
        where v.reference_id = c.reference and (v.copy_id is null or v.copy_id = c.id)
          and v.status in ('waiting', 'confirmed') and v.deleted_at is null and v.fulfilled_by is null)
      and (m.max_loaning is null or m.max_loaning > (
        select count(*) from loanings l join copies lc on lc.id = l.copy join "references" lr on lr.id = lc.reference
        where l.beneficiary = b.id and l.status = 'in_progress' and lr.medium = m.id))
      and (m.max_late is null or m.max_late >= (
        select count(*) from loanings l where l.beneficiary = b.id and l.status = 'in_progress' and l.end_date < $4))),
  lent as (
    insert into loanings (id, loan_key, beneficiary, copy, site, start_date, end_date, duration_value, duration_type, amount,
      lent_by, lent_at, lent_received_at)
    select id, $1, $3, copy, site, $4, $5, $6, $7, $8, $9, $10, $10 from facts),
  gone as (update copies set status = 'En Location' where id in (select copy from facts)),
  told as (
    insert into audit_journal (at, user_id, action, entity, entity_id, after, idempotency_key)
    select $10, $9, 'loan.lend', 'loanings', id, replace($12, $11, id::text)::jsonb, $1 from facts)
  insert into idempotency_keys (key, user_id, site, endpoint, request_hash, status, answer, created_at)
  select $1, $9, $14, 'loanings.lend', $15, 201, replace($13, $11, id::text), $10 from facts`

const lockToReturn = `
  with claimed as materialized (select pg_try_advisory_xact_lock(hashtextextended($1::text, 7302115)) as mine)
  select id from copies where bar_code = $2 and deleted_at is null and (select mine from claimed) for update`

const giveBack = `
  with facts as materialized (
    select l.id, l.copy, c.state from loanings l join copies c on c.id = l.copy
    where c.bar_code = $2 and c.deleted_at is null and l.status = 'in_progress' and l.deleted_at is null
      and not exists (select from idempotency_keys k where k.key = $1)
      and not exists (
        select from reservations v
        where v.reference_id = c.reference and (v.copy_id is null or v.copy_id = c.id)
          and v.status in ('waiting', 'confirmed') and v.deleted_at is null and v.fulfilled_by is null)),
  closed as (
    update loanings l set status = 'finished', return_date = $3, state_before_return = facts.state, returned_by = $4,
      returned_at = $5, returned_received_at = $5 from facts where l.id = facts.id),
  home as (update copies set status = 'Disponible' where id in (select copy from facts)),
  told as (
    insert into audit_journal (at, user_id, action, entity, entity_id, before, after, idempotency_key)
    select $5, $4, 'loan.return', 'loanings', id, replace($7, $6, id::text)::jsonb, replace($8, $6, id::text)::jsonb, $1 from facts)
  insert into idempotency_keys (key, user_id, site, endpoint, request_hash, status, answer, created_at)
  select $1, $4, $10, 'loanings.return_copy', $11, 200, replace($9, $6, id::text), $5 from facts`

/** How many statements a call takes, so that a table can say it. */
export const bareStatements = { lookUp: 2, lend: 5, return: 5 }

type Kept = { loan: Loan; lend: Written; return: Written }
type Loan = {
  id: number
  site: number
  start_date: string
  end_date: string
  duration_value: number
  duration_type: string
  amount: string
  lent_by: number
}
type Written = { before: string | null; after: string; answer: string; site: number }

/** A copy with all that names it, and the keys that it was lent and given back by. */
export type Lent = { copy: number; reference: number; lend: string; return: string }

/** What the product left of a lend and a return: the same is to be left of other copies. */
export async function readModel({ environment: { db } }: BenchLibrary, lent: Lent): Promise<Kept> {
  const written = async (key: string) => {
    const { rows } = await sql<Written>`
      select j.before::text as before, j.after::text as after, k.answer, k.site
      from audit_journal j join idempotency_keys k on k.key = j.idempotency_key where k.key = ${key}`.execute(
      db,
    )
    const [row] = rows
    if (!row) throw new Error('the product left no journal of the model')
    return row
  }
  const { rows } = await sql<Loan>`
    select id, site, start_date, end_date, duration_value, duration_type, amount, lent_by
    from loanings where loan_key = ${lent.lend}`.execute(db)
  const [loan] = rows
  if (!loan) throw new Error('the product left no loan of the model')
  return { loan, lend: await written(lent.lend), return: await written(lent.return) }
}

/** A person at a counter without the product. */
export function bareCounter(
  lane: pg.Client,
  token: string,
  reader: number,
  model: { lent: Lent; kept: Kept },
) {
  const { kept } = model
  const run = (name: string, text: string, values: unknown[]) => lane.query({ name, text, values })
  const whoCalls = () => run('caller', caller, [hashToken(token)])
  const hashOf = (key: string) => createHash('sha256').update(key).digest()
  /** What the model says of itself, said of another copy. */
  const saidOf = (text: string | null, { copy, reference }: Lent) =>
    text &&
    text
      .replaceAll(barCodeOf(model.lent.copy), barCodeOf(copy))
      .replace(new RegExp(`("copy": ?)${model.lent.copy}\\b`, 'g'), `$1${copy}`)
      .replace(new RegExp(`("reference": ?)${model.lent.reference}\\b`, 'g'), `$1${reference}`)
  const inTransaction = async (act: () => Promise<pg.QueryResult>) => {
    await lane.query('begin')
    const { rowCount } = await act()
    if (rowCount !== 1) throw new Error('the bare counter did nothing: it did not do what the product does')
    await lane.query('commit')
  }
  return {
    lookUp: async (copy: number) => {
      await whoCalls()
      const { rowCount } = await run('found', found, [barCodeOf(copy)])
      if (rowCount !== 1) throw new Error('the bare counter found no copy')
    },
    lend: async (lent: Lent) => {
      await whoCalls()
      const { loan, lend: written } = kept
      const { start_date, end_date, duration_value, duration_type, amount, lent_by } = loan
      const said = [String(loan.id), saidOf(written.after, lent), saidOf(written.answer, lent)]
      const at = new Date().toISOString()
      await inTransaction(async () => {
        await run('lock to lend', lockToLend, [lent.lend, lent.copy, reader])
        const terms = [start_date, end_date, duration_value, duration_type, amount, lent_by, at]
        const values = [lent.lend, lent.copy, reader, ...terms, ...said, written.site, hashOf(lent.lend)]
        return run('lend', lend, values)
      })
    },
    giveBack: async (lent: Lent) => {
      await whoCalls()
      const { loan, return: written } = kept
      const said = [written.before, written.after, written.answer].map((text) => saidOf(text, lent))
      const at = new Date().toISOString()
      const bar_code = barCodeOf(lent.copy)
      await inTransaction(async () => {
        await run('lock to return', lockToReturn, [lent.return, bar_code])
        const values = [lent.return, bar_code, loan.start_date, loan.lent_by, at, String(loan.id), ...said]
        return run('give back', giveBack, [...values, written.site, hashOf(lent.return)])
      })
    },
  }
}

export const newLent = (copy: number, size: LibrarySize): Lent => ({
  copy,
  reference: referenceOf(copy, size),
  lend: randomUUID(),
  return: randomUUID(),
})

/** The rows that a lend and a return left, without what names this very loan, or when it was. */
async function tracesOf({ environment: { db } }: BenchLibrary, lent: Lent): Promise<string> {
  const { rows } = await sql<{ trace: object; id: number; name: string; state: string }>`
    select l.id, jsonb_build_object(
      'loan', to_jsonb(l), 'copy', to_jsonb(c) - 'id' - 'created_at' - 'buy_date' - 'location',
      'journal', (select jsonb_agg(to_jsonb(j) - 'id' order by j.id) from audit_journal j where j.idempotency_key in (${lent.lend}, ${lent.return})),
      'keys', (select jsonb_agg(to_jsonb(k) - 'request_hash' order by k.endpoint) from idempotency_keys k where k.key in (${lent.lend}, ${lent.return}))
    ) as trace
    from loanings l join copies c on c.id = l.copy where l.loan_key = ${lent.lend}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a lend left no loan')
  const names = new Map<unknown, string>([
    [row.id, 'loan'],
    [lent.copy, 'copy'],
    [lent.reference, 'reference'],
    [barCodeOf(lent.copy), 'bar code'],
    [lent.lend, 'key of the lend'],
    [lent.return, 'key of the return'],
  ])
  // Titles, media, what they cost and the number of a transaction are each copy's own.
  const ofCopy = [
    'reference_name',
    'category',
    'medium',
    'written_xid',
    '@id',
    'price',
    'cycle_type',
    'cycle_value',
  ]
  const plain = (value: unknown, field = ''): unknown => {
    if (ofCopy.includes(field)) return field
    if (field === 'answer') return plain(JSON.parse(String(value)))
    if (names.has(value)) return names.get(value)
    if (typeof value === 'string') return value.replace(/^\d{4}-\d\d-\d\dT.*/, 'instant')
    if (Array.isArray(value)) return value.map((one) => plain(one))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, of]) => [name, plain(of, name)]),
    )
  }
  return JSON.stringify(plain(row.trace), null, 1)
}

/** Throws unless both left the same rows: the loan, the copy, the journal and the keys. */
export async function checkSameRows(library: BenchLibrary, one: Lent, other: Lent): Promise<void> {
  const [mine, theirs] = await Promise.all([tracesOf(library, one), tracesOf(library, other)])
  if (mine === theirs) return
  const lines = theirs.split('\n')
  const first = mine.split('\n').findIndex((line, n) => line !== lines[n])
  throw new Error(`the bare counter leaves other rows: ${mine.split('\n')[first]} and ${lines[first]}`)
}
