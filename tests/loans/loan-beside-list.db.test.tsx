import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { screenOf } from '../support/screen-of.ts'
import { describeServer } from '../support/test-server.ts'
import { typeAsScanner } from '../support/type-as-scanner.ts'

afterEach(closeApp)

const panel = async () => within(await screen.findByRole('region', { name: 'Fiche' }))
const shows = async (title: string) =>
  expect(await (await panel()).findByRole('heading', { name: title })).toBeVisible()
const link = (title: string) => screen.findByRole('link', { name: title })
const openRow = () => screen.queryByRole('row', { current: true })
const list = () => screen.queryByRole('table', { name: 'Prêts' })
const isClosed = () => waitFor(() => expect(screen.queryByRole('region', { name: 'Fiche' })).toBeNull())

describeServer('a loan beside its list', (server) => {
  const ids: number[] = []
  beforeAll(async () => {
    const admin = await server.as('admin')
    for (const [copy, start_date] of [
      [1, '2026-03-09'],
      [2, '2026-03-08'],
      [3, '2026-03-07'],
    ]) {
      const { body } = await admin.post('/api/loanings', {
        copy,
        beneficiary: 1,
        start_date,
        override_reason: 'Reprise du cahier',
      })
      ids.push(body.id as number)
    }
  })
  const view = (at: number) => `/loanings/view/${ids[at]}`

  it('opens at its own address with what the list shows, J and K move, Escape closes and leads back to the row', async () => {
    screenOf(1440)
    const page = await openApp(server, '/loanings?islate%7Ceq=0')
    await userEvent.click(await link('Livre numéro 1'))
    await shows('Livre numéro 1')
    await waitFor(() => expect(page.address).toBe(`${view(0)}?islate%7Ceq=0`))
    expect(openRow()).toHaveTextContent('Livre numéro 1')
    await waitFor(() => expect(document.title).toBe('Livre numéro 1 · Comptoir'))
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Prêts')

    await userEvent.keyboard('j')
    await shows('Livre numéro 2')
    await waitFor(() => expect(page.address).toBe(`${view(1)}?islate%7Ceq=0`))
    expect(openRow()).toHaveTextContent('Livre numéro 2')
    await userEvent.keyboard('j')
    await shows('Livre numéro 3')
    // The last of the page.
    await userEvent.keyboard('j')
    await userEvent.keyboard('k')
    await shows('Livre numéro 2')

    await userEvent.keyboard('{Escape}')
    await isClosed()
    await waitFor(() => expect(page.address).toBe('/loanings?islate%7Ceq=0'))
    expect(await link('Livre numéro 2')).toHaveFocus()
    expect(openRow()).toBeNull()
    expect(document.title).toBe('Prêts · Comptoir')
  })

  it('follows the arrows through the rows, and is entered by Enter', async () => {
    screenOf(1440)
    const page = await openApp(server, view(0))
    await shows('Livre numéro 1')
    ;(await link('Livre numéro 1')).focus()
    await userEvent.keyboard('{ArrowDown}')
    await shows('Livre numéro 2')
    await waitFor(() => expect(page.address).toBe(view(1)))
    expect(await link('Livre numéro 2')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    const heading = await (await panel()).findByRole('heading', { name: 'Livre numéro 2' })
    await waitFor(() => expect(heading).toHaveFocus())
    await userEvent.keyboard('{Escape}')
    await isClosed()
    expect(await link('Livre numéro 2')).toHaveFocus()
  })

  it('stands there from its address on, and goes where « back » leads', async () => {
    screenOf(1440)
    const page = await openApp(server, view(1))
    await shows('Livre numéro 2')
    await waitFor(() => expect(openRow()).toHaveTextContent('Livre numéro 2'))
    await userEvent.click((await panel()).getByRole('button', { name: 'Fermer la fiche' }))
    await isClosed()
    await waitFor(() => expect(page.address).toBe('/loanings'))

    await userEvent.click(await link('Livre numéro 1'))
    await shows('Livre numéro 1')
    await userEvent.click(await link('Livre numéro 3'))
    await shows('Livre numéro 3')
    await act(() => page.router.navigate(-1))
    await isClosed()
    await waitFor(() => expect(page.address).toBe('/loanings'))
  })

  it('leaves letters to fields, where Alt makes keys of them, a scan to the list, and Escape to the dialog over it', async () => {
    screenOf(1440)
    const page = await openApp(server, view(0))
    await shows('Livre numéro 1')
    await link('Livre numéro 1')
    typeAsScanner('j31555510001007')
    expect(await screen.findByText(/Code .+ gardé, à reprendre en haut/)).toBeVisible()
    await waitFor(() => expect(page.address).toBe(view(0)))
    const field = await screen.findByLabelText('Lecteur')
    await userEvent.click(field)
    await userEvent.keyboard('j')
    expect(field).toHaveValue('j')
    await waitFor(() => expect(page.address).toBe(view(0)))
    await userEvent.clear(field)
    await waitFor(() => expect(openRow()).toHaveTextContent('Livre numéro 1'))
    fireEvent.keyDown(field, { key: 'j', code: 'KeyJ', altKey: true })
    await shows('Livre numéro 2')
    expect(field).toHaveFocus()
    fireEvent.keyDown(field, { key: 'k', code: 'KeyK', altKey: true })
    await shows('Livre numéro 1')

    await userEvent.click((await panel()).getByRole('button', { name: 'Prolonger' }))
    const dialog = await screen.findByRole('dialog', { name: 'Prolonger le prêt' })
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await shows('Livre numéro 1')
  })

  it('is acted on by the letters that the menu of its row shows', async () => {
    screenOf(1440)
    await openApp(server, view(0))
    await shows('Livre numéro 1')
    await userEvent.click(await screen.findByRole('button', { name: /^Actions\s: Livre numéro 1$/ }))
    const change = await screen.findByRole('menuitem', { name: 'Modifier' })
    expect(change).toHaveAttribute('aria-keyshortcuts', 'D')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await userEvent.keyboard('o')
    const dialog = await screen.findByRole('dialog', { name: 'Prolonger le prêt' })
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await shows('Livre numéro 1')
  })

  it('closes before the choice of rows is given up', async () => {
    screenOf(1440)
    await openApp(server, view(0))
    await shows('Livre numéro 1')
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Choisir\s: Livre numéro 2$/ }))
    const choice = await screen.findByRole('region', { name: /^Choix/ })
    // A box that has the focus takes no letters.
    await userEvent.keyboard('j')
    await shows('Livre numéro 2')
    await userEvent.keyboard('{Escape}')
    await isClosed()
    expect(choice).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(choice).not.toBeInTheDocument())
  })

  it('is deleted from there, and the list stays as it is filtered', async () => {
    screenOf(1440)
    const page = await openApp(server, `${view(2)}?islate%7Ceq=0`)
    await shows('Livre numéro 3')
    await userEvent.click((await panel()).getByRole('button', { name: 'Autres actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = await screen.findByRole('dialog', { name: 'Supprimer le prêt' })
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    await isClosed()
    await waitFor(() => expect(page.address).toBe('/loanings?islate%7Ceq=0'))
  })

  it('is a page of its own where there is no room for both', async () => {
    screenOf(820)
    const page = await openApp(server, '/loanings')
    await userEvent.click(await link('Livre numéro 1'))
    expect(await screen.findByRole('heading', { level: 1, name: 'Livre numéro 1' })).toBeVisible()
    expect(list()).toBeNull()
    expect(screen.queryByRole('button', { name: 'Fermer la fiche' })).toBeNull()
    await waitFor(() => expect(page.address).toBe(view(0)))
    await userEvent.keyboard('j')
    await waitFor(() => expect(page.address).toBe(view(0)))
    // What loses something is never in reach without opening the menu.
    expect(screen.queryByRole('button', { name: 'Supprimer' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Autres actions' }))
    expect(await screen.findByRole('menuitem', { name: 'Supprimer' })).toBeVisible()
    await act(() => page.router.navigate(-1))
    await waitFor(() => expect(list()).toBeInTheDocument())
  })

  it('is left for the list, whatever the list was asked meanwhile', async () => {
    screenOf(1440)
    const page = await openApp(server, '/loanings')
    const back = () => act(() => page.router.navigate(-1))
    await userEvent.click(await link('Livre numéro 1'))
    await shows('Livre numéro 1')
    await userEvent.click(await screen.findByRole('link', { name: 'Rendus aujourd’hui' }))
    await waitFor(() => expect(page.address).toContain(`${view(0)}?status`))
    await back()
    await isClosed()
    await waitFor(() => expect(page.address).toBe('/loanings'))

    await userEvent.click(await link('Livre numéro 1'))
    await shows('Livre numéro 1')
    await userEvent.click(await screen.findByRole('button', { name: 'Article' }))
    await waitFor(() => expect(page.address).toContain(`${view(0)}?sort`))
    const sorted = page.address.replace(view(0), '/loanings')
    await userEvent.keyboard('{Escape}')
    await isClosed()
    await waitFor(() => expect(page.address).toBe(sorted))
    await back()
    await waitFor(() => expect(page.address).toBe('/loanings'))
  })

  it('is there again once it was changed, and then left for the list', async () => {
    screenOf(1440)
    const page = await openApp(server, '/loanings')
    const change = async () => {
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Modifier' }))
      await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer' }))
      await shows('Livre numéro 1')
      await waitFor(() => expect(page.address).toBe(view(0)))
      await userEvent.keyboard('{Escape}')
      await isClosed()
      await waitFor(() => expect(page.address).toBe('/loanings'))
      // Nothing stands before the list.
      await act(() => page.router.navigate(-1))
      await waitFor(() => expect(page.address).toBe('/loanings'))
    }
    await userEvent.click(await link('Livre numéro 1'))
    await userEvent.click(await (await panel()).findByRole('button', { name: 'Autres actions' }))
    await change()
    await userEvent.click(await screen.findByRole('button', { name: /^Actions\s: Livre numéro 1$/ }))
    await change()
  })

  it('acts without a row of the list changing its place, and J goes on from there', async () => {
    screenOf(1440)
    await openApp(server, '/loanings')
    await userEvent.click(await link('Livre numéro 1'))
    await userEvent.click(await (await panel()).findByRole('button', { name: 'Autres actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Annuler le prêt' }))
    const question = await screen.findByRole('dialog', { name: 'Annuler le prêt' })
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(openRow()).toHaveTextContent('Plus dans la liste'))
    await waitFor(() => expect(question).not.toBeInTheDocument())
    await userEvent.keyboard('j')
    await shows('Livre numéro 2')
    await userEvent.keyboard('k')
    await shows('Livre numéro 1')
  })
})
