import '../support/page-globals.ts'

import { QueryObserver } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { noteAnswer } from '../../src/client/api/connection.ts'
import { call } from '../../src/client/api/call.ts'
import { followChanges } from '../../src/client/api/live-changes.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { beginSession, currentSession } from '../../src/client/api/session.ts'
import { listLoans } from '../../src/contract/loans.ts'
import { parameters } from '../../src/contract/settings.ts'
import { networkTo, noNetwork } from '../loans/open-counter.tsx'
import { leavePage } from '../support/leave-page.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { holdTimers } from '../ui/held-timers.ts'
import { setAside } from './set-aside.ts'

const countOf = (loans: QueryObserver) =>
  (loans.getCurrentResult().data as { 'hydra:totalItems': number })['hydra:totalItems']

describeServer('a page that follows changes', (server) => {
  let biblio: Client
  let other: Client
  let network = noNetwork
  const asked: string[] = []
  const stops: (() => void)[] = []
  const streams: { end(): void }[] = []
  const alsoRefresh = vi.fn()
  /** Events that reached the page. */
  let told = 0

  const timesAsked = (path: string) => asked.filter((one) => one === path).length
  const forget = () => {
    asked.length = 0
    alsoRefresh.mockClear()
  }
  /** A list on the screen. */
  const show = async (name: 'loanings' | 'parameters') => {
    const observer = new QueryObserver<unknown>(queryClient, {
      queryKey: [name, 'shown'],
      queryFn: (): Promise<unknown> =>
        name === 'loanings' ? call(listLoans, {}) : call(parameters.list, {}),
    })
    stops.push(observer.subscribe(() => undefined))
    await waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true))
    return observer
  }
  const follow = async () => {
    stops.push(followChanges(alsoRefresh))
    // The first event: everything may have changed.
    await waitFor(() => expect(alsoRefresh).toHaveBeenCalled())
    await settled()
    forget()
  }
  const settled = () => waitFor(() => expect(queryClient.isFetching()).toBe(0))
  const seen = (state: 'visible' | 'hidden') => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }

  beforeEach(async () => {
    // Pauses are drawn at random; no test is about their length.
    vi.spyOn(Math, 'random').mockReturnValue(0)
    biblio = await server.as('biblio')
    other = await server.as('biblio')
    network = networkTo(server)
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      asked.push(new URL(request.url).pathname)
      const response = await network(request)
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          controller.enqueue(chunk)
          if (new TextDecoder().decode(chunk).includes('data:')) told += 1
        },
      })
      const cut = new AbortController()
      streams.push({ end: () => cut.abort() })
      response.body?.pipeTo(writable, { signal: cut.signal }).catch(() => undefined)
      return new Response(readable, response)
    })
    noteAnswer()
    beginSession(biblio.token ?? '', 1)
  })
  afterEach(async () => {
    for (const stop of stops.splice(0)) stop()
    for (const { end } of streams.splice(0)) end()
    await queryClient.cancelQueries()
    seen('visible')
    network = noNetwork
    await leavePage()
    forget()
  })

  it('fetches again what another device changed, and that alone', async () => {
    const loans = await show('loanings')
    const before = countOf(loans)
    await show('parameters')
    await follow()
    await other.post('/api/loanings', { beneficiary: 1, copy: 1 })
    await waitFor(() => expect(countOf(loans)).toBe(before + 1))
    expect(timesAsked('/api/parameters')).toBe(0)
    expect(alsoRefresh).toHaveBeenCalled()
  })

  it('refreshes once for a burst', async () => {
    const loans = await show('loanings')
    const before = countOf(loans)
    // A server that takes no time, so that the pause before a refresh is the shortest.
    vi.spyOn(performance, 'now').mockReturnValue(0)
    await follow()
    const pauses = holdTimers(200)
    for (const copy of [2, 3, 4, 5]) {
      const toldBefore = told
      await other.post('/api/loanings', { beneficiary: 1, copy })
      await waitFor(() => expect(told).toBe(toldBefore + 1))
    }
    expect(pauses.lengths).toEqual([200])
    pauses.letGo()
    await waitFor(() => expect(countOf(loans)).toBe(before + 4))
    await settled()
    expect(timesAsked('/api/loanings')).toBe(1)
  })

  it('does not ask twice for what the page’s own action had fetched', async () => {
    expect((await biblio.post('/api/loanings', { beneficiary: 2, copy: 8 })).status).toBe(201)
    await show('loanings')
    await follow()
    // What follows an action of this page: its answer, then the lists again.
    const toldBefore = told
    await biblio.post('/api/loanings/return', { bar_code: '1008' })
    await waitFor(() => expect(told).toBe(toldBefore + 1))
    await queryClient.invalidateQueries({ queryKey: ['loanings'] })
    await waitFor(() => expect(alsoRefresh).toHaveBeenCalled())
    await settled()
    expect(timesAsked('/api/loanings')).toBe(1)
  })

  it('asks again when the answer under way may be older than the change', async () => {
    await show('loanings')
    await follow()
    let letGo = () => undefined as void
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const real = network
    network = async (request) => {
      const response = await real(request)
      if (new URL(request.url).pathname === '/api/loanings') await held
      return response
    }
    const early = queryClient.invalidateQueries({ queryKey: ['loanings'] })
    await waitFor(() => expect(timesAsked('/api/loanings')).toBe(1))
    await other.post('/api/loanings', { beneficiary: 2, copy: 6 })
    await waitFor(() => expect(timesAsked('/api/loanings')).toBe(2))
    letGo()
    await early
  })

  it('goes on after a break, with what changed meanwhile', async () => {
    const loans = await show('loanings')
    await follow()
    const before = countOf(loans)
    const real = network
    network = noNetwork
    streams.at(-1)?.end()
    await other.post('/api/loanings', { beneficiary: 2, copy: 7 })
    network = real
    noteAnswer()
    await waitFor(() => expect(countOf(loans)).toBe(before + 1))
  })

  it('lets its stream go while it is not seen, and catches up when it is', async () => {
    await show('parameters')
    await follow()
    seen('hidden')
    await setAside(server)
    expect(timesAsked('/api/parameters')).toBe(0)
    forget()
    seen('visible')
    await waitFor(() => expect(timesAsked('/api/parameters')).toBe(1))
    expect(timesAsked('/api/events')).toBe(1)
  })

  it('ends the session where the server says that it ended', async () => {
    await follow()
    await biblio.post('/api/logout')
    streams.at(-1)?.end()
    await waitFor(() => expect(currentSession()).toBeNull())
  })

  it('leaves the page as it is where there is no stream', async () => {
    const real = network
    network = async (request) =>
      new URL(request.url).pathname === '/api/events' ? new Response('', { status: 404 }) : real(request)
    const loans = await show('loanings')
    stops.push(followChanges(alsoRefresh))
    await waitFor(() => expect(timesAsked('/api/events')).toBeGreaterThan(0))
    await loans.refetch()
    expect(loans.getCurrentResult().isSuccess).toBe(true)
    expect(currentSession()).not.toBeNull()
  })
})
