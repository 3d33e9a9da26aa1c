import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Collection, membersOf } from '../../src/contract/list.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openCounter } from '../support/counter.ts'
import { type DrawnShelf, drawShelf, photographOf } from '../support/draw-shelf.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { showPicture, stageCamera } from '../support/staged-camera.ts'
import { adminPassword } from '../support/test-library.ts'

// A hundred copies stand on four shelves, drawn as a telephone sees them: they are counted without a network, by pictures alone.

const ofPhotograph = { width: 2400, height: 1800, shows: 440, spines: 25, lean: 8, noise: 4 }
const perShelf = ofPhotograph.spines
/** Codes at these places of the hundred have the mark of another place; that one is lent; these two are not there. */
const [strayed, lent, absent] = [40, 60, ['AILLEURS-1', 'AILLEURS-2']]

/** Those that are not there belong between the others, the last one behind them all: no picture says that it is missing. */
const markAt = (at: number): number => (at === strayed ? 5 : at === 100 ? 505 : at === 101 ? 9999 : at * 10)

describe('a shelf that is counted by its pictures', () => {
  let server: RunningServer
  let api: Api
  let device: Device
  let page: Page
  let shelves: DrawnShelf[]
  let codes: string[]
  let lentId = 0

  beforeAll(async () => {
    shelves = []
    for (const seed of [1, 2, 3, 4]) shelves.push(await drawShelf({ ...ofPhotograph, seed }))
    codes = shelves.flatMap((shelf) => shelf.codes.map(({ text }) => text))
    server = await openRunningServer({
      onPostgres: true,
      prepare: async (db) => {
        await sql`delete from copies where id <= 10`.execute(db)
        await sql`insert into locations (id, label, bar_code) overriding system value values (71, 'Romans', 'RAYON-R')`.execute(
          db,
        )
        for (const [at, code] of [...codes, ...absent].entries()) {
          const mark = `R ${String(markAt(at)).padStart(4, '0')}`
          await sql`with title as (
              insert into "references" (name, category, medium, reference_data)
              values (${`Roman ${at}`}, 1, 1, jsonb_build_object('book_number', ${mark}::text)) returning id)
            insert into copies (reference, bar_code, site, location)
            select id, ${code}, 1, 71 from title`.execute(db)
        }
        const { rows } = await sql<{
          id: number
        }>`select id from copies where bar_code = ${codes[lent]}`.execute(db)
        lentId = rows[0]?.id ?? 0
      },
    })
    api = await apiOf(server.address, 'admin', adminPassword)
    const { status } = await api.post('/api/loanings', { beneficiary: 1, copy: lentId })
    expect(status).toBe(201)
    device = await openDevice(server.address, {
      viewport: 'phone',
      permissions: ['camera'],
      args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    })
    page = device.page
    await stageCamera(page)
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  const sheet = () => page.getByRole('dialog', { name: /^Photographier/ })
  const told = (words: string | RegExp) =>
    sheet().getByRole('status').filter({ hasText: words }).first().waitFor()
  const show = async ({ pixels }: DrawnShelf, name: string) => {
    const photograph = { name, mimeType: 'image/jpeg', buffer: await photographOf(pixels) }
    await sheet().locator('input[type=file]').setInputFiles(photograph)
  }

  it('is opened on the phone, which then has no network', async () => {
    const { body } = await api.post('/api/inventories', { name: 'Récolement', site: 1, locations: [71] })
    await page.goto(`/inventories/count/${body.id as number}`)
    await page.getByText('Utilisable hors ligne').waitFor()
    await device.context.setOffline(true)
    await page.getByRole('button', { name: /^Rayon/ }).click()
    await page
      .getByRole('dialog', { name: 'Rayon' })
      .getByRole('button', { name: /^Romans/ })
      .click()
    await page.getByRole('button', { name: 'Étagère' }).click()
    await sheet().waitFor()
  })

  it('gives a hundred copies in four pictures, each with its outline', async () => {
    for (const [at, shelf] of shelves.entries()) {
      await show(shelf, `rayon-${at}.jpg`)
      await told(`${(at + 1) * perShelf} codes lus`)
      await expect.poll(() => sheet().locator('polygon').count()).toBe(perShelf)
    }
    await told('99 comptés')
  })

  it('names what stands out of order, and between which two it belongs', async () => {
    const misplaced = sheet().getByRole('region', { name: 'Mal rangés' }).getByRole('listitem')
    expect(await misplaced.count()).toBe(1)
    expect(await misplaced.innerText()).toMatch(/R 0005 · Roman 40[^]*entre R 0000 et R 0010/)
  })

  it('says what is lent and yet there, and what is expected and not there', async () => {
    await sheet().getByRole('region', { name: 'À traiter' }).getByText('Roman 60').click()
    await sheet()
      .getByRole('region', { name: 'Roman 60' })
      .getByText('Noté en prêt, et pourtant en rayon')
      .waitFor()
    const unseen = sheet().getByRole('region', { name: 'Attendus ici, pas vus' }).getByRole('listitem')
    expect(await unseen.allInnerTexts()).toEqual([expect.stringContaining('Roman 100')])
  })

  it('takes back one that was counted wrongly, from its outline, and counts it again', async () => {
    await sheet().locator('polygon').first().click({ force: true })
    await sheet().getByRole('button', { name: 'Annuler ce comptage' }).click()
    await told('98 comptés')
    await sheet().getByRole('button', { name: 'Compter', exact: true }).click()
    await told('99 comptés')
  })

  it('ticks one that stands there without a code, and takes that back', async () => {
    await sheet()
      .getByRole('button', { name: /^Cocher\s: Roman 100/ })
      .click()
    await sheet()
      .getByRole('button', { name: /^Annuler\s: Roman 100/ })
      .click()
    await sheet()
      .getByRole('button', { name: /^Cocher\s: Roman 100/ })
      .waitFor()
  })

  it('is sent once there is a network, and the report is right', async () => {
    await device.context.setOffline(false)
    await page.keyboard.press('Escape')
    await page.getByText('Tout est envoyé').waitFor()
    const { body } = await api.get('/api/inventories/1/findings?limit=100')
    const findings = membersOf(body as Collection<{ group: string; bar_code: string }>)
    expect(findings.map(({ group, bar_code }) => [group, bar_code]).sort()).toEqual(
      [
        ['missing', absent[0]],
        ['missing', absent[1]],
        ['on_shelf', codes[lent]],
      ].sort(),
    )
  })

  it('is read by the camera as it passes, each copy once', async () => {
    const near = await drawShelf({ seed: 1, width: 1280, height: 720, spines: 10, shows: 300 })
    await showPicture(page, near.pixels)
    await page.getByRole('button', { name: 'Étagère' }).click()
    await told('10 codes lus')
    await told('10 déjà comptés')
  })
})
