import '../support/page-globals.ts'

import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { call } from '../../src/client/api/call.ts'
import { watchChanges } from '../../src/client/api/change-stream.ts'
import { currentConnection, noteAnswer } from '../../src/client/api/connection.ts'
import { beginSession, currentSession } from '../../src/client/api/session.ts'
import { currentPreferences, setPreference } from '../../src/client/page/preferences.ts'
import { sites } from '../../src/contract/sites.ts'
import { leavePage } from '../support/leave-page.ts'
import { describeServer } from '../support/test-server.ts'
import { networkTo } from './open-page.tsx'

describeServer('a 401', (server) => {
  let network = networkTo(server)
  const refusedBy = (body: string, type: string) => () =>
    Promise.resolve(new Response(body, { status: 401, headers: { 'content-type': type } }))
  const portal = refusedBy('<h1>Bienvenue</h1>', 'text/html')

  beforeEach(async () => {
    network = networkTo(server)
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
      network(new Request(input, init)),
    )
    noteAnswer()
    beginSession((await server.as('biblio')).token ?? '', 1)
  })
  afterEach(leavePage)

  it('of the server ends the session, of which nothing stays but the device’s preferences', async () => {
    setPreference('sound', false)
    beginSession('revoked', 1)
    await expect(call(sites.list, {})).rejects.toMatchObject({ status: 401 })
    expect(currentSession()).toBeNull()
    const left = Object.keys(localStorage).filter((name) => localStorage.getItem(name)?.includes('revoked'))
    expect(left).toEqual([])
    expect(currentPreferences().sound).toBe(false)
    setPreference('sound', true)
  })

  it.each([
    ['a portal', portal],
    ['a proxy', refusedBy('{"error":"login required"}', 'application/json')],
  ])('of %s is no answer', async (_, refusing) => {
    network = refusing
    await expect(call(sites.list, {})).rejects.toMatchObject({ isNoNetwork: true })
    expect(currentSession()).not.toBeNull()
    expect(currentConnection()).toBe('offline')
  })

  it('of a portal in the way of the changes is no answer either', async () => {
    network = portal
    const stop = watchChanges(() => undefined)
    await waitFor(() => expect(currentConnection()).toBe('offline'))
    stop()
    expect(currentSession()).not.toBeNull()
  })

  it('that comes late leaves a newer session as it is', async () => {
    const newer = currentSession()?.token ?? ''
    beginSession('revoked', 1)
    const late = call(sites.list, {})
    beginSession(newer, 1)
    await expect(late).rejects.toMatchObject({ status: 401 })
    expect(currentSession()?.token).toBe(newer)
  })
})
