import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { cut, pagesOf } from '../labels/read-labels.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { stageCamera } from '../support/staged-camera.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter, put } from '../support/counter.ts'

const dpi = 300
/** The first label of the sheet that is proposed (Avery L7160), in millimetres. */
const firstLabel = { x: 7.2, y: 15.1, width: 63.5, height: 38.1 }

describe('a label', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    api = await apiOf(server.address, 'admin', adminPassword)
    device = await openDevice(server.address, {
      viewport: 'phone',
      permissions: ['camera'],
      args: ['--use-fake-device-for-media-stream=device-count=2', '--use-fake-ui-for-media-stream'],
      keepsShell: false,
    })
    page = device.page
    await stageCamera(page)
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  /** The first label of the sheet, before the camera. */
  let shown: { data: number[]; width: number; height: number }
  const show = () => page.evaluate(([label]) => window.stage.show(label, 1280, 720), [shown] as const)

  const printed = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Télécharger' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^codes-barres-\d{8}-\d{6}\.pdf$/)
    const [sheet] = pagesOf(await readFile(await file.path()), dpi)
    const label = cut(sheet!, dpi, firstLabel)
    const { width, height } = label
    shown = {
      data: Array.from({ length: width * height }, (_, at) => label.data[at * 4] ?? 255),
      width,
      height,
    }
  }

  it('that was printed is read by the camera, and its copy lent', async () => {
    await page.goto(`${server.address}/bar_codes/print?ids=1`)
    await page.getByText(/étiquettes?, 1 feuille/).waitFor()
    await printed()

    await page.goto(`${server.address}/home`)
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await show()
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Scanner' }).click()
    await expect.poll(() => api.lent()).toEqual(['1001'])
  })

  it('is counted by the camera in an inventory, on the shelf though its copy is lent', async () => {
    await api.post('/api/inventories', { name: 'Récolement', site: 1 })
    await page.goto(`${server.address}/inventories/count/1`)
    await page.getByText('Utilisable hors ligne').waitFor()
    await show()
    await page.getByRole('button', { name: 'Caméra' }).click()
    const line = page.getByRole('list', { name: 'Scans de cet appareil' }).getByRole('listitem')
    await line.filter({ hasText: 'Livre numéro 1' }).filter({ hasText: 'En prêt' }).waitFor()
    await page.getByText('Tout est envoyé').waitFor()
    const { body } = await api.get('/api/inventories/1/findings')
    expect(body['hydra:member']).toContainEqual(
      expect.objectContaining({ group: 'on_shelf', bar_code: '1001' }),
    )
  })

  it('of a spine is read by the camera in the same inventory, by its Data Matrix', async () => {
    await page.goto(`${server.address}/bar_codes/print?ids=2`)
    await page.getByRole('combobox', { name: 'Étiquette', exact: true }).click()
    await Promise.all([
      page.waitForResponse(/export\/bar_codes.*code=data_matrix/),
      page.getByRole('option', { name: 'Cote, pour le dos' }).click(),
    ])
    await printed()
    await page.goto(`${server.address}/inventories/count/1`)
    await page.getByText('Utilisable hors ligne').waitFor()
    await show()
    await page.getByRole('button', { name: 'Caméra' }).click()
    const line = page.getByRole('list', { name: 'Scans de cet appareil' }).getByRole('listitem')
    await line.filter({ hasText: 'Livre numéro 2' }).filter({ hasText: 'Trouvé' }).waitFor()
  })
})
