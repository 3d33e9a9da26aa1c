import { once } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'

import type { Page } from 'playwright-core'

import { becomeReadyForOffline, openCounter, put, scanBox } from '../journeys/counter.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { readMeta, readOutbox, timeLookUps } from '../support/page-store.ts'
import { administratorPassword, openBenchLibrary } from './scale/bench-library.ts'
import { barCodeOf, type LibrarySize } from './scale/fill-library.ts'
import { isBuilt } from './scale/server-process.ts'
import { benchScale, inMs, median, quantile, type Section, skipped, type Table } from './section.ts'

// What a tablet feels, in a real browser, on the embedded engine: a large library in its store, a scan to its line, a start without a network.

const size: LibrarySize =
  benchScale === 'full'
    ? { references: 100_000, copies: 200_000, beneficiaries: 50_000, loans: 100_000 }
    : { references: 5_000, copies: 10_000, beneficiaries: 2_500, loans: 10_000 }
const scans = benchScale === 'full' ? 60 : 20
const waitingActions = benchScale === 'full' ? 500 : 100
/** Longest task of the page that a person does not feel (design: « no main-thread task over 50 ms »). */
const longTaskMs = 50

/** Every sixth copy is out, every fifth is the other site's. */
function* freeCopies(): Generator<number, never> {
  for (let copy = 1; ; copy += 1) if (copy % 6 !== 0 && copy % 5 !== 0) yield copy
}

export const deviceSection: Section = {
  name: 'device',
  async *run(): AsyncIterable<Table> {
    if (!isBuilt()) {
      yield skipped('A tablet', 'the product is not built (npm run build)')
      return
    }
    const library = await openBenchLibrary('embedded', size)
    await library.environment.close()
    const server = await startServer(library.dataDir)
    const device = await openDevice(server.address, { still: true, viewport: 'tablet' })
    try {
      yield await measure(device, server)
    } finally {
      await device.close()
      await server.kill()
      await library.drop()
    }
  },
}

async function measure({ page, context }: Device, server: Server): Promise<Table> {
  const rows: string[][] = []
  // What tsx leaves in functions that are sent to the page.
  await page.addInitScript('globalThis.__name = (target) => target')
  await page.addInitScript(watchLongTasks)
  await signIn(page, 'admin', administratorPassword)
  const loadingFrom = performance.now()
  await openCounter(page, 'Site principal')
  await snapshotComplete(page)
  rows.push(['first load of what the device knows', `${inMs(performance.now() - loadingFrom)} ms`])
  const tasks = await longTasks(page)
  rows.push([
    `main-thread tasks over ${longTaskMs} ms after first paint while it loads`,
    tasks.length === 0 ? 'none' : `${tasks.length}, longest ${inMs(Math.max(...tasks))} ms`,
  ])
  rows.push([
    'size on disk (as the browser counts it)',
    `${(await storedBytes(page)) / 1_000_000} MB`.replace(/(\.\d)\d*/, '$1'),
  ])
  const lookUps = await timeLookUps(
    page,
    Array.from({ length: 200 }, (_, at) => barCodeOf(1 + Math.floor((at * size.copies) / 200))),
  )
  rows.push([
    'look-up by bar code in the store, median / p95',
    `${inMs(median(lookUps))} / ${inMs(quantile(lookUps, 0.95))} ms`,
  ])

  await becomeReadyForOffline(page)
  const copies = freeCopies()
  const next = () => copies.next().value
  await put(page, 'M10')
  await page
    .getByRole('option')
    .first()
    .or(page.getByRole('region', { name: 'Lecteur' }))
    .first()
    .waitFor()
  const online = await timeScans(page, next)
  rows.push([
    'scan to visible line, on line, median / p95',
    `${inMs(median(online))} / ${inMs(quantile(online, 0.95))} ms`,
  ])

  await server.kill()
  await context.setOffline(true)
  const offline = await timeScans(page, next)
  rows.push([
    'scan to visible line, off line, median / p95',
    `${inMs(median(offline))} / ${inMs(quantile(offline, 0.95))} ms`,
  ])

  const startedFrom = performance.now()
  await page.goto('/home')
  await scanBox(page).waitFor()
  rows.push(['start without a network to a usable scan box', `${inMs(performance.now() - startedFrom)} ms`])

  for (let waiting = scans; waiting < waitingActions; waiting += 1) await put(page, barCodeOf(next()))
  const held = await countUnsent(page)
  await server.start()
  await context.setOffline(false)
  const sendingFrom = performance.now()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  while ((await countUnsent(page)) > 0) await page.waitForFunction(() => true)
  const seconds = (performance.now() - sendingFrom) / 1000
  rows.push([
    `${held} waiting actions applied`,
    `${inMs(seconds * 1000)} ms, ${(held / seconds).toFixed(0)} a second`,
  ])
  return {
    title: `A tablet that knows ${size.copies.toLocaleString('en')} copies and ${size.beneficiaries.toLocaleString('en')} readers`,
    notes: ['Chromium without a screen, server with the embedded database, both on this machine.'],
    columns: ['what', 'measured'],
    rows,
  }
}

type Server = { address: string; start(): Promise<void>; kill(): Promise<void> }

async function startServer(dataDir: string): Promise<Server> {
  let child: ChildProcess | undefined
  let port = 0
  const start = async () => {
    const started = spawn(process.execPath, ['dist/server/main.js'], {
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: '',
        NODE_ENV: 'production',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    let said = ''
    for await (const chunk of started.stdout as AsyncIterable<Buffer>) {
      said += chunk.toString()
      const found = /Comptoir est ouvert.*:(\d+)\s/.exec(said)?.[1]
      if (found === undefined) continue
      port = Number(found)
      return
    }
    throw new Error(`the server ended: ${said}`)
  }
  await start()
  return {
    address: `http://localhost:${port}`,
    start,
    kill: async () => {
      const running = child
      child = undefined
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGTERM')
      await ended
    },
  }
}

function watchLongTasks(): void {
  const seen: number[] = []
  Object.assign(globalThis, { longTasks: seen })
  let painted = Infinity
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('first-contentful-paint')) painted = entry.startTime
  }).observe({ type: 'paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.startTime > painted) seen.push(entry.duration)
  }).observe({ type: 'longtask', buffered: true })
}

const longTasks = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks)

const storedBytes = (page: Page): Promise<number> =>
  page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)

/** What the device knows has come in whole. */
async function snapshotComplete(page: Page): Promise<void> {
  while ((await readMeta(page, 'snapshot')) === undefined) await page.waitForTimeout(100)
}

/** From the Enter that ends a code to the frame in which its line stands confirmed, as the page itself sees it. */
async function timeScans(page: Page, next: () => number): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < scans; at += 1) {
    const code = barCodeOf(next())
    await scanBox(page).fill(code)
    const seen = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let from = 0
          addEventListener('keydown', () => (from = performance.now()), { once: true, capture: true })
          const first = () =>
            document.querySelector('ol[aria-label="Derniers passages"] > li')?.textContent ?? ''
          const before = first()
          const observer = new MutationObserver(() => {
            if (first() === before || !/Enregistré|Confirmé/.test(first())) return
            observer.disconnect()
            requestAnimationFrame(() => resolve(performance.now() - from))
          })
          observer.observe(document.body, { subtree: true, childList: true, characterData: true })
        }),
    )
    await page.keyboard.press('Enter')
    times.push(await seen)
  }
  return times
}

const countUnsent = async (page: Page): Promise<number> =>
  (await readOutbox(page)).filter(({ state }) => state === 'queued' || state === 'sending').length
