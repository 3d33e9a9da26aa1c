import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { typeScan } from '../home/open-home.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeApp)

const dialog = (name: RegExp) => screen.findByRole('dialog', { name })
const one = /^Ajouter un exemplaire de «\sLivre numéro 2\s»$/
const several = /^Ajouter \d+ exemplaires de «\sLivre numéro 2\s»$/
const write = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
const confirm = async () =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Valider' }))
const codes = () =>
  screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Code-barres/ }).map(({ value }) => value)

describeServer('several copies of a title', (server) => {
  const open = async () => {
    const page = await openApp(server, '/references/view/2?copy=')
    await dialog(one)
    await screen.findByText(/^Scannez l’étiquette/)
    return page
  }
  const copiesOf = async (client: Awaited<ReturnType<typeof open>>['client']) =>
    (await client.get('/api/copies?filters[reference|eq]=2')).body['hydra:member'].map(
      ({ bar_code }: { bar_code: string }) => bar_code,
    ) as string[]

  it('take the next codes of the site, which are said', async () => {
    await sql`update sites set bar_codes_configuration = bar_codes_configuration || '{"firstValue":"000123"}' where id = 1`.execute(
      server.db,
    )
    const { client } = await open()
    expect(await screen.findByText(/laissez vide\s: ce sera 000123\.$/)).toBeVisible()
    write('Combien d’exemplaires', '5')
    await dialog(several)
    expect(screen.getByRole('textbox', { name: 'Code-barres' })).toBeDisabled()
    await confirm()
    expect(await screen.findByText(/^5 exemplaires ajoutés\s: 000123 à 000127\.$/)).toBeVisible()
    const list = await screen.findByRole('list', { name: 'Exemplaires' })
    expect(await within(list).findByText('000127')).toBeVisible()
    expect(await copiesOf(client)).toEqual(['000123', '000124', '000125', '000126', '000127', '1002'])
  })

  it('never replace the code of the only one by a second scan', async () => {
    await open()
    typeScan('E-8')
    await waitFor(() => expect(codes()).toEqual(['E-8']))
    typeScan('E-9')
    expect(
      await screen.findByText(/^Code E-9 gardé, à reprendre ensuite\s: le code E-8 est déjà là\.$/),
    ).toBeVisible()
    expect(codes()).toEqual(['E-8'])
    await userEvent.click(screen.getByRole('button', { name: 'Ajouter un exemplaire de plus, E-9' }))
    expect(codes()).toEqual(['E-8', 'E-9'])
    expect(await dialog(several)).toBeVisible()
  })

  it('say of a code that its site’s labels cannot show it, and take it all the same', async () => {
    const writeIn = (site: number, symbology: string) =>
      sql`update sites set bar_codes_configuration = bar_codes_configuration || ${JSON.stringify({ symbology })}::jsonb where id = ${site}`.execute(
        server.db,
      )
    await writeIn(1, 'CODABAR')
    const { client } = await open()
    const field = screen.getByRole('textbox', { name: 'Code-barres' })
    write('Code-barres', '29-1')
    expect(field).toHaveAccessibleDescription(/^Scannez l’étiquette/)
    write('Code-barres', '29é1')
    expect(field).toHaveAccessibleDescription(
      /^Ce code ne pourra pas être imprimé sur une étiquette\s: «\sé\s» ne s’écrit pas en Codabar\.$/,
    )
    // Another site's labels have other signs.
    await userEvent.click(screen.getByRole('combobox', { name: 'Site' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Annexe' }))
    expect(field).toHaveAccessibleDescription(/«\sé\s» ne s’écrit pas en Code 128\.$/)
    write('Code-barres', 'DON-1')
    expect(field).toHaveAccessibleDescription(/^Scannez l’étiquette/)
    await userEvent.click(screen.getByRole('combobox', { name: 'Site' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Centre' }))
    expect(field).toHaveAccessibleDescription(/ne pourra pas être imprimé/)
    await confirm()
    expect(await screen.findByText('Exemplaire ajouté avec succès.')).toBeVisible()
    expect(await copiesOf(client)).toContain('DON-1')
    await writeIn(1, 'CODE128')
  })

  it('are fifty at most', async () => {
    await open()
    write('Combien d’exemplaires', '51')
    expect(await screen.findByText('Entrez un nombre entier de 1 à 50.')).toBeVisible()
    await confirm()
    expect(await dialog(one)).toBeVisible()
  })

  it('have the codes of their labels, one line a scan, and no scan confirms', async () => {
    const { client } = await open()
    write('Combien d’exemplaires', '2')
    await dialog(several)
    for (const code of ['E-1', 'E-2']) {
      typeScan(code)
      await waitFor(() => expect(codes()).toContain(code))
    }
    // One label too many adds no copy by itself.
    typeScan('E-3')
    expect(
      await screen.findByText(/^Code E-3 gardé, à reprendre ensuite\s: chaque ligne a déjà son code\.$/),
    ).toBeVisible()
    expect(codes()).toEqual(['E-1', 'E-2'])
    await userEvent.click(screen.getByRole('button', { name: 'Ajouter un exemplaire de plus, E-3' }))
    typeScan('E-2')
    expect(codes()).toEqual(['E-1', 'E-2', 'E-3'])
    expect(await screen.findByText('Le code-barres E-2 est déjà à la ligne 2.')).toBeVisible()
    expect(await copiesOf(client)).not.toContain('E-1')
    await userEvent.click(screen.getByRole('button', { name: /^Prendre plutôt les prochains codes/ }))
    expect(screen.getByRole('textbox', { name: 'Code-barres' })).toBeDisabled()
    typeScan('E-1')
    await waitFor(() => expect(codes()).toEqual(['E-1', '', '']))
    write('Code-barres 2', 'E-2')
    write('Code-barres 3', 'E-4')
    await confirm()
    expect(await screen.findByText(/^3 exemplaires ajoutés\s: E-1, E-2, E-4\.$/)).toBeVisible()
  })

  it('are numbered by hand where the site does, each refusal at its line', async () => {
    await setParameter(server, 'barCodesIncrement', '0')
    const { client } = await open()
    write('Combien d’exemplaires', '3')
    await dialog(several)
    write('Code-barres 1', 'H-1')
    write('Code-barres 2', '1001')
    await confirm()
    const third = screen.getByRole('textbox', { name: 'Code-barres 3' })
    await waitFor(() => expect(third).toHaveFocus())
    expect(third).toHaveAccessibleDescription('Scannez l’étiquette, ou tapez son code.')
    write('Code-barres 3', 'H-3')
    await confirm()
    const second = screen.getByRole('textbox', { name: 'Code-barres 2' })
    await waitFor(() =>
      expect(second).toHaveAccessibleDescription(/Le code-barres 1001 est déjà celui d’un exemplaire de/),
    )
    expect(within(await screen.findByRole('dialog')).getByRole('alert')).toHaveTextContent(
      /^Le code-barres 1001 est déjà celui/,
    )
    expect(codes()).toEqual(['H-1', '1001', 'H-3'])
    expect(await copiesOf(client)).not.toContain('H-1')
    // Fewer and more again: nothing that was typed is lost.
    write('Combien d’exemplaires', '1')
    await dialog(one)
    write('Combien d’exemplaires', '3')
    await waitFor(() => expect(codes()).toEqual(['H-1', '1001', 'H-3']))
    write('Code-barres 2', 'H-2')
    await confirm()
    expect(await screen.findByText(/^3 exemplaires ajoutés\s: H-1 à H-3\.$/)).toBeVisible()
    await setParameter(server, 'barCodesIncrement', '1')
  })

  it('are pasted as a list', async () => {
    await setParameter(server, 'barCodesIncrement', '0')
    await open()
    fireEvent.paste(screen.getByRole('textbox', { name: 'Code-barres' }), {
      clipboardData: { getData: () => 'P-1\r\nP-2\n\nP-3\n' },
    })
    await dialog(several)
    expect(codes()).toEqual(['P-1', 'P-2', 'P-3'])
    await setParameter(server, 'barCodesIncrement', '1')
  })
})
