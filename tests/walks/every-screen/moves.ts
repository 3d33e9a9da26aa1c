import type { Page } from 'playwright-core'

import { shiftsOf, untilStill } from '../../support/watch-page.ts'

/** Opens a screen as a reload does, and waits until all of it is there: what moved by itself meanwhile. */
export async function movesOf(page: Page, path: string): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(path)
  await untilStill(page)
  const shifts = await shiftsOf(page)
  // From here on the page is measured as it stands.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  return shifts.map(({ moved }) => `moved: ${moved.join('; ')}`)
}
