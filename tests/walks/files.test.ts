import { readFile } from 'node:fs/promises'

import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readBars } from '../pdf/read-bars.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { adminPassword } from '../support/test-library.ts'
import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { drawnBmp } from '../support/drawn-bmp.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { openCounter } from '../support/counter.ts'

describe('files', () => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    const api = await apiOf(server.address, 'admin', adminPassword)
    await api.post('/api/loanings', { beneficiary: 1, copy: 1 })
    await api.post('/api/loanings', { beneficiary: 2, copy: 2 })
    device = await openDevice(server.address, { keepsShell: false })
    await device.page.goto('/login')
    await signIn(device.page, 'admin', adminPassword)
    await openCounter(device.page)
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('keep the loans that the list shows, as it is filtered', async () => {
    const { page } = device
    await page.goto('/loanings?benefsearchname%7Clike=dupont')
    await page.getByRole('link', { name: 'Livre numéro 2' }).waitFor()
    await page.getByRole('button', { name: 'Exporter' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Texte (csv)', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^prets-\d{8}-\d{6}\.csv$/)
    const [, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(rows).toEqual([expect.stringContaining('Livre numéro 2;Éric Dupont (M2);')])
  })

  it('hold the card of a reader, and those of the readers that are ticked', async () => {
    const { page } = device
    await page.goto('/beneficiaries/view/1')
    await page.getByRole('button', { name: 'Autres actions' }).click()
    const [one] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Imprimer la carte' }).click(),
    ])
    expect(one.suggestedFilename()).toMatch(/^carte-1-\d{8}-\d{6}\.pdf$/)
    const [card] = readPdf(await readFile(await one.path()))
    expect(await readBars(card?.rectangles ?? [])).toBe('R1')

    await page.goto('/beneficiaries')
    await page.getByRole('checkbox', { name: /^Choisir\s: Alice Martin$/ }).check()
    await page.getByRole('checkbox', { name: /^Choisir\s: Éric Dupont$/ }).check()
    const [several] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Imprimer les cartes' }).click(),
    ])
    const sheets = readPdf(await readFile(await several.path()))
    expect(sheets).toHaveLength(1)
    expect(sheets[0]?.text).toMatch(/Éric Dupont[\s\S]*Alice Martin/)
  })

  it('give the organisation its image, also from a type that the server does not read', async () => {
    const { page } = device
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Image de l’organisation' }).click()
    const chosen = page
      .getByLabel('Nouvelle image')
      .locator('input[type=file]')
      .or(page.locator('input[type=file]'))
    await chosen
      .first()
      .setInputFiles({ name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await page.getByText('« plan.svg » est invalide ou non pris en charge.').waitFor()

    await chosen.first().setInputFiles({
      name: 'affiche-de-la-bibliotheque.bmp',
      mimeType: 'image/bmp',
      buffer: drawnBmp(64, 48),
    })
    await page.getByText('affiche-de-la-biblio[...].png').waitFor()
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Vos modifications ont bien été prises en compte.').waitFor()
    const shown = await fetch(`${server.address}/api/image/env/1`)
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width: 64,
      height: 48,
    })

    await page.getByRole('button', { name: 'Retirer l’image' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    await expect
      .poll(async () => (await fetch(`${server.address}/api/image/env/1`)).headers.get('content-type'))
      .toBe('image/svg+xml')
    expect(device.errors).toEqual([])
  })
})
