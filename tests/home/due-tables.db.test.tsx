import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { emptyTables } from '../support/empty-tables.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome } from './open-home.tsx'

afterEach(closeHome)

/** What the home page asks of the server for its late loans, call by call. */
function lateLoansAsked({ device }: Pick<Awaited<ReturnType<typeof openHome>>, 'device'>) {
  const asked: Record<string, string>[] = []
  const { network } = device
  device.network = (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/api/loanings' && searchParams.has('filters[islate|eq]'))
      asked.push(Object.fromEntries(searchParams))
    return network(request)
  }
  return asked
}

describeServer('the tables of the home page', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings')
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (1, 1, 1, '2026-02-01', '2026-02-22', 3, 'WEEK', '2026-02-01', '2026-02-01'),
        (2, 2, 1, '2026-02-03', '2026-03-01', 3, 'WEEK', '2026-02-03', '2026-02-03')`.execute(server.db)
  })
  const late = () => screen.findByRole('table', { name: 'En retard' })
  const titles = async () =>
    within(await late())
      .getAllByRole('link', { name: /^Livre/ })
      .map(({ textContent }) => textContent)

  it('show a hundred loans, by the reader’s last name from the end of the alphabet', async () => {
    await sql`insert into copies (reference, bar_code, site) select 10, 'N' || n, 1 from generate_series(1, 105) n`.execute(
      server.db,
    )
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select 4, id, 1, '2026-02-03', '2026-03-02', 3, 'WEEK', '2026-02-03', '2026-02-03' from copies where bar_code like 'N%'`.execute(
      server.db,
    )
    await openHome(server)
    // Sans-Courriel, Martin, Dupont: the first hundred are one reader's.
    await waitFor(async () => expect(within(await late()).getAllByRole('row')).toHaveLength(101))
    expect(new Set(await titles())).toEqual(new Set(['Livre numéro 10']))
    await sql`delete from loanings where beneficiary = 4`.execute(server.db)
    await closeHome()

    await openHome(server)
    await late().then((table) => within(table).findByRole('link', { name: 'Livre numéro 1' }))
    expect(await titles()).toEqual(['Livre numéro 1', 'Livre numéro 2'])
  })

  it('sort down, up, and as they were', async () => {
    await openHome(server)
    const header = within(await late()).getByRole('button', { name: 'Article' })
    const sorted = () => header.closest('th')?.getAttribute('aria-sort')
    await waitFor(async () => expect(await titles()).toEqual(['Livre numéro 1', 'Livre numéro 2']))
    for (const [way, first] of [
      ['descending', 'Livre numéro 2'],
      ['ascending', 'Livre numéro 1'],
    ] as const) {
      await userEvent.click(header)
      await waitFor(() => expect(sorted()).toBe(way))
      await waitFor(async () => expect((await titles())[0]).toBe(first))
    }
    await userEvent.click(header)
    await waitFor(() => expect(['none', null]).toContain(sorted() ?? null))
  })

  it('are filtered by reader, reference, days, categories and media, each on its own', async () => {
    const page = await openHome(server)
    const section = within(await screen.findByRole('region', { name: 'En retard' }))
    await section.findByRole('link', { name: 'Livre numéro 1' })
    const asked = lateLoansAsked(page)
    await userEvent.click(section.getByRole('button', { name: 'Filtres' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Filtres' }))
    const write = async (label: string, text: string) => {
      await userEvent.click(
        drawer.getByRole(/Lecteur|Référ/.test(label) ? 'searchbox' : 'textbox', { name: label }),
      )
      await userEvent.paste(text)
      await userEvent.keyboard('{Enter}')
    }
    const choose = async (label: string, option: string) => {
      await userEvent.click(drawer.getByRole('combobox', { name: label }))
      await userEvent.click(await screen.findByRole('option', { name: option }))
      await userEvent.keyboard('{Escape}')
    }
    await write('Lecteur', 'Martin')
    await write('Référence', 'numéro 1')
    await write('Début, à partir du', '01/02/2026')
    await write('Retour prévu, jusqu’au', '28/02/2026')
    await choose('Catégories', 'Roman')
    await choose('Supports', 'Livre')
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({
        'filters[benefsearchname|like]': 'Martin',
        'filters[referencesearchname|like]': 'numéro 1',
        'filters[start_date|gte]': '2026-02-01',
        'filters[end_date|lte]': '2026-02-28',
        'filters[category|in]': '1',
        'filters[medium|in]': '1',
      }),
    )
    await waitFor(async () =>
      expect(
        within(await screen.findByRole('table', { name: 'En retard', hidden: true })).getAllByRole('row', {
          hidden: true,
        }),
      ).toHaveLength(2),
    )
  })

  it('say how many mails leave before they do, and that nobody is late', async () => {
    await openHome(server)
    await userEvent.click(await screen.findByRole('button', { name: 'Relancer tous les retards' }))
    const question = await screen.findByRole('dialog', { name: 'Relancer les retards' })
    expect(question).toHaveTextContent('2 email(s) seront envoyés. Voulez vous continuer ?')
    await userEvent.click(within(question).getByRole('button', { name: 'Annuler' }))
    await emptyTables(server.db, 'loanings')
    await userEvent.click(screen.getByRole('button', { name: 'Relancer tous les retards' }))
    expect(await screen.findByText('Retards introuvables.')).toBeVisible()
    expect(screen.queryByRole('dialog', { name: 'Relancer les retards' })).toBeNull()
    expect(await server.db.selectFrom('mail_outbox').select('id').execute()).toEqual([])
  })

  it('leave out of the reminders who had one today, and say so, unless they are asked for too', async () => {
    await sql`update loanings set reminded_on = '2026-03-10' where beneficiary = 1`.execute(server.db)
    await openHome(server)
    const asked = async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Relancer tous les retards' }))
      return screen.findByRole('dialog', { name: 'Relancer les retards' })
    }
    const question = await asked()
    expect(question).toHaveTextContent('1 email(s) sera envoyé. Voulez vous continuer ?')
    const also = await within(question).findByRole('checkbox', {
      name: 'Relancer aussi le lecteur qui l’a déjà été aujourd’hui',
    })
    await userEvent.click(also)
    expect(question).toHaveTextContent('2 email(s) seront envoyés. Voulez vous continuer ?')
    await userEvent.click(also)
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Votre demande a bien été prise en compte.')).toBeVisible()
    await server.doJobs()
    const written = async () =>
      (await server.db.selectFrom('mail_outbox').select('beneficiary').orderBy('id').execute()).map(
        ({ beneficiary }) => beneficiary,
      )
    expect(await written()).toEqual([2])

    const about = await asked()
    expect(about).toHaveTextContent(
      '2 lecteurs ont déjà été relancés aujourd’hui. 2 email(s) seront envoyés. Voulez vous continuer ?',
    )
    expect(within(about).queryByRole('checkbox')).toBeNull()
    await userEvent.click(within(about).getByRole('button', { name: 'Valider' }))
    await waitFor(async () => {
      await server.doJobs()
      expect(await written()).toEqual([2, 1, 2])
    })
  })
})
