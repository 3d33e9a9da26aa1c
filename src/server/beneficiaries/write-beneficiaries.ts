import { sql } from 'kysely'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type {
  addBeneficiary as addBeneficiaryCall,
  updateBeneficiary as updateBeneficiaryCall,
} from '../../contract/beneficiary-changes.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import {
  beneficiariesByIds,
  type BeneficiaryRow,
  findVisibleBeneficiary,
  serializeBeneficiary,
} from './beneficiary-queries.ts'
import { beneficiaryRefusal } from './beneficiary-refusal.ts'
import { rememberEligibilityValues } from './eligibility-values.ts'
import { lockMatricules, nextMatricules } from './reader-number.ts'

type Body = VerbInput<typeof addBeneficiaryCall>['body']

/** What is written of a reader of whom nothing else is said. */
const unsaid = {
  firstname: '',
  contract_type: null,
  beneficiary_status: null,
  dossiers: [],
  agency_id: null,
  exit_date: null,
  reader_id: null,
  email: null,
  phone: null,
  address: null,
  message: '',
  kind: 'person',
  birth_year: null,
  commune: null,
} as const satisfies Record<Exclude<keyof Body, 'lastname' | 'matricule'>, unknown>

/** What is judged of a new reader: no matricule is no entry. */
const entriesOf = ({ matricule, ...others }: Body) => (matricule ? { ...others, matricule } : others)

/** Adds readers who were found to be without fault, and answers them in their order; those without a matricule get the next ones. */
export async function addReaders(
  trx: Trx,
  bodies: readonly Body[],
  exchange: Exchange,
): Promise<BeneficiaryRow[]> {
  await rememberEligibilityValues(trx, ...bodies)
  const ids: number[] = []
  const write = async (places: readonly number[], matriculeOf: (index: number) => string) => {
    const rows = places.map((place, index) => {
      const { lastname, ...body } = bodies[place]!
      const told = Object.entries(unsaid).map(([name, none]) => [
        name,
        body[name as keyof typeof unsaid] ?? none,
      ])
      return { lastname, matricule: matriculeOf(index), ...withoutTwice(Object.fromEntries(told)) }
    })
    const made = await insertRows(trx, 'beneficiaries', rows)
    for (const [index, place] of places.entries()) ids[place] = made[index]!
  }
  const typed = [...bodies.keys()].filter((place) => bodies[place]!.matricule)
  const others = [...bodies.keys()].filter((place) => !bodies[place]!.matricule)
  await write(typed, (index) => bodies[typed[index]!]!.matricule!)
  if (others.length > 0) {
    // After those that have one, none of which is given again.
    await lockMatricules(trx)
    const next = await nextMatricules(trx, others.length)
    await write(others, (index) => next[index]!)
  }
  const added = await beneficiariesByIds(trx, ids, exchange.today)
  await journalEach(
    trx,
    exchange,
    added.map((after) => ({
      action: 'beneficiary.add',
      entity: 'beneficiaries',
      entity_id: after.id,
      after,
    })),
  )
  return added
}

type Change = {
  before: BeneficiaryRow
  entries: Omit<VerbInput<typeof updateBeneficiaryCall>['body'], 'number' | 'version'>
}

/** Gives readers, who are locked, entries that were found to be without fault, and answers them in their order. */
export async function changeReaders(
  trx: Trx,
  changes: readonly Change[],
  exchange: Exchange,
): Promise<BeneficiaryRow[]> {
  await rememberEligibilityValues(trx, ...changes.map(({ entries }) => entries))
  // Of those that change the same columns one statement.
  const together = new Map<string, Record<string, unknown>[]>()
  for (const { before, entries } of changes) {
    const row = { id: before.id, ...withoutTwice(said(entries)) }
    const columns = Object.keys(row).sort().join()
    const same = together.get(columns) ?? []
    same.push(row)
    together.set(columns, same)
  }
  for (const rows of together.values()) {
    const columns = Object.keys(rows[0]!).filter((name) => name !== 'id')
    if (columns.length === 0) continue
    const set = sql.join(columns.map((name) => sql`${sql.ref(name)} = given.${sql.ref(name)}`))
    await sql`
      update beneficiaries b set ${set}
      from json_populate_recordset(null::beneficiaries, ${JSON.stringify(rows)}::json) given
      where b.id = given.id`.execute(trx)
  }
  const ids = changes.map(({ before }) => before.id)
  const changed = await beneficiariesByIds(trx, ids, exchange.today)
  await journalEach(
    trx,
    exchange,
    changed.map((after, at) => ({
      action: 'beneficiary.update',
      entity: 'beneficiaries',
      entity_id: after.id,
      before: changes[at]!.before,
      after,
    })),
  )
  return changed
}

const said = (entries: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))

/** A dossier that is named twice is one. */
const withoutTwice = (columns: Record<string, unknown>): Record<string, unknown> =>
  Array.isArray(columns['dossiers']) ? { ...columns, dossiers: [...new Set(columns['dossiers'])] } : columns

export async function addBeneficiary(
  trx: Trx,
  { body }: VerbInput<typeof addBeneficiaryCall>,
  exchange: Exchange,
): Promise<Outcome<Beneficiary>> {
  const asked = { entries: entriesOf(body), before: null }
  const refusal = await beneficiaryRefusal(trx, asked, 'reader_id', exchange)
  if (refusal) return refusal
  const [added] = await addReaders(trx, [body], exchange)
  return done(serializeBeneficiary(added!, exchange.caller))
}

/** Changes only what the body names, of no `version` but the reader's; `number` is the reader number by another name of the wire. */
export async function updateBeneficiary(
  trx: Trx,
  { params, body }: VerbInput<typeof updateBeneficiaryCall>,
  exchange: Exchange,
): Promise<Outcome<Beneficiary>> {
  // The next statement reads, because this one does not see what it waited for.
  await trx.selectFrom('beneficiaries').select('id').where('id', '=', params.id).forNoKeyUpdate().execute()
  const before = await findVisibleBeneficiary(trx, params.id, exchange)
  if (!before) return notFound('Ce lecteur n’existe pas.')

  const { number, version, ...rest } = body
  if (version !== undefined && version !== before.version) {
    return conflict(
      'CHANGED_SINCE',
      `La fiche de ${fullName(before)} a été modifiée depuis que vous l’avez ouverte.`,
    )
  }
  if (number !== undefined && rest.reader_id !== undefined && number !== rest.reader_id) {
    return violation(
      'number',
      '«\u00a0number\u00a0» et «\u00a0reader_id\u00a0» sont deux noms du même numéro de lecteur.',
    )
  }
  const entries = number === undefined ? rest : { ...rest, reader_id: number }
  const numberField = number === undefined ? 'reader_id' : 'number'
  const refusal = await beneficiaryRefusal(trx, { entries, before }, numberField, exchange)
  if (refusal) return refusal
  if (Object.keys(entries).length === 0) return done(serializeBeneficiary(before, exchange.caller))
  const [after] = await changeReaders(trx, [{ before, entries }], exchange)
  return done(serializeBeneficiary(after!, exchange.caller))
}
