import * as v from 'valibot'

import { refusalFacts, refusalReason } from '../contract/refusals.ts'
import { transact } from './device-store.ts'
import { type Entry, isUnsettled, personOf, senderOf } from './entry.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry, rearrange } from './outbox-store.ts'
import { importedProblem } from './unproven.ts'
import { waitingEndpoints } from './waiting-endpoints.ts'
import { withoutNames } from './without-names.ts'

/** The message is shown to the person. */
export class ImportRefusedError extends Error {
  override name = 'ImportRefusedError'
}

const instant = v.pipe(v.string(), v.isoTimestamp())
const nullableText = v.nullable(v.string())
const named = { user_id: v.number(), username: v.string(), at: instant }

/** Fields of later versions are kept. */
const entryShape = v.looseObject({
  id: v.pipe(v.string(), v.uuid()),
  v: v.literal(1),
  environment_id: v.number(),
  site: v.number(),
  user_id: v.number(),
  username: v.string(),
  device_id: v.pipe(v.string(), v.uuid()),
  device_seq: v.number(),
  endpoint: v.picklist(Object.keys(waitingEndpoints) as (keyof typeof waitingEndpoints)[]),
  params: v.record(v.string(), v.string()),
  body: v.record(v.string(), v.unknown()),
  frozen_body: v.string(),
  copy_id: v.nullable(v.number()),
  bar_code: nullableText,
  beneficiary_id: v.nullable(v.number()),
  depends_on: nullableText,
  resolves: nullableText,
  adopted_by: v.nullable(v.object(named)),
  seal: v.optional(v.nullable(v.object({ id: v.string(), mac: v.string() }))),
  label: v.looseObject({
    kind: v.picklist(['lend', 'return', 'cancel', 'undo', 'note']),
    title: v.string(),
    beneficiary: nullableText,
    due: nullableText,
  }),
  occurred_at: instant,
  clock_offset: v.nullable(v.number()),
  state: v.picklist(['queued', 'sending', 'waiting', 'conflict', 'quarantined', 'set_aside']),
  attempts: v.number(),
  faults: v.number(),
  problem: v.nullable(
    v.object({
      code: v.number(),
      reason: refusalReason,
      message: v.string(),
      facts: v.nullable(refusalFacts),
    }),
  ),
  settled_at: nullableText,
  decision: v.nullable(v.object({ username: v.string(), reason: v.string(), at: instant })),
})

const fileShape = v.looseObject({
  format: v.literal('comptoir-outbox'),
  v: v.literal(1),
  entries: v.array(entryShape),
})

type ImportReport = { added: number; known: number }

/** Adds an exported queue; importing it twice does nothing twice. Throws ImportRefusedError. */
export async function importEntries(
  text: string,
  person: { environment_id: number; user_id: number },
): Promise<ImportReport> {
  const entries = readQueue(text, person).map((entry) =>
    isUnsettled(entry) && senderOf(entry) !== personOf(person)
      ? { ...entry, state: 'conflict' as const, problem: importedProblem }
      : entry,
  )
  const added = await transact(
    ['outbox'],
    'readwrite',
    async (tx) => {
      const ids: string[] = []
      for (const entry of entries) {
        if (await findEntry(tx, entry.id)) continue
        await tx.store.add(entry as Entry)
        ids.push(entry.id)
      }
      await rearrange(tx)
      return ids
    },
    'strict',
  )
  if (added.length > 0) tellOutbox({ ids: added, to_send: true })
  return { added: added.length, known: entries.length - added.length }
}

/** Throws ImportRefusedError. */
export function readQueue(text: string, { environment_id }: { environment_id: number }) {
  const entries = readFile(text)
  if (entries.some((entry) => entry.environment_id !== environment_id)) {
    throw new ImportRefusedError('Ce fichier contient les actions d’une autre organisation.')
  }
  return entries
}

function readFile(text: string): Omit<Entry, 'seq'>[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ImportRefusedError('Ce fichier n’est pas une file d’actions exportée de Comptoir.')
  }
  const file = v.safeParse(fileShape, json)
  if (!file.success) {
    const path = v.getDotPath(file.issues[0])
    throw new ImportRefusedError(
      `Ce fichier n’est pas une file d’actions exportée de Comptoir${path ? `\u202f: «\u00a0${path}\u00a0» ne convient pas` : ''}.`,
    )
  }
  return file.output.entries.map((entry): Omit<Entry, 'seq'> => {
    const { seq: _, ...rest } = entry as typeof entry & { seq?: unknown }
    const kept = isUnsettled(entry) ? (rest as Omit<Entry, 'seq'>) : withoutNames(rest as Omit<Entry, 'seq'>)
    return {
      ...kept,
      place: null,
      state: isUnsettled(entry) && entry.state === 'sending' ? 'queued' : entry.state,
      next_try: 0,
      receipt: null,
      last_status: null,
    }
  })
}
