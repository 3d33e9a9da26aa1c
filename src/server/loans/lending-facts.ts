import { sql } from 'kysely'

import type { Audience, ReaderKind } from '../../domain/age-bands.ts'
import type { Capacity } from '../../domain/reservation-rules.ts'
import { capacityOfTitle } from '../library-facts/active-reservation.ts'
import { coverPath } from '../library-facts/cover-path.ts'
import type { Trx } from '../db/handles.ts'
import { ahead } from '../db/connections/statement-batch.ts'
import { readerInfo, readerName, relativeName } from '../library-facts/person-names.ts'
import { queueLocked } from '../queue/lock-queue.ts'
import {
  type CirculatingCopy,
  copyFacts,
  type WaitingReservation,
  waitingReservations,
} from './circulating-copy.ts'
import { type ReaderFacts, readerFacts } from './eligibility.ts'
import { sitesOutOfService } from './site-of-loan.ts'

type Named = {
  copy: number
  beneficiary: number
  relative?: number | null | undefined
  free_reason?: number | null | undefined
}

export type LendingFacts = CirculatingCopy &
  ReaderFacts & {
    category: string | null
    image_path: string | null
    /** Null where there is no such reader; the reader's other fields then mean nothing. */
    reader: number | null
    beneficiary_info: string
    beneficiary_name: string
    agency_id: number | null
    kind: ReaderKind
    birth_year: number | null
    audience: Audience | null
    relative_name: string | null
    free_reason_name: string | null
    waiting: WaitingReservation[]
    capacity: Capacity | null
    /** Sites where nothing is lent. */
    out_of_service: { id: number; name: string }[]
    /** The number of the future loan; null where the copy is not to be had. */
    loan: number | null
  }

/** Locks copy, reader, then the title's queue; the next statement reads, for this one sees no news. */
export async function lockToLend(trx: Trx, { copy, beneficiary }: Named): Promise<void> {
  const locking = sql`
    with locked_copy as materialized (select id, reference from copies where id = ${copy} for update),
      locked_reader as materialized (
        select id from beneficiaries where id = ${beneficiary} and (select count(*) from locked_copy) = 1
        for no key update),
      locked_queue as materialized (
        select ${queueLocked(sql`reference`)} from locked_copy
        where (select count(*) from locked_reader) <= 1)
    select count(*) from locked_queue`
  await ahead(trx, locking)
}

/** The facts of a locked copy and reader; null when there is no such copy. */
export async function lendingFacts(
  trx: Trx,
  { copy, beneficiary, relative = null, free_reason = null }: Named,
  today: string,
): Promise<LendingFacts | null> {
  // Apart, because a distributed engine gives numbers on the machine that is asked, and would carry these rows there for one.
  const given = await ahead(trx, sql<{ loan: number }>`select nextval('loanings_id_seq') as loan`)
  const { rows } = await sql<Omit<LendingFacts, 'loan'>>`
    select ${copyFacts}, ${readerFacts(today)},
      (select cat.name from categories cat where cat.id = r.category) as category, ${coverPath} as image_path,
      b.id as reader, ${readerInfo} as beneficiary_info, ${readerName} as beneficiary_name, b.agency_id,
      b.kind, b.birth_year, r.audience,
      (select ${relativeName} from relatives rel
        where rel.id = ${relative} and rel.beneficiary = b.id and rel.deleted_at is null) as relative_name,
      (select fr.name from reasons fr
        where fr.id = ${free_reason} and fr.type = 'free' and fr.deleted_at is null) as free_reason_name,
      coalesce((select json_agg(w) from (${waitingReservations}) w), '[]') as waiting,
      ${capacityOfTitle} as capacity,
      ${sitesOutOfService} as out_of_service
    from copies c join "references" r on r.id = c.reference left join media m on m.id = r.medium
      left join beneficiaries b on b.id = ${beneficiary}
    where c.id = ${copy}`.execute(trx)
  const [facts] = rows
  if (!facts) return null
  const [number] = (await given.answer()).rows
  return { ...facts, loan: facts.status === 'Disponible' ? (number?.loan ?? null) : null }
}
