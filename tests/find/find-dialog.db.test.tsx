import '../support/page-globals.ts'

import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { currentSession, leaveSession } from '../../src/client/api/session.ts'
import { takeNotTaken } from '../../src/client/scanner/scans-not-taken.ts'
import { networkTo } from '../loans/open-counter.tsx'
import { noNetwork } from '../session/open-page.tsx'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'
import { typeAsScanner } from '../support/type-as-scanner.ts'

afterEach(closeApp)

const field = () => screen.findByRole('combobox', { name: 'Rechercher partout' })

/** Opens the search as a keyboard does, wherever the focus is; what is typed comes at once, as from the clipboard. */
async function search(text = ''): Promise<HTMLElement> {
  await screen.findByRole('heading', { level: 1 })
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k', ctrlKey: true })
  const input = await field()
  if (text !== '') await userEvent.paste(text)
  return input
}

const list = () => within(screen.getByRole('listbox', { name: 'Résultats' }))
const options = () =>
  list()
    .queryAllByRole('option')
    .map(({ textContent }) => textContent)
const option = async (name: RegExp) => list().findByRole('option', { name })
const chosen = () => list().queryByRole('option', { selected: true })?.textContent

describeServer('the search of anything', (server) => {
  let loan = 0
  beforeAll(async () => {
    const client = await server.as('biblio')
    const { body } = await client.post('/api/loanings', { copy: 1, beneficiary: 2 })
    loan = body.id as number
  })

  it('finds readers, loans, copies and screens, and Enter opens', async () => {
    const page = await openApp(server, '/account')
    const input = await search()
    await userEvent.type(input, 'livre numero 1')
    await option(/Livre numéro 1.*Dupont/)
    // What the last letter finds comes after what was found without it.
    await waitFor(() =>
      expect(options().join(' | ')).toMatch(
        /^Livre numéro 10.*Référence \| Livre numéro 1\D.*Référence \| Livre numéro 1Éric Dupont.*Prêt \| Livre numéro 101010.*Exemplaire/,
      ),
    )
    // Whoever searches looks for the title before its loans.
    expect(input).toHaveAttribute('aria-activedescendant')
    expect(chosen()).toMatch(/^Livre numéro 10Zola/)
    await userEvent.keyboard('{ArrowDown}')
    expect(chosen()).toMatch(/^Livre numéro 1Zola/)
    await userEvent.keyboard('{ArrowDown}')
    expect(chosen()).toMatch(/^Livre numéro 1Éric Dupont/)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page.address).toBe(`/loanings/view/${loan}`))
    expect(screen.queryByRole('dialog')).toBeNull()

    await search('éric')
    const reader = await option(/^Éric Dupont/)
    expect(reader.textContent).toMatch(/Lecteur$/)
    // What was opened before comes first.
    expect(chosen()).toMatch(/^Livre numéro 1Éric Dupont/)
    await userEvent.click(reader)
    await waitFor(() => expect(page.address).toBe('/beneficiaries/view/2'))
    expect(await screen.findByRole('heading', { name: 'Éric Dupont' })).toBeVisible()

    await userEvent.type(await search(), 'mots cles')
    expect((await option(/Mots-clés/)).textContent).toMatch(/Réglage$/)
    // Typed so fast, an Enter at once would be that of a scanner.
    await screen.findByText('1 résultat')
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page.address).toBe('/settings/keywords'))
  })

  it('says that it shows the first ones where there are more', async () => {
    await openApp(server, '/account', { as: 'biblio' })
    await search('livre')
    expect(await screen.findByText('8 premiers résultats')).toBeVisible()
    expect(options()).toHaveLength(8)
  })

  it('leads with a free copy to the counter, which shows it and lends nothing', async () => {
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search('1005')
    await userEvent.click(await option(/Livre numéro 5/))
    const card = await screen.findByRole('region', { name: 'Exemplaire cherché' })
    expect(within(card).getByText('Livre numéro 5')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/home'))
    const { body } = await page.client.get('/api/loanings?copy=5')
    expect(body['hydra:totalItems']).toBe(0)
  })

  it('finds a title by its name and its ISBN, and leads to it or to a new copy of it', async () => {
    const admin = await server.as('admin')
    await admin.put('/api/references/9', { code: '9782070409228' })
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search('2-07-040922-8')
    // Its copies are found by it as well.
    await option(/^Livre numéro 9.*Exemplaire$/)
    const title = await option(/^Livre numéro 9.*Référence$/)
    expect(title.textContent).toMatch(/Zola, Émile · 9782070409228 · 1 exemplaireRéférence$/)
    await userEvent.keyboard('{ArrowRight}{ArrowDown}{Enter}')
    await waitFor(() => expect(page.address).toBe('/references/view/9?copy='))
    expect(await screen.findByRole('dialog', { name: /^Ajouter un exemplaire/ })).toBeVisible()
    cleanup()

    const again = await openApp(server, '/account', { as: 'biblio' })
    await search()
    typeAsScanner('9782070409228')
    await waitFor(() => expect(again.address).toBe('/references/view/9'))
    await admin.put('/api/references/9', { code: 'L9' })
  })

  it('shows with the right arrow where else a hit leads, and folds with the left', async () => {
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search('dupont')
    await option(/^Éric Dupont/)
    await userEvent.keyboard('{ArrowRight}')
    const labels = ['Voir ses prêts', 'Prêter', 'Rendre']
    for (const label of labels) expect(await option(new RegExp(`^${label}.*Éric Dupont$`))).toBeVisible()
    await userEvent.keyboard('{ArrowLeft}')
    expect(options().join()).not.toMatch(/Voir ses prêts/)
    await userEvent.keyboard('{ArrowRight}{ArrowDown}{Enter}')
    await waitFor(() => expect(page.address).toBe('/loaning/add?beneficiary=2'))
  })

  it('offers only what the profile opens', async () => {
    const page = await openApp(server, '/account', { as: 'lecture' })
    await search('livre')
    await option(/Livre numéro 1.*Prêt$/)
    expect((await list().findAllByRole('option', { name: /^Livre numéro/ })).length).toBeGreaterThan(1)
    expect(options().join()).not.toMatch(/Exemplaire/)
    fireEvent.change(await field(), { target: { value: 're' } })
    await waitFor(() => expect(screen.getByText(/résultat|Aucun/)).toBeVisible())
    expect(options().join()).not.toMatch(/Prêter|Rendre|Catégories/)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(page.address).toBe('/account'))
  })

  it('keeps what was opened, first, for this person alone and until they sign out', async () => {
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search('dupont')
    await option(/^Éric Dupont/)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page.address).toBe('/beneficiaries/view/2'))
    await search()
    expect(await option(/^Éric Dupont/)).toBeVisible()
    // Nothing is under the arrow before somebody chooses it: Enter opens nothing.
    expect(chosen()).toBeUndefined()
    await userEvent.keyboard('{Escape}')
    expect(JSON.stringify(localStorage)).toContain('Dupont')
    cleanup()

    await openApp(server, '/account', { as: 'benevole' })
    await search()
    await screen.findByText(/sous la main/)
    expect(options()).toEqual([])
    cleanup()

    await openApp(server, '/account', { as: 'biblio' })
    leaveSession()
    expect(JSON.stringify(localStorage)).not.toContain('Dupont')
    expect(currentSession()).toBeNull()
  })

  it('says without a network that only screens are found', async () => {
    const page = await openApp(server, '/account', { as: 'biblio' })
    await screen.findByRole('heading', { level: 1 })
    page.device.network = noNetwork
    await search('prêt')
    await screen.findByText(/Hors ligne, seuls les écrans se trouvent/)
    expect(options().join(' | ')).toMatch(/^PrêterComptoirÉcran \| PrêtsSuiviÉcran$/)
  })

  it('never shows the answer to an earlier text', async () => {
    const held: (() => void)[] = []
    const network = networkTo(server)
    const slowly = async (request: Request) => {
      if (request.url.includes('numero+2') || request.url.includes('numero%202'))
        await new Promise<void>((resolve) => held.push(resolve))
      return network(request)
    }
    await openApp(server, '/account', { as: 'biblio', network: slowly })
    const input = await search('livre numero 2')
    await waitFor(() => expect(held.length).toBeGreaterThan(0))
    await userEvent.type(input, '{Backspace}3')
    await option(/Livre numéro 3.*Exemplaire$/)
    held.forEach((answer) => answer())
    await screen.findByText(/^\d+ résultats?$/)
    expect(options().join()).not.toMatch(/numéro 2/)
  })

  it('opens the record of what is scanned, and says what nobody knows', async () => {
    const page = await openApp(server, '/calendar', { as: 'biblio' })
    await search()
    typeAsScanner('20000099', document.activeElement!)
    expect(await screen.findByText(/ne porte «\s20000099\s»/)).toBeVisible()
    const { db } = server
    await db.updateTable('copies').set({ bar_code: '31555510001001' }).where('id', '=', 1).execute()
    typeAsScanner('31555510001001', document.activeElement!)
    await waitFor(() => expect(page.address).toBe(`/loanings/view/${loan}`))
    expect((await page.client.get(`/api/loanings/${loan}`)).body.status).toBe('in_progress')
    await db.updateTable('copies').set({ bar_code: '1001' }).where('id', '=', 1).execute()
  })

  it('leaves scans to a screen that takes them, and closes: each has its line', async () => {
    const page = await openApp(server, '/home', { as: 'biblio' })
    typeAsScanner('20000099', await search('dup'))
    typeAsScanner('20000107')
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    for (const code of ['20000099', '20000107']) expect(await within(lane).findByTitle(code)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(page.address).toBe('/home')
  })

  it('has a code that a later scan overtook wait to be taken up', async () => {
    await openApp(server, '/references', { as: 'biblio' })
    const input = await search()
    for (const code of ['20000099', '20000107']) typeAsScanner(code, input)
    expect(await screen.findByText(/ne porte «\s20000107\s»/)).toBeVisible()
    expect(await screen.findByTitle('1 code non pris')).toBeInTheDocument()
    expect(takeNotTaken()).toEqual([{ code: '20000099' }])
  })
})
