import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'
import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, viewports } from '../support/browser.ts'
import { cutInTable } from '../support/cut-words.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

/** Alice borrowed years ago, Noémie and Jean never, Éric some months ago. */
async function prepare(db: Db): Promise<void> {
  await sql`update beneficiaries set created_at = '2019-01-01'`.execute(db)
  await sql`
    insert into loanings (beneficiary, copy, site, start_date, end_date, return_date, duration_value, duration_type, status, lent_at, lent_received_at)
    select reader, reader, 1, day::date, day::date + 21, day::date + 20, 3, 'WEEK', 'finished', day::date, day::date
    from (values (1, '2020-06-01'), (2, (current_date - 150)::text)) l (reader, day)`.execute(db)
}

describe('what is kept of readers', () => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer({ prepare })
    device = await openDevice(server.address, { keepsShell: false })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('is forgotten once agreed to, let go in one act, and handed over and erased when asked for', async () => {
    const { page } = device
    await signIn(page, 'admin', adminPassword)
    await openCounter(page)
    const yes = () => page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()

    await page.goto('/settings/personal_data')
    await page.getByRole('button', { name: 'Accorder' }).click()
    await yes()
    await page.getByText('Oubli des prêts accordé.').waitFor()
    await page.getByText(/^Accordé par/).waitFor()

    await page.getByRole('link', { name: 'Voir 3 lecteurs proposés' }).click()
    for (const size of [viewports.tablet, viewports.desktop]) {
      await page.setViewportSize(size)
      await page.getByRole('link', { name: 'Alice Martin' }).waitFor()
      expect(await cutInTable(page)).toEqual([])
    }
    await page.getByRole('checkbox', { name: /Alice Martin/ }).check({ force: true })
    await page.getByRole('checkbox', { name: /Noémie Expirée/ }).check({ force: true })
    await page.getByRole('button', { name: 'Effacer la sélection' }).click()
    await page.getByRole('dialog', { name: /^Effacer 2 lecteurs/ }).waitFor()
    await yes()
    const gone = page.getByText('Plus dans la liste')
    await gone.nth(1).waitFor()
    const cell = gone.first().locator('..')
    expect(
      await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0)
    await page.goto('/settings/acts')
    await page.getByRole('link', { name: 'Effacement de 2 lecteurs' }).click()
    await page.getByText('Un effacement ne s’annule pas.').first().waitFor()

    await page.goto('/beneficiaries/view/2?part=data')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Pour un logiciel (json)' }).click(),
    ])
    const file = join(server.dataDir, 'fetched.json')
    await download.saveAs(file)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      reader: { lastname: 'Dupont' },
      loans: [{ reference_name: 'Livre numéro 2' }],
    })
    await page.getByRole('button', { name: 'Effacer ce lecteur' }).click()
    await page.getByRole('dialog', { name: /^Effacer Éric Dupont/ }).waitFor()
    await yes()
    await page.getByText('Lecteur effacé.').waitFor()
    await page.getByRole('link', { name: 'Sans-Courriel' }).waitFor()

    const api = await apiOf(server.address, 'admin', adminPassword)
    const left = (await api.get('/api/beneficiaries')).body['hydra:member']
    expect(left.map(({ lastname }: { lastname: string }) => lastname)).toEqual(['Sans-Courriel'])
  })
})
