import * as v from 'valibot'

import { findLostReceipts, mostReceipts } from '../contract/snapshot.ts'
import { forgetAfterRefusal } from './clear-snapshot.ts'
import { lockIfFree } from './device-lock.ts'
import { type DeviceSession, type LoadingMark, readMeta, writeMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { emptySide } from './empty-side.ts'
import { type Entry, unsent } from './entry.ts'
import {
  fetchPage,
  type PageSettings,
  readOurs,
  type RefreshEnd,
  RefreshStopped,
} from './fetch-snapshot-page.ts'
import { newKey } from './new-key.ts'
import { tellOutbox } from './outbox-news.ts'
import { findEntry } from './outbox-store.ts'
import { forgetOldEntries } from './outbox.ts'
import { type DeviceFetch, ownProblem } from './send-entry.ts'
import { currentSession } from './session-mirror.ts'
import type { SnapshotProgress } from './snapshot-state.ts'
import { requireRun, SupersededError, writePage } from './snapshot-store.ts'

const answer = v.looseObject({ keys: v.array(v.string()) })

/**
 * The database may have gone back to an earlier state: asks which of the actions that were confirmed on this device it no longer knows, and
 * leaves each to its person. Throws `RefreshStopped`, and may then be done again.
 */
export async function findLostActions(settings: PageSettings): Promise<void> {
  const { environment_id } = settings.session
  // What was confirmed long ago has no key left on the server either, and nothing of it was lost.
  await forgetOldEntries(new Date(settings.now()))
  const done = (
    await transact(['outbox'], 'readonly', (tx) => tx.objectStore('outbox').index('state').getAll('done'))
  ).filter((entry) => entry.environment_id === environment_id)
  const lost: string[] = []
  for (let at = 0; at < done.length; at += mostReceipts) {
    const keys = done.slice(at, at + mostReceipts).map(({ id }) => id)
    const query = new URLSearchParams({ keys: keys.join(',') })
    lost.push(...(await readOurs(`${findLostReceipts.path}?${query.toString()}`, answer, settings)).keys)
  }
  if (lost.length === 0) return
  await transact(['outbox'], 'readwrite', async (tx) => {
    for (const id of lost) {
      const entry = await findEntry(tx, id)
      if (entry?.state === 'done') await tx.store.put(leftToItsPerson(entry))
    }
  })
  tellOutbox({ ids: lost, to_send: false })
}

/** Numbers of loans may be others' by now: a return finds its loan by the bar code, and an answer to a refusal is not given again. */
function leftToItsPerson(entry: Entry): Entry {
  const problem = ownProblem(
    'RECEIPT_LOST',
    `Confirmée, puis perdue par le serveur, qui a repris un état plus ancien\u202f: ${
      entry.endpoint === 'conflicts.settle'
        ? 'voyez ce qu’il en est, puis mettez-la de côté.'
        : 'confirmez-la pour la refaire, ou mettez-la de côté.'
    }`,
  )
  const lost: Entry = { ...entry, ...unsent, seal: null, problem }
  if (entry.endpoint === 'conflicts.settle') return { ...lost, state: 'quarantined' }
  if (entry.endpoint !== 'loanings.return' || entry.bar_code === null) return { ...lost, state: 'conflict' }
  const body = { bar_code: entry.bar_code, ...entry.body }
  const sent = { bar_code: entry.bar_code, ...(JSON.parse(entry.frozen_body) as object) }
  return {
    ...lost,
    state: 'conflict',
    endpoint: 'loanings.return_copy',
    params: {},
    body,
    frozen_body: JSON.stringify(sent),
  }
}

type RefreshOptions = {
  fetch: DeviceFetch
  site: number
  onProgress?: (progress: SnapshotProgress) => void
  now?: () => number
}

/** `elsewhere`: another page is loading. `superseded`: cleared or taken over meanwhile. */
type RefreshReport = { ok: true } | { ok: false; why: RefreshEnd | 'elsewhere' | 'superseded' }

type Settings = RefreshOptions & { now: () => number; session: DeviceSession }

/** Fetches changes, or else loads the unused side; until that is complete, the old one answers. */
export async function refreshSnapshot(options: RefreshOptions): Promise<RefreshReport> {
  const session = await currentSession()
  if (!session) return { ok: false, why: 'signed-out' }
  const settings: Settings = { now: Date.now, ...options, session }
  try {
    const isDone = await lockIfFree('comptoir-snapshot', async (keep) => {
      const first = await beginLoad(settings)
      await load(first, settings, keep)
      // A full load is as old as its first page, so the changes made meanwhile are fetched at once.
      if (first.mode === 'full') await load(await beginLoad(settings), settings, keep)
      return true
    })
    return isDone ? { ok: true } : { ok: false, why: 'elsewhere' }
  } catch (error) {
    if (error instanceof SupersededError) return { ok: false, why: 'superseded' }
    if (error instanceof RefreshStopped) {
      if (error.why === 'signed-out') await forgetAfterRefusal(session.token)
      return { ok: false, why: error.why }
    }
    throw error
  }
}

/** Only the run chosen last may write. */
async function beginLoad({ site, session, now }: Settings): Promise<LoadingMark> {
  const { environment_id } = session
  return transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    const [mark, half] = [await readMeta(meta, 'snapshot'), await readMeta(meta, 'loading')]
    const isOurs = (known: { environment_id: number; site: number } | null) =>
      known?.environment_id === environment_id && known.site === site
    const began_at = new Date(now()).toISOString()
    const fresh = { run: newKey(), environment_id, site, began_at, rows: 0, total: 0 }
    let loading: LoadingMark = { ...fresh, mode: 'full', side: mark?.side === 'a' ? 'b' : 'a', cursor: null }
    // A half-done full load goes first: the server no longer knew the snapshot's cursor.
    if (half?.mode === 'full' && isOurs(half) && half.side !== mark?.side)
      loading = { ...half, run: fresh.run }
    else if (mark && isOurs(mark))
      loading = { ...fresh, mode: 'changes', side: mark.side, cursor: mark.cursor }
    await writeMeta(meta, 'loading', loading)
    return loading
  })
}

