import { sql } from 'kysely'
import * as v from 'valibot'

import { type FoundReference, foundReference, type LookUpSource } from '../../../contract/external-codes.ts'
import type { Environment } from '../../db/environments/environment.ts'
import type { Db } from '../../db/handles.ts'
import type { Exchange } from '../../http/exchange.ts'
import { fetchOutside } from './fetch-outside.ts'
import type { Ask, FoundFields, Source } from './look-up-source.ts'
import { openLibrarySource } from './open-library-source.ts'
import { unimarcSource } from './unimarc-source.ts'

const deadlineMs = 6000
const keptDays = 30
/** A notice has some kilobytes; what is larger is something else. */
const largestNotice = 1_000_000

/** An address that ends in SRU answers UNIMARC; any other one answers as Open Library. */
export const sourcesOf = (addresses: readonly string[]): Source[] =>
  addresses.map((address) =>
    /\/sru\/?$/i.test(address) ? unimarcSource(address) : openLibrarySource(address),
  )

/** Of a source, the address of its cover. */
type Covers = Partial<Record<LookUpSource, string>>
type Notice = { reference: FoundReference; covers: Covers }

/** `unknown` when every source answered that it does not know the code, `silent` when it cannot be told. */
type Asked = Notice | 'unknown' | 'silent'

type Asking = Pick<Exchange, 'now' | 'lookUpSources'> & { environment: Pick<Environment, 'tell'> }

/** Asks every source at once; of two that say a field, the first one is believed. An answer is kept 30 days. */
export async function findNotice(db: Db, code: string, asking: Asking): Promise<Asked> {
  const { now, environment, lookUpSources } = asking
  const kept = await readKeptNotice(db, code, now)
  if (kept) return kept
  const sources = sourcesOf(lookUpSources)
  const signal = AbortSignal.timeout(deadlineMs)
  const answers = await Promise.allSettled(sources.map((source) => source.find(code, askingUntil(signal))))
  const found = answers.flatMap((answer, at) => {
    if (answer.status === 'rejected') {
      environment.tell({
        level: 'warn',
        message: `${sources[at]!.name} gave no answer: ${String(answer.reason)}`,
      })
      return []
    }
    return answer.value === null ? [] : [{ source: sources[at]!, fields: answer.value }]
  })
  if (found.length > 0) {
    const notice = { reference: mergedOf(code, found), covers: coversOf(found) }
    await keep(db, notice, now)
    return notice
  }
  return answers.every(({ status }) => status === 'fulfilled') ? 'unknown' : 'silent'
}

const askingUntil =
  (deadline: AbortSignal): Ask =>
  async (address, withinMs = deadlineMs) => {
    const accept = 'application/xml, application/json'
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(withinMs)])
    const outside = { own: [address.host], accept, mostBytes: largestNotice, signal }
    return new TextDecoder('utf-8').decode(await fetchOutside(address, outside))
  }

type Found = { source: Source; fields: FoundFields }

function mergedOf(code: string, found: readonly Found[]): FoundReference {
  const merged: FoundReference = {
    code,
    name: '',
    description: '',
    tags: {},
    reference_data: {},
    sources: {},
    covers: [...new Set(found.flatMap(({ source, fields }) => (fields.cover ? [source.name] : [])))],
  }
  for (const { source, fields } of found) {
    for (const name of ['name', 'description'] as const) {
      if (merged[name] !== '' || !fields[name]) continue
      merged[name] = fields[name]
      merged.sources[name] = source.name
    }
    for (const group of ['tags', 'reference_data'] as const) {
      const own: Record<string, string> = merged[group]
      for (const [name, value] of Object.entries(fields[group] ?? {})) {
        if (own[name] !== undefined || !value) continue
        own[name] = value
        merged.sources[`${group}.${name}`] = source.name
      }
    }
  }
  return merged
}

const coversOf = (found: readonly Found[]): Covers =>
  Object.fromEntries(
    found.toReversed().flatMap(({ source, fields }) => (fields.cover ? [[source.name, fields.cover]] : [])),
  )

export async function readKeptNotice(db: Db, code: string, now: Date): Promise<Notice | null> {
  const { rows } = await sql<{ answer: unknown; covers: Covers }>`
    select answer, covers from looked_up_codes
    where code = ${code} and asked_at > ${now.toISOString()}::timestamptz - ${keptDays} * interval '1 day'`.execute(
    db,
  )
  // An answer of an older version is asked for again.
  const read = v.safeParse(foundReference, rows[0]?.answer)
  return read.success ? { reference: read.output, covers: rows[0]!.covers } : null
}

const keep = (db: Db, { reference, covers }: Notice, now: Date) =>
  sql`insert into looked_up_codes (code, answer, covers, asked_at)
    values (${reference.code}, ${JSON.stringify(reference)}::jsonb, ${JSON.stringify(covers)}::jsonb, ${now.toISOString()})
    on conflict (code) do update
    set answer = excluded.answer, covers = excluded.covers, asked_at = excluded.asked_at`.execute(db)
