import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Device, openDevice, signIn, viewports } from '../support/browser.ts'
import { lineOf, openCounter, put } from '../support/counter.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'

// A title is what a line is read for: words give way to their pictures before it is cut.

const lent = 'Le Tour du monde en quatre-vingts jours'
const reserved = 'Vingt mille lieues sous les mers'

describe('the lines of the counter on a narrow screen', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  beforeAll(async () => {
    server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        await sql`update "references" set name = ${lent} where id = 4`.execute(db)
        await sql`update "references" set name = ${reserved} where id = 7`.execute(db)
        await sql`insert into reservations (beneficiary_id, reference_id) values (2, 7)`.execute(db)
      },
    })
    device = await openDevice(server.address, { viewport: 'phone', keepsShell: false })
    page = device.page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await put(page, '1004')
    await lineOf(page, lent).getByText('Confirmé').waitFor()
    await put(page, '1007')
    await lineOf(page, reserved).getByRole('button', { name: 'Mettre de côté pour Éric Dupont' }).waitFor()
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  /** Whether any of it is out of sight. */
  const isCut = (title: string) =>
    lineOf(page, title)
      .getByTitle(title)
      .evaluate((of) => of.scrollWidth > of.clientWidth || of.scrollHeight > of.clientHeight + 1)
  const undo = (title: string) => lineOf(page, title).getByRole('button', { name: /^(Annuler|Retirer)/ })
  const widthOf = async (title: string) => (await undo(title).boundingBox())?.width ?? 0

  it('have their whole title on a phone, where what takes back is a picture with a name', async () => {
    for (const title of [lent, reserved]) {
      expect(await isCut(title)).toBe(false)
      expect(await widthOf(title)).toBeLessThanOrEqual(50)
    }
  })

  it('say their state whole at every width', async () => {
    for (const name of ['phone', 'tablet', 'desktop'] as const) {
      await page.setViewportSize(viewports[name])
      const tag = lineOf(page, reserved).getByText('À confirmer')
      await tag.waitFor()
      expect(
        await tag.evaluate((of) => of.scrollWidth > of.clientWidth || of.scrollHeight > of.clientHeight),
      ).toBe(false)
    }
    await page.setViewportSize(viewports.phone)
  })

  it('ask in two rows and one of acts on a phone: the first in sight, the others behind ⋯', async () => {
    const line = lineOf(page, reserved)
    expect((await line.boundingBox())?.height).toBeLessThanOrEqual(132)
    expect(await line.getByRole('button', { name: 'Prêter quand même' }).count()).toBe(0)
    await line.getByRole('button', { name: `Actions\u202f: ${reserved}` }).click()
    await page.getByRole('menuitem', { name: 'Prêter quand même' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('have their whole title on a tablet', async () => {
    await page.setViewportSize(viewports.tablet)
    for (const title of [lent, reserved]) expect(await isCut(title)).toBe(false)
  })

  it('say what takes back in a word where there is room', async () => {
    await page.setViewportSize(viewports.desktop)
    await put(page, '1001')
    await lineOf(page, 'Livre numéro 1').getByText('Confirmé').waitFor()
    expect(await widthOf('Livre numéro 1')).toBeGreaterThan(80)
  })

  it('offer by one tap on a phone to set aside what comes back, under its title and who had it', async () => {
    await page.setViewportSize(viewports.phone)
    await lineOf(page, reserved)
      .getByRole('button', { name: `Actions\u202f: ${reserved}` })
      .click()
    await page.getByRole('menuitem', { name: 'Prêter quand même' }).click()
    await lineOf(page, reserved).getByText('Confirmé').waitFor()
    await put(page, '1007')
    const back = lineOf(page, reserved)
    // Scanned twice within a minute, it asks first.
    await back.getByRole('button', { name: 'Rendre' }).click()
    await back.getByRole('button', { name: `Mettre de côté pour Éric Dupont\u202f: ${reserved}` }).waitFor()
    expect((await back.boundingBox())?.height).toBeLessThanOrEqual(156)
    expect(await isCut(reserved)).toBe(false)
  })
})
