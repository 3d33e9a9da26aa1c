import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { cutLoansOf } from '../../src/server/erasure/cut-loans.ts'
import { forgetOfToday } from '../../src/server/erasure/forget-of-today.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const answer = async (title: string | RegExp) => {
  const asked = await screen.findByRole('dialog', { name: title })
  const said = asked.textContent
  await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
  return said
}

describeServer('« Données personnelles »', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings', 'forgetting_agreements', 'forgetting_days')
    await sql`update beneficiaries set created_at = '2020-01-01'`.execute(server.db)
    await sql`
      insert into loanings (beneficiary, copy, site, start_date, end_date, return_date, duration_value, duration_type, status, lent_at, lent_received_at)
      values (1, 1, 1, '2025-06-01', '2025-06-22', '2025-06-20', 3, 'WEEK', 'finished', '2025-06-01', '2025-06-01')`.execute(
      server.db,
    )
  })

  it('says what would be forgotten, waits for a yes, and tells each day since', async () => {
    await openApp(server, '/settings/personal_data')
    expect(await screen.findByText(/^1 prêt fini avant le 10\/11\/2025 est encore lié/)).toBeVisible()
    await press('Accorder')
    const said = await answer('Accorder l’oubli des prêts\u202f?')
    expect(said).toContain('1 prêt est concerné aujourd’hui.')
    expect(said).toContain('Ce qui est oublié l’est pour toujours')
    await screen.findByText('Oubli des prêts accordé.')
    expect(await screen.findByText('Le premier passage se fait dans quelques minutes.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Accorder' })).toBeNull()
    await forgetOfToday(server.environment, { now: () => server.now })
    await closeApp()
    await openApp(server, '/settings/personal_data')
    expect(await screen.findByText(/^1 prêt de 1 lecteur/)).toBeVisible()
    expect(screen.getByText('10/03/2026')).toBeVisible()
  })

  it('is suspended by a button, which says so, and agreed to again', async () => {
    await openApp(server, '/settings/personal_data')
    await press('Accorder')
    await answer('Accorder l’oubli des prêts\u202f?')
    await press('Suspendre')
    expect(await answer('Suspendre l’oubli des prêts\u202f?')).toContain(
      'Ce qui est déjà oublié ne revient pas.',
    )
    await screen.findByText('Oubli des prêts suspendu.')
    expect(await screen.findByText(/^Suspendu par/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Suspendre' })).toBeNull()
    await press('Accorder')
    await answer('Accorder l’oubli des prêts\u202f?')
    expect(await screen.findByRole('button', { name: 'Suspendre' })).toBeVisible()
  })

  it('asks for the yes again after a gap, and says why', async () => {
    await sql`insert into forgetting_agreements (user_id, agreed_at) values (1, '2026-01-05T09:00:00Z')`.execute(
      server.db,
    )
    await openApp(server, '/settings/personal_data')
    expect(await screen.findByText(/^Aucun passage depuis le 05\/01\/2026/)).toBeVisible()
    await press('Accorder')
    await answer('Accorder l’oubli des prêts\u202f?')
    expect(await screen.findByRole('button', { name: 'Suspendre' })).toBeVisible()
    expect(screen.queryByText(/^Aucun passage depuis/)).toBeNull()
  })

  it('gives the register and the notice with the library’s own delays and profiles', async () => {
    await openApp(server, '/settings/personal_data')
    const [register] = await screen.findAllByRole('button', { name: 'Lire' })
    await userEvent.click(register!)
    expect(await screen.findByText(/4 mois après le retour/)).toBeVisible()
    expect(screen.getByText(/^Consultation \(1\s?personne\)/)).toBeVisible()
    expect(
      screen.getByText(/^Admin \(1\s?personne\)\s?: aussi courriel et téléphone, adresse, prêts passés/),
    ).toBeVisible()
  })

  it('erases those who are ticked as one act, and says which are to be settled first', async () => {
    await sql`update beneficiaries set wallet_amount = 3.20 where id = 4`.execute(server.db)
    await sql`update beneficiaries set created_at = '2026-01-01' where id in (1, 2)`.execute(server.db)
    const page = await openApp(server, '/settings/personal_data')
    await userEvent.click(await screen.findByRole('link', { name: 'Voir 2 lecteurs proposés' }))
    await waitFor(() => expect(page.address).toBe('/settings/personal_data/inactive'))
    expect(await screen.findByText(/À solder\s?: 3,20/)).toBeVisible()
    expect(screen.queryByRole('checkbox', { name: /Sans-Courriel/ })).toBeNull()
    await userEvent.click(await screen.findByRole('checkbox', { name: /Noémie Expirée/ }))
    await press('Effacer la sélection')
    await answer('Effacer Noémie Expirée\u202f?')
    await screen.findByText(/^Effacement\s: 0 sur 1/)
    await server.doJobs()
    const { body } = await page.client.get('/api/inactive_readers')
    expect(body['hydra:member'].map(({ name }: { name: string }) => name)).toEqual(['Jean Sans-Courriel'])
    await act(() => page.router.navigate('/settings/acts'))
    await userEvent.click(await screen.findByRole('link', { name: 'Effacement d’un lecteur' }))
    expect((await screen.findAllByText('Un effacement ne s’annule pas.')).length).toBeGreaterThan(0)
    expect(await screen.findByText('Lecteur effacé')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Annuler l’acte' })).toBeNull()
  })

  it('erases one reader from their page, once nothing is lent', async () => {
    await sql`update loanings set status = 'in_progress', return_date = null`.execute(server.db)
    const page = await openApp(server, '/beneficiaries/view/1?part=data')
    await press('Effacer ce lecteur')
    // What would be refused is not asked about.
    await screen.findByText(/^Alice Martin a un prêt en cours\s: enregistrez d’abord son retour\.$/)
    await sql`update loanings set status = 'finished', return_date = '2025-06-20'`.execute(server.db)
    await press('Effacer ce lecteur')
    await answer('Effacer Alice Martin\u202f?')
    await screen.findByText('Lecteur effacé.')
    await waitFor(() => expect(page.address).toBe('/beneficiaries'))
    await waitFor(() => expect(screen.queryByText('Martin')).toBeNull())
  })

  it('shows a loan that was cut as of a forgotten reader, who leads nowhere', async () => {
    await sql`update loanings set beneficiary = 2`.execute(server.db)
    await server.db
      .transaction()
      .execute((trx) =>
        cutLoansOf(trx, [2], { endedBefore: null, today: '2026-03-10', timezone: 'Europe/Paris' }),
      )
    const page = await openApp(server, '/loanings?status|in=finished')
    expect(await screen.findByText('Lecteur oublié')).toBeVisible()
    const { id } = await server.db.selectFrom('loanings').select('id').executeTakeFirstOrThrow()
    await act(() => page.router.navigate(`/loanings/view/${id}`))
    await waitFor(() => expect(screen.getAllByText('Lecteur oublié').length).toBeGreaterThan(0))
    expect(screen.queryByRole('link', { name: /Lecteur oublié/ })).toBeNull()
    await act(() => page.router.navigate('/references/view/1'))
    expect(await screen.findByRole('heading', { name: 'Livre numéro 1' })).toBeVisible()
  })
})
