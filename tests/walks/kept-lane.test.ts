import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { hasFetched } from '../support/chunk-of.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { lentTo, lineOf, openCounter, put, scanBox } from '../support/counter.ts'

const titles = ['Livre numéro 1', 'Livre numéro 2']

describe('what was done at the counter, after a reload', () => {
  let server: RunningServer
  let device: Device
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    api = await apiOf(server.address, 'biblio', testPassword)
    device = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    const { page } = device
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    for (const code of ['1001', '1002']) await put(page, code)
    for (const title of titles) await lineOf(page, title).getByText('Confirmé').waitFor()
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })
  const lane = () => device.page.getByRole('list', { name: 'Derniers passages' })
  const undo = (title: string) => lineOf(device.page, title).getByRole('button', { name: /^Annuler/ })

  /** Until what was kept would be shown: what shows it has come, and the counter has answered since. */
  const settled = async () => {
    const { page } = device
    await expect.poll(() => hasFetched(page, 'src/client/home/resume-lane.ts')).toBe(true)
    await scanBox(page).fill('mart')
    await page.getByText('Alice Martin').first().waitFor()
    await scanBox(page).fill('')
  }

  it('stands there with its « Annuler », which takes the loan back', async () => {
    const { page } = device
    await page.reload()
    await scanBox(page).waitFor()
    for (const title of titles) {
      await lentTo(page, 'Alice Martin', title).waitFor()
      await undo(title).waitFor()
    }
    // The reader is not chosen: the next copy is for nobody yet.
    expect(await page.getByRole('region', { name: 'Lecteur' }).count()).toBe(0)
    await undo('Livre numéro 2').click()
    await lineOf(page, 'Livre numéro 2').getByText('Prêt annulé').waitFor()
    await expect.poll(() => api.lent()).toEqual(['1001'])
  })

  it('is kept from one reload to the next', async () => {
    const { page } = device
    await page.reload()
    await lineOf(page, 'Livre numéro 2').getByText('Prêt annulé').waitFor()
    await undo('Livre numéro 1').waitFor()
  })

  it('is not seen by another person who signed in meanwhile', async () => {
    const { page, context } = device
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await put(page, '1003')
    await lineOf(page, 'Livre numéro 3').getByText('Confirmé').waitFor()
    // The tab is elsewhere while the person leaves in another one: nothing tells it.
    await page.goto('about:blank')
    const other = await context.newPage()
    await other.goto('/home')
    await openCounter(other)
    await other.getByRole('button', { name: /mon compte et déconnexion/ }).click()
    await other.getByRole('menuitem', { name: 'Se déconnecter' }).click()
    await other.getByRole('heading', { name: 'Connexion' }).waitFor()
    await signIn(other, 'benevole', testPassword)
    await other.close()
    await page.goto('/home')
    await openCounter(page)
    await page.getByRole('button', { name: /benevole.*mon compte et déconnexion/ }).waitFor()
    await settled()
    expect(await lane().count()).toBe(0)
    expect(await page.getByText('Livre numéro 3').count()).toBe(0)
    expect(await page.evaluate(() => sessionStorage.getItem('comptoir.lane'))).toBeNull()
    expect(device.errors).toEqual([])
  })
})
