import type { Page } from 'playwright-core'

import { becomeReadyForOffline, openCounter } from '../support/counter.ts'
import { type Device, openDevice, signIn, viewports } from '../support/browser.ts'
import { screenAddresses } from '../support/screen-addresses.ts'
import { paintsOf, shiftsOf, untilStill, watchPages } from '../support/watch-page.ts'
import { administratorPassword, type BenchLibrary, openBenchLibrary } from './scale/bench-library.ts'
import { isBuilt, startServer } from './server-process.ts'
import { benchScale, inMs, median, type Section, skipped, type Table } from './section.ts'

// When each screen is first seen on a slow device, and what of it moves by itself once it is there.

const size = { references: 1000, copies: 2000, beneficiaries: 500, loans: 5000 }
/** What a page is opened for each figure; the median counts. */
const openings = benchScale === 'full' ? 5 : 1
export const slower = 4
/** For one screen or several: `SCREENS=/home,/loanings npm run bench -- paint`. */
const asked = process.env['SCREENS']?.split(',')
const addresses = ['/login', ...screenAddresses()].filter((path) => asked?.includes(path) ?? true)

export const paintSection: Section = { name: 'paint', run: () => onLibrary('First paint', measurePaints) }
export const shiftsSection: Section = {
  name: 'shifts',
  run: () => onLibrary('What moves by itself', measureShifts),
}

export async function* onLibrary(
  title: string,
  measure: (address: string, library: BenchLibrary) => Promise<Table>,
): AsyncGenerator<Table> {
  if (!isBuilt()) {
    yield skipped(title, 'the product is not built (npm run build)')
    return
  }
  const library = await openBenchLibrary('embedded', size)
  await library.environment.close()
  const server = await startServer(library)
  try {
    yield await measure(server.address, library)
  } finally {
    await server.stop()
    await library.drop()
  }
}

/** A device whose worker and library are there; with a session, but for what is seen before it. */
export async function openReady(
  address: string,
  viewport: keyof typeof viewports,
  isSignedIn: boolean,
): Promise<Device> {
  const device = await openDevice(address, { viewport })
  const { page } = device
  await watchPages(page)
  if (isSignedIn) {
    await signIn(page, 'admin', administratorPassword)
    await openCounter(page, 'Site principal')
    await becomeReadyForOffline(page)
  } else {
    await page.goto('/login')
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
  }
  await untilStill(page)
  return device
}

async function measurePaints(address: string): Promise<Table> {
  const rows: string[][] = []
  for (const isSignedIn of [false, true]) {
    const device = await openReady(address, 'phone', isSignedIn)
    const { page, context } = device
    const browser = await context.newCDPSession(page)
    await browser.send('Emulation.setCPUThrottlingRate', { rate: slower })
    for (const path of addresses.filter((one) => (one !== '/login') === isSignedIn)) {
      const painted: number[] = []
      const there: number[] = []
      for (let at = 0; at < openings; at += 1) {
        // From an empty page: leaving the one before is no part of it.
        await page.goto('about:blank')
        await page.goto(path)
        const paints = await paintsOf(page)
        painted.push(paints.painted)
        there.push(paints.there)
        await untilStill(page)
      }
      rows.push([path, inSeconds(median(painted)), inSeconds(median(there))])
    }
    await device.close()
  }
  return {
    title: 'First paint',
    notes: [
      `Processor slowed ${slower} × by the browser, 390 × 844, session and worker there (but for /login): median of ${openings}.`,
    ],
    columns: ['screen', 'first contentful paint', 'the screen under its title'],
    rows,
  }
}

async function measureShifts(address: string): Promise<Table> {
  const sums = new Map<string, string[]>()
  const moved: string[] = []
  const names = Object.keys(viewports) as (keyof typeof viewports)[]
  for (const viewport of names) {
    for (const isSignedIn of [false, true]) {
      const device = await openReady(address, viewport, isSignedIn)
      for (const path of addresses.filter((one) => (one !== '/login') === isSignedIn)) {
        const shifts = await openAndWatch(device.page, path)
        const sum = shifts.reduce((all, { value }) => all + value, 0)
        sums.set(path, [...(sums.get(path) ?? []), sum === 0 ? '0' : sum.toFixed(4)])
        for (const shift of shifts)
          moved.push(
            `${path} (${viewport}): ${shift.value.toFixed(4)} at ${inMs(shift.at)} ms: ${shift.moved.join('; ')}`,
          )
      }
      await device.close()
    }
  }
  return {
    title: 'What moves by itself',
    notes: ['Layout shift, all of a page until it is still.', ...moved],
    columns: ['screen', ...names.map((name) => String(viewports[name].width))],
    rows: [...sums].map(([path, values]) => [path, ...values]),
  }
}

async function openAndWatch(page: Page, path: string) {
  await page.goto(path)
  await untilStill(page)
  return shiftsOf(page)
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
