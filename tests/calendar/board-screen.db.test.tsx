import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { type Client, describeServer } from '../support/test-server.ts'

const { happyDOM } = globalThis as unknown as {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void }
}
const usual = { width: innerWidth, height: innerHeight }
afterEach(async () => {
  await closeApp()
  happyDOM.setViewport(usual)
})

// Today is Tuesday 10 March 2026; the board shows the days from 8 March to 4 April.

describeServer('the board of the calendar, on its screen', (server) => {
  let admin: Client
  beforeEach(async () => {
    admin = await server.as('admin')
    await emptyTables(server.db, 'loanings', 'reservations', 'closures')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    await sql`update media set start_day = null`.execute(server.db)
    await setParameter(server, 'reservations_without_dates', '0')
  })
  const lend = (copy: number, start_date: string) =>
    admin.post('/api/loanings', { beneficiary: 1, copy, start_date })
  const reserve = (copy: number, start_date: string, end_date: string) =>
    admin.post('/api/reservations', {
      beneficiary_id: 2,
      reference_id: copy,
      copy_id: copy,
      start_date,
      end_date,
    })
  const cell = (name: RegExp | string) => screen.findByRole('gridcell', { name })

  it('opens on today, without a search, with a row a copy', async () => {
    await lend(1, '2026-03-01')
    await lend(2, '2026-02-17')
    await reserve(3, '2026-03-16', '2026-03-20')
    await openApp(server, '/calendar')
    await cell('Prêté à Alice Martin (M1), du 01/03/2026 au 22/03/2026')
    // Due today comes first.
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'Livre numéro 21002',
      'Livre numéro 11001',
      'Livre numéro 31003',
    ])
    expect(screen.getAllByRole('columnheader')).toHaveLength(29)
    expect(screen.getByRole('columnheader', { name: 'mardi 10 mars 2026' })).toHaveAttribute(
      'aria-current',
      'date',
    )
    expect(screen.getByText('Du 08/03/2026 au 04/04/2026')).toBeVisible()
  })

  it('goes to a day, by weeks or by its date, and back to today, in the address', async () => {
    const page = await openApp(server, '/calendar')
    expect(await screen.findByText('Rien n’est prêté ni réservé ce jour-là.')).toBeVisible()
    await press('Semaine suivante')
    await waitFor(() => expect(page.address).toBe('/calendar?day=2026-03-17'))
    expect(await screen.findByText('Du 15/03/2026 au 11/04/2026')).toBeVisible()
    await press('Aujourd’hui')
    await waitFor(() => expect(page.address).toBe('/calendar'))
    await userEvent.clear(screen.getByRole('textbox', { name: 'Jour affiché' }))
    await userEvent.paste('01/04/2026')
    await waitFor(() => expect(page.address).toBe('/calendar?day=2026-04-01'))
    expect(await screen.findByText('Du 30/03/2026 au 26/04/2026')).toBeVisible()
  })

  it('gives days on which its site is closed a ground, and no other', async () => {
    await lend(1, '2026-03-01')
    await admin.post('/api/closures', {
      site: 1,
      first_day: '2026-03-12',
      last_day: '2026-03-12',
      label: 'Inventaire',
    })
    await openApp(server, '/calendar')
    const track = (await cell(/^Prêté à Alice/)).closest<HTMLElement>('[data-track]')
    // The fifth of twenty-eight days.
    expect(track?.style.getPropertyValue('--hatch')).toBe(
      'linear-gradient(to right, transparent 14.2857%, var(--closed) 14.2857% 17.8571%, transparent 17.8571%)',
    )
  })

  it('lists a day’s departures and returns, each with what may be done with it', async () => {
    await lend(1, '2026-03-10')
    await lend(2, '2026-02-17')
    await reserve(3, '2026-03-10', '2026-03-20')
    const page = await openApp(server, '/calendar')
    await userEvent.click(await screen.findByRole('radio', { name: 'Départs / Retours' }))
    await waitFor(() => expect(page.address).toBe('/calendar?view=moves'))
    const told = async (name: string) =>
      within(await screen.findByRole('region', { name }))
        .getAllByRole('button')
        .map(({ textContent }) => textContent)
    expect(await told('Départs')).toEqual([
      'Livre numéro 31003 · Éric Dupont (M2)Réservé',
      'Livre numéro 11001 · Alice Martin (M1)Prêté',
    ])
    expect(await told('Retours')).toEqual(['Livre numéro 21002 · Alice Martin (M1)Attendu'])
    await press(/^Livre numéro 2/)
    const dialog = within(await screen.findByRole('dialog', { name: 'Livre numéro 2' }))
    await userEvent.click(await dialog.findByRole('button', { name: 'Rendre' }))
    await waitFor(() => expect(page.address).toBe('/loaning/return?beneficiary=1&loan=2'))
  })

  it('is that list on a phone, day by day', async () => {
    happyDOM.setViewport({ width: 390, height: 844 })
    await lend(2, '2026-02-18')
    const page = await openApp(server, '/calendar')
    expect(await screen.findByText('Aucun retour ce jour-là.')).toBeVisible()
    expect(screen.queryByRole('grid')).toBeNull()
    await press('Jour suivant')
    expect(await screen.findByText('mercredi 11 mars 2026')).toBeVisible()
    expect(await screen.findByRole('button', { name: /^Livre numéro 2/ })).toBeVisible()
    expect(page.address).toBe('/calendar?day=2026-03-11')
  })

  it('prolongs a loan by the keyboard: asked, done and undone', async () => {
    await lend(1, '2026-03-01')
    await openApp(server, '/calendar')
    ;(await cell(/^Prêté à Alice/)).focus()
    await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}{ArrowLeft}')
    expect(screen.getByText('Prolonger jusqu’au 24/03/2026')).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByText(/^Prolonger jusqu’au/)).toBeNull()
    await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Prolonger le prêt' }))
    // Lent by weeks, of which one is enough.
    expect(dialog.getByLabelText(/^Prolonger de \(semaines\)/)).toHaveValue('1')
    expect(dialog.getByRole('status')).toHaveTextContent('prolongé jusqu’au 29/03/2026')
    await press('Valider')
    await cell('Prêté à Alice Martin (M1), du 01/03/2026 au 29/03/2026')
    await press('Annuler la prolongation')
    expect(await screen.findByText('La prolongation est annulée. Retour prévu le 22/03/2026.')).toBeVisible()
    await cell('Prêté à Alice Martin (M1), du 01/03/2026 au 22/03/2026')
  })

  it('prolongs nothing for who may not change loans', async () => {
    await lend(1, '2026-03-01')
    await openApp(server, '/calendar', { as: 'benevole' })
    const lent = await cell(/^Prêté à Alice/)
    lent.focus()
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}{Enter}')
    expect(screen.queryByText(/^Prolonger jusqu’au/)).toBeNull()
    expect(lent.querySelector('[data-edge]')).toBeNull()
  })
})
