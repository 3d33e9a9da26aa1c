import { sql } from 'kysely'

import type {
  EligibilityKind,
  listEligibilityValues as listEligibilityValuesCall,
} from '../../contract/eligibility.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { collection, type ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { readPage } from '../db/lists/list-sql.ts'
import { seenByAll } from '../visibility/visibility.ts'

export const inMedia = {
  CONTRACT: 'contracts',
  BENEFICIAIRE_STATUS: 'statuses',
  DOSSIER_TYPE: 'dossiers',
} as const

const ofBeneficiaries = {
  CONTRACT: sql`select contract_type from beneficiaries where deleted_at is null`,
  BENEFICIAIRE_STATUS: sql`select beneficiary_status from beneficiaries where deleted_at is null`,
  DOSSIER_TYPE: sql`select unnest(dossiers) from beneficiaries where deleted_at is null`,
}

export async function listEligibilityValues(
  db: Db,
  list: ListQuery,
  { kind, inUse }: { kind: EligibilityKind; inUse: boolean },
): Promise<AnswerOf<typeof listEligibilityValuesCall>> {
  const used = sql`and (
    e.name in (${ofBeneficiaries[kind]})
    or e.name in (
      select jsonb_array_elements_text(m.eligibility -> ${inMedia[kind]}::text) from media m where m.deleted_at is null))`
  const { rows, total } = await readPage(db, list, {
    columns: sql<{ id: number; name: string }>`e.id, e.name`,
    from: sql`eligibility_values e`,
    where: sql`e.kind = ${kind} ${inUse ? used : sql``}`,
    seen: seenByAll,
    filters: { id: { column: sql`e.id` }, name: { column: sql`e.name` } },
    orders: { name: sql`search_text(e.name)`, id: sql`e.id` },
    id: sql`e.id`,
  })
  const members = rows.map((row) => ({
    '@id': `/api/eligibility/list/${kind}/${row.id}`,
    '@type': 'EligibilityValue' as const,
    ...row,
  }))
  return collection(members, total)
}

type Given = {
  contract_type?: string | null | undefined
  beneficiary_status?: string | null | undefined
  dossiers?: string[] | undefined
}

const valuesOf = ({ contract_type, beneficiary_status, dossiers = [] }: Given) => [
  ...(contract_type ? [{ kind: 'CONTRACT' as const, name: contract_type }] : []),
  ...(beneficiary_status ? [{ kind: 'BENEFICIAIRE_STATUS' as const, name: beneficiary_status }] : []),
  ...dossiers.map((name) => ({ kind: 'DOSSIER_TYPE' as const, name })),
]

/** Keeps the values that readers, a medium or a preset were given, so that all of them may ask for them. */
export async function rememberEligibilityValues(trx: Trx, ...given: readonly Given[]): Promise<void> {
  const values = [
    ...new Map(given.flatMap(valuesOf).map((value) => [`${value.kind} ${value.name}`, value])).values(),
  ]
  if (values.length === 0) return
  const add = () =>
    trx
      .insertInto('eligibility_values')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await add()
  // Whoever renames one of them waits for us; one that was being renamed is no longer there, and is added again.
  const { rows } = await sql`
    select from eligibility_values
    where (kind, name) in (
      select * from unnest(${values.map(({ kind }) => kind)}::text[], ${values.map(({ name }) => name)}::text[]))
    order by id for share`.execute(trx)
  if (rows.length < values.length) await add()
}
