import '../support/page-globals.ts'

import { act, screen, waitFor, within, fireEvent } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { closeCounter, noNetwork, openCounter } from './open-counter.tsx'

afterEach(async () => {
  localStorage.removeItem('comptoir.preferences')
  await closeCounter()
})

const tabs = async () => within(await screen.findByRole('navigation', { name: 'Vues' }))
const tab = async (name: RegExp | string) => (await tabs()).findByRole('link', { name })
const open = async (name: RegExp | string) => userEvent.click(await tab(name))
const current = async () =>
  (await tabs())
    .queryAllByRole('link', { current: 'page' })
    .map(({ textContent }) => textContent.replace(/\d+$/, ''))
const choose = async (view: string, action: string) => {
  await press(`Vue «\u00a0${view}\u00a0»`)
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const toggleColumn = async (name: string) => {
  await press('Colonnes')
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name }))
  await userEvent.keyboard('{Escape}')
}
const header = (name: string) => screen.queryByRole('columnheader', { name: new RegExp(`^${name}`) })

describeServer('the views of the list of loans', (server) => {
  beforeAll(async () => {
    const client = await server.as('biblio')
    await client.post('/api/loanings', { copy: 1, beneficiary: 1, start_date: '2026-02-10' })
    await client.post('/api/loanings', { copy: 2, beneficiary: 2 })
    await client.post('/api/loanings', { copy: 3, beneficiary: 1, start_date: '2026-03-05' })
    await client.post('/api/loanings/return', { bar_code: '1003' })
  })

  it('come with the screen, are addresses, and go back', async () => {
    const page = await openCounter('/loanings', server)
    await screen.findByRole('link', { name: 'Livre numéro 2' })
    expect(await current()).toEqual(['En cours'])
    expect(await tab('En retard 1')).toBeVisible()
    await open(/^En retard/)
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Livre numéro 2' })).toBeNull())
    expect(screen.getByRole('link', { name: 'Livre numéro 1' })).toBeVisible()
    expect(decodeURIComponent(page.address)).toBe('/loanings?islate|eq=1')
    expect(await current()).toEqual(['En retard'])
    // In another order it is the same view.
    await userEvent.click(screen.getByRole('button', { name: /^Retour prévu/ }))
    await waitFor(() => expect(page.address).toContain('sort=end_date'))
    expect(await current()).toEqual(['En retard'])
    await open('Rendus aujourd’hui')
    expect(await screen.findByRole('link', { name: 'Livre numéro 3' })).toBeVisible()
    expect(await current()).toEqual(['Rendus aujourd’hui'])
    await act(() => page.router.navigate(-1))
    expect(await screen.findByRole('link', { name: 'Livre numéro 1' })).toBeVisible()
    await userEvent.click(await screen.findByRole('combobox', { name: 'Statut' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Annulés' }))
    await waitFor(async () => expect(await current()).toEqual([]))
    expect(screen.queryByRole('button', { name: 'Enregistrer la vue' })).toBeNull()
  })

  it('are gone through with the arrows', async () => {
    await openCounter('/loanings', server)
    ;(await tab(/^En cours/)).focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(await tab(/^En retard/)).toHaveFocus()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(await tab('Rendus aujourd’hui')).toHaveFocus()
  })

  it('are kept, changed, taken back, renamed, shared and removed', async () => {
    const page = await openCounter('/loanings?islate%7Ceq=1&sort=end_date%3Adesc', server)
    await screen.findByRole('link', { name: 'Livre numéro 1' })
    await toggleColumn('Début')
    expect(header('Début')).toBeNull()
    await press('Ajouter une vue')
    let form = await dialog('Ajouter une vue')
    await userEvent.type(form.getByLabelText(/^Nom/), 'À relancer')
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    await waitFor(async () => expect(await current()).toEqual(['À relancer']))
    expect(decodeURIComponent(page.address)).toMatch(/^\/loanings\?view=\d+&islate\|eq=1&sort=end_date:desc$/)
    const kept = await page.client.get('/api/views?list=loanings')
    expect(kept.body['hydra:member'][0]).toMatchObject({
      name: 'À relancer',
      shared: false,
      content: {
        filters: { 'status|in': 'in_progress', 'islate|eq': '1' },
        order: { field: 'end_date', direction: 'desc' },
        hidden_columns: ['start'],
      },
    })

    // Its columns are its own.
    await toggleColumn('Catégorie')
    await press('Enregistrer la vue')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Enregistrer la vue' })).toBeNull())
    await open(/^En cours/)
    expect(await screen.findByRole('columnheader', { name: /^Catégorie/ })).toBeVisible()
    expect(header('Début')).toBeNull()
    await open('À relancer')
    await waitFor(() => expect(header('Catégorie')).toBeNull())

    await userEvent.click(screen.getByRole('button', { name: /^Lecteur/ }))
    await waitFor(async () => expect(await current()).toEqual([]))
    await press('Annuler les changements')
    await waitFor(async () => expect(await current()).toEqual(['À relancer']))
    await userEvent.click(screen.getByRole('button', { name: /^Lecteur/ }))
    await press('Enregistrer la vue')
    await waitFor(async () => expect(await current()).toEqual(['À relancer']))
    await waitFor(() => expect(page.address).toContain('sort=beneficiary_lastname'))

    await choose('À relancer', 'Renommer')
    form = await dialog('Renommer la vue')
    await userEvent.clear(form.getByLabelText(/^Nom/))
    await userEvent.type(form.getByLabelText(/^Nom/), 'Lundi')
    await userEvent.click(form.getByRole('button', { name: 'Valider' }))
    await choose('Lundi', 'Partager')
    expect(await tab(/^Lundi \(partagée avec l’équipe\)$/)).toBeVisible()
    await closeCounter()

    // A colleague sees it, and cannot change it.
    const other = await openCounter('/loanings', server, 'benevole')
    await open(/^Lundi \(partagée par biblio Test\)$/)
    await waitFor(() => expect(header('Catégorie')).toBeNull())
    await waitFor(() => expect(other.address).toContain('view='))
    await userEvent.click(screen.getByRole('button', { name: /^Retour prévu/ }))
    await waitFor(async () => expect(await current()).toEqual([]))
    expect(screen.queryByRole('button', { name: /^Vue «/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Enregistrer la vue' })).toBeNull()
    await closeCounter()

    const again = await openCounter('/loanings', server)
    await open(/^Lundi \(partagée avec l’équipe\)$/)
    await choose('Lundi', 'Ne plus partager')
    expect(await tab('Lundi')).toBeVisible()
    await choose('Lundi', 'Supprimer')
    const question = await dialog(/^Supprimer la vue «.Lundi.».\?$/)
    await userEvent.click(question.getByRole('button', { name: 'Valider' }))
    await waitFor(async () => expect((await tabs()).queryByRole('link', { name: 'Lundi' })).toBeNull())
    expect(again.address).not.toContain('view=')
    expect((await again.client.get('/api/views?list=loanings')).body['hydra:totalItems']).toBe(0)
  })

  it('say why one is refused where its name is asked', async () => {
    await emptyTables(server.db, 'views')
    const client = await server.as('biblio')
    const content = { filters: {}, order: null, hidden_columns: [] }
    await client.post('/api/views', { list: 'loanings', name: 'Tout', content })
    await openCounter('/loanings', server)
    await press('Ajouter une vue')
    const form = await dialog('Ajouter une vue')
    await userEvent.type(form.getByLabelText(/^Nom/), 'TOUT')
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    expect(await form.findByRole('alert')).toHaveTextContent('Une vue de cette liste porte déjà ce nom.')
    expect(form.getByLabelText(/^Nom/)).toBeInvalid()
  })

  it('stay off line, where none is added', async () => {
    const page = await openCounter('/loanings', server)
    await tab('En retard 1')
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    page.device.network = noNetwork
    const add = await screen.findByRole('button', { name: 'Ajouter une vue' })
    // An answer that was under way may still come.
    await waitFor(() => {
      act(noteNoAnswer)
      expect(add).toHaveAttribute('aria-disabled', 'true')
      expect(add).toHaveAccessibleDescription(/^Hors ligne/)
    })
    // At once, before such an answer.
    act(noteNoAnswer)
    fireEvent.click(add)
    expect(screen.queryByRole('dialog')).toBeNull()
    await open('Tout')
    expect(await current()).toEqual(['Tout'])
    await open(/^En retard/)
    expect(await current()).toEqual(['En retard'])
  })
})
