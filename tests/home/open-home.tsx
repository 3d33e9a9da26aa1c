import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import 'fake-indexeddb/auto'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom'
import { vi } from 'vitest'

import { noteAnswer } from '../../src/client/api/connection.ts'
import { mirrorSettled } from '../../src/client/api/mirror-session.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { beginSession, chooseSite, rememberUser } from '../../src/client/api/session.ts'
import { CounterProviders } from '../../src/client/app/frame.tsx'
import { RequireSession } from '../../src/client/app/signed-in-frame.tsx'
import HomeScreen from '../../src/client/home/home-screen.tsx'
import { TypingScanners } from '../../src/client/scanner/scan-source.tsx'
import { ConfirmProvider } from '../../src/client/ui/dialogs/confirm.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import WaitingScreen from '../../src/client/waiting/waiting-screen.tsx'
import { deviceKnows } from '../support/device-knows.ts'
import { followSession, leavePage } from '../support/leave-page.ts'
import { cutNetwork, networkTo, putOnNetwork } from '../support/page-network.ts'
import type { TestServer } from '../support/test-server.ts'
import { typeAsScanner } from '../support/type-as-scanner.ts'

const routes = [
  {
    element: (
      <RequireSession>
        <CounterProviders>
          <Outlet />
        </CounterProviders>
      </RequireSession>
    ),
    children: [
      { path: '/home', Component: HomeScreen },
      { path: '/waiting', Component: WaitingScreen },
      { path: '/loaning/add', element: <h1>Prêter</h1> },
    ],
  },
]

/** Types as a scanner; the prefix makes a short code certain. */
export const typeScan = (code: string): void => typeAsScanner(`~${code}`)

/** The home at « Centre », on a device that can lend; `at` is another address of the app. */
export async function openHome(
  server: TestServer,
  { username = 'biblio', at = '/home', network = networkTo(server) } = {},
) {
  const client = await server.as(username)
  const device = putOnNetwork(network)
  vi.useFakeTimers({ toFake: ['Date'], now: server.now })
  noteAnswer()
  beginSession(client.token ?? '', server.environment.id)
  // Signed in a moment ago: the session has its key.
  rememberUser((await client.get('/api/users/me')).body)
  chooseSite({ id: 0, name: 'Tous les sites' })
  followSession()
  await mirrorSettled()
  const router = createMemoryRouter(routes, { initialEntries: [at] })
  const page = render(
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
  /** Answers when the device knows the library. */
  const knows = async () => {
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    await deviceKnows()
  }
  /** The server answers again. */
  const comesBack = () => {
    device.network = network
    fireEvent(window, new Event('online'))
  }
  return { ...page, router, device, client, knows, cutOff: cutNetwork, network, comesBack }
}

export const closeHome = leavePage
