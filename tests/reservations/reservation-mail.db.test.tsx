import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const alice = 'Livre numéro 1, Alice Martin (M1)'
const jean = 'Livre numéro 1, Jean Sans-Courriel (M4)'
const choose = async (row: string, name: string) => {
  await press(`Actions\u202f: ${row}`)
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const offered = (name: string) => screen.findByRole('dialog', { name: `Courriel\u202f: ${name}` })
/** As an editor tells what was typed in it. */
const append = (box: HTMLElement, text: string) => {
  box.append(text)
  fireEvent.input(box)
}

describeServer('the mail of a reservation that was decided on', (server) => {
  beforeAll(() => server.connectMail(true))
  beforeEach(async () => {
    await emptyTables(server.db, 'reservations', 'loanings', 'mail_outbox')
    await sql`update mail_templates set enabled = true where code like 'reservation%'`.execute(server.db)
    await setParameter(server, 'reservations_without_dates', '1')
    const admin = await server.as('admin')
    for (const beneficiary_id of [1, 4])
      await admin.post('/api/reservations', { beneficiary_id, reference_id: 1, site: 1 })
  })
  const mails = async () =>
    server.db.selectFrom('mail_outbox').select(['template', 'to_address', 'subject', 'html']).execute()

  it('is shown as this reader would read it, and sent as it is', async () => {
    await openApp(server, '/reservations')
    await press(`Confirmer\u202f: ${alice}`)
    const dialog = await offered('Réservation confirmée')
    expect(within(dialog).getByLabelText(/^Objet/)).toHaveValue('Votre réservation est prête à Comptoir')
    expect(within(dialog).getByRole('textbox', { name: 'Corps' })).toHaveTextContent(
      'Bonjour Alice Martin,« Livre numéro 1 » vous attend à Centre.',
    )
    expect(within(dialog).queryByRole('button', { name: /^Insérer/ })).toBeNull()
    expect(await mails()).toEqual([])
    // Looked at, it is none that somebody wrote.
    fireEvent.blur(within(dialog).getByRole('textbox', { name: 'Corps' }))
    await press('Envoyer')
    expect(await screen.findByText("L'email a bien été envoyé.")).toBeVisible()
    expect(await mails()).toMatchObject([
      { template: 'reservation_confirmed', to_address: 'alice@exemple.fr' },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is not offered for a promise without a copy, which nobody can fetch yet', async () => {
    await sql`update copies set status = 'Non Disponible' where reference = 1`.execute(server.db)
    await openApp(server, '/reservations')
    await press(`Confirmer\u202f: ${alice}`)
    expect(await screen.findByText(/rien n’est mis de côté/)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await mails()).toEqual([])
    await sql`update copies set status = 'Disponible' where reference = 1`.execute(server.db)
  })

  it('is sent as it was changed: object, body and signing', async () => {
    await openApp(server, '/reservations')
    await choose(alice, 'Refuser')
    const refusal = await screen.findByRole('dialog', { name: 'Refuser la réservation' })
    await userEvent.type(within(refusal).getByLabelText('Commentaire'), 'Consultable sur place')
    await userEvent.click(within(refusal).getByRole('button', { name: 'Valider' }))
    const dialog = await offered('Réservation refusée')
    const body = within(dialog).getByRole('textbox', { name: 'Corps' })
    expect(body).toHaveTextContent('Motif : Consultable sur place')
    fireEvent.change(within(dialog).getByLabelText(/^Objet/), { target: { value: 'Votre demande' } })
    append(body, ' Venez {{ la }} lire & <voir>.')
    append(within(dialog).getByRole('textbox', { name: 'Signature' }), ', Anne')
    await press('Envoyer')
    await screen.findByText("L'email a bien été envoyé.")
    const [mail] = await mails()
    expect(mail).toMatchObject({ template: 'custom', subject: 'Votre demande' })
    expect(mail?.html).toContain('Motif : Consultable sur place')
    expect(mail?.html).toContain('Venez {{ la }} lire &amp; &lt;voir&gt;.')
    expect(mail?.html).toContain(', Anne')
  })

  it('is skipped, and written later to whom it is asked for', async () => {
    await openApp(server, '/reservations')
    await press(`Confirmer\u202f: ${alice}`)
    await offered('Réservation confirmée')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Ne pas envoyer' })).toHaveFocus())
    await press('Ne pas envoyer')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await mails()).toEqual([])
    await choose(alice, 'Écrire au lecteur')
    await offered('Réservation confirmée')
    await press('Envoyer')
    await screen.findByText("L'email a bien été envoyé.")
    expect(await mails()).toHaveLength(1)
  })

  it('is said not to leave to whom has no address, and the decision stands', async () => {
    await openApp(server, '/reservations')
    await press(`Confirmer\u202f: ${jean}`)
    expect(await screen.findByText(/^Réservation confirmée\./)).toBeVisible()
    expect(
      await screen.findByText(
        /^Aucun courriel n’est parti\s: Jean Sans-Courriel \(M4\) n’a pas d’adresse électronique valable\.$/,
      ),
    ).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is not offered where the library has switched it off, nor to whom may send none', async () => {
    await sql`update mail_templates set enabled = false where code = 'reservation_confirmed'`.execute(
      server.db,
    )
    await openApp(server, '/reservations')
    await press(`Confirmer\u202f: ${alice}`)
    await screen.findByText(/^Réservation confirmée\./)
    await choose(alice, 'Écrire au lecteur')
    expect(await screen.findByText('Le courriel « Réservation confirmée » est désactivé.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await closeApp()
    await sql`update mail_templates set enabled = true`.execute(server.db)
    await sql`delete from profile_rights where right_code = 'SEND_MAIL'`.execute(server.db)
    await openApp(server, '/reservations')
    await press(`Actions\u202f: ${alice}`)
    expect(await screen.findByRole('menuitem', { name: 'Annuler' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Écrire au lecteur' })).toBeNull()
  })
})
