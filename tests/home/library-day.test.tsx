import { readFileSync } from 'node:fs'

import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import 'fake-indexeddb/auto'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { CounterProviders } from '../../src/client/app/frame.tsx'
import { rowOfEntry } from '../../src/client/loans/loan-rows.ts'
import { useLibraryDay } from '../../src/client/loans/use-today.ts'
import { DateField } from '../../src/client/ui/forms/date-field.tsx'
import { theme } from '../../src/client/ui/theme.ts'
import { recordAction } from '../../src/offline/outbox.ts'
import { actorOf, biblio, freshDevice, lending } from '../offline/device.ts'

// @vitest-environment happy-dom

freshDevice()
// The page loads its calendar with the first date that is opened: a busy machine takes longer than is waited for it.
beforeAll(() => import('../../src/client/ui/forms/date-calendar.tsx'))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

// Still the 10th in Europe, the 11th in New Caledonia.
const now = new Date('2026-03-10T15:00:00Z')
const noumea = 'Pacific/Noumea'

/** The day as the screens have it, off line, on a device that knows this much. */
function dayKnowing(timezone: string, offset: number | null) {
  vi.useFakeTimers({ toFake: ['Date'], now })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={knowing(timezone, offset)}>{children}</QueryClientProvider>
  )
  return renderHook(useLibraryDay, { wrapper }).result.current
}

function knowing(timezone: string, offset: number | null): QueryClient {
  const client = new QueryClient()
  client.setQueryData(['device', 'parameters'], { timezone })
  client.setQueryData(['device', 'clock'], offset)
  return client
}

describe('today', () => {
  it('is the day of the library’s own zone, by the server’s clock', () => {
    expect(dayKnowing(noumea, null)).toEqual({ day: '2026-03-11', zone: noumea })
    expect(dayKnowing('Europe/Paris', null).day).toBe('2026-03-10')
    expect(dayKnowing('Europe/Paris', 24 * 3600_000).day).toBe('2026-03-09')
  })

  it('is what « Aujourd’hui » of a date chooses, on every screen', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now })
    const onChange = vi.fn()
    render(
      <MantineProvider theme={theme} env="test">
        <QueryClientProvider client={knowing(noumea, null)}>
          <MemoryRouter>
            <CounterProviders>
              <DateField label="Début" value="" onChange={onChange} />
            </CounterProviders>
          </MemoryRouter>
        </QueryClientProvider>
      </MantineProvider>,
    )
    fireEvent.click(screen.getByRole('button', { name: /^Choisir/ }))
    fireEvent.click(await screen.findByRole('button', { name: "Aujourd'hui" }))
    expect(onChange).toHaveBeenCalledWith('2026-03-11')
  })
})

describe('a date', () => {
  it('is chosen in French, which the page says that it is in', async () => {
    render(
      <MantineProvider theme={theme} env="test">
        <DateField label="Début" value="2026-03-09" onChange={() => undefined} />
      </MantineProvider>,
    )
    fireEvent.click(screen.getByRole('button', { name: /^Choisir/ }))
    expect((await screen.findByRole('button', { name: 'Choisir un mois' })).textContent).toBe('mars 2026')
    expect(screen.getByText('lu')).toBeTruthy()
    expect(readFileSync('index.html', 'utf8')).toMatch(/^<!doctype html>\s*<html lang="fr">/)
  })

  it('is typed as JJ/MM/AAAA, emptied by « Effacer », and left as it is by « Fermer »', async () => {
    const onChange = vi.fn()
    render(
      <MantineProvider theme={theme} env="test">
        <DateField label="Début" value="2026-03-09" onChange={onChange} />
      </MantineProvider>,
    )
    expect(screen.getByPlaceholderText('JJ/MM/AAAA')).toBe(screen.getByLabelText('Début'))
    const open = () => fireEvent.click(screen.getByRole('button', { name: /^Choisir/ }))
    open()
    fireEvent.click(await screen.findByRole('button', { name: 'Fermer' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Fermer' })).toBeNull())
    expect(onChange).not.toHaveBeenCalled()
    open()
    fireEvent.click(await screen.findByRole('button', { name: 'Effacer' }))
    expect(onChange.mock.calls).toEqual([['']])
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Effacer' })).toBeNull())
  })
})

it.each([
  ['what is to come', false, '2098-12-31'],
  ['what is over', true, '1998-12-31'],
])('a year of two digits is, of %s, the one that a file would mean', (_, isPast, day) => {
  const onChange = vi.fn()
  render(
    <MantineProvider theme={theme} env="test">
      <DateField label="Acquis le" value="" isPast={isPast} onChange={onChange} />
    </MantineProvider>,
  )
  const field = screen.getByLabelText('Acquis le')
  fireEvent.change(field, { target: { value: '31/12/98' } })
  fireEvent.blur(field)
  fireEvent.change(field, { target: { value: '1/2/26' } })
  fireEvent.blur(field)
  expect(onChange.mock.calls).toEqual([[day], ['2026-02-01']])
})

it('the library’s today is the day on which a loan of the outbox begins', async () => {
  const entry = await recordAction(lending(1), await actorOf(biblio), now)
  expect(rowOfEntry(entry, { day: '2026-03-11', zone: noumea }).start_date).toBe('2026-03-11')
  expect(rowOfEntry(entry, { day: '2026-03-11', zone: 'Europe/Paris' }).start_date).toBe('2026-03-10')
  const chosen = await recordAction(
    lending(2, 1, { body: { start_date: '2026-03-05' } }),
    await actorOf(biblio),
    now,
  )
  expect(rowOfEntry(chosen, { day: '2026-03-11', zone: noumea }).start_date).toBe('2026-03-05')
})
