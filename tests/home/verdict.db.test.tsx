import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { drainNow } from '../../src/client/outbox/counter-work.ts'
import { networkTo, noNetwork } from '../loans/open-counter.tsx'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeHome)

/** The card of the reader whose card is scanned, once it is theirs. */
async function cardOf(code: string, name: string) {
  typeScan(code)
  await screen.findByRole('heading', { name })
  return within(screen.getByRole('region', { name: 'Lecteur' }))
}
const lane = () => screen.findByRole('list', { name: 'Derniers passages' })
const old = /^À vérifier\s: les données de cet appareil datent d’il y a 3\sh\.$/

describeServer('who may borrow, at the counter', (server) => {
  it('is said on line by the server’s facts alone, however old the device’s are', async () => {
    const page = await openHome(server)
    await page.knows()
    const free = await cardOf('R1', 'Alice Martin')
    expect(await free.findByText('Peut emprunter')).toBeVisible()
    const shown = await cardOf('R3', 'Noémie Expirée')
    expect(await shown.findByText('Ne peut pas emprunter')).toBeVisible()
    expect(shown.getByText('L’inscription a pris fin le 01/01/2020.')).toBeVisible()
  })

  it('is green off line while the data are fresh, amber when they are old, and lends both times', async () => {
    const page = await openHome(server)
    await page.knows()
    page.device.network = noNetwork
    noteNoAnswer()
    const fresh = await cardOf('R1', 'Alice Martin')
    expect(await fresh.findByText('Peut emprunter')).toBeVisible()
    typeScan('1001')
    const passages = await lane()
    expect(
      await within(passages).findByText(/^Peut emprunter\s: règles vérifiées sur cet appareil\.$/),
    ).toBeVisible()

    vi.setSystemTime(Date.now() + 3 * 3600_000)
    // After so long the card is scanned again.
    typeScan('R1')
    typeScan('1002')
    expect(await within(passages).findByText(old)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    const shown = await cardOf('R2', 'Éric Dupont')
    expect(await shown.findByText('À vérifier')).toBeVisible()
    expect(await shown.findByText(/^Les données de cet appareil datent d’il y a 3\sh\.$/)).toBeVisible()

    // A rule that forbids is said with what makes it doubtful, and asks for a decision.
    const closed = await cardOf('R3', 'Noémie Expirée')
    expect(await closed.findByText('Ne peut pas emprunter')).toBeVisible()
    typeScan('1003')
    expect(await within(passages).findByText("Le bénéficiaire n'est pas éligible.")).toBeVisible()
    expect(within(passages).getByText('L’inscription a pris fin le 01/01/2020.')).toBeVisible()
    expect(within(passages).getByText(/^Les données de cet appareil datent d’il y a 3\sh\.$/)).toBeVisible()

    // The server's answer ends every doubt.
    server.moveTo(new Date(Date.now()).toISOString())
    page.device.network = networkTo(server)
    drainNow()
    await waitFor(() => expect(within(passages).getAllByText('Confirmé')).toHaveLength(2))
    expect(within(passages).queryByText(old)).toBeNull()
  })
})
