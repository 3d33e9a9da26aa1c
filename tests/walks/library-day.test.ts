import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword, testPassword } from '../support/test-library.ts'
import { becomeReadyForOffline, lentTo, lineOf, openCounter } from '../support/counter.ts'

// From opening to closing: a tablet at the desk, a phone among the shelves, a desk in the office. What each of them was told
// is written down on the way, and compared at the end with what the library has.

const card = (reader: number) => `2155551000001${reader}`
const code = (copy: number) => `315555100${String(copy).padStart(5, '0')}`

describe('a day of a library', () => {
  let server: RunningServer
  let api: Api
  let desk: Device
  let phone: Device
  let office: Device

  /** Who has what, as the screens said. */
  const told = new Map<number, number>()
  const toldReturned = new Set<number>()
  let lentToday = 0
  let returnedToday = 0

  const open = async (viewport: 'tablet' | 'phone' | 'desktop', username: string, password: string) => {
    // The desk alone goes on without a network.
    const device = await openDevice(server.address, { viewport, keepsShell: viewport === 'tablet' })
    await signIn(device.page, username, password)
    await openCounter(device.page, 'Centre')
    return device
  }
  const lends = async (page: Page, reader: number, name: string, copies: readonly number[]) => {
    await typeAsScanner(page, card(reader))
    await page.getByRole('region', { name: 'Lecteur' }).getByText(name).waitFor()
    for (const copy of copies) {
      await typeAsScanner(page, code(copy))
      await lentTo(page, name, titleOf(copy)).waitFor()
      told.set(copy, reader)
      lentToday += 1
    }
  }
  const takesBack = async (page: Page, copy: number) => {
    await typeAsScanner(page, code(copy))
    await lineOf(page, titleOf(copy)).getByText(/Rendu/).waitFor()
    told.delete(copy)
    toldReturned.add(copy)
    returnedToday += 1
  }
  const titleOf = (copy: number) => `Livre numéro ${copy}`

  beforeAll(async () => {
    server = await openRunningServer({
      prepare: async (db) => {
        await sql`update copies set bar_code = '315555100' || lpad(id::text, 5, '0') where id <= 10`.execute(
          db,
        )
        await sql`update beneficiaries set reader_id = '2155551000001' || id`.execute(db)
        // What went out last week.
        for (const copy of [6, 7, 8]) {
          await sql`
            insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_by, lent_at, lent_received_at)
            values (2, ${copy}, 1, current_date - 7, current_date + 14, 3, 'WEEK', 2, now() - interval '7 days', now() - interval '7 days')`.execute(
            db,
          )
          await sql`update copies set status = 'En Location' where id = ${copy}`.execute(db)
        }
      },
    })
    for (const copy of [6, 7, 8]) told.set(copy, 2)
    api = await apiOf(server.address, 'admin', adminPassword)
    desk = await open('tablet', 'biblio', testPassword)
    phone = await open('phone', 'admin', adminPassword)
    office = await open('desktop', 'admin', adminPassword)
    await becomeReadyForOffline(desk.page)
  })
  afterAll(async () => {
    for (const device of [desk, phone, office]) {
      expect(device?.errors).toEqual([])
      await device?.close()
    }
    await server?.drop()
  })

  it('opens: the desk takes back and lends', async () => {
    await takesBack(desk.page, 6)
    await lends(desk.page, 1, 'Alice Martin', [1, 2])
  })

  it('reserves for a reader, in the office, what another one has', async () => {
    const { page } = office
    await page.goto('/reservations')
    await page.getByRole('link', { name: 'Ajouter une réservation' }).click()
    await page.getByRole('combobox', { name: 'Lecteur' }).fill('sans-courriel')
    await page.getByRole('button', { name: 'Changer de lecteur' }).waitFor()
    await page.getByRole('combobox', { name: 'Référence' }).fill('numéro 7')
    await page.getByRole('combobox', { name: 'Exemplaire' }).click()
    await page.getByRole('option', { name: 'Le premier disponible' }).click()
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Réservation ajoutée avec succès.').waitFor()
  })

  it('counts the shelves on the phone', async () => {
    const { page } = phone
    await page.goto('/inventories')
    await page.getByRole('link', { name: 'Nouvel inventaire' }).first().click()
    await page.getByRole('textbox', { name: 'Nom' }).fill('Récolement du jour')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByRole('link', { name: 'Compter' }).click()
    await page.getByText('Utilisable hors ligne').waitFor()
    for (const copy of [3, 4, 5, 9]) {
      await typeAsScanner(page, code(copy))
      await page
        .getByRole('list', { name: 'Scans de cet appareil' })
        .getByRole('listitem')
        .filter({ hasText: titleOf(copy) })
        .filter({ hasText: 'Trouvé' })
        .waitFor()
    }
  })

  it('goes on at the desk while the network is down, and sends all of it once', async () => {
    await desk.context.setOffline(true)
    await takesBack(desk.page, 8)
    await lends(desk.page, 1, 'Alice Martin', [3])
    await lends(desk.page, 2, 'Éric Dupont', [4, 8])
    expect(await api.lent()).not.toContain(code(3))
    await desk.context.setOffline(false)
    await expect.poll(() => api.lent()).toEqual([...told.keys()].map(code).sort())
    // What is sent again by hand changes nothing.
    expect(await api.countLoans()).toBe(3 + lentToday)
  })

  it('sets aside what comes back for whoever waits', async () => {
    await takesBack(desk.page, 7)
    const line = lineOf(desk.page, titleOf(7))
    await line.getByRole('button', { name: /Mettre de côté/ }).click()
    await expect
      .poll(async () => (await api.get('/api/reservations')).body['hydra:member'][0].set_aside_copy)
      .toBe(7)
  })

  it('sends a book to the other site, from its title', async () => {
    const { page } = office
    await page.goto('/references/view/10')
    await page.getByRole('button', { name: new RegExp(`^Actions\\s: exemplaire ${code(10)}`) }).click()
    await page.getByRole('menuitem', { name: 'Transférer…' }).click()
    const dialog = page.getByRole('dialog', { name: `Transférer l’exemplaire ${code(10)}` })
    await dialog.getByRole('combobox', { name: 'Site de destination' }).click()
    await page.getByRole('option', { name: 'Annexe' }).click()
    await dialog.getByRole('button', { name: 'Transférer' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('tells in its figures what the desk did', async () => {
    const { page } = office
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(new Date())
    await page.goto(`/statistics/activity?start_date=${today}&end_date=${today}`)
    const figure = (name: string) =>
      page.locator('dl > div').filter({ has: page.locator('dt', { hasText: name }) })
    await figure('Sorties').getByText(String(lentToday), { exact: true }).waitFor()
    await figure('Retours').getByText(String(returnedToday), { exact: true }).waitFor()
  })

  it('closes: a week of holidays moves what would be due in it', async () => {
    const { page } = office
    const [loan] = (await api.get('/api/loanings?status=in_progress&copy=1')).body['hydra:member'] as {
      end_date: string
    }[]
    const plus = (days: number) =>
      new Date(Date.parse(loan!.end_date) + days * 86_400_000).toISOString().slice(0, 10)
    const french = (day: string) => day.split('-').reverse().join('/')
    await page.goto('/settings/closures')
    await page.getByRole('button', { name: 'Fermer…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fermer' })
    await dialog.getByRole('textbox', { name: /^Premier jour/ }).fill(french(plus(-1)))
    await dialog.getByRole('textbox', { name: /^Dernier jour/ }).fill(french(plus(3)))
    await dialog.getByRole('textbox', { name: /^Motif/ }).fill('Congés')
    await dialog.getByText(`${told.size} retours se déplacent`).waitFor()
    await dialog.getByRole('button', { name: 'Fermer ces jours' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(
        async () =>
          (await api.get('/api/loanings?status=in_progress&copy=1')).body['hydra:member'][0].end_date,
      )
      .toBe(plus(4))
  })

  it('has at the end what its screens said, each thing once', async () => {
    const { body } = await api.get('/api/loanings?limit=100')
    const loans = body['hydra:member'] as { copy: number; beneficiary: number; status: string }[]
    const held = loans.filter(({ status }) => status === 'in_progress')
    expect(Object.fromEntries(held.map(({ copy, beneficiary }) => [copy, beneficiary]))).toEqual(
      Object.fromEntries(told),
    )
    expect(held).toHaveLength(told.size)
    const back = loans.filter(({ status }) => status === 'finished').map(({ copy }) => copy)
    expect(back.sort()).toEqual([...toldReturned].sort())
    expect(loans).toHaveLength(3 + lentToday)
    // Two of the four were lent since: they are neither expected on the shelf any more, nor missing.
    expect((await api.get('/api/inventories/1')).body).toMatchObject({ seen: 2, scans: 4 })
    const statusOf = async (copy: number) =>
      ((await api.get(`/api/copies?id|eq=${copy}`)).body['hydra:member'] as { status_name: string }[])[0]
        ?.status_name
    expect(await statusOf(10)).toBe('En transfert')
    expect(await statusOf(6)).toBe('Disponible')
    await desk.page.goto('/waiting')
    await desk.page
      .getByText(/Rien n’attend|Aucune action/)
      .first()
      .waitFor()
  })
})
