import type { Page } from 'playwright-core'

import { goWithin } from '../../support/accessible.ts'
import { screenAddresses } from '../../support/screen-addresses.ts'
import { untilStill } from '../../support/watch-page.ts'

const closed = 'Accès réservé'

/** By way of an address that leads nowhere, so that two screens with one title are told apart. */
async function titleAt(page: Page, path: string): Promise<string | null> {
  await goWithin(page, '/nulle-part')
  await goWithin(page, path)
  return page.locator('main h1').first().textContent()
}

/** The screens that what is in sight leads to. */
const linksInSight = (page: Page): Promise<string[]> =>
  page.locator('a[href^="/"]').evaluateAll((all) =>
    all
      .filter((link) => !link.hasAttribute('download') && link.checkVisibility())
      .map((link) => new URL((link as HTMLAnchorElement).href).pathname)
      .filter((path) => !path.startsWith('/api/') && !/\.\w+$/.test(path)),
  )

/** Goes from home wherever a link leads: how many screens it saw, and which of them were closed. */
export async function deadEndsFromHome(page: Page): Promise<{ seen: number; deadEnds: string[] }> {
  const seen = new Set<string>()
  const deadEnds: string[] = []
  const waiting: [path: string, from: string][] = [['/home', '']]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [path, from] = next
    // One record of a kind stands for all.
    const kind = path.replaceAll(/\d+/g, '1')
    if (seen.has(kind)) continue
    seen.add(kind)
    const title = await titleAt(page, path)
    await untilStill(page)
    if (title === closed) deadEnds.push(`${from} leads to ${path}`)
    waiting.push(...(await linksInSight(page)).map((link): [string, string] => [link, path]))
  }
  return { seen: seen.size, deadEnds }
}

/** Of all screens: how many say that they are closed, and which of these have no way home. */
export async function closedScreens(page: Page): Promise<{ told: number; withoutWayHome: string[] }> {
  const home = page.getByRole('link', { name: 'Revenir à l’accueil' })
  const withoutWayHome: string[] = []
  let told = 0
  for (const path of screenAddresses()) {
    if ((await titleAt(page, path)) !== closed) continue
    told += 1
    if ((await home.getAttribute('href')) !== '/home') withoutWayHome.push(path)
  }
  return { told, withoutWayHome }
}
