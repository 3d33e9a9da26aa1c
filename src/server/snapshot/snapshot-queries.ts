import { sql } from 'kysely'

import type {
  SnapshotBeneficiary,
  SnapshotCopy,
  SnapshotLoan,
  SnapshotReservation,
} from '../../contract/snapshot.ts'
import type { Trx } from '../db/handles.ts'
import { atSites } from '../db/lists/list-sql.ts'
import { relativeName } from '../library-facts/person-names.ts'
import { readerInfoWhere, readerNameWhere } from '../visibility/visibility.ts'
import type { Phase, Scope } from './snapshot-cursor.ts'

type Run = {
  after: number
  limit: number
  /** Null for everything in scope; `below` leaves out rows that a restored dump dates after today. */
  changed: { since: number; below: number } | null
}

const ofAgency = ({ sites, bySite }: Scope) =>
  bySite ? sql`coalesce(${atSites(sql`b.agency_id`, sites)}, false)` : sql`true`

// A reader's limits count loans of any site, so the readers in scope come with all of theirs.
const isOpenInScope = (scope: Scope) =>
  sql`l.status = 'in_progress'
    and (${ofAgency(scope)} or ${atSites(sql`c.site`, scope.sites)} or ${atSites(sql`l.site`, scope.sites)})`

type Subject = 'references' | 'copies' | 'beneficiaries' | 'loanings' | 'reservations'

const changedRows = (subject: Subject, { since, below }: NonNullable<Run['changed']>) =>
  sql`(select row_id from row_changes
    where changed_xid >= ${since}::bigint and changed_xid < ${below}::bigint and subject = ${subject})`

const isWaiting = (table: 'v' | 'w') => {
  const [status, deleted, fulfilled] = ['status', 'deleted_at', 'fulfilled_by'].map((column) =>
    sql.ref(`${table}.${column}`),
  )
  return sql`${status} in ('waiting', 'confirmed') and ${deleted} is null and ${fulfilled} is null`
}

// Changed rows that left the scope are sent by id as deleted or closed, because the device may hold them.

/** A copy has changed also when its reference has (title, price, medium). */
export async function readCopies(
  trx: Trx,
  scope: Scope,
  { after, limit, changed }: Run,
): Promise<SnapshotCopy[]> {
  const inScope = sql`c.deleted_at is null and ${atSites(sql`c.site`, scope.sites)}`
  const chosen = changed
    ? sql`c.id in (
        ${changedRows('copies', changed)}
        union
        select f.id from copies f where f.reference in ${changedRows('references', changed)})`
    : inScope
  const { rows } = await sql<SnapshotCopy>`
    select c.id, c.bar_code, r.name, c.reference, r.medium, c.status, c.state, c.site, coalesce(c.price, r.price) as price, c.type,
      c.cycle_type, c.cycle_value, not (${inScope}) as deleted
    from copies c join "references" r on r.id = c.reference
    where c.id > ${after} and ${chosen}
    order by c.id limit ${limit}`.execute(trx)
  return rows.map((row) => (row.deleted ? { ...forgottenCopy, id: row.id } : row))
}

const forgottenCopy: SnapshotCopy = {
  id: 0,
  bar_code: '',
  name: '',
  reference: 1,
  medium: null,
  status: 'Non Disponible',
  state: 'GOOD',
  site: 1,
  price: '0.00',
  type: 'Location',
  cycle_type: null,
  cycle_value: null,
  deleted: true,
}

export async function readBeneficiaries(
  trx: Trx,
  scope: Scope,
  { after, limit, changed }: Run,
): Promise<SnapshotBeneficiary[]> {
  const inScope = sql`b.deleted_at is null and ${ofAgency(scope)}`
  const { rows } = await sql<SnapshotBeneficiary>`
    select b.id, b.matricule, b.lastname, b.firstname, b.reader_id, b.contract_type, b.beneficiary_status, b.dossiers, b.agency_id,
      b.exit_date, b.message, not (${inScope}) as deleted,
      coalesce((
        select json_agg(
          json_build_object('id', rel.id, 'name', ${relativeName}, 'reader_id', rel.reader_id)
          order by rel.firstname, rel.id)
        from relatives rel where rel.beneficiary = b.id and rel.deleted_at is null), '[]') as relatives
    from beneficiaries b
    where b.id > ${after} and ${changed ? sql`b.id in ${changedRows('beneficiaries', changed)}` : inScope}
    order by b.id limit ${limit}`.execute(trx)
  return rows.map((row) => (row.deleted ? { ...forgottenReader, id: row.id } : row))
}

const forgottenReader: SnapshotBeneficiary = {
  id: 0,
  matricule: '',
  lastname: '',
  firstname: '',
  reader_id: null,
  contract_type: null,
  beneficiary_status: null,
  dossiers: [],
  agency_id: null,
  exit_date: null,
  message: '',
  relatives: [],
  deleted: true,
}

