import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { refreshChanged } from '../../src/client/api/refresh-changed.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { findReader } from '../../src/offline/counter.ts'
import { countName } from '../../src/offline/inventory-rows.ts'
import { scansOf } from '../../src/offline/inventory-scans.ts'
import { loadedCounts } from '../../src/offline/inventory-store.ts'
import { typeScan } from '../home/open-home.tsx'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer, type TestServer } from '../support/test-server.ts'
import { seedShelves, openInventory, read, scan } from './counting.ts'

afterEach(closeApp)
beforeEach(() => setPreference('scanner_prefix', '~'))

/** The count screen of a new inventory, loaded. */
async function openCount(server: TestServer) {
  const admin = await server.as('admin')
  const { id } = await openInventory(admin)
  const page = await openApp(server, `/inventories/count/${id}`)
  await screen.findByText(/Utilisable hors ligne/)
  return { admin, id, page }
}

const lines = () =>
  within(screen.getByRole('list', { name: 'Scans de cet appareil' }))
    .getAllByRole('listitem')
    .map((line) => line.textContent.replaceAll(/[\s\u00a0\u202f]+/g, ' '))

/** What the last scan said. */
const said = async (words: string | RegExp) =>
  waitFor(() => expect(document.querySelector('[data-last]')?.textContent ?? '').toMatch(words))

const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'))

