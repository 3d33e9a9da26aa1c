import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'

import type {
  SnapshotBeneficiary,
  SnapshotCopy,
  SnapshotLoan,
  SnapshotPage,
  SnapshotReservation,
} from '../contract/snapshot.ts'
import { emitter } from '../domain/emitter.ts'
import type { Entry } from './entry.ts'
import type { CountedByOther, StoredScan, StoredCopy } from './inventory-rows.ts'

/** `codes` (cards, matricule) and `words` (names) are what the counter finds a reader by. */
export type StoredBeneficiary = SnapshotBeneficiary & { codes: string[]; words: string[] }
export type SnapshotSettings = NonNullable<SnapshotPage['settings']>

/** The snapshot has two sides: one is read while the other is loaded, then they swap. */
export const sides = ['a', 'b'] as const
export type Side = (typeof sides)[number]
export const snapshotKinds = ['copies', 'beneficiaries', 'loanings', 'reservations'] as const
export type SnapshotKind = (typeof snapshotKinds)[number]
export const snapshotStoresOf = (side: Side) => snapshotKinds.map((kind) => `${kind}_${side}` as const)

type CopyRows = { key: number; value: SnapshotCopy; indexes: { bar_code: string; reference: number } }
type BeneficiaryRows = { key: number; value: StoredBeneficiary; indexes: { codes: string; words: string } }
type LoanRows = { key: number; value: SnapshotLoan; indexes: { copy: number; beneficiary: number } }
type ReservationRows = { key: number; value: SnapshotReservation; indexes: { reference_id: number } }

type OutboxIndexes = {
  id: string
  state: string
  settled_at: string
  copy_id: number
  bar_code: string
  beneficiary_id: number
}

interface DeviceSchema extends DBSchema {
  outbox: { key: number; value: Entry; indexes: OutboxIndexes }
  meta: { key: string; value: unknown }
  copies_a: CopyRows
  copies_b: CopyRows
  beneficiaries_a: BeneficiaryRows
  beneficiaries_b: BeneficiaryRows
  loanings_a: LoanRows
  loanings_b: LoanRows
  reservations_a: ReservationRows
  reservations_b: ReservationRows
  inventory_scans: { key: number; value: StoredScan; indexes: { key: string; count: string; state: string } }
  inventory_copies: { key: [count: string, id: number]; value: StoredCopy }
  inventory_others: { key: [count: string, key: string]; value: CountedByOther }
}

type Names = StoreNames<DeviceSchema>[]
export type DeviceTransaction<N extends Names, M extends 'readonly' | 'readwrite'> = IDBPTransaction<
  DeviceSchema,
  N,
  M
>

const databaseName = 'comptoir'
const databaseVersion = 4

/** A step never changes, and none may delete from `outbox` or `inventory_scans`: they hold what was promised. */
function upgrade(
  database: IDBPDatabase<DeviceSchema>,
  from: number,
  _to: number | null,
  tx: IDBPTransaction<DeviceSchema, Names, 'versionchange'>,
): void {
  if (from < 1) {
    const outbox = database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
    outbox.createIndex('id', 'id', { unique: true })
    outbox.createIndex('state', 'state')
    outbox.createIndex('settled_at', 'settled_at')
    database.createObjectStore('meta')
    for (const side of sides) {
      database.createObjectStore(`copies_${side}`, { keyPath: 'id' }).createIndex('bar_code', 'bar_code')
      const beneficiaries = database.createObjectStore(`beneficiaries_${side}`, { keyPath: 'id' })
      beneficiaries.createIndex('codes', 'codes', { multiEntry: true })
      beneficiaries.createIndex('words', 'words', { multiEntry: true })
      const loanings = database.createObjectStore(`loanings_${side}`, { keyPath: 'id' })
      loanings.createIndex('copy', 'copy')
      loanings.createIndex('beneficiary', 'beneficiary')
      database
        .createObjectStore(`reservations_${side}`, { keyPath: 'id' })
        .createIndex('reference_id', 'reference_id')
    }
  }
  if (from < 2) {
    const scans = database.createObjectStore('inventory_scans', { keyPath: 'seq', autoIncrement: true })
    scans.createIndex('key', 'key', { unique: true })
    scans.createIndex('count', 'count')
    scans.createIndex('state', 'state')
    database.createObjectStore('inventory_copies', { keyPath: ['count', 'id'] })
    database.createObjectStore('inventory_others', { keyPath: ['count', 'key'] })
  }
  if (from < 3) {
    const outbox = tx.objectStore('outbox')
    outbox.createIndex('copy_id', 'copy_id')
    outbox.createIndex('bar_code', 'bar_code')
    outbox.createIndex('beneficiary_id', 'beneficiary_id')
  }
  if (from < 4) {
    for (const side of sides) tx.objectStore(`copies_${side}`).createIndex('reference', 'reference')
  }
}

