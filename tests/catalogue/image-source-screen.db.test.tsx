import '../support/page-globals.ts'

import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

describeServer('the sources of images', (server) => {
  // Within the table: what was saved is said beside it, by the same name.
  const rowOf = async (name: string) =>
    (await within(await screen.findByRole('table')).findByText(name)).closest('tr')!
  const ruleOf = async (name: string) => {
    const { body } = await server
      .as('admin')
      .then((client) => client.get(`/api/media?filters[name|like]=${name}`))
    return body['hydra:member'][0].images_sources
  }

  it('are a rule of each medium, chosen in a dialog and taken back by a press', async () => {
    await openApp(server, '/settings/images_sources')
    expect(await rowOf('Livre')).toHaveTextContent('Nulle part')
    await userEvent.click(within(await rowOf('Livre')).getByRole('button', { name: /Modifier/ }))
    const dialog = await screen.findByRole('dialog', { name: /Sources d’images.*Livre/ })
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Sans image, chercher à' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Open Library, puis BnF' }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(await within(await rowOf('Livre')).findByText('Open Library, puis BnF')).toBeVisible()
    expect(await ruleOf('Livre')).toEqual(['own', 'openlibrary', 'bnf', 'none'])
    await userEvent.click(within(await rowOf('Livre')).getByRole('button', { name: /^Actions/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Ne plus chercher d’images' }))
    expect(await within(await rowOf('Livre')).findByText('Nulle part')).toBeVisible()
    expect(await ruleOf('Livre')).toBeNull()
  })

  it('stand in the menu of the settings beside the fields and the lists', async () => {
    await openApp(server, '/settings')
    for (const name of ['Sources d’images', 'Champs', 'Listes']) {
      expect((await screen.findAllByRole('link', { name })).length).toBeGreaterThan(0)
    }
  })

  it('are closed to whom the right is missing', async () => {
    await openApp(server, '/settings/images_sources', { as: 'biblio' })
    expect(await screen.findByText(/droit/)).toBeVisible()
    expect(screen.queryByText('Nulle part')).toBeNull()
  })
})
