import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { currentSession, rememberUser } from '../../src/client/session/session.ts'
import { mirrorSettled } from '../../src/client/session/mirror-session.ts'
import { currentSession as mirroredSession } from '../../src/offline/session-mirror.ts'
import { describeServer } from '../support/test-server.ts'
import { closePage, networkTo, noNetwork, openPage, signInAs } from './open-page.tsx'

afterEach(closePage)

const choice = () => screen.findByRole('dialog', { name: 'Choisissez votre site' })

describeServer('the choice of a site', (server) => {
  it('is forced among several, kept with its name, told to the worker, and loads the page again', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    signInAs(await server.as('biblio'), server)
    openPage('/home', networkTo(server))
    const dialog = await choice()
    expect(screen.queryByRole('heading', { name: 'Accueil' })).not.toBeInTheDocument()
    expect(await within(dialog).findByRole('button', { name: 'Tous les sites' })).toBeVisible()
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Annexe' }))
    expect(reload).toHaveBeenCalledOnce()
    expect(sessionStorage.getItem('site_id')).toBe('2')
    expect(sessionStorage.getItem('site_name')).toBe('Annexe')
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    await mirrorSettled()
    expect(await mirroredSession()).toMatchObject({
      username: 'biblio',
      site: 2,
      environment_id: server.environment.id,
    })
  })

  it('signs out when it is closed', async () => {
    const client = await server.as('biblio')
    signInAs(client, server)
    const page = openPage('/loanings', networkTo(server))
    await userEvent.click(within(await choice()).getByRole('button', { name: 'Fermer' }))
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeVisible()
    expect(page.router.state.location.state).toBeNull()
    expect(currentSession()).toBeNull()
    expect((await client.get('/api/users/me')).status).toBe(401)
  })

  it('offers only the sites that are open to the person', async () => {
    await server.db.insertInto('sites').values({ name: 'Réserve' }).execute()
    const { id } = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'benevole')
      .executeTakeFirstOrThrow()
    await server.db
      .insertInto('user_sites')
      .values([1, 2].map((site) => ({ user_id: id, site })))
      .execute()
    signInAs(await server.as('benevole'), server)
    openPage('/home', networkTo(server))
    const dialog = await choice()
    await waitFor(() => expect(within(dialog).getAllByRole('button')).toHaveLength(4))
    expect(await within(dialog).findByRole('button', { name: 'Centre' })).toBeVisible()
    expect(within(dialog).queryByRole('button', { name: 'Réserve' })).not.toBeInTheDocument()
    expect(within(dialog).queryByRole('button', { name: 'Tous les sites' })).not.toBeInTheDocument()
  })

  it('works off line with the person as last known', async () => {
    vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    const client = await server.as('benevole')
    signInAs(client, server)
    rememberUser((await client.get('/api/users/me')).body)
    openPage('/home', noNetwork)
    await userEvent.click(await within(await choice()).findByRole('button', { name: 'Centre' }))
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
  })

  it('chooses the only site silently', async () => {
    const { id } = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'lecture')
      .executeTakeFirstOrThrow()
    await server.db.insertInto('user_sites').values({ user_id: id, site: 2 }).execute()
    signInAs(await server.as('lecture'), server)
    openPage('/home', networkTo(server))
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    expect(currentSession()?.site).toEqual({ id: 2, name: 'Annexe' })
  })
})
