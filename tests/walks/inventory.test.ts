import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, pressAfterScan, signIn, typeAsScanner } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// Two phones go among the shelves without a network, and what both counted is one inventory.

describe('an inventory off line on two phones', () => {
  let server: RunningServer
  let api: Api
  const devices: Device[] = []
  let first: Page
  let second: Page

  const openPhone = async (): Promise<Page> => {
    const device = await openDevice(server.address, { viewport: 'phone' })
    devices.push(device)
    await signIn(device.page, 'admin', adminPassword)
    await openCounter(device.page, 'Centre')
    await device.page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    return device.page
  }
  const lane = (page: Page) => page.getByRole('list', { name: 'Scans de cet appareil' })
  const lineOf = (page: Page, text: string) => lane(page).getByRole('listitem').filter({ hasText: text })
  const scan = async (page: Page, code: string, word: string, title: string) => {
    await typeAsScanner(page, code)
    await lineOf(page, title).filter({ hasText: word }).first().waitFor()
  }
  const read = async () => (await api.get('/api/inventories/1')).body as { seen: number; scans: number }

  beforeAll(async () => {
    server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        // Codes as long as real ones: by their keys alone a scanner is told from fingers.
        await sql`update copies set bar_code = '3155551000' || bar_code where id <= 10`.execute(db)
      },
    })
    api = await apiOf(server.address, 'admin', adminPassword)
    first = await openPhone()
    second = await openPhone()
  })
  afterAll(async () => {
    expect(devices.flatMap(({ errors }) => errors)).toEqual([])
    for (const device of devices) await device.close()
    await server?.drop()
  })

  it('is begun on one phone, and made ready on both', async () => {
    await first.goto('/inventories')
    await first.getByRole('link', { name: 'Nouvel inventaire' }).first().click()
    await first.getByRole('textbox', { name: 'Nom' }).fill('Récolement')
    await first.getByRole('button', { name: 'Enregistrer' }).click()
    await first.getByRole('link', { name: 'Compter' }).click()
    await first.getByText('Utilisable hors ligne').waitFor()
    await second.goto('/inventories/count/1')
    await second.getByText('Utilisable hors ligne').waitFor()
  })

  it('counts on both without a network, through a cold start', async () => {
    for (const { context } of devices) await context.setOffline(true)
    await scan(first, '31555510001001', 'Trouvé', 'Livre numéro 1')
    await scan(first, '31555510001002', 'Trouvé', 'Livre numéro 2')
    await scan(first, '31555510001001', 'Déjà compté', 'Livre numéro 1')
    await scan(second, '31555510001003', 'Trouvé', 'Livre numéro 3')
    await scan(second, 'SANSNOM1', 'Inconnu', 'SANSNOM1')
    await second.getByLabel('Ce qui est écrit dessus').fill('Le Horla')
    await pressAfterScan(second, 'Enter')
    await first.goto('/inventories')
    await first.getByRole('link', { name: /Compter\s: Récolement/ }).click()
    await first.getByText(/Hors ligne, 3 scans à envoyer/).waitFor()
    await scan(first, '31555510001003', 'Trouvé', 'Livre numéro 3')
    expect(await read()).toMatchObject({ seen: 0, scans: 0 })
  })

  it('is one inventory once both are back, where nothing is lost and nothing counted twice', async () => {
    await devices[1]?.context.setOffline(false)
    await second.getByText('Tout est envoyé').waitFor()
    await devices[0]?.context.setOffline(false)
    await first.getByText('Tout est envoyé').waitFor()
    // The second phone had been before: what the first had taken for found was counted already.
    await lineOf(first, 'Livre numéro 3').filter({ hasText: 'Déjà compté' }).waitFor()
    expect(await read()).toMatchObject({ seen: 3, scans: 6 })
    await second.goto('/inventories/view/1')
    await second.getByText('3 sur 10').first().waitFor()
  })

  it('shows what is missing and unknown, and applies what was chosen as one act', async () => {
    await first.goto('/inventories/review/1?group=unknown')
    await first.getByText('Le Horla').waitFor()
    await first.getByRole('button', { name: /^Manquants/ }).click()
    await first.getByText('Rendre indisponibles').click()
    await first.getByRole('checkbox', { name: /Livre numéro 10/ }).uncheck()
    await first.getByRole('button', { name: 'Appliquer' }).click()
    await first.getByRole('dialog').getByText('6 exemplaires deviendront indisponibles').waitFor()
    await first.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    await first.getByText('Appliqué', { exact: true }).first().waitFor()
    await first.getByRole('link', { name: 'Voir l’acte, l’annuler' }).click()
    await first
      .getByRole('button', { name: /Annuler/ })
      .first()
      .waitFor()
    const { body } = await api.get('/api/copies?limit=100&filters[site|eq]=1')
    const copies = body['hydra:member'] as { is_unavailable: boolean }[]
    expect(copies.filter(({ is_unavailable }) => is_unavailable)).toHaveLength(6)
  })
})
