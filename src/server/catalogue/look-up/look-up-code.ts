import { sql } from 'kysely'
import * as v from 'valibot'

import {
  type FoundReference,
  foundReference,
  type lookUpCode as lookUpCodeCall,
} from '../../../contract/external-codes.ts'
import { cleanScan, findIsbn13 } from '../../../domain/bar-code.ts'
import type { Db } from '../../db/handles.ts'
import type { VerbInput } from '../../http/binding.ts'
import type { Exchange } from '../../http/exchange.ts'
import { done, notFound, type Outcome, refuse, violation } from '../../http/outcome.ts'
import { fetchSource } from './fetch-source.ts'
import type { FoundFields, Source } from './look-up-source.ts'
import { openLibrarySource } from './open-library-source.ts'
import { unimarcSource } from './unimarc-source.ts'

const deadlineMs = 6000
const keptDays = 30

/** An address that ends in SRU answers UNIMARC; any other one answers as Open Library. */
export const sourcesOf = (addresses: readonly string[]): Source[] =>
  addresses.map((address) =>
    /\/sru\/?$/i.test(address) ? unimarcSource(address) : openLibrarySource(address),
  )

/** Asks every source at once; of two that say a field, the first one is believed. An answer is kept 30 days. */
export async function lookUpCode(
  db: Db,
  { params }: VerbInput<typeof lookUpCodeCall>,
  { now, environment, lookUpSources }: Exchange,
): Promise<Outcome<FoundReference>> {
  const code = findIsbn13(params.code) ?? cleanScan(params.code)
  if (!/^\d{8,14}$/.test(code)) return violation('code', 'Ce code n’est ni un ISBN ni un EAN.')
  const kept = await readKept(db, code, now)
  if (kept) return done(kept)

  const sources = sourcesOf(lookUpSources)
  const signal = AbortSignal.timeout(deadlineMs)
  const answers = await Promise.allSettled(
    sources.map(async (source) => source.read(await fetchSource(source.addressOf(code), signal), code)),
  )
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
    const merged = mergedOf(code, found)
    await keep(db, code, merged, now)
    return done(merged)
  }
  if (answers.every(({ status }) => status === 'fulfilled')) {
    return notFound(`Le code ${code} n’est connu d’aucun catalogue\u202f: remplissez la notice à la main.`)
  }
  return refuse({
    status: 502,
    message:
      'Les catalogues interrogés n’ont pas répondu\u202f: réessayez, ou remplissez la notice à la main.',
  })
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

async function readKept(db: Db, code: string, now: Date): Promise<FoundReference | null> {
  const { rows } = await sql<{ answer: unknown }>`
    select answer from looked_up_codes
    where code = ${code} and asked_at > ${now.toISOString()}::timestamptz - ${keptDays} * interval '1 day'`.execute(
    db,
  )
  // An answer of an older version is asked for again.
  const read = v.safeParse(foundReference, rows[0]?.answer)
  return read.success ? read.output : null
}

const keep = (db: Db, code: string, answer: FoundReference, now: Date) =>
  sql`insert into looked_up_codes (code, answer, asked_at)
    values (${code}, ${JSON.stringify(answer)}::jsonb, ${now.toISOString()})
    on conflict (code) do update set answer = excluded.answer, asked_at = excluded.asked_at`.execute(db)