describeServer('the screen where one counts', (server) => {
  beforeEach(async () => {
    await seedShelves(server)
  })

  it('takes the shelf from its list, which a scan of its label closes, and says each scan by its word, with where the copy should be, the newest on top', async () => {
    await sql`update copies set status = 'En Location' where id = 3`.execute(server.db)
    await sql`update copies set deleted_at = now() where id = 4`.execute(server.db)
    const { admin, id } = await openCount(server)
    await press(/^Rayon/)
    const sheet = await screen.findByRole('dialog', { name: 'Rayon' })
    typeScan('RAYON-A')
    await waitFor(() => expect(sheet).not.toBeInTheDocument())
    await said(/Rayon/)
    expect(screen.getByRole('button', { name: /^Rayon/ })).toHaveTextContent('Rayon A')
    typeScan('1001')
    await said(/Trouvé.*Livre numéro 1/)
    typeScan('1005')
    await said(/Ailleurs.*Livre numéro 5.*Sa place/)
    typeScan('1003')
    await said(/En prêt.*et pourtant en rayon/)
    typeScan('1004')
    await said(/Retiré/)
    typeScan('RIEN')
    await said(/Inconnu/)
    typeScan('1001')
    await said(/Déjà compté.*Compté à/)
    expect(lines()[0]).toContain('Déjà compté')
    expect(lines()).toHaveLength(6)
    await screen.findByText('Tout est envoyé')
    expect(await read(admin, id)).toMatchObject({ scans: 6 })
  })

  it('shows the cover of what was scanned, also without a network', async () => {
    const { page } = await openCount(server)
    page.device.network = noNetwork
    typeScan('1001')
    await said(/Trouvé.*Livre numéro 1/)
    expect(document.querySelector('[data-last] [data-words="Livre numéro 1"]')).not.toBeNull()
    const lane = screen.getByRole('list', { name: 'Scans de cet appareil' })
    expect(lane.querySelector('[data-words="LN"]')).not.toBeNull()
    typeScan('RIEN')
    await said(/Inconnu/)
    expect(document.querySelector('[data-last] [data-words]')).toBeNull()
  })

  it('counts no reader’s card, of which the device knows off line too', async () => {
    const { page } = await openCount(server)
    await waitFor(async () => expect(await findReader('R1')).not.toBeNull())
    page.device.network = noNetwork
    typeScan('R1')
    await said(/Non compté.*C’est une carte de lecteur, pas un exemplaire/)
    typeScan('1001')
    await said(/Trouvé/)
    expect(lines()).toHaveLength(1)
  })

  it('keeps what is scanned without a network, and sends it once when it comes back', async () => {
    const { admin, id, page } = await openCount(server)
    const network = page.device.network
    page.device.network = noNetwork
    typeScan('1001')
    await said(/Trouvé/)
    typeScan('1001')
    await said(/Déjà compté/)
    typeScan('1002')
    await waitFor(() => expect(screen.getByText(/Hors ligne, 3 scans à envoyer/)).toBeVisible())
    expect(await read(admin, id)).toMatchObject({ scans: 0 })
    page.device.network = network
    fireEvent(window, new Event('online'))
    await screen.findByText('Tout est envoyé')
    expect(await read(admin, id)).toMatchObject({ scans: 3, seen: 2 })
  })

  it('takes back a scan, and keeps what is written on a copy that nobody knows', async () => {
    const { admin, id } = await openCount(server)
    typeScan('1001')
    await press('Annuler\u202f: Livre numéro 1')
    await said(/Annulé/)
    typeScan('INCONNU')
    const note = await screen.findByLabelText('Ce qui est écrit dessus')
    fireEvent.change(note, { target: { value: 'Le Horla' } })
    fireEvent.blur(note)
    await waitFor(async () => {
      const { body } = await admin.get(`/api/inventories/${id}/findings?filters[group|eq]=unknown`)
      expect(body['hydra:member']).toMatchObject([{ bar_code: 'INCONNU', note: 'Le Horla' }])
    })
    expect(await read(admin, id)).toMatchObject({ seen: 0 })
  })

  it('shows what another device has counted, and does not count it again', async () => {
    const { admin, id } = await openCount(server)
    await scan(admin, id, ['1002'])
    await refreshChanged('inventories')
    typeScan('1002')
    await said(/Déjà compté.*par/)
  })

  it('ticks by hand what has no label, and unticks it', async () => {
    const { admin, id } = await openCount(server)
    await press('Cocher')
    const sheet = await screen.findByRole('dialog', { name: /^Cocher/ })
    const tick = await within(sheet).findByRole('checkbox', { name: /Livre numéro 2/ })
    await userEvent.click(tick)
    await waitFor(() => expect(tick).toBeChecked())
    await waitFor(async () => expect(await read(admin, id)).toMatchObject({ seen: 1 }))
    await userEvent.click(within(sheet).getByRole('checkbox', { name: /Livre numéro 2/ }))
    await waitFor(() => expect(tick).not.toBeChecked())
    await waitFor(async () =>
      expect((await scansOf(countName(1, id))).map(({ state, taken_back }) => [state, taken_back])).toEqual([
        ['sent', true],
      ]),
    )
    await waitFor(async () => expect(await read(admin, id)).toMatchObject({ seen: 0 }))
  })

  it('counts nothing while it is suspended, until it is taken up again, of which the server hears when it can', async () => {
    const { admin, id, page } = await openCount(server)
    const network = page.device.network
    await press(/^Actions/)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Suspendre' }))
    await screen.findByText('Inventaire suspendu')
    typeScan('1001')
    await said(/Non compté.*1001.*suspendu/)
    expect(screen.queryByRole('list', { name: 'Scans de cet appareil' })).toBeNull()
    page.device.network = noNetwork
    fireEvent(window, new Event('offline'))
    await press('Reprendre')
    await waitFor(() => expect(screen.queryByText('Inventaire suspendu')).toBeNull())
    typeScan('1001')
    await said(/Trouvé/)
    expect(await read(admin, id)).toMatchObject({ scans: 0, status: 'paused' })
    page.device.network = network
    fireEvent(window, new Event('online'))
    await waitFor(async () => expect(await read(admin, id)).toMatchObject({ scans: 1, status: 'open' }))
  })

  it('leaves the device once the inventory is removed and all of it was sent', async () => {
    const { admin, id, page } = await openCount(server)
    typeScan('1001')
    await waitFor(async () => expect((await scansOf(countName(1, id)))[0]?.state).toBe('sent'))
    expect((await admin.delete(`/api/inventories/${id}`)).status).toBe(204)
    await page.router.navigate('/inventories')
    await screen.findByRole('heading', { name: 'Inventaires' })
    await waitFor(async () => expect(await loadedCounts(1)).toEqual([]))
    await waitFor(() => expect(screen.queryByText('Chargés sur cet appareil')).toBeNull())
  })

  it('keeps what a removed inventory refused, to be downloaded, until it is given up', async () => {
    const { admin, id, page } = await openCount(server)
    const network = page.device.network
    page.device.network = noNetwork
    typeScan('1001')
    await said(/Trouvé/)
    expect((await admin.delete(`/api/inventories/${id}`)).status).toBe(204)
    page.device.network = network
    fireEvent(window, new Event('online'))
    await screen.findAllByText('Cet inventaire n’existe pas.')
    expect(screen.getByRole('button', { name: 'Télécharger' })).toBeEnabled()
    await page.router.navigate('/inventories')
    await screen.findByText(/supprimé, 1 scan n’est pas envoyé/)
    await userEvent.click(screen.getByRole('link', { name: /^Voir ses scans/ }))
    await screen.findByText('Cet inventaire est supprimé')
    expect(screen.getByRole('button', { name: 'Télécharger' })).toBeEnabled()
    await page.router.navigate('/inventories')
    await press(/^Effacer/)
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent('1 scan n’est pas envoyé et sera perdu')
    await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
    await waitFor(async () => expect(await scansOf(countName(1, id))).toEqual([]))
    await waitFor(() => expect(screen.queryByText('Chargés sur cet appareil')).toBeNull())
  })

  it('says what it needs where it was never opened with a network', async () => {
    const admin = await server.as('admin')
    const { id } = await openInventory(admin)
    await openApp(server, `/inventories/count/${id}`, { network: noNetwork })
    await screen.findByText(/n’a pas été ouvert sur cet appareil|réseau/)
  })
})
