import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { mirrorSettled } from '../../src/client/session/mirror-session.ts'
import { chooseSite, currentSession } from '../../src/client/session/session.ts'
import { writeMeta } from '../../src/offline/device-meta.ts'
import { transact } from '../../src/offline/device-store.ts'
import { listUnsettled, recordAction } from '../../src/offline/outbox.ts'
import { currentSession as mirroredSession } from '../../src/offline/session-mirror.ts'
import { snapshotState } from '../../src/offline/snapshot.ts'
import { type Client, describeServer, type TestServer } from '../support/test-server.ts'
import { closePage, networkTo, noNetwork, openPage, signInAs } from './open-page.tsx'

afterEach(async () => {
  await closePage()
  await transact(['outbox'], 'readwrite', (tx) => tx.objectStore('outbox').clear())
})

/** Somebody at the counter: a site chosen, the snapshot known, one loan waiting. */
async function atTheCounter(server: TestServer): Promise<Client> {
  const client = await server.as('biblio')
  signInAs(client, server)
  chooseSite({ id: 1, name: 'Centre' })
  const environment_id = server.environment.id
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
    { environment_id, site: 1, user_id: 2, username: 'biblio', device_id: 'tablette' },
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
    await userEvent.click(await screen.findByRole('button', { name: 'Se déconnecter' }))
    const question = await theQuestion()
    await mirrorSettled()
    expect(await mirroredSession()).toMatchObject({ username: 'biblio' })

    await userEvent.click(within(question).getByRole('button', { name: 'Annuler' }))
    expect(currentSession()).not.toBeNull()

    await waitFor(() => expect(screen.queryByText(/^1 action attend/)).not.toBeInTheDocument())
    await userEvent.click(screen.getByRole('button', { name: 'Se déconnecter' }))
    await userEvent.click(within(await theQuestion()).getByRole('button', { name: 'Se déconnecter' }))
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeVisible()
    expect(page.router.state.location.state).toBeNull()
    expect(currentSession()).toBeNull()
    expect(sessionStorage.getItem('site_id')).toBeNull()
    expect(await mirroredSession()).toBeNull()
    expect((await snapshotState()).complete).toBe(false)
    expect(queryClient.getQueriesData({ queryKey: ['me'] })).toEqual([])
    expect(await waiting()).toBe(1)
    expect((await client.get('/api/users/me')).status).toBe(401)
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
    expect(await waiting()).toBe(1)
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeVisible()
  })
})
