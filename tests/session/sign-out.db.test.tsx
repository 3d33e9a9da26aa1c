import '../support/page-globals.ts'

import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { happen, laneState } from '../../src/client/home/lane-store.ts'
import { mirrorSettled } from '../../src/client/api/mirror-session.ts'
import { chooseSite, currentSession } from '../../src/client/api/session.ts'
import { writeMeta } from '../../src/offline/device-meta.ts'
import { transact } from '../../src/offline/device-store.ts'
import { drain } from '../../src/offline/drain.ts'
import { offeredFiles, offerFiles } from '../../src/offline/offered-files.ts'
import { recordScan } from '../../src/offline/inventory-scans.ts'
import { listUnsettled, recordAction } from '../../src/offline/outbox.ts'
import { currentSession as mirroredSession } from '../../src/offline/session-mirror.ts'
import { snapshotState } from '../../src/offline/snapshot-state.ts'
import { signInWith } from '../offline/device.ts'
import { type Client, describeServer, type TestServer } from '../support/test-server.ts'
import { closePage, networkTo, noNetwork, openPage, signInAs, stopFollowing } from './open-page.tsx'

afterEach(async () => {
  await closePage()
  await transact(['outbox', 'inventory_scans'], 'readwrite', async (tx) => {
    await Promise.all([tx.objectStore('outbox').clear(), tx.objectStore('inventory_scans').clear()])
  })
})

/** Somebody at the counter: a site chosen, the snapshot known, one loan waiting. */
async function atTheCounter(server: TestServer): Promise<Client> {
  const client = await server.as('biblio')
  signInAs(client, server)
  chooseSite({ id: 1, name: 'Centre' })
  const environment_id = server.environment.id
  const person = { environment_id, site: 1, user_id: 2, username: 'biblio' }
  await signInWith(client, person)
  const mark = {
    side: 'a',
    environment_id,
    site: 1,
    cursor: 'c',
    asked_at: new Date().toISOString(),
  } as const
  await transact(['meta'], 'readwrite', (tx) => writeMeta(tx.objectStore('meta'), 'snapshot', mark))
  await recordAction(
    {
      endpoint: 'loanings.lend',
      params: {},
      body: { beneficiary: 1, copy: 1 },
      copy_id: 1,
      bar_code: '1001',
      beneficiary_id: 1,
      depends_on: null,
      label: { kind: 'lend', title: 'Livre numéro 1', beneficiary: 'Martin Alice', due: '2026-03-31' },
    },
    { ...person, device_id: 'tablette' },
  )
  return client
}

const waiting = async () => (await listUnsettled()).length

/** The dialog that says how many actions wait. */
const theQuestion = async () =>
  (await screen.findByText(/^1 action attend sur cet appareil/)).closest<HTMLElement>('[role]') ??
  document.body

