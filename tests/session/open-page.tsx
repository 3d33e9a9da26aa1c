import '@testing-library/jest-dom/vitest'
import 'fake-indexeddb/auto'

import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom'
import { vi } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { RequireSession } from '../../src/client/app/require-session.tsx'
import AccountScreen from '../../src/client/account/account-screen.tsx'
import AskResetScreen from '../../src/client/session/ask-reset-screen.tsx'
import DueScreen from '../../src/client/session/due-screen.tsx'
import LoginScreen from '../../src/client/session/login-screen.tsx'
import { mirrorSession, mirrorSettled } from '../../src/client/api/mirror-session.ts'
import ResetPasswordScreen from '../../src/client/session/reset-password-screen.tsx'
import { beginSession, endSession } from '../../src/client/api/session.ts'
import { TypingScanners } from '../../src/client/scanner/scan-source.tsx'
import { ConfirmProvider } from '../../src/client/ui/confirm.tsx'
import { colorSchemeManager } from '../../src/client/page/preferences.ts'
import { theme } from '../../src/client/ui/theme.ts'
import type { Client, TestServer } from '../support/test-server.ts'

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

/** What the page's network does; a test may put something in its way. */
export type Network = (request: Request) => Promise<Response>

/** Makes the page's calls reach the real router. */
export function networkTo(server: TestServer): Network {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const body = request.method === 'GET' ? undefined : await request.text()
    const headers = Object.fromEntries(request.headers)
    return server.app.request(pathname + search, {
      method: request.method,
      headers,
      ...(body ? { body } : {}),
    })
  }
}

export const noNetwork: Network = () => Promise.reject(new TypeError('Failed to fetch'))

let stopMirror: (() => void) | undefined

/** The app's screens of the session, at an address, with what stands around them in main.tsx. */
export function openPage(address: string, network: Network) {
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => network(new Request(input, init)))
  stopMirror = mirrorSession()
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

/** The page hears no more of its session, as when it is closed. */
export const stopFollowing = (): void => stopMirror?.()

/** Signs in without the screen. */
export function signInAs(client: Client, server: TestServer): void {
  beginSession(client.token ?? '', server.environment.id)
}

/** Leaves nothing of one test to the next. */
export async function closePage(): Promise<void> {
  cleanup()
  notifications.clean()
  endSession()
  await mirrorSettled()
  stopMirror?.()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
}
