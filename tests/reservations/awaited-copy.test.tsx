// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'

import { beginSession, rememberUser } from '../../src/client/api/session.ts'
import AwaitedCopy from '../../src/client/reservations/awaited-copy.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import type { CurrentUser } from '../../src/contract/session.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const rights = ['LIST_RESERVATIONS', 'RESERVATION_EDIT']
const awaited = { id: 4, name: 'Camille Roy (M7)', site: null, is_set_aside: false }

it('A copy that somebody waits for is said to be at once where it comes back, and of a line shown again once the server has told', () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  beginSession('secret', 1)
  rememberUser({ id: 1, username: 'ana', rights, sites: [] } as unknown as CurrentUser)
  const shown = (isRecorded: boolean) => (
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={new QueryClient()}>
        <AwaitedCopy of="e" copy={5} bar_code="1005" title="Nana" awaited={awaited} isRecorded={isRecorded} />
      </QueryClientProvider>
    </MantineProvider>
  )
  const again = render(shown(true))
  expect(screen.queryByText(/^Mettre de côté pour/)).toBeNull()
  again.unmount()
  const now = render(shown(false))
  expect(screen.getByText(/^Mettre de côté pour/)).toBeVisible()
  now.rerender(shown(true))
  expect(screen.getByText(/^Mettre de côté pour/)).toBeVisible()
})
