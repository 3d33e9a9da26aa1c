import { type RawBuilder, sql } from 'kysely'

import type { lendCopy } from '../../contract/loans.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome, type Refused } from '../http/outcome.ts'
import { copyOpen, readerOpen, type Visibility } from '../visibility/visibility.ts'
import { carrying, firstCarrying, formsOf } from './circulating-copy.ts'

type Asked = VerbInput<typeof lendCopy>['body']

/** A loan whose copy and reader are known by their numbers. */
export type Lend = Omit<Asked, 'copy' | 'copy_code' | 'beneficiary' | 'beneficiary_code'> & {
  copy: number
  beneficiary: number
}

export const noCopyCarries = (code: string): Refused =>
  conflict('COPY_UNKNOWN', `Aucun exemplaire ne porte le code «\u00a0${code}\u00a0».`)
/** Answers are kept, and a card is somebody's: whoever asks knows what was read. */
const nobodyCarries: Refused = conflict('READER_UNKNOWN', 'Aucun lecteur n’a cette carte ni ce matricule.')

/** Finds what a device only read that did not know it, among what is open to the person; relatives borrow by their own cards. */
export async function foundByCode(
  trx: Trx,
  { copy: known, copy_code = '', beneficiary, beneficiary_code = '', ...terms }: Asked,
  { visibility }: Pick<Exchange, 'visibility'>,
): Promise<Outcome<Lend>> {
  const reader =
    beneficiary === undefined
      ? await readerByCode(trx, beneficiary_code, visibility)
      : { beneficiary, relative: null }
  if (!reader) return nobodyCarries
  const copy = known ?? (await copyByCode(trx, copy_code, visibility))
  if (copy === null) return noCopyCarries(copy_code)
  return done({
    ...(reader.relative === null ? {} : { relative: reader.relative }),
    ...terms,
    copy,
    beneficiary: reader.beneficiary,
  })
}

async function copyByCode(trx: Trx, code: string, visibility: Visibility): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select c.id from copies c where ${carrying(code)} and ${copyOpen(visibility)} ${firstCarrying(code)}`.execute(
    trx,
  )
  return rows[0]?.id ?? null
}

/** By the number of their card or of a relative's, else by matricule, as a device that knows its readers does (offline/counter.ts). */
async function readerByCode(
  trx: Trx,
  code: string,
  visibility: Visibility,
): Promise<{ beneficiary: number; relative: number | null } | null> {
  const forms = formsOf(code)
  const isForm = (column: RawBuilder<unknown>) => sql`${column} = any(${forms}::text[])`
  const { rows } = await sql<{ beneficiary: number; relative: number | null }>`
    select found.beneficiary, found.relative from (
      select b.id as beneficiary, null::integer as relative, 1 as rank, b.reader_id as form
      from beneficiaries b where ${isForm(sql`b.reader_id`)} and b.deleted_at is null
      union all
      select rel.beneficiary, rel.id, 2, rel.reader_id
      from relatives rel where ${isForm(sql`rel.reader_id`)} and rel.deleted_at is null
      union all
      select b.id, null, 3, b.matricule
      from beneficiaries b where ${isForm(sql`b.matricule`)} and b.deleted_at is null
    ) found join beneficiaries b on b.id = found.beneficiary
    where b.deleted_at is null and ${readerOpen(visibility)}
    order by array_position(${forms}::text[], found.form), found.rank limit 1`.execute(trx)
  return rows[0] ?? null
}
