import '../support/page-globals.ts'

import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { chooseSite, currentSession, leaveSession, rememberUser } from '../../src/client/api/session.ts'
import { mirrorSettled } from '../../src/client/api/mirror-session.ts'
import { currentSession as mirroredSession } from '../../src/offline/session-mirror.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { describeServer } from '../support/test-server.ts'
import { closePage, networkTo, noNetwork, openPage, signInAs } from './open-page.tsx'

afterEach(closePage)

/** The page that is loaded next reads what the one before it kept. */
const readAgain = () =>
  act(() =>
    chooseSite({
      id: Number(sessionStorage.getItem('site_id')),
      name: sessionStorage.getItem('site_name') ?? '',
    }),
  )

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
    // The page that leaves begins nothing: what it began to load would be cut off.
    expect(screen.queryByRole('heading', { name: 'Accueil' })).not.toBeInTheDocument()
    readAgain()
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    await mirrorSettled()
    expect(await mirroredSession()).toMatchObject({
      username: 'biblio',
      site: 2,
      environment_id: server.environment.id,
    })
  })

  const question = () => screen.findByRole('dialog', { name: /Se déconnecter/ })

  it('signs out when it is dismissed, asked once more', async () => {
    const client = await server.as('biblio')
    signInAs(client, server)
    const page = openPage('/loanings', networkTo(server))
    const dialog = await choice()
    expect(within(dialog).queryByRole('button', { name: 'Fermer' })).not.toBeInTheDocument()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Se déconnecter' }))
    await waitFor(async () =>
      expect(within(await question()).getByRole('button', { name: 'Annuler' })).toHaveFocus(),
    )
    await userEvent.click(within(await question()).getByRole('button', { name: 'Annuler' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /Se déconnecter/ })).toBeNull())
    expect(currentSession()).not.toBeNull()
    await userEvent.keyboard('{Escape}')
    await userEvent.click(within(await question()).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByRole('heading', { name: 'Connexion' })).toBeVisible()
    expect(page.router.state.location.state).toBeNull()
    expect(currentSession()).toBeNull()
    expect((await client.get('/api/users/me')).status).toBe(401)
  })

  it('begins on the site this device used last, after sign-out too', async () => {
    vi.spyOn(location, 'reload').mockImplementation(readAgain)
    signInAs(await server.as('biblio'), server)
    openPage('/home', networkTo(server))
    const first = await choice()
    // None is usual yet, and Enter chooses none.
    await waitFor(() => expect(within(first).getByRole('group', { name: 'Sites' })).toHaveFocus())
    await userEvent.keyboard('{Enter}')
    expect(sessionStorage.getItem('site_id')).toBeNull()
    await userEvent.click(within(first).getByRole('button', { name: 'Centre' }))
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    cleanup()
    act(leaveSession)
    // The person's own, then that of whoever was there before them.
    for (const username of ['biblio', 'admin']) {
      signInAs(await server.as(username), server)
      openPage('/home', networkTo(server))
      const last = within(await choice()).getByRole('button', {
        name: /^Centre.*Dernier site de cet appareil$/,
      })
      await waitFor(() => expect(last).toHaveFocus())
      expect(last).toHaveAttribute('aria-current', 'true')
      cleanup()
      act(leaveSession)
    }
  })

  it('begins on the site where the person worked last, on a device that is new to them', async () => {
    const biblio = await server.as('biblio')
    const { body: user } = await biblio.get('/api/users/me')
    expect(user.usual_site).toBeUndefined()
    await server.db
      .insertInto('devices')
      .values({
        device_id: '7b0f6f0e-5d0b-4b8e-9a52-0f6d1c1f0b11',
        user_id: user.id,
        site: 1,
        first_seen: server.now.toISOString(),
        last_seen: server.now.toISOString(),
        reported_at: null,
        oldest_at: null,
        snapshot_at: null,
        storage_used: null,
      })
      .execute()
    signInAs(biblio, server)
    openPage('/home', networkTo(server))
    const usual = within(await choice()).getByRole('button', { name: /^Centre.*Votre dernier site$/ })
    await waitFor(() => expect(usual).toHaveFocus())
    expect(usual).toHaveAttribute('aria-current', 'true')
    await server.db.deleteFrom('devices').execute()
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
    await waitFor(() => expect(within(dialog).getAllByRole('button')).toHaveLength(3))
    expect(await within(dialog).findByRole('button', { name: 'Centre' })).toBeVisible()
    expect(within(dialog).queryByRole('button', { name: 'Réserve' })).not.toBeInTheDocument()
    expect(within(dialog).queryByRole('button', { name: 'Tous les sites' })).not.toBeInTheDocument()
  })

  it('works off line with the person as last known', async () => {
    vi.spyOn(location, 'reload').mockImplementation(readAgain)
    const client = await server.as('benevole')
    signInAs(client, server)
    rememberUser((await client.get('/api/users/me')).body)
    openPage('/home', noNetwork)
    await userEvent.click(await within(await choice()).findByRole('button', { name: 'Centre' }))
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
  })

  it('is not asked for, nor named, where the library says that it has one', async () => {
    await setParameter(server, 'multisite', '0')
    signInAs(await server.as('biblio'), server)
    openPage('/home', networkTo(server))
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
    expect(currentSession()?.site).toEqual({ id: 0, name: 'Tous les sites' })
    expect(screen.queryByRole('dialog')).toBeNull()
    await setParameter(server, 'multisite', '1')
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
