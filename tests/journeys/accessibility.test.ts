import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, viewports } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { chooseSite, openCounter, put, scanBox } from './counter.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds against a page as it stands, one line a fault. */
async function faultsOf(page: Page): Promise<string[]> {
  // Fading things have the contrast of neither side.
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
  )
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
      }
    }
    const { violations } = await engine.run()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    )
  })
}

const isWiderThanScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

type Scene = { name: string; show: (page: Page) => Promise<void> }

const at = (name: string, path: string, heading: string): Scene => ({
  name,
  show: async (page) => {
    await page.goto(path)
    await page.getByRole('heading', { name: heading }).first().waitFor()
  },
})

const scenes: Scene[] = [
  {
    name: 'home',
    show: async (page) => {
      await page.goto('/home')
      await scanBox(page).waitFor()
      await page
        .getByText(/aujourd/i)
        .first()
        .waitFor()
    },
  },
  {
    name: 'home with a reader and refused scans',
    show: async (page) => {
      await put(page, 'R1')
      await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
      await put(page, '1005')
      await put(page, 'inconnu-1234')
      await page
        .getByText(/ne porte/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'camera',
    show: async (page) => {
      await page.goto('/home?scanner=1')
      await page.getByRole('dialog').getByRole('button').first().waitFor()
    },
  },
  at('add loan', '/loaning/add', 'Prêt'),
  at('return', '/loaning/return', 'Retour'),
  at('loans', '/loanings', 'Prêts'),
  {
    name: 'loans, a row’s actions',
    show: async (page) => {
      await page
        .getByRole('button', { name: /^Actions/ })
        .or(page.getByRole('button', { name: /^Prolonger/ }))
        .first()
        .click()
      await page.getByRole('menu').or(page.getByRole('dialog')).first().waitFor()
    },
  },
  at('a loan', '/loanings/view/1', 'Livre numéro 1'),
  at('a loan under change', '/loanings/edit/1', 'Modifier le prêt'),
  at('waiting actions', '/waiting', 'Actions en attente'),
  at('account', '/account', 'Mon compte'),
  {
    name: 'sign-out menu',
    show: async (page) => {
      await page.getByRole('button', { name: /mon compte et déconnexion/ }).click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
]

describe.each([
  ['phone', 'light'],
  ['tablet', 'dark'],
  ['desktop', 'light'],
] as const)('every screen is readable by everyone (%s, %s)', (viewport, colorScheme) => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer()
    const api = await apiOf(server.address, 'biblio', testPassword)
    await api.post('/api/loanings', { beneficiary: 2, copy: 1, start_date: '2026-01-05' })
    await api.post('/api/loanings', { beneficiary: 1, copy: 2 })
    device = await openDevice(server.address, { viewport, colorScheme, still: true })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })
  const check = async () => {
    expect(await faultsOf(device.page)).toEqual([])
    expect([viewports[viewport].width, await isWiderThanScreen(device.page)]).toEqual([
      viewports[viewport].width,
      false,
    ])
  }

  it.each([
    ['sign-in', '/login', 'Connexion'],
    ['forgotten password', '/reset/password', 'Mot de passe oublié'],
    ['new password', '/reset/password/abcdefghijklmnopqrstuvwxyz012345', /mot de passe/i],
  ])('%s', async (_, path, heading) => {
    await device.page.goto(path)
    await device.page.getByRole('heading', { name: heading }).first().waitFor()
    await check()
  })

  it('choice of a site', async () => {
    await signIn(device.page, 'biblio', testPassword)
    await device.page.getByRole('dialog', { name: 'Choisissez votre site' }).waitFor()
    await check()
    await chooseSite(device.page)
    await openCounter(device.page)
  })

  it.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
    await scene.show(device.page)
    await check()
  })
})
