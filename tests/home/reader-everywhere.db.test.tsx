import '../support/page-globals.ts'

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { chooseSite } from '../../src/client/api/session.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { closeCounter, noNetwork, openCounter } from '../loans/open-counter.tsx'
import { deviceKnows } from '../support/device-knows.ts'
import { screenOf } from '../support/screen-of.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(async () => {
  await closeHome()
  vi.unstubAllGlobals()
})

describeServer('a reader from one screen and one site to another', (server) => {
  it.each([
    [1440, true],
    [820, false],
  ])('has its loans in sight on the card of a screen of %i px: %s', async (width, isOpen) => {
    screenOf(width)
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    expect(await screen.findByRole('button', { name: 'Aucun prêt en cours', expanded: isOpen })).toBeVisible()
  })

  it('keeps on the card the loans made at the other sites', async () => {
    const page = await openHome(server)
    await page.knows()
    expect((await page.client.post('/api/loanings', { beneficiary: 1, copy: 12 })).status).toBe(201)
    chooseSite({ id: 1, name: 'Centre' })
    typeScan('R1')
    await userEvent.click(await screen.findByRole('button', { name: '1 prêt en cours' }))
    expect(await screen.findByText('Film numéro 2')).toBeVisible()
  })

  it('takes the relative whose card it was to the full form', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R2A')
    await userEvent.click(await screen.findByRole('button', { name: 'Aucun prêt en cours' }))
    const link = await screen.findByRole('link', { name: 'Ouvrir le prêt complet' })
    await userEvent.click(link)
    await waitFor(() => expect(page.router.state.location.search).toBe('?beneficiary=2&relative=1'))
    await closeHome()
    await openCounter('/loaning/add?beneficiary=2&relative=1', server)
    expect(await screen.findByDisplayValue(/Zoé/)).toBeVisible()
    await closeCounter()
  })

  it('finds off line the copy that the full form is opened with', async () => {
    const page = await openCounter('/home', server)
    await deviceKnows()
    page.device.network = noNetwork
    noteNoAnswer()
    await page.router.navigate('/loaning/add?beneficiary=1&copy=3')
    expect((await screen.findAllByText(/Livre numéro 3/)).length).toBeGreaterThan(0)
  })
})
