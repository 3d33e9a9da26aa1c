import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

const delay = 'counter_refused_form_seconds'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(async () => {
  vi.restoreAllMocks()
  await closeHome()
})

const refused = async () =>
  within(await screen.findByRole('list', { name: 'Derniers passages' })).findByText(
    'L’inscription a pris fin le 01/01/2020.',
  )

describeServer('a quick loan that is refused', (server) => {
  it('shows its sentence, then opens the whole loan filled in, once', async () => {
    await sql`update parameters set value = '1' where code = ${delay}`.execute(server.db)
    const page = await openHome(server)
    await page.knows()
    const timers = vi.spyOn(window, 'setTimeout')
    typeScan('R3')
    typeScan('1004')
    expect(await refused()).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'Prêter' }, { timeout: 10_000 })).toBeVisible()
    const { pathname, search } = page.router.state.location
    expect(`${pathname}${search}`).toBe('/loaning/add?beneficiary=3&copy=4')
    // Back at the counter the line is still there, and opens nothing again.
    timers.mockClear()
    await page.router.navigate(-1)
    expect(await refused()).toBeVisible()
    expect(screen.getByRole('button', { name: 'Ouvrir le prêt complet' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Prêter quand même' })).toBeNull()
    expect(timers.mock.calls.filter(([, ms]) => ms === 1_000)).toEqual([])
  })

  it('stays at the counter when somebody goes on there', async () => {
    await sql`update parameters set value = '47' where code = ${delay}`.execute(server.db)
    const page = await openHome(server)
    await page.knows()
    const timers = vi.spyOn(window, 'setTimeout')
    const stopped = vi.spyOn(window, 'clearTimeout')
    typeScan('R3')
    typeScan('1004')
    await refused()
    const opening = () => timers.mock.calls.findIndex(([, ms]) => ms === 47_000)
    await waitFor(() => expect(opening()).toBeGreaterThan(-1))
    const timer = timers.mock.results[opening()]?.value as unknown
    const isStopped = () => stopped.mock.calls.some(([one]) => one === timer)
    expect(isStopped()).toBe(false)
    fireEvent.pointerDown(document.body)
    expect(isStopped()).toBe(true)
    expect(page.router.state.location.pathname).toBe('/home')
  })
})
