import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'
import { holdTimers } from '../ui/held-timers.ts'

afterEach(closeApp)

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const inDialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.paste(text)
}
const rows = () => screen.getAllByRole('row').slice(1)

describeServer('a list of the settings', (server) => {
  it.each([
    ['/settings/keywords', 'le mot-clé', 'Ajouter un mot-clé', 'Modifier le mot-clé', /^Nom/],
    ['/settings/locations', 'l’emplacement', 'Ajouter un emplacement', 'Modifier l’emplacement', /^Libellé/],
    [
      '/settings/free',
      'le motif de gratuité',
      'Ajouter un motif de gratuité',
      'Modifier le motif de gratuité',
      /^Nom/,
    ],
  ])(
    '%s adds one in a dialog, changes it there, and asks before it goes',
    async (address, it, add, change, name) => {
      await openApp(server, address)
      await userEvent.click(await button(add))
      const adding = await inDialog(add)
      await write(adding.getByLabelText(name), 'Premier nom')
      await userEvent.click(adding.getByRole('button', { name: 'Valider' }))
      await userEvent.click(await button(/^Modifier\s: Premier nom$/))
      const changing = await inDialog(change)
      await write(changing.getByLabelText(name), 'Second nom')
      await userEvent.click(changing.getByRole('button', { name: 'Valider' }))
      expect(await screen.findByRole('row', { name: /^Second nom/ })).toBeVisible()
      await userEvent.click(await button(/^Actions\s: Second nom$/))
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
      const asking = await inDialog(new RegExp(`^Supprimer ${it} «\\sSecond nom\\s»\\s\\?$`))
      await userEvent.click(asking.getByRole('button', { name: 'Annuler' }))
      expect(screen.getByRole('row', { name: /^Second nom/ })).toBeVisible()
    },
  )

  it.each([
    ['/settings/categories', 'categories', 'Roman'],
    ['/settings/keywords', 'keywords', 'Brouillard'],
    ['/settings/delay', 'reasons', 'Neige'],
    ['/settings/free', 'reasons', 'Fidélité'],
  ] as const)('%s says when each was changed last', async (address, table, name) => {
    const client = await server.as('admin')
    if (table === 'keywords') await client.post('/api/keywords', { name })
    if (table === 'reasons')
      await client.post('/api/reasons', { name, type: address === '/settings/delay' ? 'delay' : 'free' })
    await sql`update ${sql.table(table)} set date_update = '2026-02-03T09:05:00Z' where name = ${name}`.execute(
      server.db,
    )
    await openApp(server, address)
    const row = await screen.findByRole('row', { name: new RegExp(`^${name}`) })
    const at = screen
      .getAllByRole('columnheader')
      .findIndex(({ textContent }) => textContent === 'Modifiée le' || textContent === 'Modifié le')
    expect(row.children[at]).toHaveTextContent('03/02/2026')
  })

  it('counts by 10, 25 or 50, and leads to the first, previous, next and last of them', async () => {
    await sql`update keywords set deleted_at = now()`.execute(server.db)
    await sql`insert into keywords (name) select 'mot ' || lpad(n::text, 3, '0') from generate_series(1, 60) n`.execute(
      server.db,
    )
    const page = await openApp(server, '/settings/keywords?limit=25')
    const size = await screen.findByLabelText('Lignes par page')
    await screen.findByText('60 mots-clés')
    expect(Array.from(size.querySelectorAll('option'), ({ textContent }) => textContent)).toEqual([
      '10 par page',
      '25 par page',
      '50 par page',
    ])
    await userEvent.selectOptions(size, '10')
    await waitFor(() => expect(rows()).toHaveLength(10))
    for (const [label, at] of [
      ['Suivant', 2],
      ['Fin', 6],
      ['Précédent', 5],
      ['Début', 1],
    ] as const) {
      await userEvent.click(await button(label))
      await waitFor(() =>
        expect(page.address).toMatch(at === 1 ? /limit=10(&page=1)?$/ : new RegExp(`page=${at}$`)),
      )
      expect(await button(`Page ${at}`)).toHaveAttribute('aria-current', 'page')
    }
    expect(screen.getAllByRole('columnheader').at(-1)).toHaveTextContent('Action')
  })

  it('says how many copies are at a place', async () => {
    const { id } = await server.db
      .insertInto('locations')
      .values({ label: 'Mezzanine' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`update copies set location = ${id} where id <= 3`.execute(server.db)
    await openApp(server, '/settings/locations')
    expect(await screen.findByRole('row', { name: /^Mezzanine 3/ })).toBeVisible()
  })

  it('is found from an index that marks where one is', async () => {
    await openApp(server, '/settings/free')
    const index = within(await screen.findByRole('navigation', { name: 'Réglages' }))
    expect(await index.findByRole('link', { name: 'Motifs de gratuité' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    for (const name of [
      'Paramètres généraux',
      'Sites',
      'Profils et droits',
      'Supports',
      'Mots-clés',
      'Listes',
      'Champs',
      'Exemplaires',
    ]) {
      expect(index.getByRole('link', { name })).not.toHaveAttribute('aria-current')
    }
  })

  it('waits a second before keywords are searched, and half that elsewhere', async () => {
    const asked: string[] = []
    const page = await openApp(server, '/settings/keywords')
    const network = page.device.network
    page.device.network = (request) => {
      const { search } = new URL(request.url)
      if (search.includes('like')) asked.push(search)
      return network(request)
    }
    for (const [path, label, wait] of [
      ['/settings/keywords', 'Nom', 1000],
      ['/settings/locations', 'Libellé', 500],
    ] as const) {
      await page.router.navigate(path)
      const field = await screen.findByLabelText(label)
      asked.length = 0
      const timers = holdTimers(500, 1000)
      await userEvent.type(field, 'mo')
      // The first letter’s was given up.
      expect(timers.lengths).toEqual([wait])
      expect(asked).toEqual([])
      timers.letGo()
      await waitFor(() => expect(asked).toHaveLength(1))
      vi.restoreAllMocks()
      await userEvent.clear(screen.getByLabelText(label))
    }
  })
})
