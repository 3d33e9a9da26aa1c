import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { busyReader, knownCopies, knownReader } from '../../src/server/demonstration/known-codes.ts'
import { type Device, openDevice, signIn, typeAsScanner, viewports } from './browser.ts'

// Pictures of every screen of a running demonstration, at three widths, light and dark, to be looked at:
//   npm run demo, then: node --import tsx tests/support/take-pictures.ts [address] [folder] [names…]

const [address = 'http://localhost:3000', folder = '.screenshots', ...only] = process.argv.slice(2)
const password = 'comptoir-demo'

type Scene = { name: string; show: (page: Page) => Promise<void>; isSignedOut?: boolean }

const scan = async (page: Page, code: string) => {
  await page
    .getByRole('heading', { level: 1 })
    .or(page.getByLabel('Code-barres, carte ou nom du lecteur'))
    .first()
    .waitFor()
  await typeAsScanner(page, code)
  await page.waitForTimeout(300)
}

const scenes: Scene[] = [
  { name: 'login', isSignedOut: true, show: async (page) => void (await page.goto('/login')) },
  { name: 'ask-reset', isSignedOut: true, show: async (page) => void (await page.goto('/reset/password')) },
  {
    name: 'reset',
    isSignedOut: true,
    show: async (page) => void (await page.goto('/reset/password/abcdefghijklmnopqrstuvwxyz0123456789')),
  },
  { name: 'home', show: async (page) => void (await page.goto('/home')) },
  {
    name: 'home-busy',
    show: async (page) => {
      await page.goto('/home')
      await scan(page, busyReader.reader_id)
      await scan(page, knownCopies[10] ?? '')
      await scan(page, '9782070368228')
    },
  },
  { name: 'add-loan', show: async (page) => void (await page.goto('/loaning/add')) },
  {
    name: 'add-loan-basket',
    show: async (page) => {
      await page.goto('/loaning/add')
      await scan(page, knownReader.reader_id)
      for (const code of knownCopies.slice(0, 3)) await scan(page, code)
    },
  },
  { name: 'return', show: async (page) => void (await page.goto('/loaning/return')) },
  {
    name: 'return-reader',
    show: async (page) => {
      await page.goto('/loaning/return')
      await scan(page, busyReader.reader_id)
    },
  },
  { name: 'loans', show: async (page) => void (await page.goto('/loanings')) },
  { name: 'loans-late', show: async (page) => void (await page.goto('/loanings?islate|eq=1')) },
  {
    name: 'loans-none',
    show: async (page) => void (await page.goto('/loanings?benefsearchname|like=zzzzzz')),
  },
  { name: 'loan', show: async (page) => void (await page.goto('/loanings/view/35285')) },
  { name: 'loan-edit', show: async (page) => void (await page.goto('/loanings/edit/35285')) },
  { name: 'waiting', show: async (page) => void (await page.goto('/waiting')) },
  { name: 'account', show: async (page) => void (await page.goto('/account')) },
]

async function chooseSite(page: Page): Promise<void> {
  const site = page.getByRole('button', { name: /Cabanis/ })
  await Promise.race([
    site.click().catch(() => undefined),
    page
      .getByRole('heading', { name: 'Accueil' })
      .waitFor()
      .catch(() => undefined),
  ])
  await page.waitForTimeout(1500)
}

async function take(device: Device, label: string, scene: Scene): Promise<void> {
  await scene.show(device.page)
  await device.page.waitForTimeout(900)
  await device.page.screenshot({ path: join(folder, `${scene.name}-${label}.png`) })
}

await mkdir(folder, { recursive: true })
for (const viewport of Object.keys(viewports) as (keyof typeof viewports)[]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const device = await openDevice(address, { viewport, colorScheme })
    const label = `${viewport}-${colorScheme}`
    const wanted = scenes.filter(({ name }) => only.length === 0 || only.includes(name))
    for (const scene of wanted.filter(({ isSignedOut }) => isSignedOut)) await take(device, label, scene)
    if (wanted.some(({ isSignedOut }) => !isSignedOut)) {
      await signIn(device.page, 'biblio', password)
      await chooseSite(device.page)
      for (const scene of wanted.filter(({ isSignedOut }) => !isSignedOut)) await take(device, label, scene)
    }
    for (const error of device.errors) process.stdout.write(`${label}: ${error}\n`)
    await device.close()
  }
}
