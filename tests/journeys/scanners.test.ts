import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { chunkOf } from '../support/chunk-of.ts'
import { makeCameraFile, playing } from '../support/fake-camera.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { lineOf, openCounter, put, scan, scanBox } from '../support/counter.ts'

describe('scanners', () => {
  let server: RunningServer
  let api: Api
  const devices: Device[] = []
  beforeAll(async () => {
    server = await openRunningServer({
      onPostgres: true,
      // Codes as long as real ones: by their keys alone a scanner is told from fingers.
      prepare: (db) => sql`update copies set bar_code = '3155551000' || bar_code where id <= 3`.execute(db),
    })
    api = await apiOf(server.address, 'biblio', testPassword)
  })
  // A film that goes on playing takes the machine from the next test.
  afterEach(async () => {
    for (const device of devices.splice(0)) await device.close()
  })
  afterAll(() => server?.drop())
  const open = async (options: Parameters<typeof openDevice>[1]) => {
    const device = await openDevice(server.address, { ...options, keepsShell: false })
    devices.push(device)
    await signIn(device.page, 'biblio', testPassword)
    await openCounter(device.page)
    return device
  }

  it('lends a book read from the camera', async () => {
    const film = await makeCameraFile(['1010'], 'code_128')
    const { page, errors } = await open({
      viewport: 'phone',
      permissions: ['camera'],
      args: playing(film),
    })
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    // The camera is asked for at the tap, while the panel's own code is still on its way.
    let letPanelCome = () => undefined as void
    const held = new Promise<void>((resolve) => (letPanelCome = resolve))
    await page.route(`**/${chunkOf('src/client/scanner/camera-panel.tsx')}`, async (route) => {
      await held
      await route.continue()
    })
    await page.evaluate(() => {
      const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = (wishes) => {
        document.body.dataset['asked'] = String(Number(document.body.dataset['asked'] ?? 0) + 1)
        return real(wishes)
      }
    })
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Scanner' }).click()
    const asked = () => page.evaluate(() => document.body.dataset['asked'])
    await expect.poll(asked).toBe('1')
    expect(await page.getByLabel('Image de la caméra').count()).toBe(0)
    letPanelCome()
    await expect.poll(() => api.lent(), { timeout: 40_000 }).toContain('1010')
    expect(await api.countLoans()).toBe(1)
    expect(await asked()).toBe('1')
    expect(errors).toEqual([])
  })

  it('returns three books that a hand-held scanner types, without a field in focus', async () => {
    for (const copy of [1, 2, 3]) await api.post('/api/loanings', { beneficiary: 2, copy })
    const { page } = await open({ viewport: 'desktop' })
    await page.goto('/waiting')
    await page.getByRole('heading', { name: 'Actions en attente' }).waitFor()
    await page.goto('/home')
    await scanBox(page).waitFor()
    await scanBox(page).blur()
    await scan(page, '31555510001001', '31555510001002', '31555510001003')
    for (const title of ['Livre numéro 1', 'Livre numéro 2', 'Livre numéro 3']) {
      await lineOf(page, title)
        .getByText(/Rendu \(prêté à /)
        .waitFor()
    }
    await expect.poll(() => api.lent()).toEqual(['1010'])
  })
  it('takes a scan that pauses as one code, with and without the focus, or says so, and never its end alone', async () => {
    const { page } = await open({ viewport: 'tablet' })
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    const lane = page.getByRole('list', { name: 'Derniers passages' })
    for (const [code, title, isInBox] of [
      ['31555510001001', 'Livre numéro 1', true],
      ['31555510001002', 'Livre numéro 2', false],
    ] as const) {
      if (isInBox) await scanBox(page).focus()
      else await scanBox(page).blur()
      // A machine that stands still for longer than half a second breaks the scan, which is then said.
      const isShown = async () => {
        await typeAsScanner(page, code, { before: 5, ms: 150 })
        return lane
          .getByText(title)
          .waitFor({ timeout: 5_000 })
          .then(
            () => true,
            () => false,
          )
      }
      await expect.poll(isShown).toBe(true)
    }
    await expect.poll(() => api.lent()).toEqual(['1010', '31555510001001', '31555510001002'])
    expect(await lane.getByText(/inconnu|Aucun exemplaire/).count()).toBe(0)
    expect(await scanBox(page).inputValue()).toBe('')
  })
})