/** Open loans of the scope's readers, copies and sites; changed also with the copy, reference or agency. */
export async function readLoans(
  trx: Trx,
  scope: Scope,
  { after, limit, changed }: Run,
): Promise<SnapshotLoan[]> {
  const inScope = isOpenInScope(scope)
  const chosen = changed
    ? sql`l.id in (
        ${changedRows('loanings', changed)}
        union
        select o.id from loanings o where o.status = 'in_progress' and o.copy in ${changedRows('copies', changed)}
        union
        select o.id from copies f join loanings o on o.copy = f.id and o.status = 'in_progress'
        where f.reference in ${changedRows('references', changed)}
        ${scope.bySite ? ofTouchedBeneficiaries(changed) : sql``})`
    : inScope
  const { rows } = await sql<SnapshotLoan & Openness>`
    select l.id, l.loan_key, l.beneficiary, l.relative, l.copy, c.bar_code as copy_barcode, c.reference, r.name as reference_name,
      r.medium, l.site, l.start_date, l.end_date, l.duration_value, l.duration_type, not (${inScope}) as closed,
      ${atSites(sql`l.site`, scope.open)} as is_open, ${atSites(sql`c.site`, scope.open)} as is_copy_open
    from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
      join beneficiaries b on b.id = l.beneficiary
    where l.id > ${after} and ${chosen}
    order by l.id limit ${limit}`.execute(trx)
  return rows.map(serializeLoan)
}

type Openness = { is_open: boolean; is_copy_open: boolean }

function serializeLoan({ is_open, is_copy_open, ...row }: SnapshotLoan & Openness): SnapshotLoan {
  if (row.closed) return { ...forgottenLoan, id: row.id }
  if (is_open) return row
  const unnamed = { ...row, loan_key: null, relative: null, site: null }
  return is_copy_open
    ? { ...unnamed, beneficiary: null }
    : { ...unnamed, copy_barcode: '', reference_name: 'Prêt d’un autre site' }
}

const forgottenLoan: SnapshotLoan = {
  id: 0,
  loan_key: null,
  beneficiary: null,
  relative: null,
  copy: 1,
  copy_barcode: '',
  reference: 1,
  reference_name: '',
  medium: null,
  site: null,
  start_date: '2000-01-01',
  end_date: '2000-01-01',
  duration_value: 1,
  duration_type: 'DAY',
  closed: true,
}

const ofTouchedBeneficiaries = (changed: NonNullable<Run['changed']>) =>
  sql`union
    select o.id from loanings o
    where o.status = 'in_progress' and o.beneficiary in ${changedRows('beneficiaries', changed)}`

/**
 * Waiting reservations of every site, because a copy that moves must find its queue. Readers who are hidden,
 * or wait at a closed site, stay nameless, as do those who wait no longer.
 */
export async function readReservations(
  trx: Trx,
  scope: Scope,
  { after, limit, changed }: Run,
): Promise<SnapshotReservation[]> {
  const chosen = changed
    ? sql`v.id in (
        ${changedRows('reservations', changed)}
        union
        select w.id from reservations w
        where w.beneficiary_id in ${changedRows('beneficiaries', changed)} and ${isWaiting('w')})`
    : isWaiting('v')
  const { rows } = await sql<SnapshotReservation>`
    select v.id, v.beneficiary_id,
      ${readerInfoWhere(mayNameWhoWaits(scope))} as beneficiary_info,
      ${readerNameWhere(mayNameWhoWaits(scope))} as beneficiary_name,
      v.reference_id, v.copy_id, v.set_aside_copy, v.start_date, v.end_date, v.queue_position,
      case when s.id is not null and ${mayNameWhoWaits(scope)} then json_build_object('id', s.id, 'name', s.name) end as site,
      not (${isWaiting('v')}) as closed
    from reservations v join beneficiaries b on b.id = v.beneficiary_id left join sites s on s.id = v.site
    where v.id > ${after} and ${chosen}
    order by v.id limit ${limit}`.execute(trx)
  return rows.map((row) => (row.closed ? { ...row, beneficiary_info: '', beneficiary_name: '' } : row))
}

const mayNameWhoWaits = (scope: Scope) =>
  sql`(${ofAgency(scope)} and ${scope.open === null ? sql`true` : sql`(v.site is null or ${atSites(sql`v.site`, scope.open)})`})`

/** Whether the lines of changes reach back so far; older ones are swept (forgetChanges). */
export async function areChangesTold(trx: Trx, since: number): Promise<boolean> {
  const { rows } = await sql<{ first: number | null }>`
    select min(changed_xid) as first from row_changes`.execute(trx)
  const first = rows[0]?.first ?? null
  return first !== null && since >= first
}

export async function countRows(trx: Trx, scope: Scope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select
      (select count(*) from copies c where c.deleted_at is null and ${atSites(sql`c.site`, scope.sites)})
      + (select count(*) from beneficiaries b where b.deleted_at is null and ${ofAgency(scope)})
      + (select count(*) from loanings l join copies c on c.id = l.copy join beneficiaries b on b.id = l.beneficiary
         where ${isOpenInScope(scope)})
      + (select count(*) from reservations v where ${isWaiting('v')}) as total`.execute(trx)
  return rows[0]?.total ?? 0
}

export type SnapshotRows = {
  copies: SnapshotCopy[]
  beneficiaries: SnapshotBeneficiary[]
  loanings: SnapshotLoan[]
  reservations: SnapshotReservation[]
}

export async function readPhase(
  trx: Trx,
  phase: Phase,
  scope: Scope,
  run: Run,
  rows: SnapshotRows,
): Promise<number[]> {
  switch (phase) {
    case 'copies':
      rows.copies = await readCopies(trx, scope, run)
      break
    case 'beneficiaries':
      rows.beneficiaries = await readBeneficiaries(trx, scope, run)
      break
    case 'loanings':
      rows.loanings = await readLoans(trx, scope, run)
      break
    case 'reservations':
      rows.reservations = await readReservations(trx, scope, run)
  }
  return rows[phase].map(({ id }) => id)
}
