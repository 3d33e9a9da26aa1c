import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { typeScan } from '../home/open-home.tsx'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { seedStock } from './stock.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeApp)

const rowOf = async (title: string) => {
  const link = await screen.findByRole('link', { name: title })
  return link.closest('tr')!
}
const lane = () => screen.findByRole('list', { name: 'Scans de cet appareil' })
const lineOf = async (text: string) =>
  within(await lane())
    .getAllByRole('listitem')
    .find(({ textContent }) => textContent.includes(text))!

describeServer('the screens of weeding', (server) => {
  let admin: Client
  beforeEach(async () => {
    await seedStock(server)
    admin = await server.as('admin')
  })
  const cart = async () =>
    (await admin.get('/api/weeding/cart?order[bar_code]=asc')).body['hydra:member'] as {
      bar_code: string
      why: string
      reason: string | null
    }[]

  it('lead from the list through the cart to one act, and back', async () => {
    const page = await openApp(server, '/weeding?idle%7Ceq=120&state%7Cin=DAMAGED')
    const row = await rowOf('Livre numéro 9')
    expect(row).toHaveTextContent('1009')
    expect(row).toHaveTextContent('Jamais')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Choisir\u202f: Livre numéro 9, 1009' }))
    await press('Mettre au panier')
    expect(await screen.findByText('1 exemplaire mis au panier.')).toBeVisible()
    await waitFor(async () => expect(await rowOf('Livre numéro 9')).toHaveTextContent('Au panier'))
    expect(await cart()).toMatchObject([{ bar_code: '1009', why: 'Pas prêté depuis 10 ans · Endommagé' }])

    await userEvent.click(screen.getByRole('link', { name: /^Panier/ }))
    await screen.findByRole('heading', { name: 'Panier du désherbage' })
    expect(await rowOf('Livre numéro 9')).toHaveTextContent('Pas prêté depuis 10 ans · Endommagé')
    await press('Retirer du fonds')
    const asked = await screen.findByRole('dialog', { name: 'Retirer 1 exemplaire du fonds' })
    await userEvent.click(within(asked).getByRole('button', { name: 'Retirer du fonds' }))
    expect(await within(asked).findAllByText('Dites où ils vont.')).not.toHaveLength(0)
    await userEvent.click(within(asked).getByRole('combobox', { name: /^Destination/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Détruit (pilon)' }))
    await userEvent.click(within(asked).getByRole('button', { name: 'Retirer du fonds' }))
    expect(await screen.findByText('Retrait du fonds : 0 sur 1')).toBeVisible()
    await server.doJobs()
    expect(await screen.findByText(/^Désherbage fait\./)).toBeVisible()
    // Of what is over, nothing goes on saying that it is under way.
    expect(screen.queryByText(/en cours\./)).toBeNull()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Livre numéro 9' })).toBeNull())

    await userEvent.click(screen.getByRole('link', { name: 'Désherbages faits' }))
    const done = await rowOf('Désherbage du 10/03/2026')
    expect(done).toHaveTextContent('Détruit (pilon)')
    await userEvent.click(within(done).getByRole('link', { name: 'Désherbage du 10/03/2026' }))
    await waitFor(() => expect(page.address).toContain('/settings/acts/view/'))
    await press('Annuler l’acte')
    await press('Valider')
    expect((await screen.findAllByText('Son annulation est en cours.')).length).toBeGreaterThan(0)
    await server.doJobs()
    expect(await cart()).toMatchObject([{ bar_code: '1009' }])
  })

  it('say of each scan what becomes of it, and take one back', async () => {
    await admin.post('/api/loanings', { beneficiary: 1, copy: 6, free: true })
    await openApp(server, '/weeding/cart')
    await screen.findByRole('heading', { name: 'Scanner ce qui quitte le fonds' })
    for (const code of ['1001', '1001', '1006', 'R1', 'RIEN']) typeScan(code)
    await waitFor(async () => expect(within(await lane()).getAllByRole('listitem')).toHaveLength(5))
    await waitFor(async () => expect(await lineOf('RIEN')).toHaveTextContent('Inconnu'))
    const words = within(await lane())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
    expect(words[0]).toContain('Aucun exemplaire ne porte le code «\u00a0RIEN\u00a0».')
    expect(words[1]).toMatch(/Refusé.*C’est une carte de lecteur, pas un exemplaire\./)
    expect(words[2]).toMatch(/En prêt.*Livre numéro 6.*Rendez-le d’abord\./)
    expect(words[3]).toMatch(/Déjà au panier.*Livre numéro 1.*Mis par/)
    expect(words[4]).toMatch(/Au panier.*Livre numéro 1/)
    expect((await cart()).map(({ bar_code }) => bar_code)).toEqual(['1001'])
    await admin.post('/api/weeding/cart', { copies: [2] })
    await act(() => queryClient.invalidateQueries())
    expect(await rowOf('Livre numéro 1')).toHaveTextContent('Scanné · Jamais prêté')
    expect(await rowOf('Livre numéro 2')).toHaveTextContent('Choisi dans la liste · Jamais prêté')
    await admin.call('DELETE', '/api/weeding/cart/2')
    const list = await lane()
    await userEvent.click(within(list).getByRole('button', { name: 'Ôter du panier\u202f: Livre numéro 1' }))
    await waitFor(async () => expect(await cart()).toEqual([]))
    await waitFor(() => expect(within(list).queryByText('Livre numéro 1')).toBeNull())
  })

  it('do not call in the cart what was scanned and has left it since', async () => {
    await openApp(server, '/weeding/cart')
    await screen.findByRole('heading', { name: 'Scanner ce qui quitte le fonds' })
    for (const code of ['1001', '1002', '1002', 'RIEN']) typeScan(code)
    const said = async () =>
      within(await lane())
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    await waitFor(async () => expect((await said())[0]).toContain('Inconnu'))
    await rowOf('Livre numéro 1')
    await userEvent.click(
      await screen.findByRole('button', { name: 'Ôter du panier\u202f: Livre numéro 1, 1001' }),
    )
    expect(await screen.findByText('1 exemplaire ôté du panier.')).toBeVisible()
    expect((await said()).join()).not.toContain('Livre numéro 1')
    expect(await said()).toHaveLength(3)

    await press('Retirer du fonds')
    const asked = await screen.findByRole('dialog', { name: 'Retirer 1 exemplaire du fonds' })
    await userEvent.click(within(asked).getByRole('combobox', { name: /^Destination/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Donné' }))
    await userEvent.click(within(asked).getByRole('button', { name: 'Retirer du fonds' }))
    expect(await screen.findByText('Retrait du fonds : 0 sur 1')).toBeVisible()
    expect(await said()).toEqual([expect.stringContaining('RIEN')])
  })

  it('give several copies another destination at once', async () => {
    await admin.post('/api/weeding/cart', { copies: [1, 2, 3] })
    await openApp(server, '/weeding/cart')
    await rowOf('Livre numéro 1')
    for (const n of [1, 2]) {
      await userEvent.click(
        screen.getByRole('checkbox', { name: `Choisir\u202f: Livre numéro ${n}, 100${n}` }),
      )
    }
    await press('Donner sa destination')
    const asked = await screen.findByRole('dialog', { name: 'Destination de 2 exemplaires' })
    await userEvent.click(within(asked).getByRole('combobox', { name: /^Destination/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Vendu' }))
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    await waitFor(async () =>
      expect((await cart()).map(({ reason }) => reason)).toEqual(['sold', 'sold', null]),
    )
    expect(await screen.findByText('Destination enregistrée.')).toBeVisible()
  })

  it('show what cannot leave, and say so before the rest does', async () => {
    await admin.post('/api/weeding/cart', { copies: [1, 2] })
    await admin.post('/api/loanings', { beneficiary: 1, copy: 1, free: true })
    await openApp(server, '/weeding/cart')
    expect(await rowOf('Livre numéro 1')).toHaveTextContent('En prêt')
    expect(screen.getByText(/^2 exemplaires au panier.* 1 ne peut pas partir comme il est/)).toBeVisible()
    await press('Retirer du fonds')
    const asked = await screen.findByRole('dialog')
    expect(asked).toHaveTextContent('est en prêt, en transfert ou réservé, et reste au panier.')
  })

  it('say that a withdrawal is done even when it was over before it was looked at, and take it back', async () => {
    await admin.post('/api/weeding/cart', { copies: [9] })
    await openApp(server, '/weeding/past')
    expect(await screen.findByText('Aucun désherbage pour l’instant.')).toBeVisible()
    // Heard, and not seen beside the sentence that says the same.
    expect(screen.getByText('Aucun désherbage')).toHaveStyle({ position: 'absolute' })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    await admin.post('/api/weeding/withdraw', { reason: 'destroyed' })
    await server.doJobs()
    await queryClient.invalidateQueries()
    expect(await screen.findByText('Désherbage fait.')).toBeVisible()

    await press(/^Annuler ce désherbage/)
    const asked = await screen.findByRole('dialog', { name: /^Annuler le désherbage du 10\/03\/2026/ })
    expect(asked).toHaveTextContent('1 exemplaire revient au catalogue et au panier.')
    await press('Valider')
    expect(await screen.findByText(/^Annulation : 0 sur/)).toBeVisible()
    await server.doJobs()
    expect(await cart()).toMatchObject([{ bar_code: '1009' }])
  })

  it('are not for whoever may not withdraw copies', async () => {
    await openApp(server, '/weeding', { as: 'benevole' })
    expect(await screen.findByText(/n’avez pas|Votre profil|droit/)).toBeVisible()
  })
})
