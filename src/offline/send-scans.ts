import * as v from 'valibot'

import { scansPerCall, sendScans as sendScansCall } from '../contract/inventories.ts'
import { filledPath } from '../contract/path.ts'
import { forgetAfterRefusal } from './clear-snapshot.ts'
import { measureOffset, noteOffset } from './device-clock.ts'
import { waitForLock } from './device-lock.ts'
import { type DeviceSession, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import type { DrainOptions, DrainReport } from './drain.ts'
import { personOf, type Problem } from './entry.ts'
import { type InventoryNews, tellInventory } from './inventory-news.ts'
import { removedStatus, type ScanWait, type StoredScan } from './inventory-rows.ts'
import { changeCount } from './inventory-store.ts'
import { newKey } from './new-key.ts'
import { ownProblem, sendBody } from './send-entry.ts'
import { liveSession, noteSessionRefused } from './session-mirror.ts'
import { isDue, waitAfter } from './when-due.ts'

type Settings = DrainOptions & Required<Pick<DrainOptions, 'now' | 'random'>>

/** Sends the signed-in person's scans of inventories, many at a time; each has its key, so none counts twice. */
export async function sendScans(options: DrainOptions): Promise<DrainReport> {
  const lock = options.lock ?? waitForLock
  const report = await lock('comptoir-inventory', (keep) =>
    sendAlone({ now: Date.now, random: Math.random, ...options }, keep),
  )
  return report ?? { done: 0, refused: 0, stopped: 'elsewhere', next_try: null }
}

async function sendAlone(settings: Settings, keep: () => Promise<void>): Promise<DrainReport> {
  const report: DrainReport = { done: 0, refused: 0, stopped: null, next_try: null }
  let most = scansPerCall
  for (;;) {
    await keep()
    const batch = await nextBatch(most)
    if (batch === null) return report
    if (batch === 'signed-out') return { ...report, stopped: 'signed-out' }
    const { session, scans, wait } = batch
    if (wait && !isDue(wait, settings.now(), settings.hurry)) {
      return { ...report, stopped: 'later', next_try: wait.next_try }
    }
    const answered = await sendBatch(scans, session, settings)
    if (answered.kind === 'taken') {
      report.done += answered.count
      report.refused += scans.length - answered.count
      most = scansPerCall
    } else if (answered.kind === 'again') {
      return { ...report, stopped: 'network', next_try: answered.wait.next_try }
    } else if (answered.kind === 'signed-out') {
      await forgetAfterRefusal(session.token)
      return { ...report, stopped: 'signed-out' }
    } else {
      const { problem } = answered
      const faults = faultsOf(problem, scans)
      if (faults.size === 0 && scans.length > 1 && !isOfAll(problem)) {
        // One of them is at fault, and nobody says which: the others go without it.
        most = Math.ceil(scans.length / 2)
        continue
      }
      const refused = faults.size === 0 ? scans : scans.filter(({ seq }) => faults.has(seq))
      await settle(refused, ({ seq }) => ({ state: 'refused', problem: faults.get(seq) ?? problem }))
      if (problem.code === 404) await noteRemoved(refused)
      report.refused += refused.length
      most = scansPerCall
    }
  }
}

/** The right, the site or the inventory is refused, and not what a scan says. */
const isOfAll = ({ code }: Problem): boolean => code === 403 || code === 404

/** What the server says of each scan that it cannot take, by its `seq`; the others can go at once. */
function faultsOf(problem: Problem, scans: readonly StoredScan[]): Map<number, Problem> {
  const faults = new Map<number, Problem>()
  for (const violation of problem.facts?.violations ?? []) {
    const place = /^scans\.(\d+)(?:\.|$)/.exec(violation.propertyPath)?.[1]
    const scan = place === undefined ? undefined : scans[Number(place)]
    if (!scan || faults.has(scan.seq)) continue
    const { message } = violation
    faults.set(scan.seq, { ...problem, message, facts: { violations: [violation] } })
  }
  return faults
}

/** The inventory is over here: it leaves the device, once nothing of it waits. */
async function noteRemoved([first]: readonly StoredScan[]): Promise<void> {
  if (first) await changeCount(first.count, { status: removedStatus })
}

type Batch = { session: DeviceSession; scans: StoredScan[]; wait: ScanWait | null }

/** The oldest scans of one inventory and site, of whoever is signed in. */
const nextBatch = (most: number): Promise<Batch | 'signed-out' | null> =>
  transact(['inventory_scans', 'meta'], 'readonly', async (tx) => {
    const meta = tx.objectStore('meta')
    const queued = await tx.objectStore('inventory_scans').index('state').getAll('queued')
    const session = await liveSession(meta)
    if (session === null) return queued.length > 0 ? 'signed-out' : null
    const own = queued.filter((scan) => personOf(scan) === personOf(session))
    const [first] = own
    if (!first) return null
    const scans = own.filter(({ count }) => count === first.count).slice(0, most)
    return { session, scans, wait: await readMeta(meta, 'scan_wait') }
  })

const answerShape = v.looseObject({
  scans: v.array(
    v.looseObject({
      key: v.string(),
      verdict: sendScansCall.answer.entries.scans.item.entries.verdict,
      name: v.nullable(v.string()),
      copy: v.nullable(v.number()),
      is_late: v.boolean(),
    }),
  ),
})
const isAnswer = (json: unknown): boolean => v.is(answerShape, json)

type Answered =
  | { kind: 'taken'; count: number }
  | { kind: 'again'; wait: ScanWait }
  | { kind: 'signed-out' }
  | { kind: 'refused'; problem: Problem }

async function sendBatch(scans: StoredScan[], session: DeviceSession, settings: Settings): Promise<Answered> {
  const { now, random } = settings
  const [first] = scans
  if (!first) return { kind: 'taken', count: 0 }
  const sent = now()
  const { meaning, date } = await sendBody(
    {
      method: sendScansCall.method,
      path: filledPath(sendScansCall.path, { id: first.inventory }),
      site: first.site,
      // Another try may carry more scans; what keeps each from counting twice is its own key.
      key: newKey(),
      body: JSON.stringify({ scans: scans.map(wireOf) }),
    },
    session,
    settings,
    isAnswer,
  )
  const offset = measureOffset(date, sent, now())
  const wait = await transact(['meta'], 'readwrite', async (tx): Promise<ScanWait | null> => {
    await noteOffset(tx.store, offset, new Date(now()))
    if (meaning.kind === 'signed-out') await noteSessionRefused(tx.store, session.token)
    if (meaning.kind !== 'again') {
      await tx.store.delete('scan_wait')
      return null
    }
    const attempts = ((await readMeta(tx.store, 'scan_wait'))?.attempts ?? 0) + 1
    const next = { attempts, ...waitAfter(meaning, attempts, now(), random) }
    await writeMeta(tx.store, 'scan_wait', next)
    return next
  })
  if (wait) return { kind: 'again', wait }
  if (meaning.kind === 'signed-out') return { kind: 'signed-out' }
  if (meaning.kind !== 'done') return { kind: 'refused', problem: problemOf(meaning) }
  const answers = new Map(v.parse(answerShape, meaning.receipt).scans.map((scan) => [scan.key, scan]))
  let count = 0
  await settle(scans, ({ key }) => {
    const answer = answers.get(key)
    if (!answer) return { state: 'refused', problem: ownProblem('ALWAYS_FAILS', unansweredSentence) }
    count += 1
    const { verdict, name, copy, is_late } = answer
    return { state: 'sent', problem: null, verdict, name, copy, is_late }
  })
  return { kind: 'taken', count }
}

const problemOf = (meaning: { kind: string; problem?: Problem }): Problem =>
  meaning.problem ?? ownProblem('ALWAYS_FAILS', unansweredSentence)

const wireOf = (scan: StoredScan) => {
  const { key, bar_code, copy, location, scanned_at, way, note, taken_back, revision } = scan
  return { key, bar_code, copy, location, scanned_at, way, note, taken_back, revision }
}

/** What the person said meanwhile stays to be sent. */
async function settle(
  scans: readonly StoredScan[],
  settled: (scan: StoredScan) => Partial<StoredScan>,
): Promise<void> {
  const judged: NonNullable<InventoryNews['judged']> = []
  await transact(['inventory_scans'], 'readwrite', async (tx) => {
    for (const sent of scans) {
      const scan = await tx.store.get(sent.seq)
      if (!scan) continue
      const change = settled(scan)
      const isSaidAnew = scan.revision !== sent.revision
      await tx.store.put({ ...scan, ...change, ...(isSaidAnew ? { state: 'queued' } : {}) })
      const { verdict = scan.verdict } = change
      if (verdict !== scan.verdict) judged.push({ key: scan.key, before: scan.verdict, verdict })
    }
  })
  tellInventory({ count: scans[0]?.count ?? null, to_send: false, judged })
}

const unansweredSentence = 'Le serveur n’a rien dit de ce scan. Réessayez, ou téléchargez-le.'
