import '@testing-library/jest-dom/vitest'
import 'fake-indexeddb/auto'

import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { vi } from 'vitest'

import { noteAnswer } from '../../src/client/api/connection.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { routes } from '../../src/client/app/router.tsx'
import { mirrorSettled } from '../../src/client/api/mirror-session.ts'
import { beginSession, chooseSite, rememberUser } from '../../src/client/api/session.ts'
import { TypingScanners } from '../../src/client/scanner/scan-source.tsx'
import { ConfirmProvider } from '../../src/client/ui/dialogs/confirm.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import { followSession, leavePage } from './leave-page.ts'
import { type Network, networkTo, putOnNetwork } from './page-network.ts'
import type { TestServer } from './test-server.ts'

/** The whole app at an address on the real router, for somebody signed in at « Centre ». */
export async function openApp(
  server: TestServer,
  address: string,
  { as = 'admin', network = networkTo(server) }: { as?: string; network?: Network } = {},
) {
  const client = await server.as(as)
  const device = putOnNetwork(network)
  vi.useFakeTimers({ toFake: ['Date'], now: server.now })
  noteAnswer()
  beginSession(client.token ?? '', server.environment.id)
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
    client,
    device,
    get address() {
      const { pathname, search } = router.state.location
      return pathname + search
    },
  }
}

export const closeApp = leavePage
