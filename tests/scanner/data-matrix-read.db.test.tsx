import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { submitScan } from '../../src/client/scanner/scan-source.tsx'
import { closeHome, openHome, typeScan } from '../home/open-home.tsx'
import { openInventory, seedShelves } from '../inventories/counting.ts'
import { closeCounter, openCounter } from '../loans/open-counter.tsx'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

/** What the camera gives of the code on a spine. */
const see = (code: string) => act(() => void submitScan(code, 'data_matrix'))

beforeEach(() => setPreference('scanner_prefix', '~'))

describeServer('the Data Matrix of a spine', (server) => {
  beforeEach(() => seedShelves(server))
  const lend = async (copy: number) => {
    const client = await server.as('biblio')
    expect((await client.post('/api/loanings', { copy, beneficiary: 1 })).status).toBe(201)
  }
  const statusOf = async (copy: number) => {
    const { status } = await server.db
      .selectFrom('copies')
      .select('status')
      .where('id', '=', copy)
      .executeTakeFirstOrThrow()
    return status
  }

  it('takes its copy back at the counter', async () => {
    await lend(1)
    const page = await openHome(server)
    await page.knows()
    see('1001')
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    expect((await within(lane).findAllByText(/Livre numéro 1/)).length).toBeGreaterThan(0)
    await waitFor(async () => expect(await statusOf(1)).toBe('Disponible'))
    await closeHome()
  })

  it('ticks its copy in « Rendre »', async () => {
    await lend(2)
    await openCounter('/loaning/return', server)
    await screen.findByRole('heading', { name: 'Rendre' })
    see('1002')
    expect(await screen.findByText(/^1 prêt en cours.*1 coché/)).toBeVisible()
    await closeCounter()
  })

  it('is counted in an inventory, by the camera and by a hand scanner that announces it', async () => {
    const { id } = await openInventory(await server.as('admin'))
    await openApp(server, `/inventories/count/${id}`)
    await screen.findByText(/Utilisable hors ligne/)
    see('1003')
    const said = (words: RegExp) =>
      waitFor(() => expect(document.querySelector('[data-last]')?.textContent ?? '').toMatch(words))
    await said(/Trouvé.*Livre numéro 3/)
    typeScan(']d11004')
    await said(/Trouvé.*Livre numéro 4/)
    const ways = async () =>
      (
        await server.db
          .selectFrom('inventory_scans')
          .select(['bar_code', 'way'])
          .orderBy('bar_code')
          .execute()
      ).map(({ bar_code, way }) => `${bar_code} ${way}`)
    await waitFor(async () => expect(await ways()).toEqual(['1003 camera', '1004 scanner']))
    await closeApp()
  })

  it('finds its copy in the search of anything', async () => {
    await openApp(server, '/account')
    await screen.findByRole('heading', { level: 1 })
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    await screen.findByRole('combobox', { name: 'Rechercher partout' })
    see('1005')
    expect(await screen.findByText('1005 · Disponible')).toBeVisible()
    expect(screen.getByText('Livre numéro 5')).toBeVisible()
  })
})

afterEach(closeApp)
