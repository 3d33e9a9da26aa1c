import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { mailTransportQuery } from '../../src/client/mail/mail-transport.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { type Network, networkTo } from '../support/page-network.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

/** As an editor tells what was typed in it. */
const type = (box: HTMLElement, text: string) => {
  box.textContent = text
  fireEvent.input(box)
}

describeServer('the screens of what is written', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'letters', 'loan_reminders', 'mail_outbox', 'loanings')
    await sql`update mail_templates set enabled = code not in ('before_due', 'due', 'late_1', 'late_2', 'late_3')`.execute(
      server.db,
    )
  })
  const lend = (beneficiary: number, copy: number) =>
    sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (${beneficiary}, ${copy}, 1, '2026-02-01', '2026-03-01', 1, 'DAY', now(), now())`.execute(
      server.db,
    )
  const template = async (code: string) =>
    (
      await sql<{ type: string; content: string; enabled: boolean; days: number | null }>`
      select type, content, enabled, days from mail_templates where code = ${code} order by id`.execute(
        server.db,
      )
    ).rows

  it('show templates by period to everybody, and switch them for who may', async () => {
    await openApp(server, '/settings/email_templates')
    const periods = (await screen.findAllByRole('heading', { level: 2 })).map(
      ({ textContent }) => textContent,
    )
    expect(periods).toEqual([
      'À l’emprunt',
      'Avant l’échéance',
      'Le jour de l’échéance',
      'Premier rappel',
      'Deuxième rappel',
      'Troisième rappel',
      'Relances à la main',
      'Récapitulatif',
      'Réservations',
      'Fermetures',
      'Comptes',
    ])
    const reservations = screen.getByRole('region', { name: 'Réservations' })
    expect(within(reservations).getAllByRole('link')).toHaveLength(4)
    const due = screen.getByRole('switch', { name: 'Envoyer\u202f: À rendre aujourd’hui' })
    expect(due).not.toBeChecked()
    await userEvent.click(due)
    await waitFor(() => expect(due).toBeChecked())
    expect((await template('due')).every(({ enabled }) => enabled)).toBe(true)
  })

  it('let others read a template as its reader would, and change nothing', async () => {
    await openApp(server, '/settings/email_templates', { as: 'lecture' })
    expect(await screen.findByRole('switch', { name: 'Envoyer\u202f: Relance' })).toBeDisabled()
    await userEvent.click(screen.getByRole('link', { name: 'Relance' }))
    expect(await screen.findByText('Vous pouvez le lire, et non le changer.')).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Corps' })).toBeNull()
    await press('Aperçu')
    const preview = await screen.findByRole('dialog', { name: /^Aperçu/ })
    const mail = await within(preview).findByTitle(/^Courriel\s: Des retours sont attendus à Comptoir$/)
    expect(mail).toHaveAttribute('srcdoc', expect.stringContaining('Bonjour Alice Martin'))
    expect(mail).toHaveAttribute('sandbox', '')
    expect(within(preview).queryByRole('button', { name: 'M’envoyer un essai' })).toBeNull()
  })

  it('write a mail with its days and whether it is sent, and say at its field what is refused', async () => {
    await openApp(server, '/settings/mail/late_2')
    const object = await screen.findByRole('textbox', { name: 'Objet' })
    expect(within(object).getByText('bibliothèque')).toBeVisible()
    expect(object).not.toHaveTextContent('{')
    const details = screen.getByRole('textbox', { name: 'Détails' })
    expect(within(details).getByText('liste des prêts')).toBeVisible()
    type(object, '')
    await press('Enregistrer')
    await waitFor(() => expect(object).toHaveAccessibleDescription(/il ne dit rien/))
    expect(object).toHaveAttribute('aria-invalid', 'true')
    expect((await template('late_2'))[0]?.content).toMatch(/^Deuxième rappel/)

    type(object, 'Rappel {{ oups }}')
    await userEvent.click(screen.getByRole('switch', { name: 'Ce courriel est envoyé' }))
    const days = screen.getByLabelText(/^Jours après le rappel précédent/)
    await userEvent.clear(days)
    await userEvent.type(days, '10')
    await press('Enregistrer')
    expect(await screen.findByText('Vos modifications ont bien été prises en compte.')).toBeVisible()
    expect((await template('late_2'))[0]).toMatchObject({
      content: 'Rappel { { oups }}',
      enabled: true,
      days: 10,
    })
    // What nobody touched is as it was.
    expect((await template('late_2'))[2]?.content).toContain('{% for loan in loans %}')
  })

  it('put a variable in and take it out whole', async () => {
    await openApp(server, '/settings/mail/loaning_recap')
    const signing = await screen.findByRole('textbox', { name: 'Signature' })
    await userEvent.click(signing)
    await press('Insérer dans\u202f: Signature')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'date du jour' }))
    expect(await within(signing).findByText('date du jour')).toBeVisible()
    await press('Enregistrer')
    await waitFor(async () =>
      expect((await template('loaning_recap'))[3]?.content).toBe('L’équipe de {{ work_council }}{{ today }}'),
    )
    await sql`update mail_templates set content = 'L’équipe de {{ work_council }}' where type = 'signing'`.execute(
      server.db,
    )
  })

  it('say that there is no such template', async () => {
    await openApp(server, '/settings/mail/nothing')
    expect(await screen.findByText('Ce modèle de courriel n’existe pas.')).toBeVisible()
  })

  it('say of each mail what became of it and what to do', async () => {
    await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, sites, status, last_error, fault, next_attempt_at, created_at)
      values ('alice@exemple.fr', 'un', 'x', 'late_1', 1, '{1}', 'failed', '550 no such user', 'address', now(), '2026-03-10T08:00:00Z'),
        ('eric@exemple.fr', 'deux', 'x', 'late_1', 2, '{1}', 'queued', 'connect ECONNREFUSED', 'server', '2026-03-10T09:05:00Z', '2026-03-10T07:00:00Z'),
        ('eric@exemple.fr', 'trois', 'x', 'late_1', 2, '{1}', 'stopped', 'Tout a été rendu avant l’envoi.', null, now(), '2026-03-10T06:00:00Z'),
        ('eric@exemple.fr', 'quatre', 'x', 'loaning_recap', 2, '{1}', 'sent', null, null, now(), '2026-03-10T05:00:00Z')`.execute(
      server.db,
    )
    await openApp(server, '/mails', { as: 'biblio' })
    const row = async (subject: string) => (await screen.findByRole('cell', { name: subject })).closest('tr')!
    expect(await row('un')).toHaveTextContent('En échec')
    expect(
      within(await row('un')).getByRole('link', {
        name: 'Corrigez l’adresse de Alice Martin (M1), puis réessayez.',
      }),
    ).toHaveAttribute('href', '/beneficiaries/edit/1')
    expect(await row('deux')).toHaveTextContent(
      /En attente.*La messagerie ne répond pas\s: nouvel essai le 10\/03\/2026/,
    )
    expect(await row('trois')).toHaveTextContent(/Arrêté.*Tout a été rendu avant l’envoi\./)
    expect(await row('quatre')).toHaveTextContent('Envoyé')
    await sql`update beneficiaries set email = 'nouvelle@exemple.fr' where id = 1`.execute(server.db)
    await userEvent.click(within(await row('un')).getByRole('button', { name: /^Réessayer/ }))
    await waitFor(async () => expect(await row('un')).toHaveTextContent('En attente'))
    const [mail] = await server.db.selectFrom('mail_outbox').selectAll().where('subject', '=', 'un').execute()
    expect(mail).toMatchObject({ status: 'queued', to_address: 'nouvelle@exemple.fr', attempts: 0 })
    await sql`update beneficiaries set email = 'alice@exemple.fr' where id = 1`.execute(server.db)
  })

  it('say who is late and has no address instead of saying that nobody is, and make letters of it', async () => {
    await lend(4, 6)
    await openApp(server, '/home', { as: 'biblio' })
    await press('Relancer tous les retards')
    const question = await screen.findByRole('dialog', { name: 'Relancer les retards' })
    expect(question).toHaveTextContent(
      /1 lecteur en retard n’a pas d’adresse électronique\s: une lettre sera à imprimer pour chacun/,
    )
    expect(screen.queryByText('Retards introuvables.')).toBeNull()
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Votre demande a bien été prise en compte.')).toBeVisible()
    await server.doJobs()
    const letters = await server.db.selectFrom('letters').select(['beneficiary', 'why']).execute()
    expect(letters).toEqual([{ beneficiary: 4, why: 'no_address' }])
  })

  it('print letters, and keep them until somebody says that they are printed', async () => {
    await lend(4, 6)
    await lend(1, 1)
    await sql`insert into letters (beneficiary, template, why, sites, made_on) values (4, 'late_1', 'no_address', '{1}', '2026-03-10'),
      (1, 'late_2', 'refused', '{1}', '2026-03-10')`.execute(server.db)
    await openApp(server, '/letters', { as: 'biblio' })
    expect(await screen.findByRole('cell', { name: 'Jean Sans-Courriel' })).toBeVisible()
    expect(screen.getByRole('cell', { name: 'Adresse refusée' })).toBeVisible()
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await press('Imprimer 2 lettres')
    expect(await screen.findByText(/2 lettres ont été préparées/)).toBeVisible()
    expect(saved).toHaveBeenCalledOnce()
    saved.mockRestore()
    expect(
      await server.db.selectFrom('letters').select('id').where('printed_at', 'is not', null).execute(),
    ).toEqual([])
    await press('Oui, imprimées')
    expect(await screen.findByText('2 lettres sont imprimées.')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Rien à imprimer' })).toBeDisabled()
    expect(
      await server.db.selectFrom('letters').select('id').where('printed_at', 'is not', null).execute(),
    ).toHaveLength(2)
  })

  it('tell on the reader’s page what was written to whom and when, letters included', async () => {
    await sql`insert into letters (beneficiary, template, why, sites, made_on, printed_at, printed_by)
      values (1, 'late_2', 'refused', '{1}', '2026-03-10', '2026-03-10T10:00:00Z', 1)`.execute(server.db)
    await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, sites, status, next_attempt_at, created_at, sent_at)
      values ('alice@exemple.fr', 'Un retour est attendu', 'x', 'late_1', 1, '{1}', 'sent', now(), '2026-03-05T08:00:00Z', '2026-03-05T08:00:00Z')`.execute(
      server.db,
    )
    await openApp(server, '/beneficiaries/view/1?part=mails', { as: 'biblio' })
    expect(await screen.findByRole('cell', { name: 'Un retour est attendu' })).toBeVisible()
    const letters = await screen.findByRole('table', { name: 'Lettres au lecteur' })
    expect(within(letters).getByRole('cell', { name: 'Deuxième rappel' })).toBeVisible()
    expect(within(letters).getByText('Imprimée')).toBeVisible()
  })

  describe('where mails leave or not', () => {
    const notice = 'Le courrier n’est pas branché'
    /** A server whose calls to `path` are answered so. */
    const answering =
      (path: string, answer: () => Response | Promise<Response>): Network =>
      (request) =>
        new URL(request.url).pathname === path ? Promise.resolve(answer()) : networkTo(server)(request)
    beforeEach(async () => {
      await sql`update users set email = 'admin@exemple.fr' where username = 'admin'`.execute(server.db)
    })

    it.each(['/mails', '/settings/global'])(
      'say on %s that no mail leaves, and how to have it',
      async (at) => {
        await openApp(server, at)
        const said = await screen.findByRole('note', { name: notice })
        expect(within(said).getByRole('link', { name: 'Comment brancher le courrier' })).toHaveAttribute(
          'href',
          '/guide/mails.html',
        )
      },
    )

    it.each(['/mails', '/settings/global'])('say nothing of it on %s where mails leave', async (at) => {
      const connected = () => Response.json({ connected: true })
      await openApp(server, at, { network: answering('/api/mail/transport', connected) })
      const known = () => queryClient.getQueryData(mailTransportQuery.queryKey)
      await waitFor(() => expect(known()).toEqual({ connected: true }))
      await waitFor(() => expect(document.querySelector('span[data-coming][hidden]')).toBeNull())
      expect(screen.queryByText(notice)).toBeNull()
    })

    const pressTrial = async () => {
      const button = await screen.findByRole('button', { name: 'Courriel d’essai' })
      const said = (await screen.findByText(/^Écrit à admin@exemple\.fr, et dit ce que/)).closest('[role]')!
      expect(said).toHaveAttribute('role', 'status')
      await userEvent.click(button)
      return said
    }

    it.each([
      ['sent', 'Parti', '250 2.0.0 Ok: queued as 4bXk'],
      ['failed', 'Non parti', '535 5.7.8 Authentication failed'],
      ['written', 'Écrit dans un fichier', 'L’essai est écrit dans un fichier du serveur'],
    ])(
      'say of « Courriel d’essai » that was %s what the mail server answered',
      async (outcome, word, message) => {
        const trial = () => Response.json({ outcome, message })
        await openApp(server, '/settings/global', { network: answering('/api/mail/trial', trial) })
        const said = await pressTrial()
        await waitFor(() => expect(said).toHaveTextContent(new RegExp(`^${word} ${message}$`)))
      },
    )

    it('ask for an address before « Courriel d’essai » of whoever has none', async () => {
      await sql`update users set email = null where username = 'admin'`.execute(server.db)
      await openApp(server, '/settings/global')
      expect(await screen.findByRole('button', { name: 'Courriel d’essai' })).toBeDisabled()
      expect(screen.getByText(/^Donnez d’abord une adresse à votre compte/)).toBeVisible()
    })
  })
})
