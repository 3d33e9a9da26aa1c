import '../support/page-globals.ts'

import { readFileSync } from 'node:fs'

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { type Right, rightCodes } from '../../src/domain/rights.ts'
import { recordAction } from '../../src/offline/outbox.ts'
import { actorOf, benevole, lending } from '../offline/device.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { screenOf } from '../support/screen-of.ts'
import { describeServer } from '../support/test-server.ts'
import { type Opened, openedByRights, shownElsewhere } from './rights.ts'

afterEach(closeApp)

it('Comptoir has each right of the specification, or says where it is shown', () => {
  const waiting = Array.from(
    readFileSync('docs/rights.md', 'utf8').matchAll(/^\| `(\w+)` \| .+ \| attend son écran \|$/gm),
    ([, code]) => code,
  )
  const shown = [...openedByRights.map(({ right }) => right), ...Object.keys(shownElsewhere)]
  expect(shown.toSorted()).toEqual(rightCodes.filter((code) => !waiting.includes(code)).toSorted())
  for (const [file, title] of Object.values(shownElsewhere).flat()) {
    expect(readFileSync(file, 'utf8')).toContain(title)
  }
})

describeServer('each right', (server) => {
  beforeAll(async () => {
    const admin = await server.as('admin')
    await admin.put('/api/beneficiaries/1', { address: '3 rue des Lilas' })
    await admin.post('/api/loanings', { beneficiary: 1, copy: 1 })
    await admin.put('/api/copies/2', { type: 'Vente' })
    await admin.post('/api/sales', { beneficiary: 1, copy: 2 })
    await admin.post('/api/copies', { reference: 1, site: 1, bar_code: '1011' })
  })
  /** The one person of a profile that has these rights and no other. */
  const hold = async (rights: readonly Right[]) => {
    await sql`delete from profile_rights where profile = (select profile from users where username = 'lecture')`.execute(
      server.db,
    )
    await sql`insert into profile_rights (profile, right_code)
      select profile, unnest(${rights}::text[]) from users where username = 'lecture'`.execute(server.db)
  }

  /** Opens a screen wide enough for the whole menu, and waits for what it asks for. */
  const open = async (at: string) => {
    screenOf(1440)
    await openApp(server, at, { as: 'lecture' })
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  }
  /** The names of all that can be done there, what stands in menus included. */
  const deeds = async (): Promise<string[]> => {
    const names = [...document.querySelectorAll('main button, main a')]
    const menus = names.filter((one) => /^(Autres actions|Actions.*)$/.test(nameOf(one)))
    const found = names.map(nameOf)
    for (const menu of menus) {
      await userEvent.click(menu)
      const items = await screen.findAllByRole('menuitem')
      found.push(...items.map(nameOf))
      await userEvent.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryAllByRole('menuitem')).toEqual([]))
    }
    return found
  }
  const isSeen = async (page: Opened['page']): Promise<boolean> => {
    if ('deed' in page) {
      await open(page.at)
      return (await deeds()).includes(page.deed)
    }
    if ('text' in page) {
      await open(page.at)
      return screen.queryAllByText(page.text).length > 0
    }
    // The link leads there, and the screen stands behind it.
    const address = 'menu' in page ? page.menu : page.setting
    await open('menu' in page ? '/home' : '/settings')
    const links = screen.queryAllByRole('link').filter((link) => link.getAttribute('href') === address)
    if (links.length === 0) return false
    await userEvent.click(links[0]!)
    await screen.findByRole('heading', { level: 1, name: page.title })
    return true
  }

  describe.each(openedByRights)('$right', ({ right, needs = [], page, call, tells }) => {
    const ask = async () =>
      (await server.as('lecture')).call(
        call.method,
        call.path,
        call.method === 'GET' ? undefined : { nonsense: true },
        { headers: call.headers ?? {} },
      )

    it('admits to its call, and to nothing of it without', async () => {
      await hold([...needs, right])
      const { status, body } = await ask()
      expect([401, 403]).not.toContain(status)
      expect(status).toBeLessThan(500)
      await hold(needs)
      const refused = await ask()
      if (tells === undefined) expect(refused.status).toBe(403)
      else {
        expect(Object.keys(body)).toContain(tells)
        expect(Object.keys(refused.body)).not.toContain(tells)
      }
    })

    it('is seen on the page, and not without', async () => {
      if (right === 'QUEUE_ADOPT') await recordAction(lending(5), await actorOf(benevole))
      await hold([...needs, right])
      expect(await isSeen(page)).toBe(true)
      await closeApp()
      if (right === 'QUEUE_ADOPT') await recordAction(lending(5), await actorOf(benevole))
      await hold(needs)
      expect(await isSeen(page)).toBe(false)
    })
  })

  it('closes every address of a menu or a setting to whoever has none', async () => {
    await hold([])
    const page = openedByRights.flatMap(({ page }) =>
      'menu' in page ? [page.menu] : 'setting' in page ? [page.setting] : [],
    )
    screenOf(1440)
    const { router } = await openApp(server, '/home', { as: 'lecture' })
    for (const address of new Set(page)) {
      await router.navigate(address)
      expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
      await router.navigate('/account')
      await screen.findByRole('heading', { level: 1, name: 'Mon compte' })
    }
  })
})

const nameOf = (one: Element): string => (one.getAttribute('aria-label') ?? one.textContent).trim()
