import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'
import { noNetwork } from './open-counter.tsx'

afterEach(closeApp)

const box = (title: string) => screen.findByRole('checkbox', { name: new RegExp(`^Choisir\\s: ${title}$`) })
const row = (title: string) => screen.findByRole('row', { name: new RegExp(title) })
const titles = () =>
  within(screen.getByRole('table', { name: 'Prêts' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const filters = () => screen.findByLabelText('Lecteur')

describeServer('loans that are ticked', (server) => {
  beforeAll(async () => {
    const admin = await server.as('admin')
    const lend = (copy: number, beneficiary: number, start_date: string) =>
      admin.post('/api/loanings', { copy, beneficiary, start_date, override_reason: 'Reprise du cahier' })
    await lend(1, 1, '2026-03-09')
    await lend(2, 1, '2026-03-08')
    await lend(3, 2, '2026-03-07')
    await lend(4, 2, '2026-03-06')
    // Late since 28 February.
    await lend(5, 4, '2026-02-07')
  })

  it('take the place of the filters, a range at a time, and give it back', async () => {
    await openApp(server, '/loanings')
    await userEvent.click(await box('Livre numéro 1'))
    const choice = within(await screen.findByRole('region', { name: /^Choix/ }))
    expect(choice.getByRole('status')).toHaveTextContent('1 prêt choisi')
    expect(screen.queryByLabelText('Lecteur')).toBeNull()

    fireEvent.click(await box('Livre numéro 4'), { shiftKey: true })
    expect(choice.getByRole('status')).toHaveTextContent('4 prêts choisis')
    expect(choice.getByRole('button', { name: 'Prolonger' })).toBeVisible()
    // None of the four is late.
    expect(choice.queryByRole('button', { name: /^Relancer/ })).toBeNull()
    const all = screen.getByRole('checkbox', { name: 'Choisir toute la page' })
    expect(all).toBePartiallyChecked()
    await userEvent.click(all)
    expect(choice.getByRole('status')).toHaveTextContent('5 prêts choisis')
    expect(choice.getByRole('button', { name: 'Relancer (1)' })).toBeVisible()

    await userEvent.click(choice.getByRole('button', { name: 'Ne plus rien choisir' }))
    expect(await filters()).toBeVisible()
    expect(await box('Livre numéro 1')).not.toBeChecked()
  })

  it('are ticked and unticked by Space', async () => {
    await openApp(server, '/loanings')
    const one = await box('Livre numéro 1')
    one.focus()
    // Keys as a hand presses them: any faster, the second would be a scanner's.
    const hand = userEvent.setup({ delay: 150 })
    await hand.keyboard(' ')
    expect(one).toBeChecked()
    await hand.keyboard(' ')
    expect(one).not.toBeChecked()
    expect(await filters()).toBeVisible()
  })

  it('are forgotten when the list shows something else', async () => {
    await openApp(server, '/loanings')
    await userEvent.click(await box('Livre numéro 1'))
    await userEvent.click(await button('Article'))
    expect(await filters()).toBeVisible()
    await waitFor(async () => expect(await box('Livre numéro 1')).not.toBeChecked())
  })

  it('are extended together; those that are refused stay with their reason', async () => {
    const page = await openApp(server, '/loanings')
    const due = async (copy: number) =>
      (await page.client.get(`/api/loanings?copy=${copy}`)).body['hydra:member'][0].end_date as string
    const before = [await due(1), await due(2)]
    await userEvent.click(await box('Livre numéro 1'))
    await userEvent.click(await box('Livre numéro 2'))
    await userEvent.click(await button('Prolonger'))
    const dialog = await screen.findByRole('dialog', { name: 'Prolonger 2 prêts' })
    const added = within(dialog).getByLabelText(/^Prolonger de \(semaines\)/)
    await userEvent.clear(added)
    await userEvent.type(added, '999')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    const refused = await within(dialog).findByRole('alert')
    expect(refused).toHaveTextContent(/^N’ont pas été prolongés\s:/)
    expect(refused).toHaveTextContent('Livre numéro 2')
    expect([await due(1), await due(2)]).toEqual(before)

    await userEvent.clear(added)
    await userEvent.type(added, '1')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(
      await screen.findByText(/^2 prêts prolongés\s: retour prévu du 05\/04\/2026 au 06\/04\/2026\.$/),
    ).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([await due(1), await due(2)]).toEqual(['2026-04-06', '2026-04-05'])
  })

  it('ask the server once where it is lost, and keep their dialog', async () => {
    const page = await openApp(server, '/loanings')
    await userEvent.click(await box('Livre numéro 1'))
    await userEvent.click(await box('Livre numéro 2'))
    await userEvent.click(await button('Prolonger'))
    const dialog = await screen.findByRole('dialog', { name: 'Prolonger 2 prêts' })
    const asked: string[] = []
    page.device.network = (request) => {
      if (request.method === 'POST') asked.push(new URL(request.url).pathname)
      return noNetwork(request)
    }
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    const refused = await within(dialog).findByRole('alert')
    expect(refused).toHaveTextContent(/Livre numéro 1\s: Le serveur ne répond pas/)
    expect(refused).toHaveTextContent(/Livre numéro 2\s: Le serveur ne répond pas/)
    expect(asked.filter((path) => path.endsWith('/extend'))).toHaveLength(1)
  })

  it('stay in their place once deleted, until the list is put in order', async () => {
    const page = await openApp(server, '/loanings')
    await box('Livre numéro 3')
    const before = titles()
    await userEvent.click(await box('Livre numéro 3'))
    await userEvent.click(await box('Livre numéro 4'))
    await userEvent.click(await button('Autres actions sur le choix'))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = await screen.findByRole('dialog', { name: 'Supprimer 2 prêts' })
    expect(question).toHaveTextContent('Livre numéro 3')
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('2 prêts supprimés.')).toBeVisible()
    expect(await within(await row('Livre numéro 3')).findByText('Plus dans la liste')).toBeVisible()
    expect(titles()).toEqual(before)
    expect(await screen.findByText('La liste a changé')).toBeVisible()
    // What is gone is no longer ticked.
    expect(await filters()).toBeVisible()
    expect((await page.client.get('/api/loanings?status=in_progress')).body['hydra:totalItems']).toBe(3)

    await userEvent.click(await button('Actualiser'))
    await waitFor(() => expect(titles()).toEqual(['Livre numéro 1', 'Livre numéro 2', 'Livre numéro 5']))
    expect(screen.queryByText('La liste a changé')).toBeNull()
  })

  it('say how late they are, and their state only where several are listed', async () => {
    await openApp(server, '/loanings')
    expect(await row('Livre numéro 5')).toHaveTextContent(/Retard 10\sj/)
    expect(await row('Livre numéro 1')).not.toHaveTextContent('En cours')
    expect(screen.queryByRole('columnheader', { name: 'Rendu le' })).toBeNull()
    await userEvent.click(screen.getByRole('combobox', { name: 'Statut' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Terminés' }))
    expect(await screen.findByRole('columnheader', { name: 'Rendu le' })).toBeInTheDocument()
    await waitFor(async () => expect(await row('Livre numéro 1')).toHaveTextContent('En cours'))
  })
})

describeServer('the columns and the filters of the loans list', (server) => {
  beforeAll(async () => {
    await (await server.as('admin')).post('/api/loanings', { copy: 1, beneficiary: 1 })
  })

  it('are taken away by each person on this device', async () => {
    await openApp(server, '/loanings')
    await userEvent.click(await button('Colonnes'))
    const category = await screen.findByRole('menuitemcheckbox', { name: 'Catégorie' })
    expect(category).toBeChecked()
    expect(screen.queryByRole('menuitemcheckbox', { name: 'Article' })).toBeNull()
    await userEvent.click(category)
    expect(category).not.toBeChecked()
    expect(screen.queryByRole('columnheader', { name: 'Catégorie' })).toBeNull()
    const { hidden_columns } = JSON.parse(localStorage.getItem('comptoir.preferences') ?? '{}') as {
      hidden_columns: unknown
    }
    expect(hidden_columns).toEqual({ '1 loanings.list': ['category'] })
  })

  it('are set in a drawer where the line has no room, and shown as chips', async () => {
    const page = await openApp(server, '/loanings?islate|eq=0&start_date|gte=2026-03-01&category|in=1')
    expect(await screen.findByRole('link', { name: 'Livre numéro 1' })).toBeVisible()
    const chip = (name: RegExp) => screen.findByRole('button', { name })
    expect(await chip(/^Enlever le filtre Catégories\s: Roman$/)).toBeVisible()
    expect(await chip(/^Enlever le filtre Début\s: à partir du 01\/03\/2026$/)).toBeVisible()
    await userEvent.click(await chip(/^Enlever le filtre Retard\s: À l’heure$/))
    await waitFor(() => expect(page.address).not.toContain('islate'))

    await userEvent.click(await button('Filtres (2)'))
    const drawer = within(await screen.findByRole('dialog', { name: 'Filtres' }))
    await userEvent.click(drawer.getByLabelText('Début, au'))
    await userEvent.paste('10/03/2026')
    await userEvent.keyboard('{Enter}')
    await userEvent.click(drawer.getByRole('button', { name: 'Voir les résultats' }))
    expect(await chip(/^Enlever le filtre Début\s: du 01\/03\/2026 au 10\/03\/2026$/)).toBeVisible()
    await userEvent.click(await button('Effacer les filtres'))
    await waitFor(() => expect(page.address).toBe('/loanings?status%7Cin='))
  })
})
