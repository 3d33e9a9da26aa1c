import type { Meaning } from './answer-meaning.ts'
import { forgetAfterRefusal } from './clear-snapshot.ts'
import { clockDoubt, measureOffset, noteOffset } from './device-clock.ts'
import { type DeviceLock, waitForLock } from './device-lock.ts'
import { type DeviceSession, readMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { type Entry, isRefused, personOf, type Problem, senderOf } from './entry.ts'
import { forgetOldEntries } from './outbox.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry, rearrange } from './outbox-store.ts'
import { copyKeysOf } from './queue-order.ts'
import { laterMs } from './schedule.ts'
import { askHealth, type DeviceFetch, ownProblem, sendEntry } from './send-entry.ts'
import { liveSession, noteSessionRefused } from './session-mirror.ts'
import { unsealedProblem } from './unproven.ts'
import { type Hurry, isDue, waitAfter } from './when-due.ts'
import { forgetSettledNames, withoutNames } from './without-names.ts'

export type DrainOptions = {
  fetch: DeviceFetch
  now?: () => number
  random?: () => number
  lock?: DeviceLock
  hurry?: Hurry
  timeout_ms?: number
  /** Whether the last call had no answer. */
  isOffline?: () => boolean
}

/** `later`: the first entry is not due. `elsewhere`: another page or worker drains. Null: nothing left. */
export type DrainReport = {
  done: number
  refused: number
  stopped: 'network' | 'later' | 'signed-out' | 'elsewhere' | null
  /** Epoch milliseconds before which another drain is useless. */
  next_try: number | null
}

const faultsBeforeQuarantine = 5

/** Sends the signed-in person's entries in order, one at a time, each with its own key. */
export async function drain(options: DrainOptions): Promise<DrainReport> {
  const lock = options.lock ?? waitForLock
  const report = await lock('comptoir-drain', (keep) =>
    drainAlone({ now: Date.now, random: Math.random, ...options }, keep),
  )
  return report ?? { done: 0, refused: 0, stopped: 'elsewhere', next_try: null }
}

type Settings = DrainOptions & Required<Pick<DrainOptions, 'now' | 'random'>>

async function drainAlone(settings: Settings, keep: () => Promise<void>): Promise<DrainReport> {
  const report: DrainReport = { done: 0, refused: 0, stopped: null, next_try: null }
  await takeUpUnanswered()
  await forgetOldEntries(new Date(settings.now()))
  await forgetSettledNames()
  for (let isFirst = true; ; isFirst = false) {
    const settledBefore = report.done + report.refused
    const entries = await transact(['outbox'], 'readwrite', (tx) => rearrange(tx))
    if (isFirst) await measureClockFor(entries, settings)
    await sendInOrder(entries, settings, report, keep)
    if (report.stopped !== null || report.done + report.refused === settledBefore) return report
  }
}

async function sendInOrder(
  entries: Entry[],
  settings: Settings,
  report: DrainReport,
  keep: () => Promise<void>,
): Promise<void> {
  const stuck: Entry[] = []
  const passedOver: Entry[] = []
  for (const listed of entries) {
    if (listed.state !== 'queued' || followsAny(passedOver, listed)) continue
    // Tried without a network it would count as sent, and nobody could take it back.
    if (listed.attempts === 0 && settings.isOffline?.() && !(await askHealth(settings.fetch))) {
      report.stopped = 'network'
      report.next_try = settings.now() + laterMs
      return
    }
    await keep()
    const taken = await takeToSend(listed.id, settings)
    if (taken.answer === 'not-now') continue
    if (taken.answer === 'put-to-a-person') {
      tellOutbox({ ids: [listed.id], to_send: false })
      report.refused += 1
      return
    }
    if (taken.answer === 'signed-out') {
      report.stopped = 'signed-out'
      return
    }
    if (taken.answer === 'later') {
      report.stopped = 'later'
      report.next_try = taken.entry.next_try
      return
    }
    const { entry, session } = taken
    const sent = settings.now()
    const { meaning, date } = await sendEntry(entry, session, settings)
    const offset = measureOffset(date, sent, settings.now())
    const isFault =
      meaning.kind === 'again' &&
      // A try before its time, forced by a person, must not count against the action.
      entry.next_try <= sent &&
      (meaning.status ?? 0) >= 500 &&
      (await askHealth(settings.fetch))?.isWell === true
    const settled = await settle(entry.id, { meaning, isFault, offset, session }, settings)
    tellOutbox({ ids: [entry.id], to_send: false })
    if (meaning.kind === 'signed-out') await forgetAfterRefusal(session.token)
    if (settled?.state === 'queued' && isFault && settled.faults >= faultsBeforeQuarantine) {
      stuck.push(settled)
      passedOver.push(settled)
      continue
    }
    // The server answered this entry, so the entries it failed on are themselves at fault.
    if (isAnswered(settled)) report.refused += await quarantine(stuck)
    if (settled?.state === 'done') report.done += 1
    else if (isRefused(settled)) {
      report.refused += 1
      return
    } else {
      report.stopped = meaning.kind === 'signed-out' ? 'signed-out' : 'network'
      report.next_try = settled?.state === 'queued' ? settled.next_try : null
      return
    }
  }
  const [only, ...others] = stuck
  // Several entries failed and none was answered: the server is at fault, so they stay queued.
  if (only && others.length === 0) report.refused += await quarantine(stuck)
  else if (only) {
    report.stopped = 'network'
    report.next_try = Math.min(...stuck.map(({ next_try }) => next_try))
  }
}

const isAnswered = (entry: Entry | null): boolean => entry?.state === 'done' || isRefused(entry)

function followsAny(before: readonly Entry[], entry: Entry): boolean {
  const keys = copyKeysOf(entry)
  return before.some(
    (one) => one.id === entry.depends_on || copyKeysOf(one).some((key) => keys.includes(key)),
  )
}

async function quarantine(stuck: Entry[]): Promise<number> {
  const entries = stuck.splice(0)
  if (entries.length === 0) return 0
  await transact(['outbox'], 'readwrite', async (tx) => {
    for (const { id } of entries) {
      const entry = await findEntry(tx, id)
      if (entry?.state !== 'queued') continue
      const problem = { ...ownProblem('ALWAYS_FAILS', failsSentence), code: entry.last_status ?? 0 }
      await tx.store.put({ ...entry, ...refused('quarantined', problem) })
    }
  })
  tellOutbox({ ids: entries.map(({ id }) => id), to_send: false })
  return entries.length
}

/** An entry dated further from now than this may come from a wrong clock: measure the server's first. */
const datedAtOnceMs = 60_000

async function measureClockFor(entries: readonly Entry[], { now, fetch }: Settings): Promise<void> {
  const isDoubtful = ({ state, attempts, occurred_at }: Entry) =>
    state === 'queued' && attempts === 0 && Math.abs(now() - Date.parse(occurred_at)) > datedAtOnceMs
  if (!entries.some(isDoubtful)) return
  const asked = now()
  const health = await askHealth(fetch)
  const offset = health && measureOffset(health.date, asked, now())
  if (offset === null) return
  await transact(['meta'], 'readwrite', (tx) => noteOffset(tx.objectStore('meta'), offset, new Date(now())))
}

/** Entries left in `sending` by a page that died: the same key brings back the stored answer. */
const takeUpUnanswered = () =>
  transact(['outbox'], 'readwrite', async (tx) => {
    const unanswered = await tx.store.index('state').getAll('sending')
    await Promise.all(unanswered.map((entry) => tx.store.put({ ...entry, state: 'queued' })))
  })

type Taken =
  | { answer: 'taken'; entry: Entry; session: DeviceSession }
  | { answer: 'later'; entry: Entry }
  | { answer: 'signed-out' }
  | { answer: 'not-now' }
  | { answer: 'put-to-a-person' }

/** Writes `sending` to the disk first, because once the request leaves the server may know the entry. */
const takeToSend = (id: string, { now, hurry }: Settings): Promise<Taken> =>
  transact(
    ['outbox', 'meta'],
    'readwrite',
    async (tx): Promise<Taken> => {
      const meta = tx.objectStore('meta')
      const session = await liveSession(meta)
      if (!session) return { answer: 'signed-out' }
      const entry = await findEntry(tx, id)
      if (entry?.state !== 'queued' || senderOf(entry) !== personOf(session)) return { answer: 'not-now' }
      if (!isDue(entry, now(), hurry)) return { answer: 'later', entry }
      if (!entry.seal) {
        await tx.objectStore('outbox').put({ ...entry, ...refused('conflict', unsealedProblem) })
        return { answer: 'put-to-a-person' }
      }
      const doubt = clockDoubt(entry, (await readMeta(meta, 'clock'))?.offset ?? null)
      if (doubt) {
        await tx.objectStore('outbox').put({ ...entry, ...refused('conflict', doubt) })
        return { answer: 'put-to-a-person' }
      }
      const sending: Entry = { ...entry, state: 'sending', attempts: entry.attempts + 1 }
      await tx.objectStore('outbox').put(sending)
      return { answer: 'taken', entry: sending, session }
    },
    'strict',
  )

type Told = { meaning: Meaning; isFault: boolean; offset: number | null; session: DeviceSession }

/** Stores the answer in one transaction; only a receipt counts for an entry no longer `sending`. */
const settle = (
  id: string,
  { meaning, isFault, offset, session }: Told,
  { now, random }: Settings,
): Promise<Entry | null> =>
  transact(['outbox', 'meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    await noteOffset(meta, offset, new Date(now()))
    if (meaning.kind === 'signed-out') await noteSessionRefused(meta, session.token)
    const entry = await findEntry(tx, id)
    if (!entry || entry.state === 'done' || (meaning.kind !== 'done' && entry.state !== 'sending'))
      return entry
    const settled = { ...entry, ...afterAnswer(entry, meaning, isFault, now(), random) }
    const kept = settled.state === 'done' ? withoutNames(settled) : settled
    await tx.objectStore('outbox').put(kept)
    return kept
  })

function afterAnswer(
  entry: Entry,
  meaning: Meaning,
  isFault: boolean,
  now: number,
  random: () => number,
): Partial<Entry> {
  if (meaning.kind === 'done') {
    const settled_at = new Date(now).toISOString()
    return { state: 'done', receipt: meaning.receipt, last_status: meaning.status, problem: null, settled_at }
  }
  if (meaning.kind === 'signed-out') return { state: 'queued', last_status: 401, next_try: 0 }
  if (meaning.kind === 'conflict') return refused('conflict', meaning.problem)
  if (meaning.kind === 'quarantine') return refused('quarantined', meaning.problem)
  const faults = entry.faults + (isFault ? 1 : 0)
  return { state: 'queued', faults, ...waitAfter(meaning, entry.attempts, now, random) }
}

const refused = (state: 'conflict' | 'quarantined', problem: Problem): Partial<Entry> => ({
  state,
  problem,
  last_status: problem.code,
})

const failsSentence =
  'Le serveur échoue sur cette action, cinq fois de suite, alors qu’il répond aux autres. Réessayez plus tard ou prévenez l’administrateur.'
