import '@testing-library/jest-dom/vitest'
import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { leavePage } from '../support/leave-page.ts'
import { networkTo } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'
import { openHome, typeScan } from './open-home.tsx'

afterEach(leavePage)

describeServer('a device that has not the library’s data yet', (server) => {
  /** Without its snapshot, so that it is never ready. */
  const openUnready = async () => {
    const network = networkTo(server)
    const page = await openHome(server, {
      network: (request) =>
        new URL(request.url).pathname === '/api/snapshot'
          ? Promise.reject(new TypeError('Failed to fetch'))
          : network(request),
    })
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    return page
  }

  it('says off line that it does not know what is due, and not that nothing is', async () => {
    const page = await openUnready()
    await page.cutOff()
    act(noteNoAnswer)
    expect((await screen.findAllByText(/n’a pas encore toutes les données/)).length).toBeGreaterThan(0)
    await waitFor(() => expect(screen.queryByText(/^Aucun prêt n’est (à rendre|en retard)/)).toBeNull())
    const tabs = screen.queryAllByRole('tab')
    for (const tab of tabs) {
      await userEvent.click(tab)
      expect((await screen.findAllByText(/n’a pas encore toutes les données/)).length).toBeGreaterThan(0)
      expect(screen.queryByText(/^Aucun prêt n’est/)).toBeNull()
    }
  })

  it('leaves in the box a name that it cannot seek off line, and asks of no code', async () => {
    const page = await openUnready()
    await page.cutOff()
    act(noteNoAnswer)
    const box = screen.getByLabelText<HTMLInputElement>('Code-barres, carte ou nom du lecteur')
    const told = () => screen.queryAllByText(/ce qu’il ne connaît pas ne peut être montré/).length
    await waitFor(() => expect(told()).toBeGreaterThan(0))
    const before = told()
    await userEvent.type(box, 'Martin{Enter}')
    await waitFor(() => expect(told()).toBe(before + 1))
    expect(box.value).toBe('Martin')
    expect(screen.queryByText(/Est-ce une carte/)).toBeNull()
  })

  it('says no day of return before the server has said it', async () => {
    const network = networkTo(server)
    let letGo = () => {}
    const gate = new Promise<void>((open) => {
      letGo = open
    })
    await openHome(server, {
      network: async (request) => {
        const { pathname } = new URL(request.url)
        if (pathname === '/api/snapshot') return new Promise(() => undefined)
        if (request.method === 'POST' && pathname.startsWith('/api/loanings')) await gate
        return network(request)
      },
    })
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    setPreference('scanner_prefix', '~')
    typeScan('R1')
    const card = await screen.findByRole('region', { name: 'Lecteur' })
    await within(card).findByText('Aucun prêt en cours')
    typeScan('1001')
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    await within(card).findByText('1 prêt en cours')
    expect(await within(lane).findByText('Enregistré')).toBeVisible()
    expect(screen.queryByText(/Retour le|jusqu’au/)).toBeNull()
    letGo()
    expect(await within(lane).findByText(/^Retour le /)).toBeVisible()
  })

  it('says that the server is late while it is, and not that the network is away', async () => {
    const network = networkTo(server)
    await openHome(server, {
      network: (request) =>
        new URL(request.url).pathname === '/api/copies' ? new Promise(() => undefined) : network(request),
    })
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    typeScan('INCONNU-1')
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    expect(await within(lane).findByText(/et le serveur tarde à répondre/)).toBeVisible()
  })
})