async function load(begun: LoadingMark, settings: Settings, keep: () => Promise<void>): Promise<void> {
  let loading = begun
  if (loading.mode === 'full' && loading.cursor === null) await emptySide(loading.side)
  for (;;) {
    await keep()
    const page = await fetchPage(loading.cursor, settings)
    if (page.reset) {
      // Before the cursor is given up: what fails here is asked again with it. A device that was signed out or is of another site since has none.
      await findLostActions(settings)
      if (loading.cursor !== null) loading = await beginAnew(loading, settings)
    }
    const rows = loading.rows + (await writePage(page, loading.side, loading.run))
    loading = { ...loading, cursor: page.cursor, rows, total: Math.max(page.total, rows) }
    await (page.complete ? finish(loading, page.cursor) : noteProgress(loading))
    settings.onProgress?.({ rows: loading.rows, total: loading.total })
    if (page.complete) return
  }
}

/** The server no longer knows the cursor: load everything again into the unused side. */
async function beginAnew(loading: LoadingMark, { now }: Settings): Promise<LoadingMark> {
  const anew = await transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    await requireRun(meta, loading.run)
    const used = (await readMeta(meta, 'snapshot'))?.side
    const began_at = new Date(now()).toISOString()
    const fresh: LoadingMark = {
      ...loading,
      mode: 'full',
      side: used === 'a' ? 'b' : 'a',
      cursor: null,
      began_at,
      rows: 0,
    }
    await writeMeta(meta, 'loading', fresh)
    return fresh
  })
  await emptySide(anew.side)
  return anew
}

const noteProgress = (loading: LoadingMark) =>
  transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    await requireRun(meta, loading.run)
    await writeMeta(meta, 'loading', loading)
    if (loading.mode === 'full' || loading.cursor === null) return
    const mark = await readMeta(meta, 'snapshot')
    if (mark) await writeMeta(meta, 'snapshot', { ...mark, cursor: loading.cursor })
  })

async function finish(
  { run, side, environment_id, site, began_at }: LoadingMark,
  cursor: string,
): Promise<void> {
  const before = await transact(['meta'], 'readwrite', async (tx) => {
    const meta = tx.objectStore('meta')
    await requireRun(meta, run)
    const used = await readMeta(meta, 'snapshot')
    await writeMeta(meta, 'snapshot', { side, environment_id, site, cursor, asked_at: began_at })
    await meta.delete('loading')
    return used
  })
  if (before && before.side !== side) await emptySide(before.side)
}
