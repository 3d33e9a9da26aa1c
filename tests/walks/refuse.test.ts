import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type MailServer, startMailServer } from '../mail/mail-server.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, typeAsScanner } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { testPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// Alice and Éric wait for a book that is no longer lent; Jean, without an address, waits for another.

describe('a reservation that is refused', () => {
  let mails: MailServer
  let server: RunningServer
  let device: Device
  let page: Page
  let api: Api
  beforeAll(async () => {
    mails = await startMailServer()
    server = await openRunningServer({
      onPostgres: true,
      env: { SMTP_URL: mails.url, MAIL_FROM: 'Bibliothèque <biblio@exemple.fr>' },
      prepare: (db) =>
        sql`update parameters set value = '1' where code = 'reservations_without_dates'`.execute(db),
    })
    api = await apiOf(server.address, 'biblio', testPassword)
    for (const [beneficiary_id, reference_id] of [
      [1, 5],
      [2, 5],
      [4, 6],
    ]) {
      await api.post('/api/reservations', { beneficiary_id, reference_id, site: 1 })
    }
    device = await openDevice(server.address, { viewport: 'tablet', keepsShell: false })
    page = device.page
    await signIn(page, 'biblio', testPassword)
    await openCounter(page, 'Centre')
    await page.goto(`${server.address}/reservations`)
  })
  afterAll(async () => {
    expect(device?.errors ?? []).toEqual([])
    await device?.close()
    await server?.drop()
    await mails?.stop()
  })
  const read = (address: string) =>
    mails.received.filter(({ to }) => to?.some((one) => one.address === address))
  const refuse = async (row: RegExp, comment: string) => {
    await page.getByRole('button', { name: row }).click()
    await page.getByRole('menuitem', { name: 'Refuser' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refuser la réservation' })
    await dialog.getByRole('textbox', { name: 'Commentaire' }).fill(comment)
    await dialog.getByRole('button', { name: 'Valider' }).click()
    await page
      .getByText(/^Réservation refusée\./)
      .first()
      .waitFor()
  }

  it('asks for its comment, then shows the mail, which no scan sends', async () => {
    await refuse(/^Actions\s: Livre numéro 5, Alice/, 'Ce livre se consulte sur place.')
    const dialog = page.getByRole('dialog', { name: /^Courriel\s: Réservation refusée$/ })
    await dialog
      .getByRole('textbox', { name: 'Corps' })
      .getByText('Ce livre se consulte sur place.')
      .waitFor()
    await typeAsScanner(page, '31555510001005')
    await dialog.getByRole('button', { name: 'Envoyer', exact: true }).waitFor()
    const { body } = await api.get('/api/reservations?status=refused')
    expect(body['hydra:member']).toMatchObject([{ id: 1, comment: 'Ce livre se consulte sur place.' }])
    expect(read('alice@exemple.fr')).toEqual([])
  })

  it('is read in the mailbox as it was changed before it left', async () => {
    const dialog = page.getByRole('dialog', { name: /^Courriel\s: Réservation refusée$/ })
    const text = dialog.getByRole('textbox', { name: 'Corps' })
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Venez le lire ici.')
    await dialog.getByRole('button', { name: 'Envoyer', exact: true }).click()
    await page.getByText("L'email a bien été envoyé.").waitFor()
    await expect.poll(() => read('alice@exemple.fr').length).toBe(1)
    const [mail] = read('alice@exemple.fr')
    expect(mail?.subject).toBe('Votre réservation n’a pas pu être acceptée à Comptoir')
    expect(mail?.text).toContain('Motif : Ce livre se consulte sur place. Venez le lire ici.')
    expect(mail?.text).toContain('Bonjour Alice Martin')
  })

  it('writes nothing where the mail is skipped, and what the template says where it is sent as it is', async () => {
    await refuse(/^Actions\s: Livre numéro 5, Éric/, 'Retiré du prêt.')
    const dialog = page.getByRole('dialog', { name: /^Courriel\s: Réservation refusée$/ })
    await dialog.getByRole('button', { name: 'Ne pas envoyer' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { body } = await api.get('/api/reservations?status=refused&order[id]=desc')
    expect(body['hydra:member'][0]).toMatchObject({ id: 2, comment: 'Retiré du prêt.' })
    await page.goto(`${server.address}/reservations?status%7Cin=refused`)
    await page.getByRole('button', { name: /^(Plus d’actions|Actions)\s: Livre numéro 5, Éric/ }).click()
    await page.getByRole('menuitem', { name: 'Écrire au lecteur' }).click()
    await dialog.getByRole('button', { name: 'Envoyer', exact: true }).click()
    await expect.poll(() => read('eric@exemple.fr').length).toBe(1)
    expect(read('eric@exemple.fr')[0]?.text).toContain('Motif : Retiré du prêt.')
  })

  it('says of who has no address that nothing left', async () => {
    await page.goto(`${server.address}/reservations`)
    await refuse(/^Actions\s: Livre numéro 6, Jean/, 'Titre perdu.')
    await page.getByText(/Aucun courriel n’est parti\s: Jean Sans-Courriel/).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
