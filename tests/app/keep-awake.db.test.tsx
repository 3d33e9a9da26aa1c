import '../support/page-globals.ts'

import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { closeHome, openHome } from '../home/open-home.tsx'
import { describeServer } from '../support/test-server.ts'
import { lit, removeWakeLock, stubWakeLock } from './wake-lock.ts'

beforeEach(() => void stubWakeLock())
afterEach(async () => {
  await closeHome()
  removeWakeLock()
})

describeServer('the screen of a device', (server) => {
  it('stays lit at the counter, and not where nobody lends', async () => {
    const page = await openHome(server)
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    await waitFor(() => expect(lit()).toBe(1))
    await act(() => page.router.navigate('/waiting'))
    await waitFor(() => expect(lit()).toBe(0))
    await act(() => page.router.navigate('/loaning/add'))
    await waitFor(() => expect(lit()).toBe(1))
    page.unmount()
    expect(lit()).toBe(0)
  })

  it('sleeps as usual for whoever may neither lend nor take back', async () => {
    await openHome(server, { username: 'lecture' })
    await waitFor(() => expect(document.title).toBe('Accueil · Comptoir'))
    expect(lit()).toBe(0)
  })
})
