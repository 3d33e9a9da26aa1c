import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { chooseSite } from '../../src/client/api/session.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const titles = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('link').textContent)

describeServer('the list of references', (server) => {
  beforeAll(async () => {
    await sql`
      insert into "references" (name, code, created_at)
      select 'Ancienne ' || n, 'A' || n, '2020-01-01T00:00:00Z' from generate_series(1, 20) n`.execute(
      server.db,
    )
    await sql`update "references" set created_at = '2030-03-01T10:00:00Z' where name = 'Livre numéro 7'`.execute(
      server.db,
    )
    await sql`
      update "references" set reference_data = '{"language":"Néerlandais"}' where name = 'Livre numéro 3'`.execute(
      server.db,
    )
    await sql`insert into list_types (name, "group") values ('Illustrateur', 'author')`.execute(server.db)
    await sql`
      insert into list_values (name, "group", type) select 'Sempé, Jean-Jacques', "group", id from list_types`.execute(
      server.db,
    )
    await sql`insert into reference_list_values select 4, id, 1 from list_values`.execute(server.db)
  })

  it('shows 25 of them, the last added first, and sorts down, up and not at all', async () => {
    const page = await openApp(server, '/references', { as: 'biblio' })
    await screen.findByText('35 références')
    // The rows under the first screen come a moment later.
    await waitFor(() => expect(titles()).toHaveLength(25))
    expect(titles()[0]).toBe('Livre numéro 7')
    const header = screen.getByRole('button', { name: 'Titre' })
    for (const address of ['/references?sort=name%3Adesc', '/references?sort=name%3Aasc', '/references']) {
      await userEvent.click(header)
      await waitFor(() => expect(page.address).toBe(address))
    }
  })

  it('says of a title without copies that it has none here, as long as one site is looked at', async () => {
    await openApp(server, '/references?searchname%7Clike=Ancienne+12', { as: 'biblio' })
    const rowOf = async () => (await screen.findByRole('link', { name: 'Ancienne 12' })).closest('tr')
    expect(await rowOf()).toHaveTextContent('Sans exemplaire ici')
    act(() => chooseSite({ id: 0, name: 'Tous les sites' }))
    await waitFor(async () => expect(await rowOf()).toHaveTextContent(/Sans exemplaire(?! ici)/))
  })

  it('asks once for what is chosen in a row, and a second after what is typed', async () => {
    const page = await openApp(server, '/references', { as: 'biblio' })
    await screen.findByText('35 références')
    const asked: [search: string, at: number][] = []
    const { network } = page.device
    page.device.network = (request) => {
      const { pathname, searchParams } = new URL(request.url)
      const filters = [...searchParams].filter(([name]) => name.startsWith('filters['))
      if (pathname === '/api/references' && filters.length > 0)
        asked.push([filters.map(String).join(' '), performance.now()])
      return network(request)
    }
    await userEvent.click(screen.getByRole('combobox', { name: 'Catégories' }))
    const [first, second] = await screen.findAllByRole('option')
    await userEvent.click(first!)
    const chosenAt = performance.now()
    await userEvent.click(second!)
    await waitFor(() => expect(page.address).toMatch(/^\/references\?category%7Cin=\d+%2C\d+$/))
    await waitFor(() => expect(asked).toHaveLength(1), { timeout: 5000 })
    expect(asked[0]![0]).toMatch(/category\|in\].*,\d+/)
    // A slow machine may ask later, never sooner.
    expect(asked[0]![1] - chosenAt).toBeGreaterThanOrEqual(500)

    await page.router.navigate('/references')
    await screen.findByText('35 références')
    asked.length = 0
    const typedAt = performance.now()
    await userEvent.type(screen.getByLabelText('Titre, auteur ou code'), 'm')
    await waitFor(() => expect(asked).toHaveLength(1), { timeout: 5000 })
    expect(asked[0]![0]).toContain('searchname')
    expect(asked[0]![1] - typedAt).toBeGreaterThanOrEqual(1000)
  })

  it('leads from a title to its copies, in a dialog, and to its loans', async () => {
    const page = await openApp(server, '/references?searchname%7Clike=num%C3%A9ro%203', { as: 'biblio' })
    await screen.findByRole('link', { name: 'Livre numéro 3' })
    await press('Actions\u202f: Livre numéro 3')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Exemplaires' }))
    const dialog = await screen.findByRole('dialog', { name: /^Exemplaires de «\sLivre numéro 3\s»$/ })
    expect(await within(dialog).findByText('1003')).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Fermer' }))
    await press('Actions\u202f: Livre numéro 3')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Historique des prêts' }))
    await waitFor(() => expect(page.address).toMatch(/^\/loanings\?/))
  })

  it('is filtered by the fields and the functions that a person chose, on every device of theirs', async () => {
    const page = await openApp(server, '/references', { as: 'biblio' })
    await screen.findByText('35 références')
    expect(screen.queryByLabelText('Langue')).toBeNull()
    await press('Choisir les filtres affichés')
    const choice = within(await screen.findByRole('dialog', { name: 'Filtres affichés' }))
    for (const box of choice.getAllByRole<HTMLInputElement>('checkbox')) {
      const isWanted = box.value === 'reference_data.language' || box.value.startsWith('list_types.')
      if (box.checked !== isWanted) fireEvent.click(box)
    }
    await userEvent.click(choice.getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Filtres sauvegardés.')).toBeVisible()
    fireEvent.change(await screen.findByLabelText('Langue'), { target: { value: 'neerl' } })
    await waitFor(() => expect(page.address).toContain('reference_data.language'), { timeout: 5000 })
    await waitFor(() => expect(titles()).toEqual(['Livre numéro 3']))
    await closeApp()

    await openApp(server, '/references', { as: 'biblio' })
    fireEvent.change(await screen.findByLabelText('Illustrateur (auteurs)'), {
      target: { value: 'sempe jean' },
    })
    await waitFor(() => expect(titles()).toEqual(['Livre numéro 4']), { timeout: 5000 })
  }, 30_000)
})
