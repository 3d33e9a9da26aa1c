import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { drawnBmp } from '../support/drawn-bmp.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { isbn, type LookUpStub, openLookUpStub } from '../support/look-up-stub.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { holdBefore, stageCamera } from '../support/staged-camera.ts'
import { adminPassword } from '../support/test-library.ts'
import { lineOf, openCounter, put } from '../support/counter.ts'

const isDrawn = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)

describe('covers', () => {
  let stub: LookUpStub
  let server: RunningServer
  let device: Device
  let api: Api
  beforeAll(async () => {
    stub = await openLookUpStub()
    server = await openRunningServer({ onPostgres: true, env: { LOOKUP_SOURCES: stub.sources.join() } })
    api = await apiOf(server.address, 'admin', adminPassword)
    device = await openDevice(server.address, {
      viewport: 'phone',
      permissions: ['camera'],
      args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    })
    await stageCamera(device.page)
    await signIn(device.page, 'admin', adminPassword)
    await openCounter(device.page)
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
    await stub?.close()
  })

  it('come with a book whose ISBN the camera reads, which is then lent and returned', async () => {
    const { page } = device
    await page.goto('/references/add')
    await holdBefore(page, isbn, { width: 1280, height: 720 }, 'ean_13')
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Scanner' }).click()
    await page.getByText(/^Notice trouvée/).waitFor()
    await page.getByRole('img', { name: 'Celle qui sera enregistrée' }).waitFor()
    await page.getByRole('region', { name: 'Image' }).getByText('D’après BnF').waitFor()
    // The camera has closed by itself.
    expect(await page.getByLabel('Image de la caméra').count()).toBe(0)
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    const dialog = page.getByRole('dialog', { name: /^Ajouter un exemplaire de/ })
    await dialog.getByRole('textbox', { name: 'Code-barres' }).fill('E1')
    await dialog.getByRole('button', { name: 'Valider' }).click()
    await page.getByRole('list', { name: 'Exemplaires' }).getByText('E1').waitFor()
    await page.getByRole('img', { name: "« L'Étranger »" }).waitFor()
    await expect.poll(() => isDrawn(page, 'img[alt*="Étranger"]')).toBe(true)
    const { body } = await api.get(`/api/references?filters[code|eq]=${isbn}`)
    expect(body['hydra:member'][0].image_source).toBe('own')

    await page.goto('/home')
    await openCounter(page)
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await put(page, 'E1')
    await lineOf(page, "L'Étranger").getByText('Enregistré').first().waitFor()
    await expect.poll(() => api.lent()).toContain('E1')
    await page.goto('/loaning/return')
    await page.getByRole('combobox', { name: 'Exemplaire rendu' }).fill('E1')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Enregistrer le retour' }).click()
    await expect.poll(() => api.lent()).not.toContain('E1')
  })

  it('are chosen as files, of types that the server does not read too, seen, put back and taken away', async () => {
    const { page } = device
    const choose = (name: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: `image/${name.slice(-3)}`, buffer })
    const save = async () => {
      await page.getByRole('button', { name: 'Enregistrer' }).click()
      await page.getByText('Référence mise à jour avec succès.').first().waitFor()
    }
    const edit = () => page.goto('/references/edit/1')
    const path = async () => (await api.get('/api/references/1')).body.image_path as string | null
    const png = await sharp({ create: { width: 90, height: 130, channels: 3, background: '#7a1f2b' } })
      .png()
      .toBuffer()

    await edit()
    await choose('couverture.png', png)
    await page.getByRole('img', { name: 'Celle qui sera enregistrée' }).waitFor()
    await save()
    const first = await path()
    expect(first).not.toBeNull()
    await page.getByRole('img', { name: '« Livre numéro 1 »' }).waitFor()
    await page.goto('/references?searchname%7Clike=livre+numero+1')
    await page.locator(`img[src^="${first}"]`).first().waitFor()
    await expect.poll(() => isDrawn(page, `img[src^="${first}"]`)).toBe(true)

    await edit()
    await choose('couverture.bmp', drawnBmp(90, 120))
    await page.getByText('couverture.png').waitFor()
    await save()
    const second = await path()
    expect(second).not.toBe(first)
    const large = await fetch(server.address + second)
    expect(await sharp(await large.arrayBuffer()).metadata()).toMatchObject({ width: 90, height: 120 })

    // Taken away and put back before anything was saved.
    await edit()
    const kept = page.getByRole('img', { name: 'Celle d’aujourd’hui' })
    await kept.waitFor()
    await page.getByRole('button', { name: 'Retirer l’image' }).click()
    await kept.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Annuler', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    await kept.waitFor()
    expect(await path()).toBe(second)

    await page.getByRole('button', { name: 'Retirer l’image' }).click()
    await save()
    expect(await path()).toBeNull()
    expect(await page.locator('img[src^="/api/image/references/1?"]').count()).toBe(0)
  })

  it('that were seen are there without a network, within what the device may spend, until sign-out', async () => {
    const { page } = device
    const { body } = await api.get(`/api/references?filters[code|eq]=${isbn}`)
    const address = body['hydra:member'][0].image_path as string
    // Past the browser's own cache, so that the worker or the network answers.
    const ask = () =>
      page.evaluate(
        (at) =>
          fetch(at, { cache: 'reload' }).then(
            ({ ok }) => ok,
            () => false,
          ),
        address,
      )
    const keeps = () =>
      page.evaluate(async () => (await (await caches.open('comptoir-images')).keys()).length > 0)
    const panel = page.getByRole('region', { name: 'Images hors ligne' })

    await page.goto('/references')
    await page.locator(`img[src^="${address}"]`).first().waitFor()
    expect(await ask()).toBe(true)
    await page.goto('/account')
    await panel.getByText(/^\d+ images? gardées?, \d+\s(octets|ko|Mo)\.$/).waitFor()
    await device.context.setOffline(true)
    expect(await ask()).toBe(true)
    await panel.getByRole('button', { name: 'Vider' }).click()
    await panel.getByText('Aucune image gardée.').waitFor()
    expect(await ask()).toBe(false)
    await device.context.setOffline(false)

    // None may be kept, then some.
    await panel.getByText('Aucune', { exact: true }).click()
    expect(await ask()).toBe(true)
    await page.reload()
    await panel.getByText('Aucune image gardée.').waitFor()
    await panel.getByText('100 Mo', { exact: true }).click()
    await expect.poll(async () => (await ask()) && (await keeps())).toBe(true)

    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.waitForURL('**/login')
    expect(await keeps()).toBe(false)
    await ask()
    expect(await keeps()).toBe(false)
    expect(device.errors).toEqual([])
  })
})
