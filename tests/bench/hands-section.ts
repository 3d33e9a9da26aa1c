import type { CDPSession, Page } from 'playwright-core'
import sharp from 'sharp'

import { untilStill } from '../support/watch-page.ts'
import type { BenchLibrary } from './scale/bench-library.ts'
import { onLibrary, openReady, slower } from './screens-section.ts'
import { asRatio, benchScale, inMs, median, quantile, type Section, type Table } from './section.ts'

// What a hand feels on a slow device: a list with covers under the finger, and a form after a tap.

const rowsInList = 50
const frame = 1000 / 60
const rounds = benchScale === 'full' ? 7 : 3

export const handsSection: Section = {
  name: 'hands',
  run: () => onLibrary('Under the hand', measureHands),
}

async function measureHands(address: string, library: BenchLibrary): Promise<Table> {
  await drawCovers(address, library)
  const device = await openReady(address, 'phone', true)
  const { page, context } = device
  const browser = await context.newCDPSession(page)
  const rows: string[][] = []
  for (const rate of [1, slower]) {
    await browser.send('Emulation.setCPUThrottlingRate', { rate })
    rows.push(await scrollList(page, browser, rate), ...(await openForms(page, 'phone', rate)))
  }
  await device.close()
  rows.push(...(await openFormsAtDesk(address)))
  return {
    title: 'Under the hand',
    notes: [
      `Phone 390 × 844, ${rounds} times each; the processor slowed by the browser itself. A frame has ${inMs(frame)} ms at 60 a second; « empty page » is the same gesture over as long a page of nothing.`,
    ],
    columns: ['what', 'slowed', 'median', 'p95', 'beside'],
    rows,
  }
}

async function openFormsAtDesk(address: string): Promise<string[][]> {
  const device = await openReady(address, 'desktop', true)
  const browser = await device.context.newCDPSession(device.page)
  const rows: string[][] = []
  for (const rate of [1, slower]) {
    await browser.send('Emulation.setCPUThrottlingRate', { rate })
    rows.push(
      ...(await openForms(device.page, 'desktop', rate)),
      ...(await useCalendar(device.page, browser, rate)),
    )
  }
  await device.close()
  return rows
}

/** The newest references, which a list shows first, have a cover each. */
async function drawCovers(address: string, { token }: BenchLibrary): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const asked = await fetch(`${address}/api/references?limit=${rowsInList}`, { headers })
  const { 'hydra:member': references } = (await asked.json()) as { 'hydra:member': { id: number }[] }
  for (const [n, { id }] of references.entries()) {
    const background = { r: (n * 37) % 256, g: (n * 91) % 256, b: 120 }
    const drawn = await sharp({ create: { width: 400, height: 600, channels: 3, background } })
      .jpeg()
      .toBuffer()
    const body = new FormData()
    body.set('file', new File([new Uint8Array(drawn)], 'couverture.jpg', { type: 'image/jpeg' }))
    const sent = await fetch(`${address}/api/references/${id}/image`, { method: 'POST', headers, body })
    if (sent.status !== 200) throw new Error(`the cover of ${id}: ${sent.status}`)
  }
}

async function scrollList(page: Page, browser: CDPSession, rate: number): Promise<string[]> {
  await page.goto(`/references?limit=${rowsInList}`)
  await page.locator('main img').first().waitFor()
  await untilStill(page)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const frames = await framesOf(page, swipe(browser))
  await page.goto('/offline-not-there')
  await page.setContent(`<div style="height:${height}px"></div>`)
  const empty = await framesOf(page, swipe(browser))
  return [
    `a list of ${rowsInList} rows with covers, from one frame to the next while it scrolls`,
    `${rate} ×`,
    `${inMs(median(frames))} ms`,
    `${inMs(quantile(frames, 0.95))} ms`,
    `empty page ${inMs(median(empty))} ms: ${asRatio(median(frames) / median(empty))}`,
  ]
}

/** Down and up again under a finger. */
const swipe =
  (browser: CDPSession, x = 200) =>
  async () => {
    for (const yDistance of [-1500, 1500]) {
      await browser.send('Input.synthesizeScrollGesture', { x, y: 500, yDistance, speed: 1200 })
    }
  }

