import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { hasFetched } from '../support/chunk-of.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { chooseSite, lineOf, openCounter, put } from '../support/counter.ts'

describe('two devices at once', () => {
  let server: RunningServer
  let here: Device
  let there: Device
  let api: Api
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    api = await apiOf(server.address, 'biblio', testPassword)
    here = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    there = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
  })
  afterAll(async () => {
    await here?.close()
    await there?.close()
    await server?.drop()
  })
  const row = (page: Page, title: string) => page.getByRole('main').getByText(title, { exact: false }).first()

  it('sees on the list of loans what the other one lends and takes back, without a gesture', async () => {
    await signIn(here.page, 'biblio', testPassword)
    await openCounter(here.page)
    await there.page.goto('/loanings')
    await there.page.waitForURL('**/login')
    await signIn(there.page, 'biblio', testPassword)
    await chooseSite(there.page)
    await there.page.getByRole('heading', { name: 'Prêts' }).waitFor()
    await listens(there.page)

    await put(here.page, 'R1')
    await here.page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await put(here.page, '1001')
    await row(there.page, 'Livre numéro 1').waitFor()
    await lineOf(here.page, 'Livre numéro 1').getByText('Confirmé').waitFor()
  })

  it('sees on the list of the day what is due', async () => {
    const { page } = there
    await page.getByRole('link', { name: /, accueil$/ }).click()
    await openCounter(page)
    await expect.poll(() => row(page, 'Livre numéro 4').isVisible()).toBe(false)
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' })
    const lent = { beneficiary: 2, copy: 4, start_date: today, duration_value: 1, duration_type: 'DAY' }
    expect((await api.post('/api/loanings', { ...lent, start_date: dayBefore(today) })).status).toBe(201)
    await row(page, 'Livre numéro 4').waitFor()
  })

  it('catches up when the server is back', async () => {
    const { page } = there
    await server.stop('SIGKILL')
    await server.start()
    api = await apiOf(server.address, 'biblio', testPassword)
    const yesterday = dayBefore(new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' }))
    const lent = { beneficiary: 2, copy: 5, start_date: yesterday, duration_value: 1, duration_type: 'DAY' }
    expect((await api.post('/api/loanings', lent)).status).toBe(201)
    await row(page, 'Livre numéro 5').waitFor()
    expect([...here.errors, ...there.errors]).toEqual([])
  })

  it('does not hold a server that stops', async () => {
    await server.stop()
    await there.page.getByText('Hors ligne', { exact: true }).first().waitFor()
  })
})

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/** Waits until the page's stream is open: what changes before is on its first list. */
const listens = (page: Page) =>
  expect.poll(() => hasFetched(page, 'src/client/api/live-changes.ts')).toBe(true)
