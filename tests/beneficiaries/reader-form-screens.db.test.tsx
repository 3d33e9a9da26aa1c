import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { beginSession, chooseSite, leaveSession, rememberUser } from '../../src/client/api/session.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'
import { typeAsScanner } from '../support/type-as-scanner.ts'

afterEach(closeApp)

const field = (name: string | RegExp) => screen.findByRole('textbox', { name })
const write = async (name: string | RegExp, text: string) => {
  await userEvent.click(await field(name))
  await userEvent.paste(text)
}
const save = async () => userEvent.click(await screen.findByRole('button', { name: 'Enregistrer' }))

describeServer('the form of a reader', (server) => {
  it('inscribes with a matricule of the server’s, and leads to the page where lending begins', async () => {
    const page = await openApp(server, '/beneficiaries', { as: 'biblio' })
    await userEvent.click(await screen.findByRole('link', { name: 'Inscrire un lecteur' }))
    await write(/^Nom/, 'Roux')
    await write('Prénom', 'Ana')
    await write('Année de naissance', '1990')
    await save()
    expect(await screen.findByText('Lecteur inscrit.')).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'Ana Roux' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Prêter' })).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/beneficiaries/view/5'))
    const { body } = await page.client.get('/api/beneficiaries/5')
    expect(body).toMatchObject({ matricule: '1', birth_year: 1990, agency: 'Centre', kind: 'person' })
  })

  it('shows who may be the same person, and saves all the same', async () => {
    await openApp(server, '/beneficiaries/add', { as: 'biblio' })
    await write(/^Nom/, 'martin')
    await write('Prénom', 'alice')
    const twin = await screen.findByRole('link', { name: 'Alice Martin' })
    expect(twin).toHaveAttribute('href', '/beneficiaries/view/1')
    expect(twin.closest('li')).toHaveTextContent('M1 · même nom')
    await save()
    expect(await screen.findByText('Lecteur inscrit.')).toBeVisible()
  })

  it('tells the second of two people what the first one changed, and loses nothing', async () => {
    const page = await openApp(server, '/beneficiaries/edit/4', { as: 'biblio' })
    await userEvent.clear(await field('Message'))
    await write('Message', 'Le mien')
    await page.client.put('/api/beneficiaries/4', { phone: '0102030405' })
    await save()
    expect(await screen.findByText('Modifiée par quelqu’un d’autre')).toBeVisible()
    expect(await screen.findByText(/^Téléphone\s: «\s.*\s» est devenu «\s0102030405\s»$/)).toBeVisible()
    const told = async () => (await page.client.get('/api/beneficiaries/4')).body
    expect((await told()).message).not.toBe('Le mien')
    await userEvent.click(screen.getByRole('button', { name: 'Garder mes modifications' }))
    await save()
    await waitFor(async () => expect(await told()).toMatchObject({ message: 'Le mien', phone: '0102030405' }))
  })

  it('says of a number that a card cannot show its bars, and takes it all the same', async () => {
    const page = await openApp(server, '/beneficiaries/edit/4', { as: 'biblio' })
    const number = await field('Numéro de lecteur')
    await userEvent.clear(number)
    await write('Numéro de lecteur', 'Carte-n°4')
    expect(number).toHaveAccessibleDescription(
      /^Ce numéro ne pourra pas être en code-barres sur une carte\s: «\s°\s» ne s’écrit pas en Code 128\.$/,
    )
    await save()
    await waitFor(async () =>
      expect((await page.client.get('/api/beneficiaries/4')).body.reader_id).toBe('Carte-n°4'),
    )
  })

  it('takes a scan into the number that has the focus, and sends nothing by it', async () => {
    const page = await openApp(server, '/beneficiaries/add', { as: 'biblio' })
    const sent: string[] = []
    const { network } = page.device
    page.device.network = (request) => {
      if (request.method === 'POST') sent.push(new URL(request.url).pathname)
      return network(request)
    }
    await write(/^Nom/, 'Petit')
    const number = await field('Numéro de lecteur')
    await userEvent.click(number)
    typeAsScanner('29999000012345', number)
    await waitFor(() => expect(number).toHaveValue('29999000012345'))
    expect(screen.queryByText(/gardé, à reprendre/)).toBeNull()
    expect(sent).not.toContain('/api/beneficiaries')
    expect(page.address).toBe('/beneficiaries/add')
  })

  it('keeps what was typed when it is refused, and says at the field who has the number', async () => {
    const page = await openApp(server, '/beneficiaries/add', { as: 'biblio' })
    await write(/^Nom/, 'Petit')
    await write('Numéro de lecteur', 'R1')
    await save()
    const number = await field('Numéro de lecteur')
    await waitFor(() => expect(number).toHaveAccessibleDescription(/déjà celui d’Alice Martin/))
    expect(await field(/^Nom/)).toHaveValue('Petit')
    await waitFor(() => expect(page.address).toBe('/beneficiaries/add'))
  })

  it('gives back what was typed when the session ended under it, to the same person', async () => {
    const { client, router } = await openApp(server, '/beneficiaries/edit/2', { as: 'biblio' })
    await write('Téléphone', '0639980000')
    act(() => leaveSession())
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    const { body: user } = await client.get('/api/users/me')
    act(() => {
      beginSession(client.token ?? '', server.environment.id)
      rememberUser(user)
      sessionStorage.setItem('site_id', '1')
    })
    await act(() => router.navigate('/beneficiaries/edit/2'))
    expect(await field('Téléphone')).toHaveValue('0639980000')
    expect(screen.getByText('1 modification')).toBeVisible()
  })

  it('gives back what was typed to nobody else, and after an hour to nobody', async () => {
    const signIn = async (username: string) => {
      const client = await server.as(username)
      const { body: user } = await client.get('/api/users/me')
      act(() => {
        beginSession(client.token ?? '', server.environment.id)
        rememberUser(user)
        chooseSite({ id: 1, name: 'Centre' })
      })
    }
    const { router } = await openApp(server, '/beneficiaries/edit/2', { as: 'biblio' })
    const opens = async () => {
      await act(() => router.navigate('/beneficiaries/edit/2'))
      return field('Téléphone')
    }
    const ends = async () => {
      act(() => leaveSession())
      await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    }
    await write('Téléphone', '0639980001')
    await ends()
    await signIn('admin')
    expect(await opens()).not.toHaveValue('0639980001')
    await ends()
    await signIn('biblio')
    expect(await opens()).toHaveValue('0639980001')
    await ends()
    vi.setSystemTime(Date.now() + 61 * 60_000)
    await signIn('biblio')
    expect(await opens()).not.toHaveValue('0639980001')
  })

  it('has no field without its right', async () => {
    await server.db.deleteFrom('profile_rights').where('right_code', '=', 'BENEFICIARY_CONTACT').execute()
    const { client } = await openApp(server, '/beneficiaries/edit/1', { as: 'biblio' })
    await field('Adresse')
    expect(screen.queryByRole('textbox', { name: 'Courriel' })).toBeNull()
    await write('Adresse', '1 rue Neuve')
    const form = within(screen.getByRole('main'))
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    expect(await screen.findByText('Vos modifications ont bien été prises en compte.')).toBeVisible()
    expect((await client.get('/api/beneficiaries/1')).body.address).toBe('1 rue Neuve')
  })
})
