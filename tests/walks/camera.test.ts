import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { makePhotograph } from '../support/fake-camera.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { holdBefore, setSeen, stageCamera } from '../support/staged-camera.ts'
import { testPassword } from '../support/test-library.ts'
import { openCounter, put } from '../support/counter.ts'

const landscape = { width: 1280, height: 720 }
const portrait = { width: 720, height: 1280 }

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Scanner' })
const picture = (page: Page) => sheet(page).getByLabel('Image de la caméra')
const button = (page: Page, name: string) => sheet(page).getByRole('button', { name })

describe('the camera', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    api = await apiOf(server.address, 'biblio', testPassword)
    device = await openDevice(server.address, {
      viewport: 'phone',
      permissions: ['camera'],
      args: ['--use-fake-device-for-media-stream=device-count=2', '--use-fake-ui-for-media-stream'],
      keepsShell: false,
    })
    page = device.page
    await stageCamera(page)
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  const openSheet = async () => {
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Scanner' }).click()
    await sheet(page).waitFor()
  }
  const closeSheet = async () => {
    await button(page, 'Fermer la caméra').click()
    await sheet(page).waitFor({ state: 'detached' })
  }
  const fail = (failing: string | null, failsExactly = false) =>
    page.evaluate((wish) => void Object.assign(window.stage, wish), { failing, failsExactly })
  const trackState = () => page.evaluate(() => window.stage.track?.readyState)
  /** What became of a scan stands beside the picture, in which the next code is aimed at. */
  const isNoteOverPicture = async () => {
    const [seen, note] = [
      await picture(page).boundingBox(),
      await sheet(page).getByRole('note').boundingBox(),
    ]
    if (!seen || !note) throw new Error('there is no picture or no note')
    const isBeside = note.x >= seen.x + seen.width || seen.x >= note.x + note.width
    return !isBeside && note.y < seen.y + seen.height && seen.y < note.y + note.height
  }
  const applied = () => page.evaluate(() => window.stage.applied.at(-1))

  it('asks for continuous focus, and lights, zooms and changes camera as asked', async () => {
    await openSheet()
    await button(page, 'Lampe').waitFor()
    expect(await applied()).toEqual({ focusMode: 'continuous' })

    await button(page, 'Lampe').click()
    await sheet(page).getByRole('button', { name: 'Lampe', pressed: true }).waitFor()
    expect(await applied()).toEqual({ focusMode: 'continuous', torch: true })

    const thumb = await sheet(page).getByRole('slider', { name: 'Zoom' }).boundingBox()
    expect(Math.min(thumb?.width ?? 0, thumb?.height ?? 0)).toBeGreaterThanOrEqual(44)
    await sheet(page).getByRole('slider', { name: 'Zoom' }).press('ArrowRight')
    await expect.poll(applied).toEqual({ focusMode: 'continuous', torch: true, zoom: 1.5 })

    await button(page, 'Changer de caméra').click()
    await expect.poll(() => page.evaluate(() => new Set(window.stage.opened).size)).toBe(2)
    // Another camera: its lamp is out.
    await sheet(page).getByRole('button', { name: 'Lampe', pressed: false }).waitFor()
    await closeSheet()
    await expect.poll(trackState).toBe('ended')
  })

  it('remembers the camera, and takes any other when that one is gone', async () => {
    await openSheet()
    await button(page, 'Lampe').waitFor()
    const ids = await page.evaluate(() => window.stage.opened.slice(-2))
    expect(ids[0]).toBe(ids[1])
    await closeSheet()
    await fail('OverconstrainedError', true)
    await openSheet()
    await button(page, 'Lampe').waitFor()
    await closeSheet()
    await fail(null)
  })

  it.each([
    ['NotAllowedError', /accès à la caméra est refusé. Autorisez-la/],
    ['NotFoundError', /Aucune caméra n’a été trouvée/],
    ['NotReadableError', /occupée par une autre application/],
    ['OverconstrainedError', /ne convient pas à la lecture/],
    ['TypeError', /n’a pas pu démarrer/],
  ])('says what to do after %s, and starts once it is mended', async (name, sentence) => {
    await fail(name)
    await openSheet()
    await sheet(page).getByRole('alert').getByText(sentence).waitFor()
    await button(page, 'Photographier le code').waitFor()
    await sheet(page).getByLabel('Code écrit sous les barres').waitFor()
    expect(await picture(page).isVisible()).toBe(false)
    await fail(null)
    await button(page, 'Réessayer').click()
    await button(page, 'Lampe').waitFor()
    expect(await sheet(page).getByRole('alert').count()).toBe(0)
    await closeSheet()
  })

  it('changes camera when the first one is busy', async () => {
    const before = await page.evaluate(() => window.stage.opened.at(-1))
    await fail('NotReadableError')
    await openSheet()
    await button(page, 'Changer de caméra').waitFor()
    await fail(null)
    await button(page, 'Changer de caméra').click()
    await button(page, 'Lampe').waitFor()
    expect(await page.evaluate(() => window.stage.opened.at(-1))).not.toBe(before)
    await closeSheet()
  })

  it('says that the address is not secure, where asking again would change nothing', async () => {
    const setSecure = (value: boolean) =>
      page.evaluate(
        (secure) =>
          void Object.defineProperty(window, 'isSecureContext', { configurable: true, value: secure }),
        value,
      )
    await setSecure(false)
    await openSheet()
    await sheet(page).getByRole('alert').getByText('adresse sécurisée (https)').waitFor()
    expect(await button(page, 'Réessayer').count()).toBe(0)
    await closeSheet()
    await setSecure(true)
  })

  it('reads a photograph, and a typed code, without a camera', async () => {
    await fail('NotFoundError')
    await openSheet()
    const take = async (file: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await button(page, 'Photographier le code').click()
      await (await chooser).setFiles({ name: 'image.jpg', mimeType: 'image/png', buffer: file })
    }
    await take(Buffer.from('no picture'))
    await sheet(page).getByText('Aucun code-barres lisible sur cette photo').waitFor()
    await take(await makePhotograph('1001', 'code_128'))
    await expect.poll(() => api.lent()).toEqual(['1001'])
    await sheet(page).getByLabel('Code écrit sous les barres').fill('1002')
    await button(page, 'Valider').click()
    await expect.poll(() => api.lent()).toEqual(['1001', '1002'])
    expect(await sheet(page).getByLabel('Code écrit sous les barres').inputValue()).toBe('')
    await closeSheet()
    await fail(null)
  })

  it('goes on reading when the device is turned', async () => {
    await holdBefore(page, '1003', landscape)
    await openSheet()
    await expect.poll(() => api.lent()).toContain('1003')
    expect(await isNoteOverPicture()).toBe(false)
    await page.setViewportSize({ width: 844, height: 390 })
    await holdBefore(page, '1004', portrait)
    await expect.poll(() => api.lent()).toContain('1004')
    expect(await isNoteOverPicture()).toBe(false)
    await page.setViewportSize({ width: 390, height: 844 })
    await holdBefore(page, '1005', landscape)
    await expect.poll(() => api.lent()).toContain('1005')
    await closeSheet()
  })

  it('lets go of the camera while the page is hidden, and takes it up again', async () => {
    await put(page, 'R2')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Éric Dupont').waitFor()
    await holdBefore(page, '1006', landscape)
    await openSheet()
    await expect.poll(() => api.lent()).toContain('1006')
    await setSeen(page, false)
    await expect.poll(trackState).toBe('ended')
    await holdBefore(page, '1007', landscape)
    await setSeen(page, true)
    await expect.poll(() => api.lent()).toContain('1007')
    expect(await trackState()).toBe('live')
  })

  it('says that the camera was unplugged, and starts again', async () => {
    await page.evaluate(() => {
      const { track } = window.stage
      track?.stop()
      // Stopping it ourselves is silent; the browser tells of an unplugged one.
      track?.dispatchEvent(new Event('ended'))
    })
    await sheet(page).getByRole('alert').getByText('La caméra s’est arrêtée').waitFor()
    await button(page, 'Réessayer').click()
    await button(page, 'Lampe').waitFor()
    expect(await trackState()).toBe('live')
    await closeSheet()
    expect(await api.countLoans()).toBe(7)
    expect(device.errors).toEqual([])
  })
})
