import { sql } from 'kysely'

import type {
  EligibilityKind,
  renameEligibilityValue as renameEligibilityValueCall,
} from '../../contract/eligibility.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { inMedia } from './eligibility-values.ts'

/** Renames a word for every reader and every medium that has it, or makes it one with another. */
export async function renameEligibilityValue(
  trx: Trx,
  { params, body }: VerbInput<typeof renameEligibilityValueCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof renameEligibilityValueCall>>> {
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

async function renameForReaders(trx: Trx, kind: EligibilityKind, from: string, to: string): Promise<void> {
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
async function renameForMedia(trx: Trx, kind: EligibilityKind, from: string, to: string): Promise<void> {
  const key = inMedia[kind]
  await sql`update media set eligibility = jsonb_set(eligibility, array[${key}::text], (
      select jsonb_agg(name order by at) from (
        select case name when ${from} then ${to} else name end as name, min(at) as at
        from jsonb_array_elements_text(eligibility -> ${key}::text) with ordinality given (name, at)
        group by 1) renamed))
    where eligibility -> ${key}::text ? ${from}`.execute(trx)
}
