import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { takeNotTaken } from '../../src/client/scanner/scans-not-taken.ts'
import { closeHome, openHome, typeScan } from '../home/open-home.tsx'
import { noNetwork } from '../session/open-page.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(async () => {
  await closeHome()
  await closeApp()
})

const lane = () => screen.findByRole('list', { name: 'Derniers passages' })

/** Chooses a title for the code and confirms its copy. */
async function addAs(title: string, code: string): Promise<void> {
  const asking = await screen.findByRole('dialog', { name: `Ajouter l’exemplaire ${code}` })
  fireEvent.change(within(asking).getByRole('combobox', { name: 'Référence' }), { target: { value: title } })
  await userEvent.click(await within(asking).findByRole('option', { name: new RegExp(`^${title}\\D`) }))
  const copy = await screen.findByRole('dialog', { name: /^Ajouter un exemplaire de/ })
  expect(within(copy).getByRole('textbox', { name: 'Code-barres' })).toHaveValue(code)
  // A scan writes the code and no more.
  typeScan(code)
  await userEvent.click(within(copy).getByRole('button', { name: 'Valider' }))
  expect(await screen.findByText('Exemplaire ajouté avec succès.')).toBeVisible()
}

describeServer('a code that nobody’s label says', (server) => {
  beforeAll(() => setParameter(server, 'multisite', '0'))

  it('becomes a copy from its line at the counter, which is lent to who stands there', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    expect(await screen.findByRole('heading', { name: 'Alice Martin' })).toBeVisible()
    typeScan('NEUF-1')
    expect(await within(await lane()).findByText(/ne porte «\sNEUF-1\s»/)).toBeVisible()
    await press(/^Ajouter l’exemplaire\s: NEUF-1$/)
    await addAs('Livre numéro 3', 'NEUF-1')
    expect(await within(await lane()).findByText(/^Retour le /)).toBeVisible()
    await waitFor(async () => {
      const { body } = await page.client.get('/api/copies?filters[bar_code|eq]=NEUF-1')
      expect(body['hydra:member'][0]).toMatchObject({ name: 'Livre numéro 3', status_name: 'En Location' })
    })
  })

  it('is taken up again where somebody added it meanwhile', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('NEUF-2')
    const offer = await screen.findByRole('button', { name: /^Ajouter l’exemplaire\s: NEUF-2$/ })
    const added = await page.client.post('/api/copies', { reference: 4, site: 1, bar_code: 'NEUF-2' })
    expect(added.status).toBe(201)
    await userEvent.click(offer)
    await press('Reprendre')
    expect(await within(await lane()).findByText('Livre numéro 4')).toBeVisible()
  })

  it('is left alone at one press of Escape, whatever its dialog found', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('NEUF-0')
    await press(/^Ajouter l’exemplaire\s: NEUF-0$/)
    const box = await screen.findByRole('combobox', { name: 'Référence' })
    await waitFor(() => expect(box).toHaveFocus())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // Of an ISBN the dialog says by itself what it is.
    typeScan('9782070360024')
    await press(/^Ajouter au catalogue\s: 9782070360024$/)
    await screen.findByText('Aucune référence n’a le code 9782070360024.')
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Référence' })).toHaveFocus())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('keeps in its dialog the other labels that are scanned meanwhile, and « back » closes it', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('NEUF-9')
    await press(/^Ajouter l’exemplaire\s: NEUF-9$/)
    const asking = await screen.findByRole('dialog', { name: 'Ajouter l’exemplaire NEUF-9' })
    const box = within(asking).getByRole('combobox', { name: 'Référence' })
    for (const code of ['NEUF-9', '1001', 'R1']) typeScan(code)
    expect(box).toHaveValue('')
    expect(takeNotTaken().map(({ code }) => code)).toEqual(['1001', 'R1'])
    fireEvent.change(box, { target: { value: 'Livre numéro 3' } })
    await userEvent.click(await within(asking).findByRole('option', { name: /^Livre numéro 3\D/ }))
    await screen.findByRole('dialog', { name: /^Ajouter un exemplaire de/ })
    typeScan('1002')
    expect(await screen.findByText(/^Code 1002 gardé, à reprendre ensuite/)).toBeVisible()
    await act(() => page.router.navigate(-1))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(takeNotTaken()).toEqual([{ code: '1002' }])
    expect(within(await lane()).getByTitle('NEUF-9')).toBeVisible()
  })

  it('is offered neither off line nor to who may add no copy', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('NEUF-3')
    await screen.findByRole('button', { name: /^Ajouter l’exemplaire/ })
    page.device.network = noNetwork
    typeScan('NEUF-4')
    await within(await lane()).findByText(/«\sNEUF-4\s» n’est pas connu de cet appareil/)
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Ajouter l’exemplaire/ })).toBeNull())
    await closeHome()
    setPreference('scanner_prefix', '~')
    const other = await openHome(server, { username: 'benevole' })
    await other.knows()
    typeScan('NEUF-3')
    await within(await lane()).findByText(/ne porte «\sNEUF-3\s»/)
    expect(screen.queryByRole('button', { name: /^Ajouter l’exemplaire/ })).toBeNull()
  })

  it('joins the loan that was being made', async () => {
    await openApp(server, '/loaning/add?beneficiary=2', { as: 'biblio' })
    await screen.findByText(/Éric Dupont/)
    typeScan('NEUF-5')
    const refused = await screen.findByRole('region', { name: 'Non prêtés' })
    await userEvent.click(within(refused).getByRole('button', { name: /^Ajouter l’exemplaire/ }))
    await addAs('Livre numéro 5', 'NEUF-5')
    const loan = await screen.findByRole('region', { name: 'Prêt en préparation' })
    expect(await within(loan).findByText('Livre numéro 5')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Non prêtés' })).toBeNull()
  })

  it('is added from the return screen and from the search, which find it then', async () => {
    const page = await openApp(server, '/loaning/return', { as: 'biblio' })
    await screen.findByRole('heading', { name: 'Rendre' })
    typeScan('NEUF-6')
    await press(/^Ajouter l’exemplaire/)
    await addAs('Livre numéro 6', 'NEUF-6')
    await waitFor(() => expect(page.address).toBe('/loaning/return'))
    await waitFor(() => expect(screen.queryByText(/ne porte «\sNEUF-6\s»/)).toBeNull())
    await act(() => page.router.navigate('/references'))
    await screen.findByRole('heading', { name: 'Références' })
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    await screen.findByRole('combobox', { name: 'Rechercher partout' })
    typeScan('NEUF-7')
    await press(/^Ajouter l’exemplaire/)
    await addAs('Livre numéro 7', 'NEUF-7')
    expect(await screen.findByRole('option', { name: /Livre numéro 7.*NEUF-7/ })).toBeVisible()
  })

  it('is of one of ten titles at most, found by every word of what is typed, or of a new one, whose form leads back to where one was', async () => {
    const page = await openApp(server, '/loaning/return', { as: 'biblio' })
    await screen.findByRole('heading', { name: 'Rendre' })
    typeScan('NEUF-8')
    await press(/^Ajouter l’exemplaire/)
    const box = await screen.findByRole('combobox', { name: 'Référence' })
    fireEvent.change(box, { target: { value: 'numero' } })
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(10))
    fireEvent.change(box, { target: { value: 'varda numero 3' } })
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    expect(screen.getByRole('option')).toHaveTextContent(
      /^Film numéro 3Varda, Agnès\s· 1 libre(?: à l’Annexe)?$/,
    )
    typeScan('9782070360024')
    expect(await screen.findByText('Aucune référence n’a le code 9782070360024.')).toBeVisible()
    await press('Ajouter une référence')
    expect(await screen.findByRole('textbox', { name: 'Code' })).toHaveValue('9782070360024')
    fireEvent.change(screen.getByRole('textbox', { name: 'Titre' }), { target: { value: 'L’Étranger' } })
    await press('Enregistrer')
    const copy = await screen.findByRole('dialog', { name: /^Ajouter un exemplaire de «\sL’Étranger\s»$/ })
    expect(within(copy).getByRole('textbox', { name: 'Code-barres' })).toHaveValue('NEUF-8')
    await userEvent.click(within(copy).getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(page.address).toBe('/loaning/return'))
    const { body } = await page.client.get('/api/copies?filters[bar_code|eq]=NEUF-8')
    expect(body['hydra:member'][0].name).toBe('L’Étranger')
  })

  it('that is an ISBN leads to its title, and turns into the copy that is added of it by another code', async () => {
    const admin = await server.as('admin')
    await admin.put('/api/references/7', { code: '9782070368228' })
    await admin.put('/api/references/8', { code: '9782070368228', reference_data: { volume: '2' } })
    const page = await openHome(server)
    await page.knows()
    typeScan('9782070368228')
    await press(/^Ajouter au catalogue\s: 9782070368228$/)
    // Either volume may be meant.
    expect(await screen.findByText(/est celui de «\sLivre numéro 8\s» \(tome 2\)\.$/)).toBeVisible()
    const found = screen
      .getByText(/est celui de «\sLivre numéro 7\s»\.$/)
      .closest('[role=status]') as HTMLElement
    await userEvent.click(within(found).getByRole('button', { name: 'Ajouter un exemplaire' }))
    const copy = await screen.findByRole('dialog', {
      name: /^Ajouter un exemplaire de «\sLivre numéro 7\s»$/,
    })
    const code = within(copy).getByRole('textbox', { name: 'Code-barres' })
    expect(code).toHaveValue('')
    fireEvent.change(code, { target: { value: 'NEUF-ISBN' } })
    await userEvent.click(within(copy).getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(async () => expect((await lane()).textContent).toContain('Livre numéro 7'))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Ajouter au catalogue/ })).toBeNull())
  })
})
