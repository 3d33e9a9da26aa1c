import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { closeHome, openHome } from '../home/open-home.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { describeServer, testNow } from '../support/test-server.ts'

afterEach(closeHome)

describeServer('the public holidays of the next year', (server) => {
  beforeEach(async () => {
    setPreference('holidays_from', '')
    await emptyTables(server.db, 'closures', 'jobs')
    server.moveTo('2026-11-20T09:00:00.000Z')
    return () => server.moveTo(testNow)
  })
  const open = (username = 'admin') => openHome(server, { username })
  const offer = () => screen.findByRole('region', { name: 'Jours fériés 2027' })
  const isGone = () =>
    waitFor(() => expect(screen.queryByRole('region', { name: 'Jours fériés 2027' })).toBeNull())
  const homeIsThere = () => screen.findByRole('region', { name: 'En retard' })

  it('are offered at home from November, until they are closed', async () => {
    await open()
    await userEvent.click(within(await offer()).getByRole('button', { name: 'Choisir ceux que l’on ferme' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Jours fériés 2027' }))
    await userEvent.click(await dialog.findByRole('button', { name: 'Fermer 11 jours' }))
    expect(await screen.findByText('Jours fériés enregistrés.')).toBeVisible()
    await isGone()
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from closures`.execute(
      server.db,
    )
    expect(rows).toEqual([{ count: 11 }])
  })

  it('are offered again two weeks later, or a year later, to who puts them away', async () => {
    await open()
    await userEvent.click(within(await offer()).getByRole('button', { name: 'Plus tard' }))
    await isGone()
    await closeHome()

    server.moveTo('2026-12-03T09:00:00.000Z')
    await open()
    await homeIsThere()
    await isGone()
    await closeHome()

    server.moveTo('2026-12-04T09:00:00.000Z')
    await open()
    await userEvent.click(within(await offer()).getByRole('button', { name: 'Ne plus afficher' }))
    await isGone()
    await closeHome()

    server.moveTo('2027-11-01T09:00:00.000Z')
    await open()
    expect(await screen.findByRole('region', { name: 'Jours fériés 2028' })).toBeVisible()
  })

  it('are offered to nobody who may not close a site, and to nobody in spring', async () => {
    await open('biblio')
    await homeIsThere()
    await isGone()
    await closeHome()

    server.moveTo(testNow)
    await open()
    await homeIsThere()
    expect(screen.queryByRole('region', { name: /^Jours fériés/ })).toBeNull()
  })
})