/** `blocked`: an older page keeps the store open. `outdated`: a newer version changed the store. */
export type StoreTrouble = 'blocked' | 'outdated'
let trouble: StoreTrouble | null = null
const { tell, watch } = emitter()

export const storeTrouble = (): StoreTrouble | null => trouble

export const watchStoreTrouble = watch

function noteTrouble(next: StoreTrouble | null): void {
  if (next === trouble) return
  trouble = next
  tell()
}

export class StoreOutdatedError extends Error {
  override name = 'StoreOutdatedError'
  constructor(cause: unknown) {
    super('Une version plus récente de Comptoir est ouverte sur cet appareil\u202f: rechargez la page.', {
      cause,
    })
  }
}

let opening: Promise<IDBPDatabase<DeviceSchema>> | null = null

function openStore(): Promise<IDBPDatabase<DeviceSchema>> {
  opening ??= openDB<DeviceSchema>(databaseName, databaseVersion, {
    upgrade,
    blocked: () => noteTrouble('blocked'),
    // A newer page waits for this one: close at once. The next use finds the newer store and reports it.
    blocking: () => {
      void closeStore()
      noteTrouble('outdated')
    },
    terminated: () => {
      opening = null
    },
  }).then(
    (database) => {
      noteTrouble(null)
      return database
    },
    (error: unknown) => {
      opening = null
      if (nameOf(error) !== 'VersionError') throw error
      noteTrouble('outdated')
      throw new StoreOutdatedError(error)
    },
  )
  return opening
}

export async function closeStore(): Promise<void> {
  const closing = opening
  opening = null
  await closing?.then(
    (database) => database.close(),
    () => undefined,
  )
}

export const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : ''

const openTransactions = new Set<{ abort(): void }>()

// WebKit keeps a left page with its transactions half-way, and later pages would wait for them for ever.
globalThis.addEventListener?.('pagehide', (event: object) => {
  if ('persisted' in event && event.persisted) openTransactions.forEach(abortQuietly)
})

/** Answers once the transaction is complete, since a `put` may still fail on a full disk. A throw aborts. */
export async function transact<const N extends Names, M extends 'readonly' | 'readwrite', T>(
  names: N,
  mode: M,
  work: (tx: DeviceTransaction<N, M>) => Promise<T>,
  durability: 'strict' | 'default' = 'default',
): Promise<T> {
  const tx = await beginTransaction(names, mode, durability)
  openTransactions.add(tx)
  const settled = tx.done
    .then(
      () => null,
      (error: unknown) => ({ error }),
    )
    .finally(() => openTransactions.delete(tx))
  try {
    const result = await work(tx)
    const failed = await settled
    if (failed) throw failed.error
    return result
  } catch (error) {
    abortQuietly(tx)
    await settled
    throw tx.error ?? error
  }
}

async function beginTransaction<N extends Names, M extends 'readonly' | 'readwrite'>(
  names: N,
  mode: M,
  durability: 'strict' | 'default',
): Promise<DeviceTransaction<N, M>> {
  const database = await openStore()
  try {
    return database.transaction(names, mode, { durability })
  } catch (error) {
    // An upgrade elsewhere or the browser closed the connection: try once more with a new one.
    if (nameOf(error) !== 'InvalidStateError') throw error
    opening = null
    return (await openStore()).transaction(names, mode, { durability })
  }
}

function abortQuietly(tx: { abort(): void }): void {
  try {
    tx.abort()
  } catch {
    // The transaction had already ended.
  }
}
