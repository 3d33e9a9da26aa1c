import { sql } from 'kysely'
import * as v from 'valibot'

import {
  type FoundReference,
  foundReference,
  type getFoundImage as getFoundImageCall,
  type lookUpCode as lookUpCodeCall,
  type LookUpSource,
} from '../../../contract/external-codes.ts'
import { cleanScan, findIsbn13 } from '../../../domain/bar-code.ts'
import type { Environment } from '../../db/environments/environment.ts'
import type { Db } from '../../db/handles.ts'
import { coverSides } from '../../files/cover-files.ts'
import type { VerbInput } from '../../http/binding.ts'
import type { Exchange } from '../../http/exchange.ts'
import { done, notFound, type Outcome, refuse, violation } from '../../http/outcome.ts'
import type { ServedPicture } from '../../http/served-file.ts'
import { fetchCover, TooManyCoversError } from './fetch-cover.ts'
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

async function readKeptNotice(db: Db, code: string, now: Date): Promise<Notice | null> {
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

const coverDeadlineMs = 10_000

const codeOf = (written: string) => findIsbn13(written) ?? cleanScan(written)

export async function lookUpCode(
  db: Db,
  { params }: VerbInput<typeof lookUpCodeCall>,
  exchange: Exchange,
): Promise<Outcome<FoundReference>> {
  const code = codeOf(params.code)
  if (!/^\d{8,14}$/.test(code)) return violation('code', 'Ce code n’est ni un ISBN ni un EAN.')
  const asked = await findNotice(db, code, exchange)
  if (asked === 'unknown') {
    return notFound(`Le code ${code} n’est connu d’aucun catalogue\u202f: remplissez la notice à la main.`)
  }
  if (asked === 'silent') {
    return refuse({
      status: 502,
      message:
        'Les catalogues interrogés n’ont pas répondu\u202f: réessayez, ou remplissez la notice à la main.',
    })
  }
  return done(asked.reference)
}

/** The cover that a source told when the code was looked up, drawn anew. */
export async function getFoundImage(
  db: Db,
  { params, query }: VerbInput<typeof getFoundImageCall>,
  { now, environment, lookUpSources }: Exchange,
): Promise<Outcome<ServedPicture>> {
  const notice = await readKeptNotice(db, codeOf(params.code), now)
  const address = notice?.covers[query.source]
  const source = sourcesOf(lookUpSources).find(({ name }) => name === query.source)
  if (address === undefined || !source) return noCover
  try {
    const drawn = await fetchCover(source, address, {
      sides: [coverSides.large],
      deadlineMs: coverDeadlineMs,
    })
    const bytes = drawn?.get(coverSides.large)
    return bytes ? done({ bytes: new Uint8Array(bytes), type: 'image/webp' }) : noCover
  } catch (error) {
    if (error instanceof TooManyCoversError) {
      return refuse({
        status: 429,
        message: 'Trop d’images sont cherchées à la fois\u202f: réessayez dans un instant.',
      })
    }
    environment.tell({ level: 'warn', message: `${source.name} gave no cover: ${String(error)}` })
    return refuse({ status: 502, message: 'L’image n’a pas pu être cherchée.' })
  }
}

const noCover = notFound('Aucune image n’est connue de ce code.')
