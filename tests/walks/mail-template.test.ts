import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type MailServer, startMailServer } from '../mail/mail-server.ts'
import { type Api, apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

describe('the template of a mail', () => {
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

  it('is changed with chips that no key breaks, shown at two widths, and sent to oneself', async () => {
    await page.goto(`${server.address}/settings/email_templates`)
    await page.getByRole('link', { name: 'Premier rappel' }).click()
    const body = page.getByRole('textbox', { name: 'Corps' })
    await body.getByText('prénom du lecteur').waitFor()
    // Typed at the end, also what would be liquid.
    await body.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Merci {{ beneficiary.surname }} ')
    await page.getByRole('button', { name: 'Insérer dans\u202f: Corps' }).click()
    await page.getByRole('menuitem', { name: 'nombre de prêts' }).click()
    await body.getByText('nombre de prêts').waitFor()
    await page.keyboard.type(' article(s)')
    // A chip goes whole, and comes back.
    await body.getByText('nom du lecteur', { exact: true }).click()
    await page.keyboard.press('Backspace')
    await expect.poll(() => body.getByText('nom du lecteur', { exact: true }).count()).toBe(0)
    await page.keyboard.press('Control+z')
    await body.getByText('nom du lecteur', { exact: true }).waitFor()
    // What is pasted is text.
    await page.keyboard.press('Control+End')
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/html', '<img src=x onerror=alert(1)><b>gras</b>')
      data.setData('text/plain', ' en texte')
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    })

    await page.getByRole('button', { name: 'Aperçu' }).click()
    const preview = page.getByRole('dialog', { name: /^Aperçu/ })
    const shown = preview.frameLocator('iframe')
    await shown.getByText('Bonjour Alice Martin').waitFor()
    await shown.getByText('Merci {{ beneficiary.surname }} 2 article(s) en texte').waitFor()
    const width = () => preview.locator('iframe').evaluate((frame) => frame.clientWidth)
    const wide = await width()
    await preview.getByText('Téléphone').click()
    await expect.poll(width).toBeLessThanOrEqual(390)
    expect(wide).toBeGreaterThan(500)
    await preview.getByRole('button', { name: 'M’envoyer un essai' }).click()
    await expect.poll(() => read('moi@exemple.fr').length).toBe(1)
    expect(read('moi@exemple.fr')[0]?.subject).toBe('[Essai] Un retour est attendu à Comptoir')
    expect(read('moi@exemple.fr')[0]?.text).toContain('Merci {{ beneficiary.surname }} 2 article(s) en texte')
    await preview.getByRole('button', { name: 'Fermer' }).last().click()

    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Vos modifications ont bien été prises en compte.').first().waitFor()
    const { body: kept } = await admin.get('/api/mail_templates?code=late_1&type=body')
    const [{ content }] = (kept as { 'hydra:member': [{ content: string }] })['hydra:member']
    expect(content).toContain('Merci &#123;{ beneficiary.surname }} {{ count }} article(s) en texte')
    expect(content).toContain('{{ beneficiary.lastname }}')
  })
})
