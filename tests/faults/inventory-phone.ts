import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { type InventoryScan, scansPerCall } from '../../src/contract/inventories.ts'
import { adminPassword } from '../support/test-library.ts'
import type { Random } from './random.ts'
import type { Fate, TcpProxy } from './tcp-proxy.ts'

/** What a phone knows of a scan; the verdict once the server said it. */
export type KeptScan = Pick<InventoryScan, 'key' | 'bar_code' | 'copy' | 'note' | 'taken_back'> & {
  verdict: InventoryScan['verdict'] | null
  revision?: number
}

export type Phone = {
  kept: readonly KeptScan[]
  /** Scans so many labels of a stock of `copies`, sending now and then, until all are answered. */
  count(scans: number, copies: number): Promise<void>
}

type Way = { proxy: TcpProxy; token: string; inventory: number }

const weathers: [weight: number, fate: Fate][] = [
  [12, 'pass'],
  [3, 'cut-answer'],
  [2, 'cut-request'],
  [2, 'cut-body'],
  [2, 'drop'],
  [1, 'swallow-answer'],
  [2, { duplicate: 3 }],
]
/** Longer than an answer takes; who waits on would wait for ever. */
const patienceMs = 2000
const pauseMs = 20

export async function signInAt(address: string): Promise<string> {
  const response = await fetch(`${address}/api/login_check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin@1', password: adminPassword }),
  })
  const { token } = (await response.json()) as { token?: string }
  if (token === undefined) throw new Error(`sign-in: ${response.status}`)
  return token
}

/** Goes through a network that flaps; null where no whole answer came. */
function callerOn({ proxy, token }: Way, random: Random) {
  proxy.fateOf = () => {
    if (random.chance(0.05)) {
      proxy.isDown = true
      setImmediate(() => proxy.cutAll())
    }
    return random.weighted(weathers)
  }
  return async <T>(path: string, body?: object): Promise<T | null> => {
    try {
      const response = await fetch(proxy.address + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(patienceMs),
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (response.ok) return (await response.json()) as T
      if (response.status < 500) throw new Refusal(`${response.status} ${await response.text()}`)
    } catch (error) {
      if (error instanceof Refusal) throw error
    }
    if (random.chance(0.3)) proxy.isDown = false
    await delay(pauseMs)
    return null
  }
}

class Refusal extends Error {}

/** Keeps each scan until it is answered, and sends it again under the same key, many at a time. */
export function openPhone(way: Way, { name, random }: { name: string; random: Random }): Phone {
  const kept: KeptScan[] = []
  /** Keys whose last word was not answered yet. */
  const waiting = new Set<string>()
  const call = callerOn(way, random)

  const send = async () => {
    const batch = kept.filter(({ key }) => waiting.has(key)).slice(0, scansPerCall)
    if (batch.length === 0) return
    const said = batch.map((scan) => JSON.stringify([scan.note, scan.taken_back]))
    const scans = batch.map(({ key, bar_code, note, taken_back, revision = 0 }) => ({
      key,
      bar_code,
      copy: null,
      location: null,
      scanned_at: new Date().toISOString(),
      way: 'scanner',
      note,
      taken_back,
      revision,
    }))
    const answer = await call<{ scans: InventoryScan[] }>(`/api/inventories/${way.inventory}/scans`, {
      scans,
    })
    const answers = new Map(answer?.scans.map((scan) => [scan.key, scan]))
    for (const [at, scan] of batch.entries()) {
      const told = answers.get(scan.key)
      if (!told) continue
      scan.verdict = told.verdict
      scan.copy = told.copy
      if (said[at] === JSON.stringify([scan.note, scan.taken_back])) waiting.delete(scan.key)
    }
  }
  const scanOne = (n: number, copies: number) => {
    // Labels of nobody are this phone's own, so that taking one back takes nothing from another.
    const bar_code = random.chance(0.15) ? `${name}-${n}` : `INV${random.between(1, copies)}`
    const scan: KeptScan = {
      key: randomUUID(),
      bar_code,
      copy: null,
      note: '',
      taken_back: false,
      verdict: null,
    }
    kept.push(scan)
    waiting.add(scan.key)
  }
  const sayMore = () => {
    const scan = random.oneOf(kept)
    if (!scan?.bar_code?.startsWith(name)) return
    if (random.chance(0.5)) scan.note = `note ${random.between(1, 9)}`
    else scan.taken_back = !scan.taken_back
    scan.revision = (scan.revision ?? 0) + 1
    waiting.add(scan.key)
  }
  return {
    kept,
    async count(scans, copies) {
      for (let n = 0; n < scans; n += 1) {
        scanOne(n, copies)
        sayMore()
        if (random.chance(0.2)) await send()
      }
      while (waiting.size > 0) await send()
    },
  }
}

/** Follows what the others count, from cursor to cursor. */
export function openReader(way: Way, random: Random) {
  const known = new Map<string, string>()
  const call = callerOn(way, random)
  let cursor: string | null = null
  const read = async (): Promise<boolean> => {
    const since: string = cursor === null ? '' : `?since=${encodeURIComponent(cursor)}`
    type Page = { scans: InventoryScan[]; cursor: string; complete: boolean }
    const page: Page | null = await call<Page>(`/api/inventories/${way.inventory}/scans${since}`)
    if (!page) return false
    for (const scan of page.scans) known.set(scan.key, stateOf(scan))
    cursor = page.cursor
    return page.complete
  }
  return {
    async follow(work: Promise<unknown>) {
      const over = new AbortController()
      void work.finally(() => over.abort()).catch(() => undefined)
      while (!over.signal.aborted) {
        await read()
        await delay(pauseMs)
      }
      while (!(await read()));
    },
    /** What was never heard of, or not as it is now. */
    missing: (rows: readonly KeptScan[]) =>
      rows.filter((row) => known.get(row.key) !== stateOf(row)).map(({ key }) => key),
  }
}

const stateOf = ({ verdict, note, taken_back }: Pick<KeptScan, 'verdict' | 'note' | 'taken_back'>) =>
  JSON.stringify([verdict, note, taken_back])

/** What is wrong, a sentence each: every scan is there once, as it was answered, and each copy counted once. */
export function countFaults(rows: readonly KeptScan[], kept: readonly KeptScan[]): string[] {
  const stored = new Map(rows.map((row) => [row.key, row]))
  const firsts = new Map<number, number>()
  for (const { copy, verdict, taken_back } of rows) {
    if (copy === null || taken_back) continue
    firsts.set(copy, (firsts.get(copy) ?? 0) + (verdict === 'already' ? 0 : 1))
  }
  return [
    ...(stored.size === rows.length ? [] : ['a key is there twice']),
    ...(rows.length === kept.length ? [] : [`${kept.length} scans were made and ${rows.length} are there`]),
    ...kept.flatMap((scan) => {
      const row = stored.get(scan.key)
      if (!row) return [`${scan.bar_code} is lost`]
      const isSame =
        stateOf(row) === stateOf(scan) && row.copy === scan.copy && row.bar_code === scan.bar_code
      return isSame ? [] : [`${scan.bar_code} is ${stateOf(row)} and not ${stateOf(scan)}`]
    }),
    ...[...firsts].flatMap(([copy, count]) =>
      count === 1 ? [] : [`copy ${copy} was counted ${count} times`],
    ),
  ]
}
