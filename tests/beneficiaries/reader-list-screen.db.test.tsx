import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('link').textContent)

describeServer('the list of readers', (server) => {
  it('stands by last name, says who has left, and sorts up, down and not at all', async () => {
    const page = await openApp(server, '/beneficiaries', { as: 'biblio' })
    await screen.findByRole('link', { name: 'Dupont' })
    expect(names()).toEqual(['Dupont', 'Expirée', 'Martin', 'Sans-Courriel'])
    const left = screen.getByRole('row', { name: /Expirée/ })
    expect(left).toHaveTextContent('01/01/2020')
    expect(within(left).getByText('Fin')).toBeVisible()
    expect(within(left).getByText('Annexe')).toBeVisible()
    const header = screen.getByRole('button', { name: 'Prénom' })
    for (const address of [
      '/beneficiaries?sort=firstname%3Aasc',
      '/beneficiaries?sort=firstname%3Adesc',
      '/beneficiaries',
    ]) {
      await userEvent.click(header)
      await waitFor(() => expect(page.address).toBe(address))
    }
  })

  it('is filtered by name, and by who is inscribed', async () => {
    await openApp(server, '/beneficiaries?searchname%7Clike=martin', { as: 'biblio' })
    await screen.findByRole('link', { name: 'Martin' })
    expect(names()).toEqual(['Martin'])
    await closeApp()
    await openApp(server, '/beneficiaries', { as: 'biblio' })
    await userEvent.click(await screen.findByRole('link', { name: 'Sortis' }))
    await waitFor(() => expect(names()).toEqual(['Expirée']))
  })

  it('leads to their loans and to the counter, and inscribes only by right', async () => {
    const page = await openApp(server, '/beneficiaries', { as: 'benevole' })
    await userEvent.click(await screen.findByRole('button', { name: 'Actions\u202f: Alice Martin' }))
    await screen.findByRole('menuitem', { name: 'Voir' })
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Prêter',
      'Ses prêts',
      'Voir',
      'Imprimer la carte',
    ])
    expect(screen.queryByRole('link', { name: 'Inscrire un lecteur' })).toBeNull()
    await userEvent.click(screen.getByRole('menuitem', { name: 'Ses prêts' }))
    await waitFor(() => expect(page.address).toBe('/loanings?benefsearchname%7Clike=M1+Alice+Martin'))
    await closeApp()
    const again = await openApp(server, '/beneficiaries', { as: 'biblio' })
    await userEvent.click(await screen.findByRole('button', { name: 'Actions\u202f: Alice Martin' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Prêter' }))
    await waitFor(() => expect(again.address).toBe('/loaning/add?beneficiary=1'))
  })

  it('prints the card of one, of those that are ticked and of those that the filters find', async () => {
    const page = await openApp(server, '/beneficiaries?is_active%7Ceq=1', { as: 'biblio' })
    const asked: string[] = []
    const { network } = page.device
    page.device.network = (request) => {
      const { pathname, search } = new URL(request.url)
      if (!/card/.test(pathname)) return network(request)
      asked.push(pathname + decodeURIComponent(search))
      // A file would lead the page away.
      return Promise.resolve(new Response('{}', { status: 500 }))
    }
    const lastAsked = async () => {
      await waitFor(() => expect(asked).toHaveLength(1))
      return asked.pop()
    }
    await userEvent.click(await screen.findByRole('button', { name: 'Actions\u202f: Alice Martin' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Imprimer la carte' }))
    expect(await lastAsked()).toBe('/api/beneficiaries/1/card')

    for (const name of ['Alice Martin', 'Éric Dupont']) {
      await userEvent.click(screen.getByRole('checkbox', { name: new RegExp(`^Choisir\\s: ${name}$`) }))
    }
    await userEvent.click(await screen.findByRole('button', { name: 'Imprimer les cartes' }))
    expect(await lastAsked()).toMatch(/^\/api\/export\/beneficiary_cards\?.*filters\[id\|in\]=2,1$/)

    await userEvent.click(screen.getByRole('button', { name: 'Ne plus rien choisir' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Actions\u202f: Lecteurs' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Imprimer toutes les cartes' }))
    // How many is said before anything is drawn.
    const question = within(await screen.findByRole('dialog', { name: 'Imprimer toutes les cartes' }))
    expect(question.getByText(/^\d+ cartes? ser(a|ont) imprimées?\s: celles de la liste/)).toBeVisible()
    await userEvent.click(question.getByRole('button', { name: 'Valider' }))
    expect(await lastAsked()).toMatch(/beneficiary_cards\?.*filters\[is_active\|eq\]=1/)
  })

  it('has columns of the registration number and the contract', async () => {
    await openApp(server, '/beneficiaries?lastname%7Clike=dupont', { as: 'biblio' })
    await screen.findByRole('link', { name: 'Dupont' })
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    const cells = within(screen.getByRole('row', { name: /Dupont/ })).getAllByRole('cell')
    const cellOf = (title: string) => cells[headers.findIndex((header) => header?.startsWith(title))]
    expect(cellOf('Matricule')).toHaveTextContent('M2')
    expect(cellOf('Contrat')).toHaveTextContent('CDD')
  })
})
