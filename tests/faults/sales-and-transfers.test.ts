import { describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { testPassword } from '../support/test-library.ts'
import type { KillAt } from './fail-point-server.ts'
import { atFaultyCounter, copyCode, copyTitle } from './faulty-counter.ts'
import type { Fate, PassingRequest } from './tcp-proxy.ts'

// Sales and transfers wait for no outbox: each is asked for again under its own key, and done once.

const isSale = ({ method, path }: PassingRequest) => method === 'POST' && path === '/api/sales'
const isReceipt = ({ method, path }: PassingRequest) => method === 'PUT' && /^\/api\/copies\/\d+$/.test(path)

const fates: [string, Fate][] = [
  ['the answer is cut after the commit', 'cut-answer'],
  ['the answer’s body is cut', 'cut-body'],
  ['the request is cut', 'cut-request'],
  ['ten of it arrive at the same instant', { duplicate: 10 }],
]
const deaths: [string, KillAt['phase']][] = [
  ['before the commit', 'before-commit'],
  ['after the commit, before the answer', 'after-commit'],
]

describe('sales and transfers over a network that fails, with a server that dies', () => {
  const at = atFaultyCounter(undefined, { onPostgres: true })
  let n = 100
  let ids: Map<string, number> | null = null

  const api = (username = 'biblio'): Promise<Api> => apiOf(at.server.address, username, testPassword)
  const idOf = async (copy: number): Promise<number> => {
    ids ??= await at.counter.copyIds()
    return ids.get(copyCode(copy)) ?? 0
  }
  /** Meets these fates in turn, and passes from then on. */
  const meet = (isMeant: (request: PassingRequest) => boolean, ...left: Fate[]) => {
    at.counter.proxy.fateOf = (request) => (isMeant(request) ? (left.shift() ?? 'pass') : 'pass')
  }
  /** The server comes back, where it died. */
  const revive = async () => {
    if (at.server.isRunning()) return
    await at.server.start()
    at.counter.proxy.cutAll()
    await at.counter.page.evaluate(() => dispatchEvent(new Event('online')))
  }

  /** Puts a copy for sale into the basket of a reader, and saves until it is sold. */
  async function sell(copy: number): Promise<void> {
    const { page } = at.counter
    await page.goto(`/loaning/add?beneficiary=1&copy=${await idOf(copy)}`)
    const line = page.getByRole('list', { name: 'Exemplaires du prêt' }).getByText(copyTitle(copy))
    await line.waitFor()
    const done = page.getByRole('region', { name: 'Ventes enregistrées' }).getByText(copyTitle(copy))
    await expect
      .poll(
        async () => {
          await revive()
          if (await done.isVisible()) return true
          await page
            .getByRole('button', { name: 'Enregistrer et continuer' })
            .click({ timeout: 2_000 })
            .catch(() => undefined)
          await done.waitFor({ timeout: 5_000 }).catch(() => undefined)
          return done.isVisible()
        },
        { timeout: 90_000 },
      )
      .toBe(true)
  }
  async function isSoldOnce(copy: number): Promise<void> {
    const { body } = await (await api()).get(`/api/sales?copysearchname=${copyCode(copy)}`)
    expect(body['hydra:member']).toMatchObject([
      { copy_barcode: copyCode(copy), beneficiary: 1, price: '4.00' },
    ])
  }
  const putUpForSale = async (copy: number) =>
    (await api()).put(`/api/copies/${await idOf(copy)}`, { type: 'Vente', price: '4.00' })

  /** Scans a copy that is on its way here, and waits until the screen says that it is received. */
  async function receive(copy: number): Promise<void> {
    const { page } = at.counter
    await page.goto('/transfers')
    await page.getByRole('textbox', { name: 'Code-barres de ce qui arrive' }).fill(copyCode(copy))
    await page.getByRole('button', { name: 'Recevoir' }).click()
    const line = page.getByRole('list', { name: 'Exemplaires scannés' }).getByRole('listitem')
    await expect
      .poll(
        async () => {
          await revive()
          const again = line.getByRole('button', { name: 'Réessayer' })
          if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => undefined)
          return (await line.allInnerTexts()).join()
        },
        { timeout: 90_000 },
      )
      .toContain('Reçu de Annexe')
  }
  const sendHere = async (copy: number) => {
    const own = await api()
    await own.put(`/api/copies/${await idOf(copy)}`, { site: 2 })
    await own.put(`/api/copies/${await idOf(copy)}`, { status: 'Disponible' })
    const sent = await own.put(`/api/copies/${await idOf(copy)}`, { site: 1 })
    expect(sent.body).toMatchObject({ status_name: 'En transfert', site: 1 })
  }
  async function isReceivedOnce(copy: number): Promise<void> {
    const own = await api()
    const { body } = await own.get(`/api/copies?id|eq=${await idOf(copy)}`)
    const [found] = body['hydra:member'] as { status_name: string; site: number; reference: number }[]
    expect(found).toMatchObject({ status_name: 'Disponible', site: 1 })
    const journal = await own.get(`/api/journal?entity=references&id=${found!.reference}&limit=50`)
    const received = (journal.body['hydra:member'] as { action: string }[]).filter(({ action }) =>
      action.startsWith('Réception'),
    )
    // Once at the other site, and once here.
    expect(received).toHaveLength(2)
  }

  it.each(fates)('sells a copy once when %s', async (_, fate) => {
    const copy = (n += 1)
    await putUpForSale(copy)
    meet(isSale, fate)
    await sell(copy)
    await isSoldOnce(copy)
  })

  it.each(deaths)('sells a copy once when the server dies %s', async (_, phase) => {
    const copy = (n += 1)
    await putUpForSale(copy)
    meet(isSale)
    await at.server.tell({ phase, endpoint: 'sales.sell', victim: 'server' } satisfies KillAt)
    await sell(copy)
    await isSoldOnce(copy)
  })

  it.each(fates)('receives a copy once when %s', async (_, fate) => {
    const copy = (n += 1)
    await sendHere(copy)
    meet(isReceipt, fate)
    await receive(copy)
    await isReceivedOnce(copy)
  })

  it.each(deaths)('receives a copy once when the server dies %s', async (_, phase) => {
    const copy = (n += 1)
    await sendHere(copy)
    meet(isReceipt)
    await at.server.tell({ phase, endpoint: 'copies.change', victim: 'server' } satisfies KillAt)
    await receive(copy)
    await isReceivedOnce(copy)
  })
})
