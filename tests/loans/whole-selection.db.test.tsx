import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import type { Loan } from '../../src/contract/loans.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const filters = () => screen.findByLabelText('Lecteur')

describeServer('all the loans that the filters let through', (server) => {
  /** Loans in progress since 1 March, so many of two readers. */
  const lendMany = (count: number, from = 10_000) =>
    sql`
    with made as (
      insert into copies (reference, bar_code, site)
      select 1 + n % 10, '315555300' || (${from}::int + n), 1 from generate_series(1, ${count}::int) n returning id
    )
    insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
    select 1 + (row_number() over (order by id))::int % 2, id, 1, date '2026-03-01', date '2026-03-22', 3, 'WEEK', now(), now() from made`.execute(
      server.db,
    )
  const choice = async () => within(await screen.findByRole('region', { name: /^Choix/ }))
  const chooseAll = async (address = '/loanings?limit=10') => {
    const page = await openApp(server, address)
    await screen.findAllByRole('checkbox', { name: /^Choisir\s: Livre/ })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Choisir toute la page' }))
    return page
  }
  const allOf = (count: number) => new RegExp(`^Choisir les ${count}\\sprêts$`)
  /** The addresses of the rows, without what they say of the list. */
  const shownLoans = () =>
    screen.getAllByRole('link', { name: /^Livre/ }).map((link) => link.getAttribute('href')?.split('?')[0])
  const heads = () => screen.getByRole('checkbox', { name: 'Choisir toute la page' })
  /** A button pressed under an open menu closes it. */
  const noMenu = () => waitFor(() => expect(screen.queryByRole('menu')).toBeNull())

  beforeAll(() => lendMany(23))
  beforeEach(async () => {
    await sql`update loanings set duration_value = 3, end_date = date '2026-03-22'`.execute(server.db)
  })

  it('are chosen once the page is, on the other pages too, and let go by a filter', async () => {
    const page = await chooseAll()
    const bar = await choice()
    expect(bar.getByRole('status')).toHaveTextContent('10 prêts choisis')
    await userEvent.click(bar.getByRole('button', { name: allOf(23) }))
    expect(await bar.findByText('23 prêts choisis')).toBeVisible()
    expect(bar.getByRole('button', { name: 'Cette page seulement' })).toHaveFocus()

    const firstLink = () => shownLoans()[0]
    const before = firstLink()
    await userEvent.click(await button('Page 2'))
    await waitFor(() => expect(firstLink()).not.toBe(before))
    await waitFor(() => expect(heads()).toBeChecked())
    const [first] = await screen.findAllByRole('checkbox', { name: /^Choisir\s: Livre/ })
    await userEvent.click(first!)
    expect((await choice()).getByRole('status')).toHaveTextContent('22 prêts choisis')
    // The box over a page is for its rows.
    await userEvent.click(heads())
    expect((await choice()).getByRole('status')).toHaveTextContent('23 prêts choisis')
    await userEvent.click(heads())
    expect((await choice()).getByRole('status')).toHaveTextContent('13 prêts choisis')

    await act(() => page.router.navigate('/loanings?limit=10&benefsearchname%7Clike=Martin'))
    expect(await filters()).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('region', { name: /^Choix/ })).toBeNull())
  })

  it('go back to those of the page, and to none by Escape, which a dialog has for itself', async () => {
    await chooseAll()
    const bar = await choice()
    await userEvent.click(bar.getByRole('button', { name: allOf(23) }))
    await userEvent.click(await bar.findByRole('button', { name: 'Cette page seulement' }))
    expect(await bar.findByText('10 prêts choisis')).toBeVisible()
    await userEvent.click(bar.getByRole('button', { name: 'Prolonger' }))
    const dialog = await screen.findByRole('dialog', { name: /^Prolonger 10\sprêts$/ })
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(bar.getByText('10 prêts choisis')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(await filters()).toBeVisible()
    await waitFor(() => expect(heads()).toHaveFocus())
  })

  it('are extended, those of the other pages too, and no others', async () => {
    const { client } = await chooseAll('/loanings?limit=10&benefsearchname%7Clike=Martin')
    const bar = await choice()
    await userEvent.click(bar.getByRole('button', { name: allOf(11) }))
    await bar.findByText('11 prêts choisis')
    await userEvent.click(bar.getByRole('button', { name: 'Prolonger' }))
    const dialog = await screen.findByRole('dialog', { name: /^Prolonger 11\sprêts$/ })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText(/^11 prêts prolongés\s: retour prévu/)).toBeVisible()
    const { body } = await client.get('/api/loanings?limit=500')
    const extended = (body['hydra:member'] as Loan[]).filter(({ duration_value }) => duration_value === 4)
    expect(extended.length).toBe(11)
    expect(new Set(extended.map(({ beneficiary }) => beneficiary)).size).toBe(1)
    // What was done to them leaves them chosen.
    expect(await bar.findByText('11 prêts choisis')).toBeVisible()
  })

  /** The list, with what its exports ask for. */
  async function openExported() {
    const page = await openApp(server, '/loanings?limit=10')
    const asked: URLSearchParams[] = []
    const { network } = page.device
    page.device.network = (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname !== '/api/export/loanings') return network(request)
      asked.push(searchParams)
      // A file would lead the page away.
      return Promise.resolve(new Response('{}', { status: 500 }))
    }
    return asked
  }

  it('are a file of the page in sight where the list goes on', async () => {
    const asked = await openExported()
    await screen.findAllByRole('checkbox', { name: /^Choisir\s: Livre/ })
    await userEvent.click(screen.getByRole('button', { name: 'Exporter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Cette page\u202f: Texte (csv)' }))
    await waitFor(() => expect(asked).toHaveLength(1))
    const ids = asked[0]!.get('filters[id|in]')!.split(',')
    expect(ids.map((id) => `/loanings/view/${id}`)).toEqual(shownLoans())
  })

  it('are a file with the columns of the screen, in their order, or with all', async () => {
    const asked = await openExported()
    await screen.findAllByRole('checkbox', { name: /^Choisir\s: Livre/ })
    await userEvent.click(screen.getByRole('button', { name: 'Colonnes' }))
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Catégorie' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: /^Catégorie/ })).toBeNull())
    await userEvent.keyboard('{Escape}')
    await noMenu()
    await userEvent.click(screen.getByRole('button', { name: 'Exporter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Tableur (xlsx)' }))
    await waitFor(() => expect(asked).toHaveLength(1))
    await noMenu()
    const columns = asked[0]!.get('columns')!.split(',')
    expect(columns.slice(0, 3)).toEqual(['reference', 'beneficiary', 'start'])
    expect(columns).not.toContain('category')
    await userEvent.click(screen.getByRole('button', { name: 'Exporter' }))
    await userEvent.click(
      await screen.findByRole('menuitem', { name: 'Toutes les colonnes\u202f: Tableur (xlsx)' }),
    )
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(asked[1]!.get('columns')).toBeNull()
  })

  it('are a file of exactly those that are ticked', async () => {
    const asked = await openExported()
    const boxes = await screen.findAllByRole('checkbox', { name: /^Choisir\s: Livre/ })
    await userEvent.click(boxes[0]!)
    await userEvent.click(boxes[2]!)
    await userEvent.click((await choice()).getByRole('button', { name: 'Exporter' }))
    await userEvent.click((await screen.findAllByRole('menuitem'))[0]!)
    await waitFor(() => expect(asked).toHaveLength(1))
    const ids = asked[0]!.get('filters[id|in]')!.split(',')
    expect(ids).toHaveLength(2)
    expect([...asked[0]!.keys()].filter((name) => name.startsWith('filters'))).toEqual(['filters[id|in]'])
    const shown = shownLoans()
    expect(ids.map((id) => `/loanings/view/${id}`)).toEqual([shown[0], shown[2]])
  })

  it('are deleted after a question that counts them', async () => {
    const { client } = await chooseAll('/loanings?limit=10&benefsearchname%7Clike=Martin')
    const bar = await choice()
    await userEvent.click(bar.getByRole('button', { name: allOf(11) }))
    await bar.findByText('11 prêts choisis')
    await userEvent.click(bar.getByRole('button', { name: 'Autres actions sur le choix' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = await screen.findByRole('dialog', { name: /^Supprimer 11\sprêts$/ })
    expect(question).toHaveTextContent(/et 3\sautres\./)
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('11 prêts supprimés.')).toBeVisible()
    expect((await client.get('/api/loanings')).body['hydra:totalItems']).toBe(12)
  })

  it('are at most five hundred at once, which is said', async () => {
    await lendMany(500, 20_000)
    await chooseAll()
    const bar = await choice()
    expect(bar.getByText(/^512\sprêts en tout\s: 500 au plus à la fois$/)).toBeVisible()
    expect(bar.queryByRole('button', { name: /^Choisir les/ })).toBeNull()
  })
})
