import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Collection, membersOf } from '../../src/contract/list.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openCounter } from '../support/counter.ts'
import { type DrawnShelf, drawShelf } from '../support/draw-shelf.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { showPicture, stageCamera } from '../support/staged-camera.ts'
import { adminPassword } from '../support/test-library.ts'

// A phone that passes along a shelf lights up what somebody looks for: for a reader, for the cart, or one copy.

declare global {
  interface Window {
    /** What the phone was told to shake for, oldest first. */
    shaken: (VibratePattern | Iterable<number>)[]
  }
}

const codes = Array.from({ length: 10 }, (_, at) => `3${String(1000 + at).padStart(13, '0')}`)
const near = { width: 1280, height: 720, shows: 300 }

describe('what is sought on a shelf, by the camera of a phone', () => {
  let server: RunningServer
  let api: Api
  let device: Device
  let page: Page
  let shelf: DrawnShelf
  let others: DrawnShelf

  beforeAll(async () => {
    shelf = await drawShelf({ ...near, seed: 1, spines: 10, texts: codes })
    others = await drawShelf({ ...near, seed: 2, spines: 5, texts: codes.slice(0, 5) })
    server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        await sql`update parameters set value = '1' where code = 'reservations_without_dates'`.execute(db)
        for (const [at, code] of codes.entries()) {
          await sql`update copies set bar_code = ${code} where id = ${at + 1}`.execute(db)
        }
        await sql`update copies set state = 'DAMAGED' where id in (2, 9)`.execute(db)
      },
    })
    api = await apiOf(server.address, 'admin', adminPassword)
    device = await openDevice(server.address, {
      viewport: 'phone',
      permissions: ['camera'],
      args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      keepsShell: false,
    })
    page = device.page
    await stageCamera(page)
    await page.addInitScript(() => {
      window.shaken = []
      navigator.vibrate = (pattern: VibratePattern | Iterable<number>) => window.shaken.push(pattern) > 0
    })
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  let title = ''
  const sheet = () => page.getByRole('dialog', { name: title })
  const told = (words: string) => sheet().getByRole('status').filter({ hasText: words }).first().waitFor()
  const lit = (look: string) => sheet().locator(`polygon[data-look=${look}]`)
  const lines = (name: string) => sheet().getByRole('region', { name }).getByRole('listitem')
  const shaken = () => page.evaluate(() => window.shaken)
  const open = async (address: string, shown: DrawnShelf) => {
    await page.goto(address)
    await page.getByText('Livre numéro 2').first().waitFor()
    await showPicture(page, shown.pixels)
  }
  const choose = async (of: RegExp, item: string) => {
    await page.getByRole('button', { name: of }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  describe('« À chercher en rayon »', () => {
    const reservations: number[] = []
    beforeAll(async () => {
      title = 'À chercher en rayon'
      for (const [beneficiary_id, reference_id] of [
        [1, 2],
        [2, 8],
      ]) {
        const { body } = await api.post('/api/reservations', { beneficiary_id, reference_id, site: 1 })
        reservations.push(body['id'] as number)
      }
    })

    it('lights up the books that readers wait for, among all that are in sight', async () => {
      await open('/reservations/picking', shelf)
      await choose(/^Actions\s: À chercher en rayon$/, 'Chercher par l’image')
      await told('10 codes lus')
      await told('2 trouvés')
      await told('8 autres')
      await expect.poll(() => lit('sought').count()).toBe(2)
      expect((await lines('Trouvés').allInnerTexts()).join('\n')).toMatch(
        /Livre numéro 2[^]*Alice[^]*Livre numéro 8[^]*Éric/,
      )
      expect(await shaken()).toContainEqual([60])
    })

    it('sets one aside from the picture, which then says so', async () => {
      await lines('Trouvés').filter({ hasText: 'Livre numéro 8' }).getByRole('button').click()
      await sheet().getByRole('button', { name: 'Mettre de côté' }).click()
      await told('1 fait')
      await expect.poll(() => lit('good').count()).toBe(1)
      const { body } = await api.get(`/api/reservations/${reservations[1]}`)
      expect(body).toMatchObject({ status: 'confirmed', set_aside_copy: 8 })
    })
  })

  describe('« Désherbage »', () => {
    beforeEach(() => {
      title = 'Désherbage en rayon'
    })

    it('lights up what the list holds under its filters', async () => {
      await open('/weeding?state%7Cin=DAMAGED', shelf)
      await choose(/^Actions\s: Désherbage$/, 'Chercher par l’image')
      await told('2 trouvés')
      await told('8 autres')
      await expect.poll(() => lit('sought').count()).toBe(2)
      expect((await lines('Trouvés').allInnerTexts()).join('\n')).toMatch(/Livre numéro 2[^]*Livre numéro 9/)
    })

    it('puts one into the cart from the picture', async () => {
      await lines('Trouvés').filter({ hasText: 'Livre numéro 9' }).getByRole('button').click()
      await sheet().getByRole('button', { name: 'Mettre au panier' }).click()
      await told('1 fait')
      const { body } = await api.get('/api/weeding/cart')
      expect(membersOf(body as Collection<unknown>)).toMatchObject([{ bar_code: codes[8] }])
    })
  })

  describe('« Retrouver en rayon »', () => {
    it('lights up one copy, and the phone shakes when it comes into the frame', async () => {
      title = 'Retrouver en rayon'
      await open('/settings/copies', others)
      await choose(new RegExp(`^Actions\\s: ${codes[6]}, Livre numéro 7$`), 'Retrouver en rayon')
      await told('5 codes lus')
      expect(await lines('Encore à trouver').allInnerTexts()).toEqual(['Livre numéro 7'])
      expect([await lit('sought').count(), await shaken()]).toEqual([0, []])
      await showPicture(page, shelf.pixels)
      await told('1 trouvé')
      expect(await shaken()).toEqual([[60]])
      await expect.poll(() => lit('sought').count()).toBe(1)
    })
  })
})
