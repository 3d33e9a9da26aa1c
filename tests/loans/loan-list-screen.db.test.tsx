import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { closeCounter, openCounter } from './open-counter.tsx'

afterEach(closeCounter)

const actionsOf = async (title: string) =>
  userEvent.click(await screen.findByRole('button', { name: `Actions\u202f: ${title}` }))
const choose = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }))

describeServer('the loans list', (server) => {
  it('says that no loan is under way, and leads to lending whoever may lend', async () => {
    const found = async () => (await screen.findByText('Aucun prêt n’est en cours.')).parentElement!
    await openCounter('/loanings', server)
    expect(within(await found()).getByRole('link', { name: 'Prêter' })).toHaveAttribute(
      'href',
      '/loaning/add',
    )
    await closeCounter()
    await openCounter('/loanings', server, 'lecture')
    expect(within(await found()).queryByRole('link')).toBeNull()
  })

  it('cancels a loan of the day instead of returning it, after naming it', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', { copy: 1, beneficiary: 1 })
    await openCounter('/loanings', server)
    await actionsOf('Livre numéro 1')
    await choose('Rendre')
    const question = await screen.findByRole('dialog', { name: 'Annuler le prêt du jour' })
    expect(question).toHaveTextContent('« Livre numéro 1 », prêté à Alice Martin (M1) le 10/03/2026')
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Votre demande a bien été prise en compte.')).toBeVisible()
    await waitFor(async () =>
      expect((await client.get(`/api/loanings/${loan.id}`)).body.status).toBe('cancelled'),
    )
  })

  it('cancels an older loan too, and says what that means', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', {
      copy: 6,
      beneficiary: 1,
      start_date: '2026-03-05',
    })
    await openCounter('/loanings', server)
    await actionsOf('Livre numéro 6')
    await choose('Annuler le prêt')
    const question = await screen.findByRole('dialog', { name: 'Annuler le prêt' })
    expect(question).toHaveTextContent('ce prêt n’est pas d’aujourd’hui')
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Votre demande a bien été prise en compte.')).toBeVisible()
    await waitFor(async () =>
      expect((await client.get(`/api/loanings/${loan.id}`)).body.status).toBe('cancelled'),
    )
  })

  it('takes back a loan of the day from its own screen: the list alone cancels it', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', { copy: 7, beneficiary: 1 })
    const page = await openCounter(`/loanings/view/${loan.id}`, server)
    await press('Rendre')
    expect(await screen.findByText(/1 coché/)).toBeVisible()
    await waitFor(() => expect(page.address).toBe(`/loaning/return?beneficiary=1&loan=${loan.id}`))
    await client.post(`/api/loanings/${loan.id}/return`)
  })

  it('leads from a loan to its reader', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', { copy: 7, beneficiary: 1 })
    const page = await openCounter(`/loanings/view/${loan.id}`, server)
    await userEvent.click(await screen.findByRole('link', { name: 'Alice Martin M1' }))
    await waitFor(() => expect(page.address).toBe('/beneficiaries/view/1'))
    await client.post(`/api/loanings/${loan.id}/return`)
  })

  it('extends, and says in the dialog why it may not', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', {
      copy: 2,
      beneficiary: 1,
      start_date: '2026-03-05',
    })
    await openCounter('/loanings', server)
    await actionsOf('Livre numéro 2')
    await choose('Prolonger')
    const dialog = await screen.findByRole('dialog', { name: 'Prolonger le prêt' })
    const added = within(dialog).getByLabelText(/Prolonger de \(semaines\)/)
    await userEvent.clear(added)
    await userEvent.type(added, '999')
    await press('Valider')
    const tooLong = 'La durée totale ne doit pas dépasser 1000.'
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(tooLong)
    expect(added).toHaveAccessibleDescription(tooLong)
    expect(added).toHaveFocus()
    expect(screen.queryByText('Votre demande a bien été prise en compte.')).toBeNull()
    await userEvent.clear(added)
    await userEvent.type(added, '1')
    expect(within(dialog).getByRole('status')).toHaveTextContent('prolongé jusqu’au 02/04/2026')
    await press('Valider')
    expect(
      await screen.findByText('Votre demande a bien été prise en compte. Retour prévu le 02/04/2026.'),
    ).toBeVisible()
    expect((await client.get(`/api/loanings/${loan.id}`)).body.end_date).toBe('2026-04-02')
  })

  it('hides what a volunteer may not do, and opens the return with the loan ticked', async () => {
    const page = await openCounter('/loanings', server, 'benevole')
    await actionsOf('Livre numéro 2')
    await screen.findByRole('menuitem', { name: 'Voir' })
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Rendre', 'Voir'])
    await choose('Rendre')
    expect(await screen.findByText('1 prêt en cours, 1 coché')).toBeVisible()
    await waitFor(() => expect(page.address).toMatch(/^\/loaning\/return\?beneficiary=1&loan=\d+$/))
  })

  it('tells a volunteer why returned loans of other days are not there', async () => {
    const page = await openCounter(
      '/loanings?status%7Cin=finished&benefsearchname%7Clike=nobody',
      server,
      'benevole',
    )
    const sentence = 'Vous voyez les prêts en cours et ceux rendus aujourd’hui.'
    expect(await screen.findByText('Aucun prêt ne correspond à ces filtres.')).toBeVisible()
    expect(screen.getByText(sentence)).toBeVisible()
    await waitFor(() => expect(page.address).toContain('finished'))
    await closeCounter()
    await openCounter('/loanings?status%7Cin=finished&benefsearchname%7Clike=nobody', server)
    expect(await screen.findByText('Aucun prêt ne correspond à ces filtres.')).toBeVisible()
    expect(screen.queryByText(sentence, { exact: false })).toBeNull()
  })

  it('changes a loan’s start, comment and duration, with refusals at their fields', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', {
      copy: 3,
      beneficiary: 1,
      start_date: '2026-03-05',
    })
    const page = await openCounter(`/loanings/edit/${loan.id}`, server)
    const start = await screen.findByRole('textbox', { name: /Date de début/ })
    // A day that does not exist is not sent, nor the day before it instead.
    await userEvent.clear(start)
    await userEvent.type(start, '31/02/2026')
    await press('Enregistrer')
    expect(await screen.findByText('Date inconnue : écrivez-la JJ/MM/AAAA.')).toBeVisible()
    expect(start).toBeInvalid()
    await waitFor(() => expect(page.address).toBe(`/loanings/edit/${loan.id}`))
    await userEvent.clear(start)
    await userEvent.type(start, '01/01/2020')
    await press('Enregistrer')
    expect(await screen.findByText('La date de début est à plus d’un an d’aujourd’hui.')).toBeVisible()
    await waitFor(() => expect(start).toHaveFocus())
    await userEvent.clear(start)
    await userEvent.type(start, '06/03/2026')
    await userEvent.type(screen.getByLabelText('Commentaire'), 'Pour l’exposition')
    await press('Enregistrer')
    expect(await screen.findByText('Le prêt a bien été mis à jour.')).toBeVisible()
    await waitFor(() => expect(page.address).toBe(`/loanings/view/${loan.id}`))
    expect(await screen.findByText('Pour l’exposition')).toBeVisible()
  })

  it('shows loans of several states at once, those in progress unless asked otherwise', async () => {
    const page = await openCounter('/loanings', server)
    await screen.findByRole('link', { name: 'Livre numéro 2' })
    expect(screen.queryByRole('link', { name: 'Livre numéro 1' })).toBeNull()
    await userEvent.click(screen.getByRole('combobox', { name: 'Statut' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Annulés' }))
    expect(await screen.findByRole('link', { name: 'Livre numéro 1' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Livre numéro 2' })).toBeVisible()
    expect(decodeURIComponent(page.address)).toBe('/loanings?status|in=in_progress,cancelled')
  })

  it('corrects a comment without undoing what a colleague changed meanwhile', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', { copy: 4, beneficiary: 2 })
    const page = await openCounter(`/loanings/view/${loan.id}`, server)
    await press('Modifier')
    const comment = await screen.findByLabelText('Commentaire')
    await client.post(`/api/loanings/${loan.id}/extend`, { duration_value: 1 })
    await userEvent.type(comment, 'Avec sa pochette')
    await press('Enregistrer')
    await waitFor(() => expect(page.address).toBe(`/loanings/view/${loan.id}`))
    expect((await client.get(`/api/loanings/${loan.id}`)).body).toMatchObject({
      comment: 'Avec sa pochette',
      duration_value: 4,
      end_date: '2026-04-07',
    })
    // It went back to where the form was opened: going back again does not open it.
    expect(page.router.state.historyAction).toBe('POP')
  })

  it('does not go back to a loan that was deleted', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', { copy: 5, beneficiary: 2 })
    const page = await openCounter(`/loanings/view/${loan.id}`, server, 'admin')
    await press('Autres actions')
    await choose('Supprimer')
    await press('Valider')
    await waitFor(() => expect(page.address).toBe('/loanings'))
    expect(page.router.state.historyAction).toBe('REPLACE')
  })
})
