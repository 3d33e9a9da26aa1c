import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import '@testing-library/jest-dom/vitest'
import { render } from '@testing-library/react'
import 'fake-indexeddb/auto'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom'
import { vi } from 'vitest'

import { noteAnswer } from '../../src/client/api/connection.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { beginSession, chooseSite, rememberUser } from '../../src/client/api/session.ts'
import { CounterProviders } from '../../src/client/app/frame.tsx'
import { RequireSession } from '../../src/client/app/signed-in-frame.tsx'
import DevicesScreen from '../../src/client/devices/devices-screen.tsx'
import { TypingScanners } from '../../src/client/scanner/scan-source.tsx'
import { ConfirmProvider } from '../../src/client/ui/dialogs/confirm.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import { deviceId } from '../../src/offline/device-meta.ts'
import { followSession, leavePage } from '../support/leave-page.ts'
import { networkTo, putOnNetwork } from '../support/page-network.ts'
import type { TestServer } from '../support/test-server.ts'

const routes = [
  {
    element: (
      <RequireSession>
        <CounterProviders>
          <Outlet />
        </CounterProviders>
      </RequireSession>
    ),
    children: [{ path: '/settings/devices', Component: DevicesScreen }],
  },
]

/** The screen of devices, as an administrator at the site « Centre ». */
export async function openDevices(
  server: TestServer,
  address = '/settings/devices',
  network = networkTo(server),
) {
  const client = await server.as('admin', await deviceId())
  const device = putOnNetwork(network)
  vi.useFakeTimers({ toFake: ['Date'], now: server.now })
  noteAnswer()
  beginSession(client.token ?? '', server.environment.id)
  // Known of an earlier start: the screen opens though nobody answers.
  rememberUser((await client.get('/api/users/me')).body)
  chooseSite({ id: 1, name: 'Centre' })
  followSession()
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
  return { device, network: networkTo(server), later: (ms: number) => vi.setSystemTime(Date.now() + ms) }
}

export const closeDevices = leavePage
