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

  it('finds readers, titles and screens, and Enter opens', async () => {
    const page = await openApp(server, '/account')
    const input = await search()
    await userEvent.type(input, 'livre numero 1')
    await option(/Livre numéro 1\D/)
    // What the last letter finds comes after what was found without it; the copies and the loan are their titles'.
    await waitFor(() =>
      expect(options().join(' | ')).toMatch(/^Livre numéro 10.*Référence \| Livre numéro 1\D.*Référence$/),
    )
    expect(input).toHaveAttribute('aria-activedescendant')
    expect(chosen()).toMatch(/^Livre numéro 10Zola/)
    await userEvent.keyboard('{ArrowDown}')
    expect(chosen()).toMatch(/^Livre numéro 1Zola/)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page.address).toBe('/references/view/1'))
    expect(screen.queryByRole('dialog')).toBeNull()

    await search('éric')
    const reader = await option(/^Éric Dupont/)
    expect(reader.textContent).toMatch(/Lecteur$/)
    await screen.findByText('1 résultat')
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

  it('tells of a title what is free and where, and leads by its copies to the loan and the counter', async () => {
    await server.db
      .insertInto('copies')
      .values([
        { reference: 1, bar_code: '1101', site: 1 },
        { reference: 1, bar_code: '1102', site: 2 },
      ])
      .execute()
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search('livre numero 1')
    expect((await option(/^Livre numéro 1\D/)).textContent).toMatch(
      /^Livre numéro 1Zola, Émile\s· 1 libre ici, 1 à l’AnnexeRéférence$/,
    )
    await userEvent.keyboard('{ArrowDown}{ArrowRight}')
    expect(options().slice(2, 5)).toEqual([
      '1101 · libre · Centre\u202f: Livre numéro 1Comptoir',
      '1001 · en prêt, retour prévu le 31/03/2026 · Centre\u202f: Livre numéro 1Prêt',
      '1102 · libre · Annexe\u202f: Livre numéro 1Référence',
    ])
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(page.address).toBe(`/loanings/view/${loan}`))

    await search('livre numero 1')
    // A recent one has no copies until it is told anew.
    const title = await option(/^Livre numéro 1\D.*1 libre ici/)
    await userEvent.click(within(title).getByTitle(/^Exemplaires et actions/))
    await userEvent.click(await option(/^1101/))
    expect(await screen.findByRole('region', { name: 'Exemplaire cherché' })).toBeVisible()
    await server.db.deleteFrom('copies').where('bar_code', 'in', ['1101', '1102']).execute()
  })

  it('keeps of a recent title nothing that changes, and tells it anew once it is typed', async () => {
    await openApp(server, '/account', { as: 'biblio' })
    await search('livre numero 5')
    await userEvent.click(await option(/^Livre numéro 5.*1 libre ici/))
    await search()
    expect((await option(/^Livre numéro 5/)).textContent).toBe('Livre numéro 5Zola, ÉmileRéférence')
    await userEvent.paste('livre numero 5')
    expect(await option(/^Livre numéro 5.*1 libre ici/)).toBeVisible()
    expect(options()).toHaveLength(1)
  })

  it('folds the copies of a title as well for whoever may not see titles', async () => {
    const right = { right_code: 'LIST_REFERENCES' } as const
    const { id } = await server.db
      .selectFrom('profiles')
      .select('id')
      .where('name', '=', 'Bénévole')
      .executeTakeFirstOrThrow()
    await server.db
      .deleteFrom('profile_rights')
      .where('profile', '=', id)
      .where('right_code', '=', right.right_code)
      .execute()
    const page = await openApp(server, '/account', { as: 'benevole' })
    await search('livre numero 5')
    expect((await option(/^Livre numéro 5/)).textContent).toBe('Livre numéro 51 libre iciRéférence')
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('region', { name: 'Exemplaire cherché' })).toBeVisible()
    expect(page.address).toBe('/home')
    await server.db
      .insertInto('profile_rights')
      .values({ profile: id, ...right })
      .execute()
  })

  it('finds the loan of a reader who left, whom it does not find', async () => {
    const client = await server.as('biblio')
    const { body } = await client.post('/api/loanings', { copy: 2, beneficiary: 4 })
    const leave = (exit_date: string | null) =>
      server.db.updateTable('beneficiaries').set({ exit_date }).where('id', '=', 4).execute()
    await leave('2026-03-01')
    await openApp(server, '/account', { as: 'biblio' })
    await search('sans-courriel')
    expect((await option(/^Livre numéro 2/)).textContent).toMatch(/Jean Sans-Courriel.*Prêt$/)
    expect(options()).toHaveLength(1)
    await leave(null)
    await client.post(`/api/loanings/${body.id as number}/return`)
  })

  it('tells namesakes apart by the year of their birth, then their number', async () => {
    await server.db.updateTable('beneficiaries').set({ birth_year: 1987 }).where('id', '=', 2).execute()
    await openApp(server, '/account', { as: 'biblio' })
    await search('dupont')
    expect((await option(/^Éric Dupont/)).textContent).toBe('Éric Dupontnaissance en 1987 · M2Lecteur')
  })

  it('shows the first ones where there are more, and leads to the list of all of them', async () => {
    const many = Array.from({ length: 9 }, (_, at) => ({
      matricule: `N${at}`,
      lastname: 'Nombreux',
      firstname: `${at}`,
    }))
    await server.db.insertInto('beneficiaries').values(many).execute()
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search('livre')
    expect(await screen.findByText('8 premiers résultats')).toBeVisible()
    expect(options()).toHaveLength(9)
    expect(options().at(-1)).toBe('Voir les 10 référencesListe')
    await userEvent.keyboard('{ArrowUp}{Enter}')
    await waitFor(() => expect(page.address).toBe('/references?searchname%7Clike=livre'))

    await search('nombreux')
    await userEvent.click(await option(/^Voir les 9 lecteurs/))
    await waitFor(() => expect(page.address).toMatch(/^\/beneficiaries\?searchname%7Clike=nombreux/))
    // A list is not what somebody comes back to.
    await search()
    expect(options().join()).not.toMatch(/Voir les/)
    await server.db.deleteFrom('beneficiaries').where('lastname', '=', 'Nombreux').execute()
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
    await admin.put('/api/references/9', {
      code: '9782070409228',
      reference_data: { book_number: 'R ZOL' },
    })
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search('2-07-040922-8')
    const title = await option(/^Livre numéro 9.*Référence$/)
    expect(title.textContent).toMatch(/^Livre numéro 9Zola, Émile · R ZOL\s· 1 libre iciRéférence$/)
    await userEvent.keyboard('{ArrowRight}{ArrowDown}{ArrowDown}{Enter}')
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
    await search('livre numero 5')
    await option(/^Livre numéro 5/)
    await userEvent.keyboard('{ArrowRight}')
    expect(options().slice(1)).toEqual([
      '1005 · libre · Centre\u202f: Livre numéro 5Référence',
      'Voir\u202f: Livre numéro 5',
      'Historique des prêts\u202f: Livre numéro 5',
    ])
    fireEvent.change(await field(), { target: { value: 're' } })
    await waitFor(() => expect(screen.getByText(/résultat|Aucun/)).toBeVisible())
    expect(options().join()).not.toMatch(/Prêter|Rendre|Catégories/)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(page.address).toBe('/account'))
  })

  it('begins an act that is typed by its name, before all else', async () => {
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search('inscrire un lecteur')
    await screen.findByText('1 résultat')
    expect(options()).toEqual(['Inscrire un lecteurAction'])
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page.address).toBe('/beneficiaries/add'))
    await search('prêter')
    await screen.findByText(/^\d+ résultats?$/)
    expect(chosen()).toBe('PrêterAction')
    expect(options()).not.toContain('PrêterComptoirÉcran')
    await userEvent.type(await field(), '{Backspace}{Backspace}')
    await screen.findByText(/^\d+ (?:premiers )?résultats?$/)
    expect(options().slice(0, 2)).toEqual(['PrêterAction', 'PrêtsSuiviÉcran'])
  })

  it.each([
    ['prêter à dupont', /^Prêter à Éric Dupont/, '/loaning/add?beneficiary=2'],
    ['rendre de dupont', /^Rendre d’Éric Dupont/, '/loaning/return?beneficiary=2'],
  ])('finds the reader whom an act is typed for: « %s »', async (typed, title, address) => {
    const page = await openApp(server, '/account', { as: 'biblio' })
    await search(typed)
    expect((await option(title)).textContent).toMatch(/M2Action$/)
    expect(chosen()).toMatch(title)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(page.address).toBe(address))
  })

  it.each([
    ['relancer les retards', 'Relancer les retards', '/loanings?islate%7Ceq=1'],
    ['envoyer un récapitulatif', 'Récapitulatif des prêts', '/loanings'],
    ['fermer samedi', 'Fermer', '/settings/closures'],
    ['fermer les jours fériés', 'Jours fériés 2026', '/settings/closures'],
    ['ajouter un utilisateur', 'Ajouter un utilisateur', '/users'],
  ])('opens the list with the dialog of « %s », once', async (typed, name, address) => {
    const client = await server.as('biblio')
    const { body } = await client.post('/api/loanings', {
      copy: 4,
      beneficiary: 1,
      start_date: '2026-01-05',
      override_reason: 'Reprise du cahier',
    })
    const page = await openApp(server, '/account')
    await search(typed)
    await screen.findByText(/^\d+ résultats?$/)
    await userEvent.keyboard('{Enter}')
    await screen.findByRole('dialog', { name })
    expect(page.address).toBe(address)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // Neither « back » nor a reload would open it again.
    expect(page.router.state.location.state).toBeNull()
    expect(page.address).toBe(address)
    await client.delete(`/api/loanings/${body.id as number}`)
  })

  it('opens the form of a closure with the days that are typed, of which it keeps none', async () => {
    const page = await openApp(server, '/account')
    await search('fermer samedi')
    await waitFor(() => expect(chosen()).toBe('Fermer samedi 14/03/2026Action'))
    await userEvent.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Fermer' }))
    expect(page.address).toBe('/settings/closures')
    expect(dialog.getByLabelText(/^Premier jour/)).toHaveValue('14/03/2026')
    expect(dialog.getByLabelText(/^Dernier jour/)).toHaveValue('')
    expect(await dialog.findByRole('status', { name: 'Ce qui se déplace' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await search()
    expect(await option(/^Ajouter une fermeture/)).toBeVisible()
    expect(options().join()).not.toMatch(/samedi/)
    await userEvent.paste('fermer du 24/12 au 2/1')
    await waitFor(() => expect(chosen()).toMatch(/^Fermer du jeudi 24\/12\/2026 au samedi 02\/01\/2027/))
    await userEvent.keyboard('{Enter}')
    const again = within(await screen.findByRole('dialog', { name: 'Fermer' }))
    expect(again.getByLabelText(/^Premier jour/)).toHaveValue('24/12/2026')
    expect(again.getByLabelText(/^Dernier jour/)).toHaveValue('02/01/2027')
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
    await option(/Livre numéro 3.*Référence$/)
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
