import '@testing-library/jest-dom/vitest'
import 'fake-indexeddb/auto'

import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom'

import { queryClient } from '../../src/client/api/query-client.ts'
import { RequireSession } from '../../src/client/app/signed-in-frame.tsx'
import AccountScreen from '../../src/client/account/account-screen.tsx'
import AskResetScreen from '../../src/client/session/ask-reset-screen.tsx'
import DueScreen from '../../src/client/session/due-screen.tsx'
import LoginScreen from '../../src/client/session/login-screen.tsx'
import ResetPasswordScreen from '../../src/client/session/reset-password-screen.tsx'
import { beginSession } from '../../src/client/api/session.ts'
import { TypingScanners } from '../../src/client/scanner/scan-source.tsx'
import { ConfirmProvider } from '../../src/client/ui/dialogs/confirm.tsx'
import { colorSchemeManager } from '../../src/client/page/preferences.ts'
import { theme } from '../../src/client/ui/theme.ts'
import { followSession, leavePage } from '../support/leave-page.ts'
import { type Network, putOnNetwork } from '../support/page-network.ts'
import type { Client, TestServer } from '../support/test-server.ts'

export { stopFollowing } from '../support/leave-page.ts'
export { type Network, networkTo, noNetwork } from '../support/page-network.ts'

const routes = [
  { path: '/login', Component: LoginScreen },
  { path: '/login/due', Component: DueScreen },
  { path: '/reset/password', Component: AskResetScreen },
  { path: '/reset/password/:token', Component: ResetPasswordScreen },
  {
    element: (
      <RequireSession>
        <Outlet />
      </RequireSession>
    ),
    children: [
      { path: '/home', element: <h1>Accueil</h1> },
      { path: '/loanings', element: <h1>Prêts</h1> },
      { path: '/account', Component: AccountScreen },
    ],
  },
]

/** The app's screens of the session, at an address, with what stands around them in main.tsx. */
export function openPage(address: string, network: Network) {
  putOnNetwork(network)
  followSession()
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  render(
    <MantineProvider theme={theme} colorSchemeManager={colorSchemeManager} env="test">
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
    get address() {
      const { pathname, search } = router.state.location
      return pathname + search
    },
  }
}

/** Signs in without the screen. */
export function signInAs(client: Client, server: TestServer): void {
  beginSession(client.token ?? '', server.environment.id)
}

export const closePage = leavePage
