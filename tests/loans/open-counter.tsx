import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import '@testing-library/jest-dom/vitest'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import 'fake-indexeddb/auto'
import { useEffect } from 'react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom'
import { vi } from 'vitest'

import { noteAnswer } from '../../src/client/api/connection.ts'
import { mirrorSettled } from '../../src/client/api/mirror-session.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { beginSession, chooseSite, rememberUser } from '../../src/client/api/session.ts'
import { CounterProviders } from '../../src/client/app/frame.tsx'
import { RequireSession } from '../../src/client/app/signed-in-frame.tsx'
import AddLoanScreen from '../../src/client/lending/add-loan-screen.tsx'
import ReturnScreen from '../../src/client/lending/return-screen.tsx'
import LoanEditScreen from '../../src/client/loans/loan-edit-screen.tsx'
import LoanListScreen from '../../src/client/loans/loan-list-screen.tsx'
import LoanViewScreen from '../../src/client/loans/loan-view-screen.tsx'
import { type ScanHandler, TypingScanners, submitScan } from '../../src/client/scanner/scan-source.tsx'
import { ConfirmProvider } from '../../src/client/ui/dialogs/confirm.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import { followSession, leavePage } from '../support/leave-page.ts'
import { type Network, networkTo, putOnNetwork } from '../support/page-network.ts'
import type { TestServer } from '../support/test-server.ts'

export { type Network, networkTo, noNetwork } from '../support/page-network.ts'

const mouth: { submit: ScanHandler } = { submit: () => undefined }

/** Lends the scanner's mouth to the tests: a code is as good as read. */
function Mouth() {
  useEffect(() => {
    mouth.submit = submitScan
  }, [])
  return <Outlet />
}

const routes = [
  {
    element: (
      <RequireSession>
        <CounterProviders>
          <Mouth />
        </CounterProviders>
      </RequireSession>
    ),
    children: [
      { path: '/home', element: <h1>Accueil</h1> },
      { path: '/loanings', Component: LoanListScreen },
      { path: '/loanings/view/:loaning_id', Component: LoanViewScreen },
      { path: '/loanings/edit/:loaning_id', Component: LoanEditScreen },
      { path: '/loaning/add', Component: AddLoanScreen },
      { path: '/loaning/return', Component: ReturnScreen },
    ],
  },
]

/** The network, where another person puts each loan to the server just before, under the same key. */
export function overtakenBy(username: string, server: TestServer): Network {
  const network = networkTo(server)
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'POST' && pathname === '/api/loanings') {
      const { token } = await server.as(username)
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      headers.delete('x-seal')
      await server.app.request(pathname, {
        method: 'POST',
        headers,
        body: await request.clone().text(),
      })
    }
    return network(request)
  }
}

/** The counter's screens at an address, signed in, on the library's own day, with a scanner in hand. */
export async function openCounter(
  address: string,
  server: TestServer,
  username = 'biblio',
  network = networkTo(server),
) {
  const client = await server.as(username)
  const device = putOnNetwork(network)
  vi.useFakeTimers({ toFake: ['Date'], now: server.now })
  noteAnswer()
  beginSession(client.token ?? '', server.environment.id)
  // Signed in a moment ago: the session has its key.
  rememberUser((await client.get('/api/users/me')).body)
  chooseSite({ id: 1, name: 'Centre' })
  followSession()
  await mirrorSettled()
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <TypingScanners />
        <ConfirmProvider>
          <Notifications />
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return {
    router,
    device,
    client,
    scan: (code: string) => act(() => void mouth.submit(code)),
    get address() {
      const { pathname, search } = router.state.location
      return pathname + search
    },
  }
}

/** Unfolds the terms of the loan being made; answers the button that folds them again. */
export async function unfoldTerms(): Promise<HTMLElement> {
  const fold = await screen.findByRole('button', { name: /^Conditions du prêt/, expanded: false })
  await userEvent.click(fold)
  return fold
}

export const closeCounter = leavePage
