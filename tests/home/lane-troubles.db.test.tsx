import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { setPreference } from '../../src/client/ui/preferences.ts'
import type { Network } from '../loans/open-counter.tsx'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(async () => {
  vi.restoreAllMocks()
  await closeHome()
})

const lane = () => screen.findByRole('list', { name: 'Derniers passages' })

/** The network, but for calls whose address has these words. */
const but =
  (words: string, instead: Network, network: Network): Network =>
  (request) =>
    (request.url.includes(words) ? instead : network)(request)

const silence: Network = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

describeServer('trouble at the counter', (server) => {
  it('waits for the search of a reader no longer than a scan may take', async () => {
    const page = await openHome(server)
    await page.knows()
    const limit = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    const asked = vi.fn(silence)
    page.device.network = but('searchname', asked, page.network)
    typeScan('R99')
    await waitFor(() => expect(asked).toHaveBeenCalled())
    limit.abort()
    expect(await within(await lane()).findByText(/« R99 » n’est pas connu de cet appareil/)).toBeVisible()
  })
})
