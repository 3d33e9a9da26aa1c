import type { BrowserContext, Page } from 'playwright-core'

import { openCounter, scan } from '../support/counter.ts'
import { openDevice, signIn } from '../support/browser.ts'
import { readMeta } from '../support/page-store.ts'
import { administratorPassword, openBenchLibrary } from './scale/bench-library.ts'
import { barCodeOf, isLendable, type LibrarySize, readerWithMany } from './scale/fill-library.ts'
import { isBuilt, startServer } from './server-process.ts'
import { asRatio, benchScale, inMs, median, quantile, type Section, skipped, type Table } from './section.ts'

// From the last key of a scan to the frame that shows its line, on the three screens that take scans, from the first line to the three hundredth.

const size: LibrarySize = { references: 5_000, copies: 10_000, beneficiaries: 2_500, loans: 10_000 }
const lines = benchScale === 'full' ? 300 : 45
/** Of the first and of the last lines. */
const compared = 15
/** For one screen or several: `SCREENS=/home,/loaning/add npm run bench -- scan-to-line`. */
const asked = process.env['SCREENS']?.split(',')
/** A hand takes the next book meanwhile. */
const betweenScansMs = 150
const card = (reader: number) => `2${String(reader).padStart(9, '0')}`

type Screen = {
  name: string
  path: string
  /** The newest line, which stands first. */
  line: string
  /** Scanned before the first copy, and what is then there. */
  first?: { code: string; shown: string }
  codes: () => Generator<string, void>
  /** Whether what is waited for is the line that says what came of it, or the first that is drawn of it. */
  isSettled?: boolean
}

/** What a reader of hundreds has at home, of the site where it is scanned. */
function* lentCodes() {
  for (let n = 1; n <= readerWithMany.open; n += 1) if (n % 5 !== 0) yield barCodeOf(n * 6)
}
const freeCodes = (from: number) =>
  function* () {
    for (let copy = from; copy <= size.copies; copy += 1) if (isLendable(copy, size)) yield barCodeOf(copy)
  }

const lane = 'ol[aria-label="Derniers passages"] > li:not([data-heading])'
const screens: readonly Screen[] = [
  {
    name: '« Rendre »',
    path: '/loaning/return',
    line: 'section[aria-label="Prêts à rendre"] ul > li',
    codes: lentCodes,
  },
  {
    name: '« Prêter »',
    path: '/loaning/add',
    line: 'ul[aria-label="Exemplaires du prêt"] > li',
    first: { code: card(10), shown: 'M10 ·' },
    codes: freeCodes(1),
  },
  {
    name: '« Prêter », to a reader who has hundreds of loans',
    path: '/loaning/add',
    line: 'ul[aria-label="Exemplaires du prêt"] > li',
    first: { code: card(readerWithMany.id), shown: `${readerWithMany.open} prêts en cours` },
    codes: freeCodes(1),
  },
  {
    name: 'the counter, its first line',
    path: '/home',
    line: lane,
    first: { code: card(10), shown: 'M10 ·' },
    codes: freeCodes(1),
  },
  {
    name: 'the counter, the line of what was lent',
    path: '/home',
    line: lane,
    isSettled: true,
    first: { code: card(14), shown: 'M14 ·' },
    codes: freeCodes(3_000),
  },
]

export const scanToLineSection: Section = {
  name: 'scan-to-line',
  async *run(): AsyncIterable<Table> {
    if (!isBuilt()) {
      yield skipped('Scan to painted line', 'the product is not built (npm run build)')
      return
    }
    const library = await openBenchLibrary('embedded', size)
    await library.environment.close()
    const server = await startServer(library)
    const device = await openDevice(server.address, { viewport: 'desktop' })
    try {
      const { context, page } = device
      // What tsx leaves in functions that are sent to the page.
      await context.addInitScript('globalThis.__name = (target) => target')
      await context.addInitScript(watchLines)
      await signIn(page, 'admin', administratorPassword)
      await openCounter(page, 'Site principal')
      while ((await readMeta(page, 'snapshot')) === undefined) await page.waitForTimeout(100)
      yield await measure(context)
    } finally {
      await device.close()
      await server.stop()
      await library.drop()
    }
  },
}

