import { sql } from 'kysely'

import type { updateBeneficiary as updateBeneficiaryCall } from '../../contract/beneficiary-changes.ts'
import { fullName, ofName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { forbidden, type Refused, violation } from '../http/outcome.ts'
import { isReaderOpen, isSiteOpen } from '../visibility/visibility.ts'
import type { BeneficiaryRow } from './beneficiary-queries.ts'
import { holdNumbers, lockMatricules, whyNumbersTaken } from './reader-number.ts'

type Entries = VerbInput<typeof updateBeneficiaryCall>['body']
/** `before` is null for a new one. */
type Asked = {
  entries: Entries
  before: Pick<BeneficiaryRow, 'id' | 'agency_id' | 'reader_id'> | null
}
/** A field that may not be so; null where what is missing is a right. `isHeld`: another reader has this card until now. */
type Fault = { field: string | null; message: string; isHeld?: boolean }

/** The first reason why a beneficiary may not have these entries, or null. */
export async function beneficiaryRefusal(
  trx: Trx,
  asked: Asked,
  numberField: 'reader_id' | 'number',
  exchange: Exchange,
): Promise<Refused | null> {
  await holdNumbersOf(trx, [asked], exchange)
  const [[fault] = []] = await beneficiaryFaults(trx, [asked], exchange)
  if (!fault) return null
  if (fault.field === null) return forbidden(fault.message)
  return violation(fault.field === 'reader_id' ? numberField : fault.field, fault.message)
}

/** Nobody else gives these matricules and cards until the transaction ends. What is only tried holds none: it would keep the library waiting. */
export async function holdNumbersOf(trx: Trx, asked: readonly Asked[], exchange: Exchange): Promise<void> {
  if (matriculesAsked(asked, exchange).length > 0) await lockMatricules(trx)
  await holdNumbers(
    trx,
    cardsAsked(asked).map(({ number }) => number),
  )
}

/** All reasons why beneficiaries may not have these entries, each theirs; of two who ask for one number, the second may not. */
export async function beneficiaryFaults(
  trx: Trx,
  asked: readonly Asked[],
  exchange: Exchange,
): Promise<Fault[][]> {
  const matricules = await matriculesTaken(trx, asked, exchange)
  const { visibility, today } = exchange
  const numbers = await whyNumbersTaken(trx, cardsAsked(asked), visibility)
  const isOpen = await agenciesOpen(trx, asked, exchange)
  const given = new Set<string>()
  return asked.map(({ entries, before }) => {
    const faults: Fault[] = rightsMissing(entries, exchange)
    const refuse = (field: string, message: string) => faults.push({ field, message })
    const { matricule, birth_year, reader_id, agency_id } = entries
    const holder = matricule === undefined ? undefined : matricules.get(matricule)
    if (holder && holder.id !== before?.id) {
      const who = isReaderOpen(visibility, holder.agency_id)
        ? ofName(fullName(holder))
        : 'd’un lecteur d’un autre site'
      refuse('matricule', `Le matricule ${matricule} est déjà celui ${who}.`)
    }
    if (birth_year && birth_year > Number(today.slice(0, 4))) {
      refuse('birth_year', 'Cette année de naissance n’est pas encore venue.')
    }
    if (reader_id && reader_id !== before?.reader_id) {
      const small = reader_id.toLowerCase()
      const taken = numbers.get(reader_id)
      if (taken) faults.push({ field: 'reader_id', message: taken.message, isHeld: taken.by === 'reader' })
      else if (given.has(small))
        refuse('reader_id', `Le numéro de lecteur ${reader_id} est demandé pour deux lecteurs.`)
      given.add(small)
    }
    // A reader of a site that is closed to the caller keeps it when a form says it again.
    if (agency_id && agency_id !== before?.agency_id && !isOpen(agency_id)) {
      refuse('agency_id', 'Cette agence n’existe pas.')
    }
    return faults
  })
}

const cardsAsked = (asked: readonly Asked[]) =>
  asked.flatMap(({ entries: { reader_id }, before }) =>
    reader_id && reader_id !== before?.reader_id
      ? [{ number: reader_id, holder: before && { beneficiary: before.id } }]
      : [],
  )

/** Nobody may overwrite unseen a field that they may not read. */
function rightsMissing(entries: Entries, { caller: { rights } }: Exchange): Fault[] {
  const isContact = entries.email !== undefined || entries.phone !== undefined
  const isAddress = entries.address !== undefined || entries.commune !== undefined
  return [
    ...(isContact && !rights.has('BENEFICIARY_CONTACT')
      ? ['Vous n’avez pas le droit de changer le courriel et le téléphone.']
      : []),
    ...(isAddress && !rights.has('BENEFICIARY_ADDRESS')
      ? ['Vous n’avez pas le droit de changer l’adresse.']
      : []),
  ].map((message) => ({ field: null, message }))
}

type Named = Pick<BeneficiaryRow, 'id' | 'lastname' | 'firstname' | 'agency_id'>

/** What is refused for want of a right waits for nobody. */
const matriculesAsked = (asked: readonly Asked[], exchange: Exchange): string[] =>
  asked.flatMap(({ entries }) =>
    entries.matricule === undefined || rightsMissing(entries, exchange).length > 0 ? [] : [entries.matricule],
  )

/** Who has the matricules that are asked for, by matricule. */
async function matriculesTaken(trx: Trx, asked: readonly Asked[], exchange: Exchange) {
  const wanted = matriculesAsked(asked, exchange)
  if (wanted.length === 0) return new Map<string, Named>()
  const rows = await trx
    .selectFrom('beneficiaries')
    .select(['id', 'matricule', 'lastname', 'firstname', 'agency_id'])
    .where(sql<boolean>`matricule = any(${wanted}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row): [string, Named] => [row.matricule, row]))
}

/** Of the agencies that are asked for, those that are in service and open to the caller. */
async function agenciesOpen(trx: Trx, asked: readonly Asked[], { visibility }: Exchange) {
  const wanted = asked.flatMap(({ entries: { agency_id }, before }) =>
    agency_id && agency_id !== before?.agency_id ? [agency_id] : [],
  )
  if (wanted.length === 0) return () => false
  const rows = await trx
    .selectFrom('sites')
    .select('id')
    .where(sql<boolean>`id = any(${wanted}::int[])`)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .execute()
  const open = new Set(rows.map(({ id }) => id).filter((id) => isSiteOpen(visibility, id)))
  return (id: number) => open.has(id)
}