describeServer('signing out', (server) => {
  it('says how many actions wait, keeps them, and forgets the rest', async () => {
    const client = await atTheCounter(server)
    const page = openPage('/account', networkTo(server))
    await offerFiles([new File(['{}'], 'bus.comptoir')])
    await userEvent.click(await screen.findByRole('button', { name: 'Se déconnecter' }))
    const question = await theQuestion()
    expect(sessionStorage.getItem('site_name')).toBeTruthy()
    await mirrorSettled()
    expect(await mirroredSession()).toMatchObject({ username: 'biblio' })

    await userEvent.click(within(question).getByRole('button', { name: 'Annuler' }))
    expect(currentSession()).not.toBeNull()

    await waitFor(() => expect(screen.queryByText(/^1 action attend/)).not.toBeInTheDocument())
    await userEvent.click(screen.getByRole('button', { name: 'Se déconnecter' }))
    await userEvent.click(within(await theQuestion()).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeVisible()
    expect(page.router.state.location.state).toBeNull()
    expect(currentSession()).toBeNull()
    expect(sessionStorage.getItem('site_id')).toBeNull()
    expect(sessionStorage.getItem('site_name')).toBeNull()
    expect(await mirroredSession()).toBeNull()
    expect(await offeredFiles()).toEqual([])
    expect((await snapshotState()).complete).toBe(false)
    expect(queryClient.getQueriesData({ queryKey: ['me'] })).toEqual([])
    expect(await waiting()).toBe(1)
    expect((await client.get('/api/users/me')).status).toBe(401)
  })

  it('says how many inventory scans wait as well', async () => {
    const client = await server.as('biblio')
    signInAs(client, server)
    chooseSite({ id: 1, name: 'Centre' })
    const person = { environment_id: server.environment.id, user_id: 2, username: 'biblio' }
    await signInWith(client, { ...person, site: 1 })
    const scan = (bar_code: string) =>
      recordScan(
        {
          key: crypto.randomUUID(),
          inventory: 1,
          site: 1,
          location: null,
          bar_code,
          copy: null,
          way: 'scanner',
          verdict: 'unknown',
          name: null,
        },
        { ...person, device_id: 'tablette' },
      )
    await scan('A')
    await scan('B')
    openPage('/account', networkTo(server))
    await userEvent.click(await screen.findByRole('button', { name: 'Se déconnecter' }))
    expect(await screen.findByText(/^2 scans d’inventaire attendent sur cet appareil/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Annuler' }))
    await atTheCounter(server)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    // Another session is read before its page stands.
    await userEvent.click(await screen.findByRole('button', { name: 'Se déconnecter' }))
    expect(
      await screen.findByText(/^1 action et 2 scans d’inventaire attendent sur cet appareil/),
    ).toBeVisible()
  })

  it('does not need the network', async () => {
    const client = await server.as('biblio')
    signInAs(client, server)
    localStorage.setItem('user', JSON.stringify((await client.get('/api/users/me')).body))
    chooseSite({ id: 1, name: 'Centre' })
    openPage('/account', noNetwork)
    await userEvent.click(await screen.findByRole('button', { name: 'Se déconnecter' }))
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeVisible()
    expect(currentSession()).toBeNull()
  })

  it('happens by itself at a 401: the worker loses the token, the outbox stays', async () => {
    const client = await atTheCounter(server)
    const page = openPage('/loanings', networkTo(server))
    expect(await screen.findByRole('heading', { name: 'Prêts' })).toBeVisible()
    await mirrorSettled()
    expect(await mirroredSession()).not.toBeNull()
    await client.post('/api/logout')
    await queryClient.refetchQueries({ queryKey: ['me'] })
    await waitFor(() => expect(page.address).toBe('/login'))
    await mirrorSettled()
    expect(await mirroredSession()).toBeNull()
    expect((await snapshotState()).complete).toBe(false)
    expect(await waiting()).toBe(1)
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeVisible()
  })

  it('happens by itself when it is the worker whose sending was refused, and clears the lane and what was fetched', async () => {
    const client = await atTheCounter(server)
    const page = openPage('/loanings', networkTo(server))
    expect(await screen.findByRole('heading', { name: 'Prêts' })).toBeVisible()
    await mirrorSettled()
    happen({ what: 'say', signal: 'success', text: 'Lecteur : Alice Martin.', title: null })
    await client.post('/api/logout')
    const report = await drain({ fetch: (path, init) => server.app.request(path, init) })
    expect(report.stopped).toBe('signed-out')
    await waitFor(() => expect(page.address).toBe('/login'))
    await mirrorSettled()
    expect(laneState()).toMatchObject({ chosen: null, lines: [], said: null })
    expect(queryClient.getQueriesData({ queryKey: ['me'] }).every(([, data]) => data === undefined)).toBe(
      true,
    )
    expect((await snapshotState()).complete).toBe(false)
    expect(await waiting()).toBe(1)
  })

  it('has happened when the page is opened after the worker was refused', async () => {
    const client = await atTheCounter(server)
    const first = openPage('/loanings', networkTo(server))
    expect(await screen.findByRole('heading', { name: 'Prêts' })).toBeVisible()
    await mirrorSettled()
    const session = ['token', 'user', 'environment_id'].map((name) => [
      name,
      localStorage.getItem(name) ?? '',
    ])
    await client.post('/api/logout')
    stopFollowing()
    await drain({ fetch: (path, init) => server.app.request(path, init) })
    await waitFor(() => expect(first.address).toBe('/loanings'))
    cleanup()
    for (const [name = '', value = ''] of session) localStorage.setItem(name, value)
    const page = openPage('/loanings', noNetwork)
    await waitFor(() => expect(page.address).toBe('/login'))
    expect(currentSession()).toBeNull()
  })
})