async function measure(context: BrowserContext): Promise<Table> {
  const floor = await onPage(context, async (page) => {
    await page.goto('about:blank')
    await page.evaluate(listOfKeys)
    return timeScans(page, { line: 'ol > li', codes: freeCodes(1) })
  })
  const rows = [rowOf('an empty page that adds the code to a list (floor)', floor, floor)]
  for (const screen of screens.filter(({ path }) => asked?.includes(path) ?? true)) {
    const found = await onPage(context, async (page) => {
      await page.goto(screen.path)
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      // The lists beside it are drawn, and what is fetched ahead is there.
      await page.waitForTimeout(3_000)
      if (screen.first) {
        await scan(page, screen.first.code)
        await page.getByText(screen.first.shown).first().waitFor()
        await page.waitForTimeout(1_000)
      }
      return timeScans(page, screen)
    })
    rows.push(rowOf(`${screen.name} (${screen.path})`, found, floor))
  }
  return {
    title: 'Scan to painted line',
    notes: [
      `Chromium 1440 × 900, codes typed as a hand scanner does, ${lines} one after the other; from Enter until the frame with the line is painted, median / p95 of the first and the last ${compared}. Nodes of the page, and its heap after a collection, with one line and with all.`,
    ],
    columns: ['where', `first ${compared}`, `last ${compared}`, 'beside the floor, medians', 'nodes', 'heap'],
    rows,
  }
}

async function onPage<T>(context: BrowserContext, work: (page: Page) => Promise<T>): Promise<T> {
  const page = await context.newPage()
  try {
    return await work(page)
  } finally {
    await page.close()
  }
}

type Weight = { nodes: number; heap: number }
type Measured = { times: number[]; before: Weight; after: Weight }

const rowOf = (what: string, { times, before, after }: Measured, floor: Measured): string[] => {
  const parts = (of: readonly number[]) => [of.slice(0, compared), of.slice(-compared)] as const
  const told = parts(times).map((part) => `${inMs(median(part))} / ${inMs(quantile(part, 0.95))} ms`)
  const ratios = parts(times).map((part, at) => asRatio(median(part) / median(parts(floor.times)[at] ?? [])))
  return [
    what,
    ...told,
    ratios.join(', '),
    `${before.nodes} → ${after.nodes}`,
    `${inMegabytes(before.heap)} → ${inMegabytes(after.heap)} MB`,
  ]
}

const inMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

async function timeScans(
  page: Page,
  { line, isSettled = false, codes }: Pick<Screen, 'line' | 'isSettled' | 'codes'>,
): Promise<Measured> {
  const next = codes()
  const timeOne = async () => {
    const code = next.next().value
    if (code === undefined) throw new Error('the library has no more copies to scan')
    // Awaited: a key that came before would be timed from the one of the scan before.
    await page.evaluate(awaitLine, { line, code, isSettled })
    await scan(page, code)
    const time = await page.evaluate(() => (globalThis as unknown as Watched).painted)
    await page.waitForTimeout(betweenScansMs)
    return time
  }
  const times = [await timeOne()]
  const before = await weightOf(page)
  while (times.length < lines) times.push(await timeOne())
  // What goes on behind the last lines is over.
  await page.waitForTimeout(3_000)
  return { times, before, after: await weightOf(page) }
}

async function weightOf(page: Page): Promise<Weight> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return { nodes: await page.evaluate(() => document.querySelectorAll('*').length), heap: usedSize }
}

type Watched = { enteredAt: number; painted: Promise<number> }

/** Runs before the product, whose own listener lets no key of a scan pass. */
function watchLines(): void {
  const watched = globalThis as unknown as Watched
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Enter') watched.enteredAt = performance.now()
    },
    { capture: true },
  )
}

function awaitLine(wanted: { line: string; code: string; isSettled: boolean }): void {
  const watched = globalThis as unknown as Watched
  const first = () => document.querySelector(wanted.line)
  const before = first()
  watched.painted = new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no line of ${wanted.code}: ${document.body.innerText.slice(0, 2000)}`)),
      30_000,
    )
    const isThere = () => {
      const now = first()
      return now !== null && now !== before && !(wanted.isSettled && now.textContent.includes(wanted.code))
    }
    const observer = new MutationObserver(() => {
      if (!isThere()) return
      observer.disconnect()
      clearTimeout(timer)
      requestAnimationFrame(() => {
        // A message that is sent before a frame is painted comes after it.
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve(performance.now() - watched.enteredAt))
        port1.start()
        port2.postMessage(null)
      })
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })
}

function listOfKeys(): void {
  const list = document.createElement('ol')
  document.body.append(list)
  let code = ''
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter') return void (code += key)
    const line = document.createElement('li')
    line.textContent = code
    list.prepend(line)
    code = ''
  })
}
