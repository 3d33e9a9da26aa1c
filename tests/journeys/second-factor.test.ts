import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { codeAt } from '../session/second-factor-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

describe('a second factor', () => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    device = await openDevice(server.address, { viewport: 'phone', keepsShell: false })
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('is set up on the telephone, and asked for at the next sign-in', async () => {
    const { page } = device
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Choisir un deuxième facteur' }).click()
    await page.getByRole('img', { name: 'Code à lire avec l’application' }).waitFor()
    const key = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/).textContent()
    const secret = (key ?? '').replaceAll(' ', '')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Code de l’application').fill(codeAt(secret, new Date()))
    await dialog.getByLabel('Mot de passe actuel', { exact: true }).fill(testPassword)
    await dialog.getByRole('button', { name: 'Confirmer' }).click()
    await page.getByRole('list', { name: 'Codes de secours' }).waitFor()
    await page.getByRole('button', { name: 'J’ai gardé ces codes' }).click()

    await page.getByRole('button', { name: 'Se déconnecter' }).first().click()
    await page.waitForURL(({ pathname }) => pathname === '/login')
    await page.getByLabel('Nom d’utilisateur').fill('biblio')
    await page.getByLabel('Mot de passe', { exact: true }).fill(testPassword)
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Code de l’application')
    // The one that confirmed has served: the next half minute's is taken already.
    await field.fill(codeAt(secret, new Date(Date.now() + 30_000)))
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => pathname !== '/login')
    await openCounter(page)
    // The browser tells of the refusal that asks for the code.
    expect(device.errors.filter((error) => !error.includes('401'))).toEqual([])
  })
})
