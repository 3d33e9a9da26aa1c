import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { goWithin } from '../support/accessible.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { screenAddresses } from '../support/screen-addresses.ts'
import { testPassword } from '../support/test-library.ts'
import { untilStill } from '../support/watch-page.ts'
import { chooseSite } from '../support/counter.ts'

// What a profile is shown leads somewhere, and what it is not shown says so and leads home. Three people look at once.

const closed = 'Accès réservé'

describe.concurrent.each([
  ['lecture', 'desktop'],
  ['benevole', 'tablet'],
  ['personne', 'phone'],
] as const)('%s, on a %s', (person, viewport) => {
  let server: RunningServer
  let device: Device
  const refused: string[] = []

  beforeAll(async () => {
    server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        await sql`insert into profiles (name) values ('Sans droit')`.execute(db)
        await sql`
          insert into users (username, password_hash, profile, firstname, lastname)
          select 'personne', u.password_hash, p.id, 'Une', 'Personne' from users u, profiles p
          where u.username = 'lecture' and p.name = 'Sans droit'`.execute(db)
        await sql`
          insert into user_sites (user_id, site) select id, 1 from users where username = 'personne'`.execute(
          db,
        )
        await sql`
          insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
          values (1, 1, 1, current_date - 3, current_date + 18, 3, 'WEEK', now(), now())`.execute(db)
      },
    })
    device = await openDevice(server.address, { viewport, keepsShell: false })
    device.page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${device.page.url()} asked ${response.url()}`)
    })
    await signIn(device.page, person, testPassword)
    const title = device.page.locator('main h1').first()
    // Whoever works at several sites is asked for one.
    if (person !== 'personne') await chooseSite(device.page)
    await title.waitFor({ state: 'attached' })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  /** By way of an address that leads nowhere, so that two screens with one title are told apart. */
  const titleAt = async (path: string) => {
    await goWithin(device.page, '/nulle-part')
    await goWithin(device.page, path)
    return device.page.locator('main h1').first().textContent()
  }
  /** The screens that what is in sight leads to. */
  const visibleLinks = () =>
    device.page.locator('a[href^="/"]').evaluateAll((all) =>
      all
        .filter((link) => !link.hasAttribute('download') && link.checkVisibility())
        .map((link) => new URL((link as HTMLAnchorElement).href).pathname)
        .filter((path) => !path.startsWith('/api/') && !/\.\w+$/.test(path)),
    )

  it.sequential('is led to nothing that is closed', async () => {
    const seen = new Set<string>()
    const deadEnds: string[] = []
    const waiting: [path: string, from: string][] = [['/home', '']]
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [path, from] = next
      // One record of a kind stands for all.
      const kind = path.replaceAll(/\d+/g, '1')
      if (seen.has(kind)) continue
      seen.add(kind)
      const title = await titleAt(path)
      await untilStill(device.page)
      if (title === closed) deadEnds.push(`${from} leads to ${path}`)
      waiting.push(...(await visibleLinks()).map((link): [string, string] => [link, path]))
    }
    expect(deadEnds).toEqual([])
    expect(refused).toEqual([])
    expect(seen.size).toBeGreaterThan(2)
  })

  it.sequential('is told of every other screen that it is closed, with a way home', async () => {
    const { page } = device
    refused.length = 0
    const home = page.getByRole('link', { name: 'Revenir à l’accueil' })
    let told = 0
    for (const path of screenAddresses()) {
      if ((await titleAt(path)) !== closed) continue
      told += 1
      expect(await home.getAttribute('href')).toBe('/home')
    }
    expect(told).toBeGreaterThan(2)
    expect(refused).toEqual([])
    expect(device.errors).toEqual([])
  })
})
