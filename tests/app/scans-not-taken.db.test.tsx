import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { deviceKnows } from '../support/device-knows.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { typeAsScanner } from '../support/type-as-scanner.ts'

afterEach(closeApp)

/** The prefix makes a short code certain. */
const scan = (code: string): void => typeAsScanner(`~${code}`)
const tag = (words: RegExp | string = /codes? non pris/) => screen.findByRole('button', { name: words })
const noTag = () =>
  waitFor(() => expect(screen.queryByRole('button', { name: /codes? non pris/ })).toBeNull())
const choose = async (item: string | RegExp) => {
  await userEvent.click(await tag())
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}

describeServer('codes that nobody took', (server) => {
  it('wait under a dialog, and are taken up by the counter in their order, but one that is put away', async () => {
    setPreference('scanner_prefix', '~')
    const page = await openApp(server, '/settings/categories')
    await deviceKnows()
    await userEvent.click(await screen.findByRole('button', { name: /^Ajouter/ }))
    await screen.findByRole('dialog')
    for (const code of ['R1', '1001', 'R2', '1002', '1002', 'R1', '1003', '1004']) scan(code)
    await waitFor(() => expect(screen.getByTitle('7 codes non pris')).toBeInTheDocument())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await act(() => page.router.navigate('/home'))
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    await choose('Écarter 1003\u202f: Livre numéro 3')
    await tag('6 codes non pris')
    await choose('Les reprendre')
    await noTag()
    const loansOf = async (reader: number) => {
      const { body } = await page.client.get(`/api/loanings?status=in_progress&beneficiary=${reader}`)
      return (body['hydra:member'] as { copy_barcode: string }[])
        .map(({ copy_barcode }) => copy_barcode)
        .toSorted()
    }
    await waitFor(async () => expect(await loansOf(1)).toEqual(['1001', '1004']))
    expect(await loansOf(2)).toEqual(['1002'])
  })

  it('wait each for the one before where a card opens its reader, and are taken up by themselves', async () => {
    setPreference('scanner_prefix', '~')
    const page = await openApp(server, '/settings/categories')
    await deviceKnows()
    await userEvent.click(await screen.findByRole('button', { name: /^Ajouter/ }))
    await screen.findByRole('dialog')
    for (const code of ['1005', 'R2', 'R1']) scan(code)
    await waitFor(() => expect(screen.getByTitle('3 codes non pris')).toBeInTheDocument())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await choose('Reprendre R2\u202f: Éric Dupont')
    await waitFor(() => expect(page.address).toMatch(/\/beneficiaries\/view\/2/))
    await tag('2 codes non pris')
    await choose('Les reprendre')
    await waitFor(() => expect(page.address).toMatch(/\/beneficiaries\/view\/1/))
    await tag('1 code non pris')
    await choose('Écarter 1005\u202f: Livre numéro 5')
    await noTag()
  })

  it('are lent to nobody who has come since they were read, unless somebody says so', async () => {
    setPreference('scanner_prefix', '~')
    const page = await openApp(server, '/home')
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    await deviceKnows()
    scan('R1')
    await screen.findByRole('heading', { name: 'Alice Martin' })
    await act(() => page.router.navigate('/settings/categories'))
    await userEvent.click(await screen.findByRole('button', { name: /^Ajouter/ }))
    await screen.findByRole('dialog')
    scan('1006')
    await tag('1 code non pris')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // Here it is of no use, and is kept for whom it was read.
    await choose(/^Reprendre 1006/)
    await tag('1 code non pris')
    await act(() => page.router.navigate('/home'))
    scan('R2')
    await screen.findByRole('heading', { name: 'Éric Dupont' })
    await choose(/^Reprendre 1006/)
    const lane = within(await screen.findByRole('list', { name: 'Derniers passages' }))
    expect(await lane.findByText(/^Prêter à Éric Dupont\s\?$/)).toBeVisible()
    expect(await lane.findByRole('button', { name: /^Prêter/ })).toBeVisible()
  })

  it('are asked about in « Prêter » as well where the loan is another reader’s by then', async () => {
    setPreference('scanner_prefix', '~')
    const page = await openApp(server, '/loaning/add?beneficiary=1&copy=7')
    await screen.findByRole('list', { name: 'Exemplaires du prêt' })
    await deviceKnows()
    act(() => void page.router.navigate('/home'))
    const question = within(await screen.findByRole('dialog', { name: /^Quitter sans enregistrer le prêt/ }))
    scan('1008')
    await tag('1 code non pris')
    await userEvent.click(question.getByRole('button', { name: 'Annuler' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    scan('R2')
    await press('Changer sans enregistrer')
    await screen.findByText('Éric Dupont', { selector: 'p' })
    await choose(/^Reprendre 1008/)
    await press('Prêter à Éric Dupont\u202f: Livre numéro 8')
    const lines = within(await screen.findByRole('list', { name: 'Exemplaires du prêt' }))
    expect(await lines.findByText('Livre numéro 8')).toBeVisible()
  })

  it('wait where somebody stays for what is not saved, instead of opening a reader', async () => {
    setPreference('scanner_prefix', '~')
    const page = await openApp(server, '/beneficiaries/edit/2')
    await userEvent.type(await screen.findByRole('textbox', { name: 'Téléphone' }), '1')
    scan('R1')
    const question = () => screen.findByRole('dialog', { name: /^Quitter sans enregistrer/ })
    await userEvent.click(within(await question()).getByRole('button', { name: 'Annuler' }))
    await tag('1 code non pris')
    expect(page.address).toBe('/beneficiaries/edit/2')
    await choose(/^Reprendre R1/)
    await userEvent.click(within(await question()).getByRole('button', { name: 'Valider' }))
    await waitFor(() => expect(page.address).toBe('/beneficiaries/view/1'))
    await noTag()
  })

  it('wait under a menu as well, and a card that is taken up then opens its reader', async () => {
    setPreference('scanner_prefix', '~')
    const page = await openApp(server, '/references/view/1')
    await screen.findByRole('heading', { name: 'Livre numéro 1' })
    await userEvent.click(screen.getByRole('button', { name: /mon compte et déconnexion$/ }))
    // An open menu has the focus.
    typeAsScanner('~R1', await screen.findByRole('menuitem', { name: 'Mon compte' }))
    await tag('1 code non pris')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull())
    expect(page.address).toBe('/references/view/1')
    await choose(/^Reprendre R1/)
    await waitFor(() => expect(page.address).toBe('/beneficiaries/view/1'))
    await noTag()
  })

  it('are put away by a press, and are nobody else’s', async () => {
    setPreference('scanner_prefix', '~')
    await openApp(server, '/settings/categories')
    await screen.findByRole('heading', { name: 'Catégories', level: 1 })
    scan('1003')
    await tag('1 code non pris')
    // Faster than the first can be looked up.
    scan('1005')
    scan('1006')
    await tag('3 codes non pris')
    await choose('Les écarter')
    await noTag()
    scan('1004')
    await tag()
    await closeApp()
    await openApp(server, '/settings/categories', { as: 'biblio' })
    await screen.findByRole('button', { name: 'Aide' })
    await noTag()
  })
})
