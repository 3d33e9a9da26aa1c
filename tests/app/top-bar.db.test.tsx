import '../support/page-globals.ts'

import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

describeServer('the top bar', (server) => {
  it('says in the account menu who is there, as what and for whom: a phone’s bar has no room', async () => {
    await openApp(server, '/account', { as: 'biblio' })
    const account = await screen.findByRole('button', { name: /mon compte et déconnexion$/ })
    expect(account).toHaveAccessibleName(/^Bibliothécaire\s: biblio Test, /)
    await screen.findByRole('link', { name: 'Comptoir, accueil' })
    await userEvent.click(account)
    const menu = within(await screen.findByRole('menu'))
    expect(await menu.findByText(/biblio Test.*Bibliothécaire · Comptoir/)).toBeInTheDocument()
  })

  it('tells the whole name of a library whose name is cut for lack of room', async () => {
    const name = 'Réseau des médiathèques de la communauté de communes du Pays de Lumbres et de ses vallées'
    await setParameter(server, 'work_council', name)
    await openApp(server, '/account', { as: 'biblio' })
    const brand = await screen.findByRole('link', { name: `${name}, accueil` })
    expect(within(brand).getByText(name)).toHaveAttribute('title', name)
  })

  it('names the site of a library that has several', async () => {
    await openApp(server, '/account', { as: 'biblio' })
    expect(await within(await screen.findByRole('banner')).findByText('Centre')).toBeVisible()
  })
})
