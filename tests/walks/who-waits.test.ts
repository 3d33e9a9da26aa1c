import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { lineOf, openCounter } from '../support/counter.ts'

// Jean waits at Annexe for a book that comes back at Centre.

const code = '31555510001005'
const title = 'Livre numéro 5'

describe('a reservation, from the shelf of one site to its reader at the other', () => {
  let server: RunningServer
  let centre: Device
  let annexe: Device
  let api: Api
  let reservation: number
  beforeAll(async () => {
    server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        await sql`update parameters set value = '1' where code = 'reservations_without_dates'`.execute(db)
      },
    })
    api = await apiOf(server.address, 'biblio', testPassword)
    // As long as those on real labels: shorter ones are only taken in the scan box.
    await api.put('/api/copies/5', { bar_code: code })
    await api.put('/api/copies/6', { bar_code: '31555510001006' })
    await api.post('/api/loanings', { beneficiary: 1, copy: 5 }, { site: 1 })
    const reserved = await api.post('/api/reservations', { beneficiary_id: 4, reference_id: 5, site: 2 })
    reservation = reserved.body['id'] as number
    centre = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    annexe = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    for (const [{ page }, site] of [
      [centre, 'Centre'],
      [annexe, 'Annexe'],
    ] as const) {
      await page.goto('/home')
      await page.waitForURL('**/login')
      await signIn(page, 'biblio', testPassword)
      await openCounter(page, site)
    }
  })
  afterAll(async () => {
    expect([...(centre?.errors ?? []), ...(annexe?.errors ?? [])]).toEqual([])
    await centre?.close()
    await annexe?.close()
    await server?.drop()
  })
  const stateOf = async () => {
    const { body } = await api.get(`/api/reservations/${reservation}`)
    return { status: body['status'], copy: body['set_aside_copy'], fulfilled: body['fulfilled_by'] !== null }
  }
  const line = (page: Page) => lineOf(page, title)

  it('says at the return who waits, and where the book is to be sent', async () => {
    const { page } = centre
    await typeAsScanner(page, code)
    await line(page).getByText('Mettre de côté pour').waitFor()
    expect(await line(page).getByRole('note').innerText()).toMatch(
      /Mettre de côté pour Jean Sans-Courriel M4, à retirer à Annexe/,
    )
    await line(page).getByRole('button', { name: 'Transférer à Annexe' }).click()
    await line(page).getByText('En transfert vers Annexe').waitFor()
    expect(await stateOf()).toEqual({ status: 'waiting', copy: null, fulfilled: false })
  })

  it('is received over the other counter by its scan, which sets nothing aside', async () => {
    const { page } = annexe
    await typeAsScanner(page, code)
    await line(page).getByText('Reçu de Centre').waitFor()
    const button = line(page).getByRole('button', { name: /^Mettre de côté/ })
    await button.focus()
    // A book of the other site, which nobody knows here.
    await typeAsScanner(page, '31555510001006')
    await lineOf(page, '31555510001006').waitFor()
    expect((await stateOf()).status).toBe('waiting')
    await button.click()
    await line(page).getByText('Mis de côté').waitFor()
    expect(await stateOf()).toEqual({ status: 'confirmed', copy: 5, fulfilled: false })
  })

  it('waits among what is to be fetched, and is lent from there to whoever waited', async () => {
    const { page } = annexe
    await page.goto('/reservations')
    await page.getByRole('link', { name: 'À retirer 1' }).click()
    const table = page.getByRole('table', { name: 'À retirer' })
    await table.getByText('Jean Sans-Courriel').waitFor()
    await page.getByRole('button', { name: /^Prêter\s: / }).click()
    await page.waitForURL(/\/loaning\/add\?beneficiary=4&copy=5/)
    await page.getByText(title).first().waitFor()
    await page
      .getByRole('button', { name: /^Enregistrer/ })
      .first()
      .click()
    await expect.poll(stateOf).toEqual({ status: 'confirmed', copy: 5, fulfilled: true })
    await page.goto('/reservations/set_aside')
    await page.getByText('Aucun exemplaire mis de côté pour l’instant.').waitFor()
  })

  it('is asked for from the shelves, ticked by its scan, and seen at once on the other tablet', async () => {
    const { page } = centre
    const { body } = await api.post('/api/reservations', { beneficiary_id: 4, reference_id: 6, site: 2 })
    await page.goto('/reservations/picking')
    const tick = page.getByRole('checkbox', { name: /^Livre numéro 6, 31555510001006, pour Jean/ })
    await tick.waitFor()
    expect(await tick.isChecked()).toBe(false)
    await typeAsScanner(page, '31555510001006')
    await page.getByText('Tout est mis de côté').waitFor()
    expect(await tick.isChecked()).toBe(true)
    // The same hand, over what is ticked: nothing is put back.
    await tick.focus()
    await typeAsScanner(page, '31555510001006')
    await page.getByText(/déjà mis de côté/).waitFor()
    const after = await api.get(`/api/reservations/${String(body['id'])}`)
    expect(after.body).toMatchObject({ status: 'confirmed', set_aside_copy: 6 })
    await annexe.page.getByRole('table', { name: 'À retirer' }).getByText('Livre numéro 6').waitFor()
    await page.getByRole('button', { name: 'Transférer à Annexe' }).click()
    await annexe.page.getByRole('table', { name: 'À retirer' }).getByText('En transfert').waitFor()
  })
})
