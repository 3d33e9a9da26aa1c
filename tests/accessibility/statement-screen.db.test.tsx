import '../support/page-globals.ts'

import { screen, within, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'

import { counts, outcomes, stateOf } from '../../src/client/accessibility/criteria.ts'
import { leaveSession } from '../../src/client/api/session.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const title = 'Déclaration d’accessibilité'

describeServer('the statement of accessibility', (server) => {
  it('is read by whoever is not signed in, from the foot of the sign-in page, and leads back', async () => {
    const page = await openApp(server, '/account')
    leaveSession()
    await waitFor(() => expect(page.address).toBe('/login'))
    const link = await screen.findByRole('link', { name: 'Accessibilité' })
    link.click()
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/accessibility'))
    expect(screen.getByRole('link', { name: 'Revenir à la connexion' })).toHaveAttribute('href', '/login')
  })

  it('is read by whoever is signed in, from their account', async () => {
    const page = await openApp(server, '/account', { as: 'benevole' })
    ;(await screen.findByRole('link', { name: /^Accessibilité/ })).click()
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/accessibility'))
    expect(screen.getByRole('link', { name: 'Revenir à Mon compte' })).toHaveAttribute('href', '/account')
  })

  it('counts what its tables say, and says the state that follows from it wherever it is linked', async () => {
    await openApp(server, '/accessibility')
    const tables = await screen.findAllByRole('table')
    expect(tables).toHaveLength(13)
    const said = tables.flatMap((table) =>
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map((row) => within(row).getAllByRole('cell')[1]?.textContent),
    )
    expect(said).toHaveLength(106)
    const results = within(screen.getByRole('region', { name: 'Résultats des tests' }))
    const told = results.getAllByRole('listitem').map((item) => parseInt(item.textContent, 10))
    expect(told).toEqual(outcomes.map((outcome) => said.filter((one) => one === outcome).length))
    const wrong = counts['non conforme']
    expect(results.getByText(/non conforme/)).toHaveTextContent(
      new RegExp(`^${wrong} non conforme${wrong < 2 ? '' : 's'}$`),
    )
    const state = within(screen.getByRole('region', { name: 'État de conformité' }))
    expect(state.getByText(stateOf(counts))).toBeVisible()
    await closeApp()
    await openApp(server, '/account')
    expect(await screen.findByRole('link', { name: `Accessibilité\u202f: ${stateOf(counts)}` })).toBeVisible()
  })

  it('tells browsers what the fields on the person who signs in are for', async () => {
    await openApp(server, '/account')
    leaveSession()
    expect(await screen.findByLabelText('Nom d’utilisateur')).toHaveAttribute('autocomplete', 'username')
    expect(screen.getByLabelText('Mot de passe')).toHaveAttribute('autocomplete', 'current-password')
  })
})
