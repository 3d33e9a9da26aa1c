import { readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type MailServer, startMailServer } from '../mail/mail-server.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

describe('what is written', () => {
  let mails: MailServer
  let server: RunningServer
  let device: Device
  let page: Page
  let admin: Api
  beforeAll(async () => {
    mails = await startMailServer()
    server = await openRunningServer({
      onPostgres: true,
      env: { SMTP_URL: mails.url, MAIL_FROM: 'Bibliothèque <biblio@exemple.fr>' },
      prepare: async (db) => {
        await sql`update users set email = 'moi@exemple.fr' where username = 'admin'`.execute(db)
        await sql`update beneficiaries set address = '3 place de la Mairie', commune = 'Gières' where id = 4`.execute(
          db,
        )
        await sql`insert into reservations (beneficiary_id, reference_id, queue_position) values (1, 5, 1)`.execute(
          db,
        )
        await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
          values (4, 1, 1, current_date - 40, current_date - 10, 1, 'MONTH', now(), now()), (2, 2, 1, current_date - 40, current_date - 10, 1, 'MONTH', now(), now())`.execute(
          db,
        )
        await sql`update copies set status = 'En Location' where id in (1, 2)`.execute(db)
      },
    })
    admin = await apiOf(server.address, 'admin', adminPassword)
    device = await openDevice(server.address, { viewport: 'desktop', keepsShell: false })
    page = device.page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
  })
  afterAll(async () => {
    await device?.close()
    await server?.drop()
    await mails?.stop()
  })
  const read = (address: string) =>
    mails.received.filter(({ to }) => to?.some((one) => one.address === address))

  it('of a refusal is read in a real mailbox, with its comment', async () => {
    const sent = await admin.post('/api/mail', {
      reservation: 1,
      comment: 'Ce livre se consulte sur place.',
      template: 'reservation_refused',
    })
    expect(sent.status).toBe(202)
    await expect.poll(() => read('alice@exemple.fr').length).toBe(1)
    const [mail] = read('alice@exemple.fr')
    expect(mail?.subject).toBe('Votre réservation n’a pas pu être acceptée à Comptoir')
    expect(mail?.text).toContain('Motif : Ce livre se consulte sur place.')
  })

  it('says what to do about a mail that failed, and leaves again once that is done', async () => {
    mails.onRecipient = () => ({ responseCode: 550, message: 'no such user' })
    expect((await admin.post('/api/beneficiaries/2/remind', {})).status).toBe(202)
    await page.goto(`${server.address}/mails`)
    await page.getByRole('link', { name: 'Corrigez l’adresse de Éric Dupont' }).first().waitFor()
    mails.onRecipient = () => null
    await page
      .getByRole('button', { name: /^Réessayer/ })
      .first()
      .click()
    await expect.poll(() => read('eric@exemple.fr').length).toBe(1)
    // Its state follows by itself.
    await page.getByText('Corrigez l’adresse de Éric Dupont').waitFor({ state: 'hidden' })
  })

  it('goes on paper to whom no mail reaches', async () => {
    await page.goto(`${server.address}/home`)
    await page.getByRole('tab', { name: /Retard/ }).click()
    await page.getByRole('button', { name: 'Relancer tous les retards' }).click()
    const question = page.getByRole('dialog', { name: 'Relancer les retards' })
    await question
      .getByRole('checkbox', { name: 'Relancer aussi le lecteur qui l’a déjà été aujourd’hui' })
      .check()
    await question
      .getByText('1 email(s) sera envoyé. Voulez vous continuer ? 1 lettre sera à imprimer.')
      .waitFor()
    await question.getByRole('button', { name: 'Valider' }).click()
    await expect.poll(() => read('eric@exemple.fr').length).toBe(2)

    await page.goto(`${server.address}/letters`)
    await page.getByRole('cell', { name: 'Gières' }).waitFor()
    const [printed] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Imprimer 1 lettre' }).click(),
    ])
    expect(printed.suggestedFilename()).toMatch(/^lettres-\d{8}-\d{6}\.pdf$/)
    const [letter, list] = readPdf(await readFile(await printed.path()))
    expect(letter?.text).toContain('Jean Sans-Courriel\n3 place de la Mairie\nGIERES')
    expect(letter?.text).toContain('Livre numéro 1')
    expect(list?.text).toContain('1. Jean Sans-Courriel, Gières (1 prêt)')
    await page.getByRole('button', { name: 'Oui, imprimées' }).click()
    await page.getByText('1 lettre est imprimée.').waitFor()
    await page.getByRole('button', { name: 'Rien à imprimer' }).waitFor()

    await page.goto(`${server.address}/beneficiaries/view/4?part=mails`)
    await page
      .getByRole('table', { name: 'Lettres au lecteur' })
      .getByText('Imprimée', { exact: true })
      .waitFor()
    expect(device.errors).toEqual([])
  })
})
