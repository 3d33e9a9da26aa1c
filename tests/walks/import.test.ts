import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

const source = [
  'titre;auteur;code-barres',
  'Le Ventre de Paris;Émile Zola;95001',
  ';Émile Zola;95002',
  'Germinal;Émile Zola;95003',
].join('\r\n')

/** Chooses a file, reads it, tries it and brings it in. */
async function bringIn(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByRole('link', { name: 'Importer un fichier' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Importer un fichier' }).first().click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choisir un fichier' }).click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Lire le fichier' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('combobox', { name: 'Site des exemplaires dont la ligne n’en dit pas' }).click()
  await page.getByRole('option', { name: 'Centre' }).click()
  await page.getByRole('button', { name: 'Essayer' }).click()
  await page.getByRole('button', { name: 'Importer', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
  await page.getByText('Import effectué avec succès.').first().waitFor()
}

describe('a file with errors', () => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    await signIn(device.page, 'admin', adminPassword)
    await openCounter(device.page)
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('is tried, imported, corrected, imported again, and taken back as a whole', async () => {
    const { page } = device
    const api = await apiOf(server.address, 'admin', adminPassword)
    const codes = async () => {
      const { body } = await api.get('/api/copies?filters[bar_code|in]=95001,95002,95003&order[bar_code]=asc')
      return (body['hydra:member'] as { bar_code: string }[]).map(({ bar_code }) => bar_code)
    }
    await page.goto('/references')
    await bringIn(page, 'catalogue.csv', Buffer.from(source))
    expect(await codes()).toEqual(['95001', '95003'])
    await page.getByText(/^Ligne 3, Titre$/).waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Télécharger les lignes refusées' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^lignes-refusees-.*\.csv$/)
    const refused = await readFile(await download.path(), 'utf8')
    expect(refused).toContain(';Émile Zola;95002')
    const corrected = refused.replace(';Émile Zola;95002', 'Nana;Émile Zola;95002')
    await bringIn(page, 'corrige.csv', Buffer.from(corrected))
    expect(await codes()).toEqual(['95001', '95002', '95003'])

    for (const [name, left] of [
      ['corrige.csv', ['95001', '95003']],
      ['catalogue.csv', []],
    ] as const) {
      await page.goto('/imports')
      await page.getByRole('link', { name }).click()
      await page.getByRole('link', { name: 'Annuler cet import' }).click()
      await page.getByRole('button', { name: 'Annuler l’acte' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
      await expect.poll(codes).toEqual(left)
    }
    expect(device.errors).toEqual([])
  })
})
