import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword, testPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// Two people have the same reference open and both save it.

describe('two people on one form', () => {
  let server: RunningServer
  let api: Api
  const devices: Device[] = []
  let first: Page
  let second: Page

  const openDesk = async (person: string, password: string) => {
    const device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    devices.push(device)
    await signIn(device.page, person, password)
    await openCounter(device.page, 'Centre')
    return device.page
  }
  const reference = async () => (await api.get('/api/references/1')).body
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' }).click()
  /** Both have the form open before either saves. */
  const openBoth = async () => {
    for (const page of [first, second]) {
      await page.goto('/references/edit/1')
      await field(page, 'Titre').waitFor()
    }
  }

  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    api = await apiOf(server.address, 'admin', adminPassword)
    first = await openDesk('admin', adminPassword)
    second = await openDesk('biblio', testPassword)
  })
  afterAll(async () => {
    expect(devices.flatMap(({ errors }) => errors)).toEqual([])
    for (const device of devices) await device.close()
    await server?.drop()
  })

  it('tells the second what the first changed, and keeps both changes where that is chosen', async () => {
    await openBoth()
    await field(first, 'Titre').fill('Titre de la première')
    await save(first)
    await first.getByText('Référence mise à jour avec succès.').waitFor()

    await field(second, 'Description').fill('Description de la seconde')
    await save(second)
    const told = second.getByRole('alert').filter({ hasText: 'Modifiée par quelqu’un d’autre' })
    await told.waitFor()
    expect((await told.innerText()).replaceAll(/\s/g, ' ')).toContain(
      'Titre : « Livre numéro 1 » est devenu « Titre de la première »',
    )
    expect((await reference())['name']).toBe('Titre de la première')
    expect(await field(second, 'Description').inputValue()).toBe('Description de la seconde')

    await told.getByRole('button', { name: 'Garder mes modifications' }).click()
    await save(second)
    await second.getByText('Référence mise à jour avec succès.').waitFor()
    expect(await reference()).toMatchObject({
      name: 'Titre de la première',
      description: 'Description de la seconde',
    })
  })

  it('lets the second take what the first left', async () => {
    await openBoth()
    await field(first, 'Description').fill('Celle de la première')
    await save(first)
    await first.getByText('Référence mise à jour avec succès.').waitFor()
    await field(second, 'Description').fill('Une autre')
    await save(second)
    await second.getByRole('button', { name: 'Reprendre la sienne' }).click()
    await expect.poll(() => field(second, 'Description').inputValue()).toBe('Celle de la première')
    expect((await reference())['description']).toBe('Celle de la première')
  })
})
