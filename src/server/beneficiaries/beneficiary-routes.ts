import { type RawBuilder, sql } from 'kysely'

import * as call from '../../contract/beneficiaries.ts'
import * as changes from '../../contract/beneficiary-changes.ts'
import * as eligibility from '../../contract/eligibility.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { collection, type ListQuery, mapMembers, type MemberOf } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord, type ListSource, readPage } from '../db/lists/list-sql.ts'
import { aMomentAgo, change, file, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { readerOpen, seenByAll } from '../visibility/visibility.ts'
import {
  autocompleteBeneficiaries,
  beneficiaryLabel,
  findVisibleBeneficiary,
  listBeneficiaries,
  serializeBeneficiary,
} from './beneficiary-queries.ts'
import { inMedia, listEligibilityValues } from './eligibility-values.ts'
import { exportBeneficiaries } from './export-beneficiaries.ts'
import { printCard, printCards } from './print-cards.ts'
import { addRelative, removeRelative, updateRelative } from './relatives.ts'
import { addBeneficiary, updateBeneficiary } from './write-beneficiaries.ts'

type Twin = Omit<MemberOf<AnswerOf<typeof changes.findTwins>>, '@id' | '@type'>

const mostTwins = 5

/** Readers in sight who may be the one that is being typed; a year that either lacks tells nothing apart. */
async function findTwins(
  db: Db,
  { query }: VerbInput<typeof changes.findTwins>,
  { visibility }: Exchange,
): Promise<Outcome<AnswerOf<typeof changes.findTwins>>> {
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

const mostProposed = 200

async function listCommunes(
  db: Db,
  { visibility }: Pick<Exchange, 'visibility'>,
): Promise<AnswerOf<typeof changes.listCommunes>> {
  const { rows } = await sql<{ name: string }>`
    select b.commune as name from beneficiaries b
    where b.commune is not null and b.deleted_at is null and ${readerOpen(visibility)}
    group by b.commune order by count(*) desc, b.commune limit ${mostProposed}`.execute(db)
  return collection(rows)
}

const agencies: ListSource<{ id: number; name: string }> = {
  columns: sql`s.id, s.name`,
  from: sql`sites s`,
  where: sql`s.enabled and s.deleted_at is null`,
  seen: seenByAll,
  filters: { id: { column: sql`s.id` }, name: { column: sql`s.name` } },
  orders: { name: sql`search_text(s.name)`, id: sql`s.id` },
  id: sql`s.id`,
}

async function listAgencies(db: Db, list: ListQuery): Promise<AnswerOf<typeof call.listAgencies>> {
  const { rows, total } = await readPage(db, list, agencies)
  const members = rows.map((row) => ({
    '@id': `/api/agencies/${row.id}`,
    '@type': 'Agency' as const,
    ...row,
  }))
  return collection(members, total)
}

/** Renames a word for every reader and every medium that has it, or makes it one with another. */
async function renameEligibilityValue(
  trx: Trx,
  { params, body }: VerbInput<typeof eligibility.renameEligibilityValue>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof eligibility.renameEligibilityValue>>> {
  const before = await trx
    .selectFrom('eligibility_values')
    .selectAll()
    .where('id', '=', params.id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return notFound('Cette valeur n’existe pas ou n’existe plus.')
  const other = await trx
    .selectFrom('eligibility_values')
    .selectAll()
    .where('kind', '=', before.kind)
    .where('id', '<>', before.id)
    .where(sql<boolean>`search_text(name) = search_text(${body.name})`)
    .forUpdate()
    .executeTakeFirst()
  if (other && !body.merge) {
    return conflict('NAME_TAKEN', `«\u00a0${other.name}\u00a0» existe déjà.`)
  }
  const after = other ?? { ...before, name: body.name }
  if (other) await trx.deleteFrom('eligibility_values').where('id', '=', before.id).execute()
  else {
    await trx
      .updateTable('eligibility_values')
      .set({ name: after.name })
      .where('id', '=', before.id)
      .execute()
  }
  await renameForReaders(trx, before.kind, before.name, after.name)
  await renameForMedia(trx, before.kind, before.name, after.name)
  if (before.name !== after.name) {
    await journal(trx, exchange, {
      action: other ? 'eligibility.merge' : 'eligibility.rename',
      entity: 'eligibility',
      entity_id: before.id,
      before,
      after,
    })
  }
  return done({
    '@id': `/api/eligibility/list/${after.kind}/${after.id}`,
    '@type': 'EligibilityValue',
    id: after.id,
    name: after.name,
  })
}

async function renameForReaders(
  trx: Trx,
  kind: eligibility.EligibilityKind,
  from: string,
  to: string,
): Promise<void> {
  if (kind === 'DOSSIER_TYPE') {
    await sql`update beneficiaries set dossiers = (
        select array_agg(name order by at) from (
          select case name when ${from} then ${to} else name end as name, min(at) as at
          from unnest(dossiers) with ordinality given (name, at) group by 1) renamed)
      where ${from} = any(dossiers)`.execute(trx)
    return
  }
  const column = sql.ref(kind === 'CONTRACT' ? 'contract_type' : 'beneficiary_status')
  await sql`update beneficiaries set ${column} = ${to} where ${column} = ${from}`.execute(trx)
}

/** A rule that named both keeps one; none is left empty, which would let everybody in. */
async function renameForMedia(
  trx: Trx,
  kind: eligibility.EligibilityKind,
  from: string,
  to: string,
): Promise<void> {
  const key = inMedia[kind]
  await sql`update media set eligibility = jsonb_set(eligibility, array[${key}::text], (
      select jsonb_agg(name order by at) from (
        select case name when ${from} then ${to} else name end as name, min(at) as at
        from jsonb_array_elements_text(eligibility -> ${key}::text) with ordinality given (name, at)
        group by 1) renamed))
    where eligibility -> ${key}::text ? ${from}`.execute(trx)
}

// What has a name stands before `{id}`, because the first matching path serves the call.
export const beneficiaryRoutes = [
  read(call.listBeneficiaries, async (db, { list }, exchange) => {
    const page = await listBeneficiaries(db, list, exchange)
    return done(mapMembers(page, (row) => serializeBeneficiary(row, exchange.caller)))
  }),
  aMomentAgo(file(changes.exportBeneficiaries, exportBeneficiaries)),
  file(changes.printCards, printCards),
  file(changes.printCard, printCard),
  read(call.autocompleteBeneficiaries, async (db, { list, query }, exchange) => {
    const { searchname, with_inactive = false } = query
    const found = await autocompleteBeneficiaries(db, list, { searchname, with_inactive }, exchange)
    return done(
      mapMembers(found, (choice) => ({
        '@id': `/api/beneficiaries/${choice.id}`,
        '@type': 'Beneficiary' as const,
        ...choice,
        label: beneficiaryLabel(choice),
      })),
    )
  }),
  read(changes.findTwins, findTwins),
  longRead(changes.listCommunes, async (db, _, exchange) => done(await listCommunes(db, exchange))),
  read(call.getBeneficiary, async (db, { params }, exchange) => {
    const row = await findVisibleBeneficiary(db, params.id, exchange)
    return row ? done(serializeBeneficiary(row, exchange.caller)) : notFound('Ce lecteur n’existe pas.')
  }),
  change(changes.addBeneficiary, addBeneficiary),
  change(changes.updateBeneficiary, updateBeneficiary),
  change(changes.addRelative, addRelative),
  change(changes.updateRelative, updateRelative),
  change(changes.removeRelative, removeRelative),
  read(call.listAgencies, async (db, { list }) => done(await listAgencies(db, list))),
  read(eligibility.listEligibilityValues, async (db, { list, params, query }) =>
    done(await listEligibilityValues(db, list, { kind: params.kind, inUse: query.inUse ?? false })),
  ),
  change(eligibility.renameEligibilityValue, renameEligibilityValue),
]
