import type { Page } from 'playwright-core'

import {
  colourRules,
  faultsOf,
  isWiderThanScreen,
  paleFieldsOf,
  spacingFaultsOf,
  structureFaultsOf,
} from '../../support/accessible.ts'
import { viewports } from '../../support/browser.ts'

const small = { width: 320, height: 640 }

async function look(
  page: Page,
  size: { width: number; height: number },
  colorScheme: 'light' | 'dark',
): Promise<void> {
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
}

/** What a machine can tell of RGAA (src/client/accessibility/criteria.ts) on a desktop: all of it in the light, colours in the dark. */
export async function desktopFaultsOf(page: Page): Promise<string[]> {
  await look(page, viewports.desktop, 'light')
  const light = [
    ...named('structure', await structureFaultsOf(page)),
    ...named('light', await faultsOf(page)),
    ...named('pale field', await paleFieldsOf(page)),
  ]
  await look(page, viewports.desktop, 'dark')
  const dark = [
    ...named('dark', await faultsOf(page, colourRules)),
    ...named('pale field in the dark', await paleFieldsOf(page)),
  ]
  await look(page, viewports.desktop, 'light')
  return [...light, ...dark]
}

/** The same of a phone, and at 320 px with texts as far apart as readers may ask for. */
export async function phoneFaultsOf(page: Page): Promise<string[]> {
  await look(page, viewports.phone, 'dark')
  const dark = named('dark', await faultsOf(page, colourRules))
  await look(page, viewports.phone, 'light')
  const light = named('light', await faultsOf(page))
  await look(page, small, 'light')
  const wide = (await isWiderThanScreen(page)) ? ['wider than 320 px'] : []
  const spaced = named('spaced', await spacingFaultsOf(page))
  await look(page, viewports.phone, 'light')
  return [...dark, ...light, ...wide, ...spaced]
}

const named = (what: string, faults: string[]) => faults.map((fault) => `${what}: ${fault}`)
