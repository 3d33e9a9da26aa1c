import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  becomeReadyForOffline,
  confirmImported,
  lineOf,
  openCounter,
  put,
  scanBox,
  waitingTag,
} from '../support/counter.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { readOutbox } from '../support/page-store.ts'
import { testPassword } from '../support/test-library.ts'
import { environmentOf, type FormerStorage, seedFormer } from '../upgrade/former-version.ts'
import { hasFormerVersion, makeFormerVersion } from '../upgrade/make-former-version.ts'
import { freePort, type Product, startProduct } from './product.ts'

const isAsked = process.env['FORMER_VERSION'] === '1'

/** The address of both versions in turn, because a device keeps its queue and its shell by address. */
describe.skipIf(!isAsked || !hasFormerVersion)('a tablet that 0.1.0 left with a queue', () => {
  let directory: string
  let storage: FormerStorage
  let port: number
  let server: Product | undefined
  let device: Device
  let keys: string[]
  const start = async (cwd?: string) => {
    server = await startProduct({ ...environmentOf(storage), PORT: String(port) }, cwd ? { cwd } : {})
  }
  const address = () => `http://127.0.0.1:${port}`
  const library = (): Promise<Api> => apiOf(address(), 'biblio', testPassword)

  beforeAll(async () => {
    directory = await makeFormerVersion()
    port = await freePort()
    storage = { dataDir: await mkdtemp(join(tmpdir(), 'comptoir-tablet-')), databaseUrl: null }
    await seedFormer(directory, storage)
    await start(directory)
    const api = await library()
    await api.post('/api/loanings', {
      beneficiary: 2,
      copy: 6,
      start_date: '2026-01-05',
      duration_value: 300,
      duration_type: 'DAY',
    })
    device = await openDevice(address(), { viewport: 'tablet' })
  }, 1_200_000)
  afterAll(async () => {
    await device?.close()
    await server?.end('SIGTERM')
    await rm(storage.dataDir, { recursive: true, force: true })
  })

  it('lends and returns without a network, on its own shell', async () => {
    const { page } = device
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
    await becomeReadyForOffline(page)
    await server?.end('SIGKILL')
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    for (const code of ['1001', '1002', '1006']) await put(page, code)
    await lineOf(page, 'Livre numéro 6')
      .getByText(/Rendu par/)
      .waitFor()
    const waiting = await readOutbox(page)
    expect(waiting.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
    keys = waiting.map(({ id }) => id)
  })

  it('keeps its queue as it becomes today’s version', async () => {
    const { page, context } = device
    // What it sends goes astray, so that today's client finds what the former one wrote.
    await context.route(/\/api\/loanings(\/|$)/, (route) => route.abort())
    await start()
    // A page looks for a new version each hour, and where it is opened again.
    await page.reload()
    await page.getByRole('button', { name: 'Mettre à jour' }).click({ timeout: 60_000 })
    await expect
      .poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ version }) => version)), {
        timeout: 60_000,
      })
      .toEqual([2])
    await scanBox(page).waitFor()
    await waitingTag(page).waitFor()
    const kept = await readOutbox(page)
    expect(kept.map(({ id, state }) => [id, state])).toEqual(keys.map((id) => [id, 'queued']))
    await page.goto('/waiting')
    for (const title of ['Livre numéro 1', 'Livre numéro 2', 'Livre numéro 6'])
      await page.getByText(title).first().waitFor()
  })

  // 0.1.0 did not seal what it kept (docs/decisions/0019-seals-of-waiting-actions.md).
  it('has it applied once, when its owner has confirmed it', async () => {
    const { page, context } = device
    const api = await library()
    const before = await api.countLoans()
    await context.unrouteAll()
    await page.goto('/waiting')
    await confirmImported(page)
    await expect.poll(() => api.lent(), { timeout: 60_000 }).toEqual(['1001', '1002'])
    await waitingTag(page).waitFor({ state: 'detached' })
    expect(await api.countLoans()).toBe(before + 2)
    expect(device.errors).toEqual([])
  })
})
