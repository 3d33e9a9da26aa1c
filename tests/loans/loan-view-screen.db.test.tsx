import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

describeServer('what loans tell', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings', 'reasons')
    await sql`insert into reasons (type, code, name) values ('delay', 'V', 'Vacances')`.execute(server.db)
    await sql`
      insert into loanings (beneficiary, copy, site, start_date, end_date, return_date, duration_value, duration_type, amount, status, state, return_comment,
        delay_reason, delay_comment, penalty_amount, penalty_duration, penalty_count, lent_at, lent_received_at) values
      (1, 1, 1, '2026-01-05', '2026-01-26', '2026-02-05', 3, 'WEEK', 12.5, 'finished', 'DAMAGED', 'Dos décollé', 1, 'Prévenue', 1.5, 10, 2, '2026-01-05', '2026-01-05'),
      (1, 2, 1, '2026-03-01', '2026-03-22', null, 3, 'WEEK', 0, 'in_progress', null, '', null, '', null, null, null, '2026-03-01', '2026-03-01'),
      (1, 5, 1, '2026-02-01', '2026-02-22', null, 3, 'WEEK', 0, 'in_progress', null, '', null, '', null, null, null, '2026-02-01', '2026-02-01'),
      (2, 3, 1, '2026-03-02', '2026-03-23', '2026-03-04', 3, 'WEEK', 0, 'finished', 'GOOD', '', null, '', null, null, null, '2026-03-02', '2026-03-02'),
      (2, 4, 1, '2026-03-03', '2026-03-24', null, 3, 'WEEK', 0, 'cancelled', null, '', null, '', null, null, null, '2026-03-03', '2026-03-03')`.execute(
      server.db,
    )
  })

  const factsIn = async (title: string) => {
    const heading = await screen.findByRole('heading', { name: title, level: 2 })
    const part = heading.closest('section') ?? heading.parentElement!
    const terms = Array.from(part.querySelectorAll('dt'), ({ textContent }) => textContent)
    const told = Array.from(part.querySelectorAll('dd'), ({ textContent }) => textContent)
    return Object.fromEntries(terms.map((term, n) => [term, told[n]]))
  }

  it('is, on the page of one, its copy, its terms, its return and its delay', async () => {
    const { id } = await server.db
      .selectFrom('loanings')
      .select('id')
      .where('copy', '=', 1)
      .executeTakeFirstOrThrow()
    await openApp(server, `/loanings/view/${id}`)
    expect(await factsIn('Prêt')).toMatchObject({
      Exemplaire: 'Livre numéro 1 (1001)',
      Durée: '3 semaines',
      Montant: expect.stringMatching(/^12,50\s€$/) as string,
    })
    expect(await factsIn('Retour')).toMatchObject({
      'Retour prévu': '26/01/2026',
      'Rendu le': '05/02/2026',
      État: 'Endommagé',
      'Commentaire de retour': 'Dos décollé',
    })
    expect(await factsIn('Retard')).toMatchObject({
      'Durée du retard': '10 jours',
      Motif: 'Vacances',
      Commentaire: 'Prévenue',
      Pénalité: expect.stringMatching(/^1,50\s€ \(10 jours comptés\)$/) as string,
    })
  })

  it('is, on the page of one, what the conditions were on its day, with their file', async () => {
    await sql`update loanings set conditions_given = true, conditions_label = 'Chèque de caution remis',
      conditions_version = ${'ab12'.repeat(8)} where copy = 2`.execute(server.db)
    const { id } = await server.db
      .selectFrom('loanings')
      .select('id')
      .where('copy', '=', 2)
      .executeTakeFirstOrThrow()
    await openApp(server, `/loanings/view/${id}`)
    const { 'Conditions de prêt': told } = await factsIn('Prêt')
    expect(told).toMatch(/^Remises\s: Chèque de caution remis/)
    expect(screen.getByRole('button', { name: /^Ouvrir les conditions de prêt/ })).toBeVisible()
  })

  it('is, in the list of all states, a word each', async () => {
    await openApp(server, '/loanings?status%7Cin=in_progress,finished,cancelled')
    const tagOf = async (title: string) => within(await screen.findByRole('row', { name: new RegExp(title) }))
    expect((await tagOf('Livre numéro 2')).getByText('En cours')).toBeVisible()
    expect((await tagOf('Livre numéro 3')).getByText('Terminé')).toBeVisible()
    expect((await tagOf('Livre numéro 4')).getByText('Annulé')).toBeVisible()
  })

  it('is sorted up, down and not at all', async () => {
    const page = await openApp(server, '/loanings')
    const header = await screen.findByRole('button', { name: 'Article' })
    for (const address of [
      '/loanings?sort=reference_name:asc',
      '/loanings?sort=reference_name:desc',
      '/loanings',
    ]) {
      await userEvent.click(header)
      await waitFor(() => expect(decodeURIComponent(page.address)).toBe(address))
    }
  })

  it('is, of a comment that the server refuses for two reasons, the first', async () => {
    const page = await openApp(server, '/loanings')
    const { network } = page.device
    page.device.network = (request) =>
      request.url.endsWith('/delay')
        ? Promise.resolve(
            Response.json(
              {
                code: 422,
                message: 'Refusé.',
                violations: [
                  { propertyPath: 'delay_comment', message: 'Le commentaire ne convient pas.' },
                  { propertyPath: 'delay_reason', message: 'Le motif ne convient pas.' },
                ],
              },
              { status: 422 },
            ),
          )
        : network(request)
    await press('Actions\u202f: Livre numéro 5')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Commenter le retard' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Commenter le retard' }))
    await userEvent.type(dialog.getByLabelText('Commentaire'), 'Passe demain')
    await userEvent.click(dialog.getByRole('button', { name: 'Valider' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Le commentaire ne convient pas.')
    expect(dialog.getByRole('alert')).not.toHaveTextContent('motif')
  })

  it('is that there are none, where a recap would go to nobody', async () => {
    await emptyTables(server.db, 'loanings')
    await openApp(server, '/loanings')
    await press('Envoyer un récapitulatif')
    expect(await screen.findByText('Prêts en cours introuvables.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await closeApp()
    await (await server.as('admin')).post('/api/loanings', { copy: 6, beneficiary: 1 })
    await openApp(server, '/loanings')
    await press('Envoyer un récapitulatif')
    expect(await screen.findByRole('dialog', { name: 'Récapitulatif des prêts' })).toHaveTextContent(
      'Chaque bénéficiaire ayant des prêts en cours recevra un email récapitulatif. Voulez vous continuer ?',
    )
  })
})
