import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// A library closes a week, lends on another device meanwhile, and takes its closing back.

describe('a week that is closed and opened again', () => {
  let server: RunningServer
  let api: Api
  let device: Device
  let page: Page
  let week: { first: string; last: string; next: string; due: string }

  const french = (day: string) => day.split('-').reverse().join('/')
  const dueOf = async (copy: number) =>
    (await api.get(`/api/loanings?copy=${copy}`)).body['hydra:member'][0].end_date as string
  const movedTo = (copy: number, day: string) => expect.poll(() => dueOf(copy)).toBe(day)

  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    api = await apiOf(server.address, 'admin', adminPassword)
    device = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    page = device.page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
    await api.post('/api/loanings', { beneficiary: 1, copy: 1 })
    const due = await dueOf(1)
    const plus = (days: number) => new Date(Date.parse(due) + days * 86_400_000).toISOString().slice(0, 10)
    week = { first: plus(-1), last: plus(5), next: plus(6), due }
  })
  afterAll(async () => {
    expect(device?.errors ?? []).toEqual([])
    await device?.close()
    await server?.drop()
  })

  it('is closed from the settings, once what moves was read', async () => {
    await page.goto('/settings/closures')
    await page.getByRole('button', { name: 'Fermer…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fermer' })
    await dialog.getByRole('textbox', { name: /^Premier jour/ }).fill(french(week.first))
    await dialog.getByRole('textbox', { name: /^Dernier jour/ }).fill(french(week.last))
    await dialog.getByRole('textbox', { name: /^Motif/ }).fill('Congés')
    await dialog.getByText('1 retour se déplace').waitFor()
    await dialog.getByRole('button', { name: 'Fermer ces jours' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Congés/ }).waitFor()
    await movedTo(1, week.next)
  })

  it('is known when something is lent, and the date explains itself', async () => {
    await page.goto('/loaning/add?beneficiary=2&copy=2')
    const line = page.getByRole('listitem').filter({ hasText: 'Livre numéro 2' })
    await line.getByText(french(week.next)).waitFor()
    await line.getByText(/^3 semaines, puis fermé du .+, le .+$/).waitFor()
    await page
      .getByRole('button', { name: /^Enregistrer/ })
      .first()
      .click()
    await movedTo(2, week.next)
  })

  it('is taken back from its act: what it moved has its day again, what was lent since keeps its own', async () => {
    await page.goto('/settings/closures')
    await page.getByRole('button', { name: /^(Plus d’actions|Actions)\s: Congés/ }).click()
    await page.getByRole('menuitem', { name: 'Voir ou annuler l’acte' }).click()
    await page.getByRole('button', { name: 'Annuler l’acte' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    await movedTo(1, week.due)
    expect(await dueOf(2)).toBe(week.next)
    await page.goto('/settings/closures')
    await page.getByText('Congés de Noël').waitFor()
    expect(await page.getByRole('row', { name: /^Congés / }).count()).toBe(0)
  })
})
