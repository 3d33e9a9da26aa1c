import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Network, networkTo } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome } from './open-home.tsx'

afterEach(closeHome)

describeServer('the rows of the home tables', (server) => {
  beforeAll(async () => {
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (1, 1, 1, '2026-03-03', '2026-03-10', 1, 'WEEK', '2026-03-03', '2026-03-03'),
        (4, 2, 1, '2026-02-03', '2026-03-01', 1, 'WEEK', '2026-02-03', '2026-02-03')`.execute(server.db)
    await sql`insert into reasons (type, code, name) values ('delay', 'V', 'Vacances')`.execute(server.db)
  })

  const choose = async (table: string, title: string, name: string) => {
    const rows = await screen.findByRole('table', { name: table })
    const button = await within(rows).findByRole('button', { name: `Actions\u202f: ${title}` })
    await userEvent.click(button)
    await userEvent.click(await screen.findByRole('menuitem', { name }))
  }
  const mails = () => server.db.selectFrom('mail_outbox').select(['template', 'to_address']).execute()

  it('take a comment on the delay of a loan due today, and write to its reader', async () => {
    server.connectMail(true)
    const page = await openHome(server)
    await choose('À rendre aujourd’hui', 'Livre numéro 1', 'Commenter le retard')
    const dialog = await screen.findByRole('dialog', { name: 'Commenter le retard' })
    await userEvent.type(within(dialog).getByLabelText('Commentaire'), 'Passe demain')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Votre demande a bien été prise en compte.')).toBeVisible()
    const { body } = await page.client.get('/api/loanings?copy=1')
    expect(body['hydra:member'][0].delay_comment).toBe('Passe demain')

    await choose('À rendre aujourd’hui', 'Livre numéro 1', 'Relancer')
    expect(await screen.findByText("L'email a bien été envoyé.")).toBeVisible()
    expect(await mails()).toEqual([{ template: 'loaning_recap', to_address: 'alice@exemple.fr' }])
    const rows = screen.getByRole('table', { name: 'À rendre aujourd’hui' })
    expect(await within(rows).findByText('relancé le 10/03')).toBeVisible()
  })

  const lateLoanOf = async (copy: number) => {
    const late = await server.db
      .insertInto('loanings')
      .values({
        beneficiary: 2,
        copy,
        site: 1,
        start_date: '2026-02-03',
        end_date: '2026-03-01',
        duration_value: 1,
        duration_type: 'WEEK',
        lent_at: '2026-02-03',
        lent_received_at: '2026-02-03',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`update copies set status = 'En Location' where id = ${copy}`.execute(server.db)
    return late
  }

  it('tell on the row what a late return costs before it is recorded, and open nothing', async () => {
    const late = await lateLoanOf(5)
    const page = await openHome(server)
    const rows = await screen.findByRole('table', { name: 'En retard' })
    const giveBack = await within(rows).findByRole('button', { name: 'Rendre\u202f: Livre numéro 5' })
    await userEvent.click(giveBack)
    const asked = within(
      await within(rows).findByRole('group', { name: 'Pénalité de retard\u202f: Livre numéro 5' }),
    )
    expect(asked.getByRole('alert')).toHaveTextContent('9 jours de retard, 1,00')
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(asked.getByRole('button', { name: 'Annuler' }))
    expect(within(rows).queryByRole('group')).toBeNull()
    await userEvent.click(giveBack)
    await userEvent.click(await within(rows).findByRole('button', { name: 'Rendre et lever la pénalité' }))
    const lane = within(await screen.findByRole('list', { name: 'Derniers passages' }))
    expect(await lane.findByText(/^Rendu/)).toBeVisible()
    const loan = async () => (await page.client.get(`/api/loanings/${late.id}`)).body
    await waitFor(async () =>
      expect(await loan()).toMatchObject({ status: 'finished', penalty_amount: null }),
    )
    // As a return by scan: its line takes it back.
    await userEvent.click(await lane.findByRole('button', { name: 'Annuler\u202f: Livre numéro 5' }))
    expect(await lane.findByText('Retour annulé')).toBeVisible()
    expect(await loan()).toMatchObject({ status: 'in_progress' })
  })

  it('bring their question into sight, with the focus unless something is written in the box', async () => {
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue(undefined)
    await lateLoanOf(6)
    await openHome(server)
    const box = await screen.findByLabelText<HTMLInputElement>('Code-barres, carte ou nom du lecteur')
    const giveBack = await screen.findByRole('button', { name: 'Rendre\u202f: Livre numéro 6' })
    await userEvent.click(giveBack)
    const asked = () => screen.findByRole('group', { name: 'Pénalité de retard\u202f: Livre numéro 6' })
    const question = await asked()
    expect(question).toHaveFocus()
    expect(shown.mock.contexts).toContain(question)
    expect(shown).toHaveBeenCalledWith({ block: 'nearest' })
    await userEvent.click(within(question).getByRole('button', { name: 'Annuler' }))
    await userEvent.type(box, 'zz')
    await userEvent.click(giveBack)
    expect(await asked()).not.toHaveFocus()
  })

  it('wait for the open days before they take a late loan back, and ask then', async () => {
    const late = await lateLoanOf(7)
    let comes: () => void = () => undefined
    const told = new Promise<void>((resolve) => (comes = resolve))
    const network = networkTo(server)
    const slow: Network = async (request) => {
      const { pathname } = new URL(request.url)
      // A device without its copy of the library knows no open days either.
      if (pathname === '/api/snapshot') return new Promise(() => undefined)
      if (pathname === '/api/closures') await told
      return network(request)
    }
    const page = await openHome(server, { network: slow })
    await userEvent.click(await screen.findByRole('button', { name: 'Rendre\u202f: Livre numéro 7' }))
    comes()
    const question = await screen.findByRole('group', { name: 'Pénalité de retard\u202f: Livre numéro 7' })
    expect(within(question).getByRole('alert')).toHaveTextContent('9 jours de retard, 1,00')
    const { body } = await page.client.get(`/api/loanings/${late.id}`)
    expect(body).toMatchObject({ status: 'in_progress' })
  })

  it('forget no penalty where the media could not be told at first', async () => {
    const late = await lateLoanOf(8)
    const network = networkTo(server)
    let isTold = false
    const poor: Network = async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/api/snapshot') return new Promise(() => undefined)
      if (pathname === '/api/media' && !isTold) throw new TypeError('Failed to fetch')
      return network(request)
    }
    const page = await openHome(server, { network: poor })
    expect((await screen.findAllByRole('button', { name: 'Réessayer' })).length).toBeGreaterThan(0)
    isTold = true
    page.comesBack()
    await userEvent.click(await screen.findByRole('button', { name: 'Rendre\u202f: Livre numéro 8' }))
    const question = await screen.findByRole('group', { name: 'Pénalité de retard\u202f: Livre numéro 8' })
    expect(within(question).getByRole('alert')).toHaveTextContent('9 jours de retard, 1,00')
    const { body } = await page.client.get(`/api/loanings/${late.id}`)
    expect(body).toMatchObject({ status: 'in_progress' })
  })

  it('say that they wait for the parameters, and ask by these', async () => {
    await lateLoanOf(9)
    await setParameter(server, 'delay_days_number_before_penalize', '5')
    let comes: () => void = () => undefined
    const told = new Promise<void>((resolve) => (comes = resolve))
    const network = networkTo(server)
    await openHome(server, {
      network: async (request) => {
        const { pathname } = new URL(request.url)
        if (pathname === '/api/snapshot') return new Promise(() => undefined)
        if (pathname === '/api/parameters') await told
        return network(request)
      },
    })
    const rows = within(await screen.findByRole('table', { name: 'En retard' }))
    await userEvent.click(await rows.findByRole('button', { name: 'Rendre\u202f: Livre numéro 9' }))
    expect(await rows.findByText(/^Pénalité\s: recherche…$/)).toBeVisible()
    expect(rows.queryByRole('group')).toBeNull()
    comes()
    const question = await rows.findByRole('group', { name: 'Pénalité de retard\u202f: Livre numéro 9' })
    expect(within(question).getByRole('alert')).toHaveTextContent('9 jours de retard, 4 jours comptés')
    await setParameter(server, 'delay_days_number_before_penalize', '0')
  })

  it('close no loan of who borrowed the copy since', async () => {
    await lateLoanOf(10)
    const network = networkTo(server)
    const page = await openHome(server, {
      // Nobody tells this page that its row is over.
      network: (request) =>
        /\/api\/(snapshot|events)/.test(request.url) ? new Promise(() => undefined) : network(request),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Rendre\u202f: Livre numéro 10' }))
    const waive = await screen.findByRole('button', { name: 'Rendre et lever la pénalité' })
    await page.client.post('/api/loanings/return', { bar_code: '1010' })
    const since = await page.client.post('/api/loanings', { beneficiary: 1, copy: 10 })
    await userEvent.click(waive)
    const lane = within(await screen.findByRole('list', { name: 'Derniers passages' }))
    expect(await lane.findByText(/ a été rendu et prêté à Alice Martin depuis\.$/)).toBeVisible()
    const { body } = await page.client.get(`/api/loanings/${since.body.id}`)
    expect(body).toMatchObject({ status: 'in_progress' })
    await page.client.post(`/api/loanings/${since.body.id}/return`, {})
  })

  it('say in a message what their line in the lane says out of sight, and take it back there', async () => {
    await sql`update loanings set end_date = '2026-03-10' where copy = 1`.execute(server.db)
    const page = await openHome(server)
    const seen = vi.spyOn(document, 'elementFromPoint')
    const giveBack = async () =>
      userEvent.click(await screen.findByRole('button', { name: 'Rendre\u202f: Livre numéro 1' }))
    const status = async () => (await page.client.get('/api/loanings?copy=1')).body['hydra:member'][0].status
    await giveBack()
    await waitFor(async () => expect(await status()).toBe('finished'))
    await userEvent.click(await screen.findByRole('button', { name: 'Annuler' }))
    expect(
      await screen.findByText('Retour annulé', { selector: '.mantine-Notification-title' }),
    ).toBeVisible()
    expect(await status()).toBe('in_progress')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Annuler' })).toBeNull())

    seen.mockImplementation(() => document.querySelector('[data-line]'))
    await giveBack()
    await waitFor(async () => expect(await status()).toBe('finished'))
    expect(screen.queryByRole('button', { name: 'Annuler' })).toBeNull()
    seen.mockRestore()
    const { body } = await page.client.get('/api/loanings?copy=1')
    await page.client.post(`/api/loanings/${body['hydra:member'][0].id}/undo`)
  })

  it('tell of what is due today neither that it is, nor when', async () => {
    await openHome(server)
    const headings = (table: string) =>
      within(screen.getByRole('table', { name: table }))
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent)
    const today = await screen.findByRole('table', { name: 'À rendre aujourd’hui' })
    const row = await within(today).findByRole('row', { name: /Livre numéro 1/ })
    expect(headings('À rendre aujourd’hui')).not.toContain('Retour prévu')
    expect(headings('En retard')).toContain('Retour prévu')
    expect(within(row).queryByText(/Aujourd’hui|10\/03\/2026/)).toBeNull()
  })

  it('say the sentence of the specification, then the server’s, when nobody can be written to', async () => {
    await openHome(server)
    await choose('En retard', 'Livre numéro 2', 'Relancer')
    expect(
      await screen.findByText(
        "Une erreur est survenue. Vérifiez que l'email du bénéficiaire est valide. Jean Sans-Courriel n’a pas d’adresse électronique valable.",
      ),
    ).toBeVisible()
  })

  it('follow the reminders to everybody until they are ready to leave', async () => {
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (2, 3, 1, '2026-02-03', '2026-03-01', 1, 'WEEK', '2026-02-03', '2026-02-03')`.execute(server.db)
    await openHome(server)
    await userEvent.click(await screen.findByRole('button', { name: 'Relancer tous les retards' }))
    const question = await screen.findByRole('dialog', { name: 'Relancer les retards' })
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText(/^Relances\s: 0 sur 1$/)).toBeVisible()
    await closeHome()

    await openHome(server)
    expect(await screen.findByText(/^Relances\s: 0 sur 1$/)).toBeVisible()
    await server.doJobs()
    expect(await screen.findByText('1 courriel est prêt à partir.')).toBeVisible()
  })

  it('say of a mail that it is written into a file, where none leaves', async () => {
    server.connectMail(false)
    await openHome(server)
    await choose('En retard', 'Livre numéro 3', 'Relancer')
    expect(
      await screen.findByText(
        /^Le courriel est écrit dans un fichier du serveur\s: le courrier n’est pas branché\.$/,
      ),
    ).toBeVisible()
    expect(screen.queryByText("L'email a bien été envoyé.")).toBeNull()
  })
})
