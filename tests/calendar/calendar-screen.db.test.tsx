import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { typeScan } from '../home/open-home.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer } from '../support/test-server.ts'

afterEach(closeApp)

// Today is Tuesday 10 March 2026; the weeks shown go from 19 February to 13 May.

describeServer('the calendar’s screen', (server) => {
  let admin: Client
  beforeEach(async () => {
    setPreference('scanner_prefix', '~')
    admin = await server.as('admin')
    await emptyTables(server.db, 'loanings', 'reservations', 'closures')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    await sql`update media set start_day = null`.execute(server.db)
    await setParameter(server, 'reservations_without_dates', '0')
  })
  const lend = (copy: number, start_date: string, beneficiary = 1) =>
    admin.post('/api/loanings', { beneficiary, copy, start_date })
  const reserve = (body: object) => admin.post('/api/reservations', { beneficiary_id: 2, ...body })
  const cell = (name: RegExp | string) => screen.findByRole('gridcell', { name })
  const choice = async (name: RegExp | string) => {
    await userEvent.click(await cell(name))
    return within(await screen.findByRole('dialog'))
  }
  const verbs = async (dialog: ReturnType<typeof within>) => {
    await waitFor(() => expect(dialog.getAllByRole('button').length).toBeGreaterThan(2))
    return dialog
      .getAllByRole('button')
      .map((one: HTMLElement) => one.textContent || one.getAttribute('aria-label'))
  }

  it('searches by over 2 characters of the reference, over 1 of the category, a bar code or a date', async () => {
    const page = await openApp(server, '/calendar')
    const title = await screen.findByRole('searchbox', { name: 'Référence' })
    await userEvent.type(title, 'li{Enter}')
    await waitFor(() => expect(page.address).toBe('/calendar?reference=li'))
    expect(
      await screen.findByText(/^Scannez un exemplaire, ou cherchez par au moins 3 caractères/),
    ).toBeVisible()
    await userEvent.type(title, 'v{Enter}')
    expect(await screen.findByRole('rowgroup', { name: 'Livre numéro 3' })).toBeVisible()
    expect(screen.getByText('10 références')).toBeVisible()
    await userEvent.clear(title)
    await userEvent.type(screen.getByRole('searchbox', { name: 'Catégorie' }), 'fi{Enter}')
    expect(
      await screen.findByText(
        'Aucune référence dont un exemplaire se prête ne correspond à cette recherche.',
      ),
    ).toBeVisible()
    await userEvent.clear(screen.getByRole('searchbox', { name: 'Catégorie' }))
    await userEvent.type(screen.getByRole('searchbox', { name: 'Code-barres' }), '1004{Enter}')
    expect(await screen.findByText('1 référence')).toBeVisible()
    await userEvent.clear(screen.getByRole('searchbox', { name: 'Code-barres' }))
    // Typed without a pause it would be a scanner's.
    await userEvent.click(screen.getByRole('textbox', { name: 'Date' }))
    await userEvent.paste('10/03/2026')
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByText('Rien n’est prêté ni réservé ce jour-là.')).toBeVisible()
  })

  it('searches at once by a code that is scanned, instead of what was typed', async () => {
    const page = await openApp(server, '/calendar?reference=film&weeks=10')
    await screen.findByRole('searchbox', { name: 'Référence' })
    typeScan('1004')
    expect(await screen.findByRole('rowgroup', { name: 'Livre numéro 4' })).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/calendar?bar_code=1004'))
  })

  it('shows twelve weeks, and others by its buttons, in the address', async () => {
    const page = await openApp(server, '/calendar?bar_code=1004')
    const weeks = await screen.findAllByRole('columnheader')
    expect(weeks).toHaveLength(13)
    expect(weeks[3]).toHaveTextContent('Cette semaine, du 5 mars')
    expect(screen.getByText('Du 19/02/2026 au 13/05/2026')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Aujourd’hui' })).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Suivant' }))
    expect(await screen.findByText('Du 30/04/2026 au 22/07/2026')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/calendar?bar_code=1004&weeks=10'))
    await userEvent.click(screen.getByRole('button', { name: 'Précédent' }))
    expect(await screen.findByText('Du 19/02/2026 au 13/05/2026')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Précédent' }))
    expect(await screen.findByText('Du 11/12/2025 au 04/03/2026')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Aujourd’hui' }))
    expect(await screen.findByText('Du 19/02/2026 au 13/05/2026')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/calendar?bar_code=1004'))
  })

  it('tells each state by a word and a pattern as well as by a colour', async () => {
    await lend(1, '2026-03-01')
    await lend(2, '2026-02-10')
    await lend(3, '2026-03-01')
    await admin.post('/api/loanings/return', { bar_code: '1003' })
    await reserve({ reference_id: 4, copy_id: 4, start_date: '2026-03-16', end_date: '2026-03-20' })
    await reserve({ reference_id: 5, start_date: '2026-03-16', end_date: '2026-03-20' })
    await openApp(server, '/calendar?reference=livre')
    const lent = await cell('Prêté à Alice Martin (M1), du 01/03/2026 au 22/03/2026')
    expect(lent).toHaveTextContent('Alice Martin')
    const states = [
      lent,
      await cell('En retard, Alice Martin (M1), du 10/02/2026 au 10/03/2026, attendu le 03/03/2026'),
      await cell('Rendu par Alice Martin (M1), du 01/03/2026 au 10/03/2026'),
      ...(await screen.findAllByRole('gridcell', {
        name: 'Réservé pour Éric Dupont (M2), du 16/03/2026 au 20/03/2026',
      })),
    ].map((one) => one.getAttribute('data-state'))
    expect(states).toEqual(['loan', 'overdue', 'returned', 'reservation', 'reservation'])
    // One without a copy stands on the head of its block.
    const head = within(screen.getByRole('rowgroup', { name: 'Livre numéro 5' })).getAllByRole('row')[0]!
    expect(within(head).getByRole('gridcell')).toHaveAccessibleName(/^Réservé pour Éric/)
    const legend = within(screen.getByRole('list', { name: 'Légende' })).getAllByRole('listitem')
    expect(legend.map(({ textContent }) => textContent)).toEqual([
      'Libre',
      'Rendu',
      'Réservé',
      'Prêté',
      'En retard',
      'Jour fermé',
    ])
  })

  it.each([
    ['blue', '2026-03-01', /^Prêté à Alice/, 'Prolonger', 'Prolonger le prêt'],
    ['red', '2026-02-10', /^En retard, Alice/, 'Commenter le retard', 'Commenter le retard'],
  ])('allows on %s to return, to extend and to comment the delay', async (_, start, name, verb, title) => {
    await lend(1, start)
    const page = await openApp(server, '/calendar?bar_code=1001')
    expect(await verbs(await choice(name))).toEqual([
      'Fermer',
      'Rendre',
      'Prolonger',
      'Voir',
      'Commenter le retard',
      'Fermer',
    ])
    // One of the two that open a dialog on each: they are the same buttons.
    await userEvent.click(screen.getByRole('button', { name: verb }))
    const dialog = await screen.findByRole('dialog', { name: title })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Annuler' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click((await choice(name)).getByRole('button', { name: 'Rendre' }))
    await waitFor(() => expect(page.address).toBe('/loaning/return?beneficiary=1&loan=1'))
  })

  it('allows on yellow a new loan, to whoever reserved it', async () => {
    await reserve({ reference_id: 4, copy_id: 4, start_date: '2026-03-16', end_date: '2026-03-20' })
    const page = await openApp(server, '/calendar?bar_code=1004')
    const dialog = await choice(/^Réservé pour Éric/)
    expect(dialog.queryByRole('button', { name: 'Réserver' })).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Nouveau prêt' }))
    await waitFor(() => expect(page.address).toBe('/loaning/add?beneficiary=2&copy=4'))
  })

  it('allows on grey and white to reserve or to lend', async () => {
    await lend(3, '2026-03-01')
    await admin.post('/api/loanings/return', { bar_code: '1003' })
    const page = await openApp(server, '/calendar?bar_code=1003')
    const white = await choice(/^Rendu par Alice/)
    expect(await verbs(white)).toEqual(['Fermer', 'Réserver', 'Nouveau prêt', 'Fermer'])
    await userEvent.click(white.getAllByRole('button', { name: 'Fermer' })[0]!)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const grey = await choice('Libre du 19/03/2026 au 25/03/2026')
    expect(await verbs(grey)).toEqual(['Fermer', 'Réserver', 'Nouveau prêt', 'Fermer'])
    await userEvent.click(grey.getByRole('button', { name: 'Nouveau prêt' }))
    await waitFor(() => expect(page.address).toBe('/loaning/add?copy=3'))
  })

  it('reserves the days of a grey bar, from the weekday on which the medium starts', async () => {
    await sql`update media set start_day = 5 where id = 1`.execute(server.db)
    const page = await openApp(server, '/calendar?bar_code=1003')
    const dialog = await choice('Libre du 19/03/2026 au 25/03/2026')
    expect(dialog.getByText('Ce support se réserve à partir du 20/03/2026.')).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Réserver' }))
    await waitFor(() =>
      expect(page.address).toBe(
        '/reservations/add?reference=3&copy=3&start_date=2026-03-20&end_date=2026-03-25',
      ),
    )
  })

  it('chooses days by the keyboard alone, and moves from bar to bar', async () => {
    await lend(2, '2026-03-01')
    const page = await openApp(server, '/calendar?reference=livre')
    const [first] = (await screen.findAllByRole('gridcell')) as [HTMLElement]
    first.focus()
    const focused = () => document.activeElement?.getAttribute('aria-label')
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(focused()).toBe('Libre du 05/03/2026 au 11/03/2026')
    // « Livre numéro 10 » is between them by title.
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(focused()).toBe('Prêté à Alice Martin (M1), du 01/03/2026 au 22/03/2026')
    await userEvent.keyboard('{ArrowUp}{End}{Home}{ArrowRight}{ArrowRight}{ArrowRight}')
    expect(focused()).toBe('Libre du 12/03/2026 au 18/03/2026')
    await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}')
    expect(screen.getByText('3 jours choisis, du 12/03/2026 au 14/03/2026')).toBeInTheDocument()
    await userEvent.keyboard('{ArrowRight}{Shift>}{ArrowLeft}{/Shift}')
    expect(screen.getByText('2 jours choisis, du 13/03/2026 au 14/03/2026')).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByText(/jours choisis/)).toBeNull()
    await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Enter}')
    await waitFor(() =>
      expect(page.address).toBe(
        '/reservations/add?reference=10&copy=10&start_date=2026-03-12&end_date=2026-03-13',
      ),
    )
  })

  it('reserves without days where the library does', async () => {
    await setParameter(server, 'reservations_without_dates', '1')
    const page = await openApp(server, '/calendar?bar_code=1003')
    await userEvent.click(
      (await choice('Libre du 19/03/2026 au 25/03/2026')).getByRole('button', { name: 'Réserver' }),
    )
    await waitFor(() => expect(page.address).toBe('/reservations/add?reference=3&copy=3'))
  })

  it('offers only what one may do', async () => {
    const kept =
      await sql`delete from profile_rights where right_code in ('RESERVATION_EDIT', 'LOANING_ADD') returning *`.execute(
        server.db,
      )
    try {
      await openApp(server, '/calendar?bar_code=1003')
      const dialog = await choice('Libre du 19/03/2026 au 25/03/2026')
      expect(dialog.getByText('Rien d’autre n’est permis ici avec votre profil.')).toBeVisible()
      expect(dialog.queryByRole('button', { name: /Réserver|Nouveau prêt/ })).toBeNull()
    } finally {
      await sql`insert into profile_rights select * from json_populate_recordset(null::profile_rights, ${JSON.stringify(kept.rows)})`.execute(
        server.db,
      )
    }
  })

  it('stands in the menu of whoever has the right', async () => {
    await openApp(server, '/calendar', { as: 'lecture' })
    expect(await screen.findByText(/droit/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Calendrier' })).toBeNull()
  })
})
