// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'

import { theme } from '../../src/client/ui/theme.ts'
import { freshDevice } from '../offline/device.ts'

freshDevice()
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('A page just opened says nothing of the network and of its device that it would have to take back', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  // A page before this one was told of its network.
  vi.resetModules()
  const { noteAnswer, noteNoAnswer } = await import('../../src/client/api/connection.ts')
  const { TopBar } = await import('../../src/client/app/top-bar.tsx')
  const { OfflineBanner } = await import('../../src/client/home/offline-banner.tsx')
  const { startCounterWork } = await import('../../src/client/outbox/counter-work.ts')
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <TopBar onFind={() => undefined} />
          <OfflineBanner />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(screen.getByText('En ligne')).not.toBeVisible()
  // The server has answered, and the device is still being read.
  act(() => noteAnswer())
  expect(screen.getByText('En ligne')).not.toBeVisible()
  act(() => noteNoAnswer())
  const banner = screen.getByRole('group')
  expect(banner).toHaveTextContent(/^Hors ligne Prolonger/)

  const stop = startCounterWork(1, true)
  await waitFor(() =>
    expect(banner).toHaveTextContent(/^Hors ligne\s: prêts à vérifier et retours, par les codes/),
  )
  act(() => noteAnswer())
  expect(screen.getByTitle(/^Préparation du travail hors ligne/)).toBeVisible()
  stop()
  act(() => noteAnswer())
})
