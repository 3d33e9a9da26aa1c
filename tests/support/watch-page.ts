import type { Page } from 'playwright-core'

/** What a page moved by itself, nobody having touched it: how much, and what. */
export type Shift = { value: number; at: number; moved: string[] }

type Watched = { shifts: Shift[]; painted: number; there: number }

/** To be called before a page is opened: what it then paints and moves is kept. */
export async function watchPages(page: Page): Promise<void> {
  // What tsx leaves in functions that are sent to the page.
  await page.addInitScript('globalThis.__name ??= (target) => target')
  await page.addInitScript(watch)
}

function watch(): void {
  const watched: Watched = { shifts: [], painted: NaN, there: NaN }
  Object.assign(globalThis, { watched })
  type LayoutShift = PerformanceEntry & {
    value: number
    hadRecentInput: boolean
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
  }
  const placeOf = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}×${height}`
  const nameOf = (node: Node | null) => {
    const element = node instanceof Element ? node : (node?.parentElement ?? null)
    if (element === null) return 'gone'
    const words = element.textContent.trim().slice(0, 30)
    return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} « ${words} »`
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      if (entry.hadRecentInput) continue
      const moved = entry.sources.map(
        ({ node, previousRect, currentRect }) =>
          `${nameOf(node)} ${placeOf(previousRect)} → ${placeOf(currentRect)}`,
      )
      watched.shifts.push({ value: entry.value, at: entry.startTime, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('first-contentful-paint')) watched.painted = entry.startTime
  }).observe({ type: 'paint', buffered: true })
  const look = () => {
    const titles = [...document.querySelectorAll('main :is(h1, h2)')]
    if (titles.some((title) => title.checkVisibility({ visibilityProperty: true })))
      watched.there = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const watchedOf = (page: Page): Promise<Watched> =>
  page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched)

export const shiftsOf = async (page: Page): Promise<Shift[]> => (await watchedOf(page)).shifts

/** When something, and when the screen under its title, could first be seen, in ms from the start. */
export async function paintsOf(page: Page): Promise<Pick<Watched, 'painted' | 'there'>> {
  await page.waitForFunction(() => {
    const { watched } = globalThis as unknown as { watched: Watched }
    return watched.painted > 0 && watched.there > 0
  })
  return watchedOf(page)
}

/** Waits until nothing is drawn in outline any more and nothing else was drawn for a while, ten seconds at most: a page may never rest. */
export async function untilStill(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
  const still = 700
  await page.evaluate(async (ms) => {
    let last = performance.now()
    const observer = new MutationObserver(() => (last = performance.now()))
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    const end = performance.now() + 10_000
    while (performance.now() - last < ms && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 50))
    observer.disconnect()
  }, still)
}