/** Fifty references and twelve weeks, scrolled, then days drawn over by the mouse. */
async function useCalendar(
  page: Page,
  browser: CDPSession,
  rate: number,
  search = 'reference=énigme',
): Promise<string[][]> {
  await page.goto(`/calendar?${search}`)
  await page.getByRole('grid').waitFor()
  await untilStill(page)
  const scrolled = await framesOf(page, swipe(browser, 700))
  // Above the last column, where nothing is lent yet.
  const track = page.locator('[role=row]:not([data-head]) [data-track]').first()
  await track.scrollIntoViewIfNeeded()
  const box = (await track.boundingBox())!
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const
  const drawn = await framesOf(page, async () => {
    await page.mouse.move(...at(0.6))
    await page.mouse.down()
    for (const share of [0.98, 0.62, 0.98, 0.62]) await page.mouse.move(...at(share), { steps: 40 })
    await page.keyboard.press('Escape')
    await page.mouse.move(...at(0.6))
    await page.mouse.up()
    await page.keyboard.press('Escape')
  })
  const row = (what: string, frames: readonly number[]) => [
    what,
    `${rate} ×`,
    `${inMs(median(frames))} ms`,
    `${inMs(quantile(frames, 0.95))} ms`,
    '',
  ]
  return [
    row('the calendar of 50 references and 12 weeks, while it scrolls, desktop', scrolled),
    row('the same, while a mouse draws days', drawn),
  ]
}

/** Milliseconds between frames during a gesture. */
async function framesOf(page: Page, gesture: () => Promise<void>): Promise<number[]> {
  const all: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.evaluate(() => {
      const watched = window as unknown as { frames: number[]; isOver: boolean }
      watched.frames = []
      watched.isOver = false
      const next = (now: number) => {
        watched.frames.push(now)
        if (!watched.isOver) requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })
    await gesture()
    const frames = await page.evaluate(() => {
      const watched = window as unknown as { frames: number[]; isOver: boolean }
      watched.isOver = true
      return watched.frames
    })
    // Two callbacks of one frame have its time.
    all.push(
      ...frames
        .slice(1)
        .map((at, n) => at - (frames[n] ?? at))
        .filter((ms) => ms > 0),
    )
  }
  return all
}

/** Forms by the link or button that a person taps, and a field that is then there to be typed in. */
const forms = [
  { from: '/references', tap: 'Ajouter une référence', field: 'Titre' },
  { from: '/beneficiaries', tap: 'Inscrire un lecteur', field: 'Nom' },
] as const

async function openForms(page: Page, where: string, rate: number): Promise<string[][]> {
  const rows: string[][] = []
  for (const { from, tap, field } of forms) {
    const took: number[] = []
    for (let round = 0; round <= rounds; round++) {
      await page.goto(from)
      await untilStill(page)
      const link = page.getByRole('link', { name: tap }).first()
      await link.evaluate((element, label) => {
        const watched = window as unknown as { took: Promise<number> }
        watched.took = new Promise((resolve) => {
          element.addEventListener(
            'pointerdown',
            ({ timeStamp }) => {
              const look = () => {
                const isThere = Array.from(document.querySelectorAll('main form label')).some(
                  (one) => one.textContent?.startsWith(label) && one.checkVisibility(),
                )
                if (isThere) requestAnimationFrame(() => resolve(performance.now() - timeStamp))
                else requestAnimationFrame(look)
              }
              look()
            },
            { once: true },
          )
        })
      }, field)
      await link.click()
      const ms = await page.evaluate(() => (window as unknown as { took: Promise<number> }).took)
      // The first fetches the form's program, which the worker keeps from then on.
      if (round > 0) took.push(ms)
    }
    rows.push([
      `« ${tap} » (${where}), from the tap to the form`,
      `${rate} ×`,
      `${inMs(median(took))} ms`,
      `${inMs(quantile(took, 0.95))} ms`,
      'at most 150 ms',
    ])
  }
  return rows
}
