import { readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { type Entry, isUnsettled } from './entry.ts'

type Fields = Record<string, unknown>

const sentFields = [
  'beneficiary',
  'beneficiary_code',
  'relative',
  'copy',
  'copy_code',
  'bar_code',
  'loan_key',
  'state',
  'start_date',
  'expected_return_date',
  'resolves',
  'choice',
  'endpoint',
  'loaning',
  'occurred_at',
  'device_id',
]

const answeredFields = [
  '@type',
  '@id',
  'id',
  'status',
  'beneficiary',
  'copy',
  'copy_state',
  'reference_name',
  'home_site',
  'freed_copy',
  'start_date',
  'end_date',
  'end_date_flagged',
  'return_date',
  'penalty',
  'reservation_reference',
  'resolves',
  'choice',
  'settled_by',
  'settled_at',
  'is_first',
]

/** Who waits is known again by the reservation's number. */
const awaitedFields = ['id', 'site', 'start_date', 'is_set_aside']

/** The day's list, « Annuler » and the counter's loans need only numbers, the title and the account. */
export function withoutNames<E extends Omit<Entry, 'seq'>>(entry: E): E {
  const { label, body, problem, receipt } = entry
  return {
    ...entry,
    label: { ...label, beneficiary: null },
    body: sentWithoutNames(body),
    frozen_body: JSON.stringify(sentWithoutNames(parsed(entry.frozen_body))),
    problem: problem && { ...problem, message: '', facts: null },
    receipt: answeredWithoutNames(receipt),
  }
}

function sentWithoutNames(body: Fields): Fields {
  const kept = only(body, sentFields)
  return isFields(body['action'])
    ? {
        ...kept,
        action: { ...only(body['action'], sentFields), body: only(body['action']['body'], sentFields) },
      }
    : kept
}

function answeredWithoutNames(receipt: unknown): unknown {
  if (!isFields(receipt)) return null
  const kept = {
    ...only(receipt, answeredFields),
    ...('awaited_by' in receipt ? { awaited_by: only(receipt['awaited_by'], awaitedFields) } : {}),
  }
  return 'loaning' in receipt ? { ...kept, loaning: answeredWithoutNames(receipt['loaning']) } : kept
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const only = (value: unknown, names: readonly string[]): Fields =>
  isFields(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) : {}

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

/** What an older version settled; `nameless_until` avoids reading it twice. */
export const forgetSettledNames = (): Promise<void> =>
  transact(['outbox', 'meta'], 'readwrite', async (tx) => {
    const [outbox, meta] = [tx.objectStore('outbox'), tx.objectStore('meta')]
    const until = await readMeta(meta, 'nameless_until')
    const range = until === null ? null : IDBKeyRange.lowerBound(until)
    const settled = (await outbox.index('settled_at').getAll(range)).filter((entry) => !isUnsettled(entry))
    const last = settled.at(-1)?.settled_at
    if (!last || (last === until && settled.every(hasNoName))) return
    await Promise.all(
      settled.filter((entry) => !hasNoName(entry)).map((entry) => outbox.put(withoutNames(entry))),
    )
    await writeMeta(meta, 'nameless_until', last)
  })

const hasNoName = (entry: Entry): boolean => JSON.stringify(entry) === JSON.stringify(withoutNames(entry))
