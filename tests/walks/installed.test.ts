import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { readOutbox } from '../support/page-store.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { fileOf } from '../waiting/difficult-queue.ts'
import { becomeReadyForOffline, chooseSite, lineOf, openCounter, put } from '../support/counter.ts'

/** As the system shares a file with the installed application: a form that is posted to it. */
async function share(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([called, content]) => {
      const held = new DataTransfer()
      held.items.add(new File([content], called))
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'file' })
      input.files = held.files
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action: '/waiting' })
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    [name, text] as const,
  )
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Importer une file' })
const press = (page: Page, name: string) => question(page).getByRole('button', { name }).click()

describe('a queue that is shared with the installed application', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  const queue = fileOf([
    {
      by: { user_id: 2, username: 'biblio' },
      agoMs: 60_000,
      copy: { id: 7, bar_code: '1007', name: 'Livre numéro 7' },
      to: { id: 1, matricule: 'M1', lastname: 'Martin', firstname: 'Alice' },
    },
  ])
  beforeAll(async () => {
    server = await openRunningServer()
    device = await openDevice(server.address, { viewport: 'tablet' })
    page = device.page
    await signIn(page, 'biblio', testPassword)
    await openCounter(page)
    await becomeReadyForOffline(page)
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
  })

  it('is asked about: a scan and « Annuler » import nothing', async () => {
    await share(page, 'bus.comptoir', queue)
    await question(page).getByText('« bus.comptoir » contient 1 action.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/waiting')
    await typeAsScanner(page, '123456789012')
    await page
      .getByText(/Code .+ gardé, à reprendre en haut/)
      .first()
      .waitFor()
    await press(page, 'Annuler')
    await question(page).waitFor({ state: 'detached' })
    expect(await readOutbox(page)).toEqual([])
    await page.reload()
    await page.getByText(/^Rien n’attend/).waitFor()
    expect(await question(page).count()).toBe(0)
  })

  it('is imported when a person says so, and waits for whoever it is of', async () => {
    await share(page, 'bus.comptoir', queue)
    await press(page, 'Valider')
    await page.getByText('1 action importée.').waitFor()
    await page.getByRole('region', { name: 'À confirmer' }).waitFor()
    expect(await readOutbox(page)).toHaveLength(1)
  })

  it('is refused when it is none', async () => {
    await share(page, 'affiche.comptoir', '%PDF-1.7')
    await page.getByText('Ce fichier n’est pas une file d’actions exportée de Comptoir.').waitFor()
    expect(await question(page).count()).toBe(0)
  })

  it('is taken in without a network too, as « Exporter la file » writes it', async () => {
    await page.goto('/home')
    await openCounter(page)
    await server.stop('SIGKILL')
    await put(page, 'R1')
    await page.getByRole('region', { name: 'Lecteur' }).getByText('Alice Martin').waitFor()
    await put(page, '1001')
    await lineOf(page, 'Livre numéro 1').getByText('Enregistré').first().waitFor()
    await page.goto('/waiting')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Exporter la file' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^comptoir-actions-[\d-]+\.comptoir$/)
    await share(page, download.suggestedFilename(), await readFile(await download.path(), 'utf8'))
    await question(page)
      .getByText(/contient 2 actions\./)
      .waitFor()
    await press(page, 'Valider')
    await page.getByText('Aucune action importée, 2 déjà connues.').waitFor()
  })

  it('waits for whoever signs in', async () => {
    await server.start()
    await page.getByRole('button', { name: /mon compte et déconnexion/ }).click()
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Valider' }).click()
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()
    await share(page, 'bus.comptoir', queue)
    await page.waitForURL('**/login')
    expect(await question(page).count()).toBe(0)
    await page.getByLabel('Nom d’utilisateur').fill('biblio')
    await page.getByLabel('Mot de passe', { exact: true }).fill(testPassword)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await chooseSite(page)
    await question(page).getByText('« bus.comptoir » contient 1 action.').waitFor()
    await press(page, 'Annuler')
    expect(device.errors).toEqual([])
  })
})
