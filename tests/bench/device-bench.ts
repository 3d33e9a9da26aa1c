import type { Page } from 'playwright-core'

import { becomeReadyForOffline, openCounter, put, scanBox } from '../support/counter.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { readMeta, readOutbox, timeLookUps } from '../support/page-store.ts'
import { administratorPassword, openBenchLibrary } from './scale/bench-library.ts'
import { barCodeOf, type LibrarySize, reservedStep } from './scale/fill-library.ts'
import { isBuilt, startServer } from './server-process.ts'
import { benchScale, inMs, median, quantile, type Section, skipped, type Table } from './section.ts'

// A tablet's times in a real browser: a large library, a scan until its line, a start without a network.

const size: LibrarySize =
  benchScale === 'full'
    ? { references: 100_000, copies: 200_000, beneficiaries: 50_000, loans: 100_000 }
    : { references: 5_000, copies: 10_000, beneficiaries: 2_500, loans: 10_000 }
const scans = benchScale === 'full' ? 60 : 20
const waitingActions = benchScale === 'full' ? 500 : 100
const loansPerReader = 20
/** Every twentieth reader from the third on has left (fillLibrary). */
const readerOfScans = 10
/** Longest task of the page that a person does not feel (design: « no main-thread task over 50 ms »). */
const longTaskMs = 50

/** Every sixth copy is out, every fifth is the other site's, some are waited for. */
function* freeCopies(): Generator<number, never> {
  for (let copy = 1; ; copy += 1)
    if (copy % 6 !== 0 && copy % 5 !== 0 && copy % reservedStep(size) !== 0) yield copy
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
    let server = await startServer(library)
    const { address, port } = server
    const device = await openDevice(address, { still: true, viewport: 'tablet' })
    try {
      yield await measure(device, {
        stop: () => server.stop(),
        startAgain: async () => {
          server = await startServer(library, { port })
        },
      })
    } finally {
      await device.close()
      await server.stop()
      await library.drop()
    }
  },
}

type Server = { stop(): Promise<void>; startAgain(): Promise<void> }

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
  rows.push(['look-up by bar code in the store, median / p95', medianAndP95(lookUps)])

  await becomeReadyForOffline(page)
  const copies = freeCopies()
  const next = () => copies.next().value
  await chooseReader(page, readerOfScans)
  const online = await timeScans(page, next)
  rows.push(['scan to visible line, on line, median / p95', medianAndP95(online.seen)])
  rows.push(['scan to « Confirmé » by the server, median / p95', medianAndP95(online.settled)])

  await server.stop()
  await context.setOffline(true)
  const offline = await timeScans(page, next)
  rows.push(['scan to visible line, off line, median / p95', medianAndP95(offline.seen)])
  rows.push(['scan to « Enregistré » on the device, median / p95', medianAndP95(offline.settled)])

  const startedFrom = performance.now()
  await page.goto('/home')
  await scanBox(page).waitFor()
  rows.push(['start without a network to a usable scan box', `${inMs(performance.now() - startedFrom)} ms`])

  let held = await countUnsent(page)
  for (let reader = readerOfScans + 20; held < waitingActions; reader += 20) {
    await chooseReader(page, reader)
    for (let at = 0; at < loansPerReader; at += 1) await put(page, barCodeOf(next()))
    held += loansPerReader
    // The lane is done with what was typed, and nothing of it is left to be done while the queue leaves.
    while ((await countUnsent(page)) < held) await page.waitForTimeout(100)
  }
  await server.startAgain()
  await context.setOffline(false)
  const sendingFrom = performance.now()
  // The page says so by itself: asking it over and over would be what is measured.
  await page.evaluate(untilNothingWaits)
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

async function chooseReader(page: Page, reader: number): Promise<void> {
  await put(page, `M${reader}`)
  await page.getByRole('region', { name: 'Lecteur' }).getByText(`M${reader} ·`).waitFor()
}

const medianAndP95 = (times: readonly number[]): string =>
  `${inMs(median(times))} / ${inMs(quantile(times, 0.95))} ms`

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

type ScanTimes = { seen: number[]; settled: number[] }

/** From Enter to the frame that shows the line (`seen`), and to its confirmation (`settled`). */
async function timeScans(page: Page, next: () => number): Promise<ScanTimes> {
  const times: ScanTimes = { seen: [], settled: [] }
  for (let at = 0; at < scans; at += 1) {
    await scanBox(page).fill(barCodeOf(next()))
    // Awaited: a key that came before would be timed from the beginning of the page.
    await page.evaluate(watchForLine)
    await page.keyboard.press('Enter')
    const { seen, settled } = await page.evaluate(
      () => (globalThis as unknown as { line: Promise<{ seen: number; settled: number }> }).line,
    )
    times.seen.push(seen)
    times.settled.push(settled)
  }
  return times
}

function watchForLine(): void {
  const lane = () => document.querySelector('ol[aria-label="Derniers passages"]')
  const first = () => lane()?.querySelector(':scope > li') ?? null
  const before = first()
  const wanted = navigator.onLine ? 'Confirmé' : 'Enregistré'
  const line = new Promise<{ seen: number; settled: number }>((resolve, reject) => {
    setTimeout(() => reject(new Error(`no line came, the lane is: ${lane()?.textContent}`)), 10_000)
    let from = NaN
    let seen = NaN
    addEventListener('keydown', () => (from = performance.now()), { once: true, capture: true })
    const observer = new MutationObserver(() => {
      const now = first()
      if (!now || now === before) return
      if (Number.isNaN(seen)) {
        seen = -1
        requestAnimationFrame(() => (seen = performance.now() - from))
      }
      if (!now.textContent.includes(wanted)) return
      observer.disconnect()
      requestAnimationFrame(() => resolve({ seen, settled: performance.now() - from }))
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  Object.assign(globalThis, { line })
}

/** The badge that tells how many actions wait is gone. */
const untilNothingWaits = (): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('a[title][href="/waiting"]')) return
      observer.disconnect()
      resolve()
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true, attributes: true })
    look()
  })

const countUnsent = async (page: Page): Promise<number> =>
  (await readOutbox(page)).filter(({ state }) => state === 'queued' || state === 'sending').length
