import { sql } from 'kysely'
import * as v from 'valibot'

import { updateBeneficiary as updateCall } from '../../contract/beneficiary-changes.ts'
import { fullName } from '../../domain/person-names.ts'
import { type Facts, someOf, type Undoable } from '../acts/undoable.ts'
import type { Refusal } from '../http/outcome.ts'
import { codesOfCards } from '../library-facts/held-codes.ts'
import { findVisibleBeneficiary } from './beneficiary-queries.ts'
import { whyNumberTaken } from './reader-number.ts'
import { updateBeneficiary } from './write-beneficiaries.ts'

const own = [
  'matricule',
  'lastname',
  'firstname',
  'contract_type',
  'beneficiary_status',
  'dossiers',
  'kind',
  'birth_year',
  'commune',
  'agency_id',
  'exit_date',
  'reader_id',
  'email',
  'phone',
  'address',
  'message',
]

// What is kept of an undoing is shown to others, later, and names nobody else: who has the number now is not for them.
const takenNow = 'Son matricule ou son numéro est maintenant celui d’un autre lecteur.'

function whyNot({ message, violations }: Refusal): string {
  const isTaken = violations?.some(
    ({ propertyPath }) => propertyPath === 'matricule' || propertyPath === 'reader_id',
  )
  return isTaken ? takenNow : message
}

export const undoReaders: Undoable = {
  nameOf: ({ firstname, lastname }) => fullName({ firstname: String(firstname), lastname: String(lastname) }),

  lock: (trx, ids) =>
    sql`select from beneficiaries where id = any(${ids}::int[]) order by id for update`.execute(trx),

  read: async (trx, ids, exchange) => {
    const { rows } = await sql<{ id: number }>`
      select id from beneficiaries where id = any(${ids}::int[]) and deleted_at is null order by id`.execute(
      trx,
    )
    const found = new Map<number, Facts>()
    for (const { id } of rows) {
      const reader = await findVisibleBeneficiary(trx, id, exchange)
      if (reader) found.set(id, reader)
    }
    return found
  },

  own: (facts) => someOf(facts, own),

  takeAway: async (trx, ids, { now }) => {
    const { rows } = await sql<{ id: number }>`
      select b.id from beneficiaries b where b.id = any(${ids}::int[]) and (
        exists (select from loanings l where l.beneficiary = b.id and l.deleted_at is null)
        or exists (select from reservations v where v.beneficiary_id = b.id and v.deleted_at is null)
        or exists (select from relatives rel where rel.beneficiary = b.id and rel.deleted_at is null))`.execute(
      trx,
    )
    const used = rows.map(({ id }) => id)
    await sql`
      update beneficiaries set deleted_at = ${now.toISOString()}
      where id = any(${ids}::int[]) and id <> all(${used}::int[])`.execute(trx)
    return new Map(used.map((id) => [id, 'Il a des prêts, des réservations ou des proches.']))
  },

  giveBack: async (trx, { id, before }, exchange) => {
    const body = v.safeParse(updateCall.body, someOf(before, own))
    if (!body.success) return 'Ce qu’il était n’est plus permis.'
    const outcome = await updateBeneficiary(
      trx,
      { params: { id }, query: undefined, body: body.output },
      exchange,
    )
    return outcome.ok ? null : whyNot(outcome.refusal)
  },

  bringBack: async (trx, { id }, { visibility }) => {
    const { rows } = await sql<{ reader_id: string | null }>`
      select reader_id from beneficiaries where id = ${id} and forgotten_at is null`.execute(trx)
    if (!rows[0]) return 'Ce lecteur a été effacé.'
    const { reader_id } = rows[0]
    const taken =
      reader_id === null ? null : await whyNumberTaken(trx, reader_id, { beneficiary: id }, visibility)
    if (taken !== null) {
      const isOfCard = (await codesOfCards(trx, [String(reader_id)])).size > 0
      return isOfCard ? takenNow : taken
    }
    await sql`update beneficiaries set deleted_at = null where id = ${id}`.execute(trx)
    return null
  },
}
