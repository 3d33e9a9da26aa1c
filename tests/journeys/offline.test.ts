import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { hasFetched } from '../support/chunk-of.ts'
import { readMeta, readOutbox } from '../support/page-store.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { becomeReadyForOffline, lineOf, openCounter, put, scanBox, waitingTag } from '../support/counter.ts'

describe('the same day without a network', () => {
  let server: RunningServer
  let device: Device
  let api: Api
  let loansBefore = 0
  beforeAll(async () => {
    server = await openRunningServer()
    api = await apiOf(server.address, 'biblio', testPassword)
    for (const copy of [6, 7])
      await api.post('/api/loanings', {
        beneficiary: 2,
        copy,
        start_date: '2026-01-05',
        duration_value: 300,
        duration_type: 'DAY',
        override_reason: 'Reprise du cahier',
      })
    loansBefore = await api.countLoans()
    device = await openDevice(server.address, { viewport: 'tablet' })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('takes back what was not sent, on a device that no worker serves yet', async () => {
    const visitor = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    const { context, page } = visitor
    try {
      await signIn(page, 'biblio', testPassword)
      await openCounter(page)
      await put(page, 'R1')
      await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
      await expect.poll(() => hasFetched(page, 'src/client/home/lane-undo.ts')).toBe(true)
      await context.setOffline(true)
      await put(page, 'X-9')
      await lineOf(page, 'X-9').getByRole('button', { name: 'C’est un exemplaire' }).click()
      await lineOf(page, 'X-9')
        .getByRole('button', { name: /^Annuler/ })
        .click()
      await lineOf(page, 'X-9').getByText('Prêt annulé').waitFor()
    } finally {
      await visitor.close()
    }
  })

  it('is ready once it was opened with a network', async () => {
    await signIn(device.page, 'biblio', testPassword)
    await openCounter(device.page)
    await becomeReadyForOffline(device.page)
  })

  it('goes on lending and returning when the server is gone', async () => {
    const { page } = device
    await server.stop('SIGKILL')
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    for (const code of ['1001', '1002']) await put(page, code)
    for (const code of ['1006', '1007']) await put(page, code)
    await lineOf(page, 'Livre numéro 1').getByText('Enregistré').first().waitFor()
    await lineOf(page, 'Livre numéro 7')
      .getByText(/Rendu \(prêté à /)
      .waitFor()
    await page.getByText('Hors ligne', { exact: true }).first().waitFor()
    await waitingTag(page).waitFor()
  })

  it('starts again without a network, with what it keeps', async () => {
    const { page } = device
    await page.reload()
    await scanBox(page).waitFor()
    await put(page, 'R1')
    const card = page.getByRole('region', { name: 'Lecteur' })
    await card.getByRole('button', { name: /^\d+ prêts? en cours$/ }).click()
    await card.getByText('Livre numéro 1').waitFor()
    await put(page, '1003')
    await lineOf(page, 'Livre numéro 3').getByText('Enregistré').first().waitFor()
    await page.goto('/waiting')
    await page.getByText('Livre numéro 7').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Réessayer' }).count()).toBe(5)
    await page.goto('/home')
  })

  it('has everything in the database once when the server is back', async () => {
    const { page } = device
    await server.start()
    await waitingTag(page).waitFor({ state: 'detached', timeout: 60_000 })
    api = await apiOf(server.address, 'biblio', testPassword)
    expect(await api.lent()).toEqual(['1001', '1002', '1003'])
    expect(await api.countLoans()).toBe(loansBefore + 3)
    await page.getByText('En ligne', { exact: true }).first().waitFor()
  })

  it('keeps its queue and starts without a network after signing out, which the browser’s cache does not hold up', async () => {
    const { page } = device
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    // What leaves is held back, so that it still waits at sign-out.
    await page.route('**/api/loanings', (route) => route.abort())
    await put(page, '1008')
    await waitingTag(page).waitFor()
    const goodbye = page.waitForResponse('**/api/logout')
    await page.getByRole('button', { name: /mon compte et déconnexion/ }).click()
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    expect(await (await goodbye).headerValue('clear-site-data')).toBe('"cache"')
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()

    await server.stop('SIGKILL')
    await page.reload()
    await page.getByText('1 action en attente est gardée sur cet appareil.').waitFor()
    const waiting = (await readOutbox(page)).find(({ settled_at }) => settled_at === null)
    expect(waiting).toMatchObject({ bar_code: '1008', label: { beneficiary: 'Alice Martin (M1)' } })
    // What was sent before is there without anybody's name.
    const done = (await readOutbox(page)).filter(({ state }) => state === 'done')
    expect(done.length).toBeGreaterThan(0)
    expect(JSON.stringify(done)).not.toMatch(/Alice|Martin|Dupont/)
    expect(await readMeta(page, 'snapshot')).toBeUndefined()

    await page.unrouteAll()
    await server.start()
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
    await expect.poll(() => api.lent()).toContain('1008')
  })
})
