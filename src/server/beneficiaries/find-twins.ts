import { collection } from '../../contract/list.ts'
import { type RawBuilder, sql } from 'kysely'

import type { findTwins as findTwinsCall } from '../../contract/beneficiary-changes.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { Db } from '../db/handles.ts'
import { everyWord } from '../db/lists/list-sql.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { readerOpen } from '../visibility/visibility.ts'

type Twin = Omit<AnswerOf<typeof findTwinsCall>['hydra:member'][number], '@id' | '@type'>

const mostTwins = 5

/** Readers in sight who may be the one that is being typed; a year that either lacks tells nothing apart. */
export async function findTwins(
  db: Db,
  { query }: VerbInput<typeof findTwinsCall>,
  { visibility }: Exchange,
): Promise<Outcome<AnswerOf<typeof findTwinsCall>>> {
  const { lastname, firstname, birth_year, email, reader_id, except = 0 } = query
  const year = birth_year === '' ? null : Number(birth_year)
  const found: RawBuilder<unknown>[] = []
  if (lastname !== '') {
    // The words find a few by their index, of whom some have them in another order.
    found.push(sql`select b.id, 'name'::text as why from beneficiaries b
      where ${everyWord(sql`b.search`, `${lastname} ${firstname}`)}
        and search_text(b.lastname || ' ' || b.firstname) = search_text(${lastname} || ' ' || ${firstname})
        and (${year}::int is null or b.birth_year is null or b.birth_year = ${year}::int)`)
  }
  if (email !== '' && visibility.rights.has('BENEFICIARY_CONTACT')) {
    found.push(
      sql`select b.id, 'email'::text as why from beneficiaries b where b.email = ${email}::public.citext`,
    )
  }
  if (reader_id !== '') {
    found.push(sql`select b.id, 'number'::text as why from beneficiaries b where b.reader_id = ${reader_id}`)
    found.push(sql`select rel.beneficiary, 'number'::text from relatives rel
      where rel.reader_id = ${reader_id} and rel.deleted_at is null`)
  }
  if (found.length === 0) return done(collection([]))
  const { rows } = await sql<Twin>`
    select b.id, b.matricule, b.lastname, b.firstname, b.birth_year, b.exit_date, twins.why
    from (
      select id, array_agg(distinct why) as why from (${sql.join(found, sql` union all `)}) found group by id
    ) twins join beneficiaries b on b.id = twins.id
    where b.deleted_at is null and b.id <> ${except} and ${readerOpen(visibility)}
    order by b.sort_name, b.id limit ${mostTwins}`.execute(db)
  const members = rows.map((row) => ({
    '@id': `/api/beneficiaries/${row.id}`,
    '@type': 'Beneficiary' as const,
    ...row,
  }))
  return done(collection(members))
}
