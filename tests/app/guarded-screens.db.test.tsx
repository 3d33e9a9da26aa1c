import '../support/page-globals.ts'

import { act, screen, waitFor } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'

import { noteAnswer, noteNoAnswer } from '../../src/client/api/connection.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { hostUnknown } from '../../src/domain/host-unknown.ts'
import { noNetwork } from '../loans/open-counter.tsx'
import { closeApp, openApp } from '../support/open-app.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

const cutOff = /^Hors ligne\s: cet écran attend le réseau/

describeServer('a screen by its address', (server) => {
  it('says that the profile does not open it, and leads home', async () => {
    const { body: loan } = await (
      await server.as('biblio')
    ).post('/api/loanings', { beneficiary: 1, copy: 1 })
    const page = await openApp(server, `/loanings/edit/${loan.id}`, { as: 'benevole' })
    expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Revenir à l’accueil' })).toHaveAttribute('href', '/home')
    await act(() => page.router.navigate(`/loanings/view/${loan.id}`))
    expect(await screen.findByRole('heading', { name: 'Livre numéro 1' })).toBeVisible()
  })

  it('is home where it says nothing', async () => {
    const page = await openApp(server, '/')
    expect(await screen.findByLabelText('Code-barres, carte ou nom du lecteur')).toBeVisible()
    await waitFor(() => expect(page.address).toBe('/home'))
  })

  it('of copies at once is opened by its own right alone', async () => {
    await sql`delete from profile_rights where right_code = 'PARAMETER_COPIES'`.execute(server.db)
    await openApp(server, '/settings/copies')
    expect(await screen.findByRole('heading', { name: 'Accès réservé' })).toBeVisible()
    await closeApp()
    await sql`insert into profile_rights (profile, right_code)
      select id, 'PARAMETER_COPIES' from profiles where name = 'Bénévole'`.execute(server.db)
    await openApp(server, '/settings/copies', { as: 'benevole' })
    expect(await screen.findByRole('heading', { name: 'Exemplaires' })).toBeVisible()
  })

  it.each(['/loanings/view/999999', '/loanings/edit/999999'])(
    'says at %s that there is no such loan, and leads to the others',
    async (address) => {
      await openApp(server, address)
      // The server may tell of the rights just given, and the loan be asked for once more.
      await waitFor(() => {
        expect(screen.getByText('Ce prêt n’existe pas.')).toBeVisible()
        expect(screen.getByRole('link', { name: 'Voir les prêts' })).toHaveAttribute('href', '/loanings')
        expect(screen.queryByRole('button', { name: 'Réessayer' })).toBeNull()
      })
    },
  )

  it('says without a network that it waits for one, unless it works all the same', async () => {
    const page = await openApp(server, '/loanings', { as: 'biblio' })
    expect(await screen.findByRole('heading', { name: 'Prêts' })).toBeVisible()
    expect(screen.queryByText(cutOff)).toBeNull()
    page.device.network = noNetwork
    // An answer still under way would say that the server answers.
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    act(noteNoAnswer)
    expect(await screen.findByText(cutOff)).toBeVisible()
    await act(() => page.router.navigate('/loaning/add'))
    expect(await screen.findByRole('heading', { name: 'Prêter' })).toBeVisible()
    expect(screen.queryByText(cutOff)).toBeNull()
    act(noteAnswer)
  })

  it('says at an address that is no library’s why nothing leaves, and keeps the counter open', async () => {
    const page = await openApp(server, '/home', { as: 'biblio' })
    const box = await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    page.device.network = ({ url }) =>
      Promise.resolve(
        new URL(url).pathname === '/health'
          ? Response.json({ status: 'ok', library: false })
          : Response.json({ code: 421, reason: 'HOST_UNKNOWN', message: hostUnknown }, { status: 421 }),
      )
    act(() => noteAnswer(421))
    expect(await screen.findByText('Adresse inconnue du serveur')).toBeVisible()
    expect(box).toBeEnabled()
    for (const address of ['/waiting', '/loanings']) {
      await act(() => page.router.navigate(address))
      await waitFor(() => expect(screen.getAllByText(hostUnknown)[0]).toBeVisible())
    }
    act(() => noteAnswer())
  })
})
