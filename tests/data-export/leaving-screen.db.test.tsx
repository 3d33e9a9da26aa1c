import '../support/page-globals.ts'

import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'

import { makeArchives } from '../../src/server/data-export/archive-maker.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

describeServer('« Emporter les données »', (server) => {
  it('says what it holds, shows how far it is, hands it over and takes it away', async () => {
    await openApp(server, '/settings/leaving')
    expect(await screen.findByText(/données personnelles de tous les sites/)).toBeVisible()
    expect(screen.getByText(/^N’y sont pas\s:.*les inventaires/)).toBeVisible()
    await press('Préparer l’archive')
    expect(await screen.findByText('L’archive se prépare.')).toBeVisible()
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Préparer l’archive' })).toBeNull()
    await makeArchives(server.environment, { now: () => server.now })
    expect(await screen.findByText(/^Archive du 10/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Télécharger' })).toBeEnabled()
    await press('Effacer du serveur')
    const asked = await screen.findByRole('dialog', { name: /^Effacer cette archive/ })
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByRole('button', { name: 'Préparer l’archive' })).toBeVisible()
    expect(screen.queryByText(/^Archive du/)).toBeNull()
  })

  it('says why it could not be made, and lets ask again', async () => {
    await sql`insert into archives (user_id, status, problem, place, created_at, touched_at, ended_at)
      values (1, 'failed', 'Le disque du serveur est plein.', gen_random_uuid(), now(), now(), now())`.execute(
      server.db,
    )
    const page = await openApp(server, '/settings')
    await act(() => page.router.navigate('/settings/leaving'))
    expect(await screen.findByText('Le disque du serveur est plein.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Préparer l’archive' })).toBeEnabled()
  })
})
