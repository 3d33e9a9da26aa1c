import { sql } from 'kysely'

import { lendCopy } from '../../contract/loans.ts'
import { returnCopy, returnLoan } from '../../contract/returns.ts'
import { erasedName } from '../../domain/erasing.ts'
import type { Trx } from '../db/handles.ts'

export type Erased = {
  ids: readonly number[]
  /** Theirs and those of their relatives, in each way that an answer writes them. */
  names: readonly string[]
}

const names = new Set(['beneficiary_info', 'beneficiary_name', 'relative_name'])
const words = new Set(['comment', 'return_comment', 'delay_comment', 'override_reason'])

/** Most answers are of these, which name a reader along with the number, but for who waits: looking for names takes long. */
const tellByNumber = [lendCopy.name, returnLoan.name, returnCopy.name]

/** Takes readers out of the answers that are kept by key: what comes again is still answered, without them. */
export async function forgetInAnswers(trx: Trx, { ids, names: all }: Erased): Promise<void> {
  const among = ids.join('|')
  const named = all.filter((name) => name.length > 2)
  // As they stand in what is kept, which writes some signs otherwise.
  const inJson = named.map((name) => JSON.stringify(name).slice(1, -1))
  const { rows } = await sql<{ key: string; answer: string }>`
    select key, answer from idempotency_keys
    where answer ~ ${`("beneficiary(_id)?":|/api/beneficiaries/)(${among})[^0-9]`}
      or not (endpoint = any(${tellByNumber}::text[]) and status < 300 and position('"awaited_by"' in answer) = 0)
        and exists (select from unnest(${inJson}::text[]) name where position(name in answer) > 0)`.execute(
    trx,
  )
  const of: Forgotten = { ids, written: named.length === 0 ? null : asWritten(named) }
  for (const { key, answer } of rows) {
    const without = JSON.stringify(withoutReaders(JSON.parse(answer), of))
    await trx.updateTable('idempotency_keys').set({ answer: without }).where('key', '=', key).execute()
  }
}

type Forgotten = { ids: readonly number[]; written: RegExp | null }

/** Any of these names, the longest first as one may hold another, and none that a longer word begins with. */
function asWritten(some: readonly string[]): RegExp {
  const longestFirst = [...some].sort((a, b) => b.length - a.length)
  const plain = longestFirst.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${plain.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
}

function withoutReaders(value: unknown, erased: Forgotten): unknown {
  if (typeof value === 'string') return erased.written ? value.replace(erased.written, erasedName) : value
  if (Array.isArray(value)) return value.map((one) => withoutReaders(one, erased))
  if (typeof value !== 'object' || value === null) return value
  const facts = value as Record<string, unknown>
  const isOne = (id: unknown) => typeof id === 'number' && erased.ids.includes(id)
  if (facts['@type'] === 'Beneficiary' && isOne(facts['id'])) return blank(facts)
  const isAbout = isOne(facts['beneficiary']) || isOne(facts['beneficiary_id'])
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => {
      if (isAbout && names.has(name)) return [name, erasedName]
      if (isAbout && words.has(name)) return [name, fact === null ? null : '']
      if (isAbout && name === 'relative') return [name, null]
      if (name === 'beneficiary' && isOne(fact)) return [name, null]
      return [name, withoutReaders(fact, erased)]
    }),
  )
}

/** A reader as an answer tells them, of the same form. */
const blank = (facts: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => {
      if (name.startsWith('@') || name === 'kind') return [name, fact]
      if (name === 'lastname' || name === 'label') return [name, erasedName]
      if (Array.isArray(fact)) return [name, []]
      if (typeof fact === 'string') return [name, name.endsWith('_date') ? null : '']
      return [name, name === 'birth_year' ? null : fact]
    }),
  )
