import '../support/page-globals.ts'

import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import type { Network } from '../loans/open-counter.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'
import { holdTimers } from '../ui/held-timers.ts'

afterEach(closeApp)

const launch = () => screen.findByRole('button', { name: 'Lancer la synchronisation' })
const noNetwork: Network = () => Promise.reject(new TypeError('Failed to fetch'))

describeServer('« Synchronisation »', (server) => {
  const path = join(tmpdir(), `personnes-${randomUUID()}.csv`)
  afterAll(() => rm(path, { force: true }))
  beforeEach(async () => {
    await sql`delete from imports`.execute(server.db)
    await sql`delete from jobs`.execute(server.db)
  })
  const networkOf = (syncSource: string | null): Network => {
    const app = createApp({
      environments: [server.environment],
      logger: pino({ level: 'silent' }),
      now: () => server.now,
      checkAnswers: true,
      syncSource,
    })
    return (request) => Promise.resolve(app.request(request))
  }

  it('says why it cannot be launched where the server has no source', async () => {
    await openApp(server, '/settings/sync', { network: networkOf(null) })
    expect(await launch()).toBeDisabled()
    expect(await launch()).toHaveAccessibleDescription(/^La synchronisation n’est pas réglée.*SYNC_SOURCE/)
    expect(screen.getByText('Aucune synchronisation n’a encore été lancée.')).toBeVisible()
    expect(screen.queryByText(/proches/)).toBeNull()
  })

  it('is launched, counts an hour and three minutes down, and tells what came of it with its errors', async () => {
    await writeFile(
      path,
      'Matricule;Nom;Prénom;Courriel\nS1;Lefèvre;Noël;\nS2;Diallo;Aïcha;pas une adresse\n',
    )
    await openApp(server, '/settings', { network: networkOf(path) })
    await userEvent.click(await screen.findByRole('link', { name: /^Synchronisation/ }))
    // It counts every second, and looks every two.
    const timers = holdTimers(1000, 2000)
    await userEvent.click(await launch())
    expect(await screen.findByText(/^Les résultats peuvent prendre jusqu’à 60:00\.$/)).toBeVisible()
    expect(await launch()).toBeDisabled()
    expect(await launch()).toHaveAccessibleDescription(/dans 03:00\.$/)
    expect(await screen.findByRole('progressbar', { name: 'Synchronisation' })).toBeVisible()
    server.moveTo(new Date(server.now.getTime() + 61_000).toISOString())
    vi.setSystemTime(server.now)
    timers.letGo()
    expect(await screen.findByText(/^Les résultats peuvent prendre jusqu’à 58:5\d\.$/)).toBeVisible()

    await server.doJobs()
    timers.letGo()
    const last = screen.getByRole('region', { name: 'Dernière synchronisation' })
    const errors = await within(last).findByRole('table', { name: 'Lignes en erreur' })
    expect(within(errors).getByText(/pas une adresse/)).toBeVisible()
    expect(within(errors).getByText('Courriel')).toBeVisible()
    expect(within(last).getByText(/^Demandée par admin, .*du fichier personnes-.*Terminée le /)).toBeVisible()
    expect(within(last).getByRole('heading', { name: '1 ligne en erreur' })).toBeVisible()
    expect(screen.queryByText(/^Les résultats peuvent prendre/)).toBeNull()
    expect(within(last).getByRole('link', { name: 'Voir ou annuler l’acte' })).toBeVisible()
    await userEvent.click(within(last).getByRole('link', { name: 'Voir le compte rendu' }))
    expect(await screen.findByRole('heading', { level: 1, name: /^personnes-/ })).toBeVisible()
  })

  it('says what stopped it before it began, and can be launched again', async () => {
    await openApp(server, '/settings/sync', { network: networkOf(join(tmpdir(), 'nulle-part.csv')) })
    await userEvent.click(await launch())
    expect(await screen.findByText(/^Le fichier des personnes n’a pas pu être lu/)).toBeVisible()
    await waitFor(async () => expect(await launch()).toBeEnabled())
  })

  it('is for those who may launch it, says that it needs the network, and that relatives stay behind', async () => {
    await setParameter(server, 'sync_relatives', '1')
    const { device } = await openApp(server, '/settings/sync', { network: networkOf(path) })
    expect(await screen.findByText('Les proches ne sont pas encore synchronisés.')).toBeVisible()
    await setParameter(server, 'sync_relatives', '0')
    device.network = noNetwork
    await userEvent.click(await launch())
    expect(await screen.findByText(/réseau|connexion/i, { selector: '[role=alert] *' })).toBeVisible()
    await closeApp()
    await openApp(server, '/settings/sync', { as: 'biblio', network: networkOf(path) })
    expect(await screen.findByText(/droit/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Lancer la synchronisation' })).toBeNull()
  })
})
