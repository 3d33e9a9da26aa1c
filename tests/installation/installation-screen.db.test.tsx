import '../support/page-globals.ts'

import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'

import { closeApp, openApp } from '../support/open-app.tsx'
import { networkTo } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeApp)

describeServer('« État de l’installation »', (server) => {
  it('says of each point how it is and what to do, and copies it all as a text', async () => {
    await openApp(server, '/settings/installation')
    const mail = within((await screen.findByRole('heading', { name: 'Courrier' })).closest('li')!)
    expect(mail.getByText('À regarder')).toBeVisible()
    expect(mail.getByRole('link', { name: 'Comment brancher le courrier' })).toHaveAttribute(
      'href',
      '/guide/mails.html',
    )
    // The browser's own clock is looked at beside the server's.
    const clock = within(screen.getByRole('heading', { name: 'Horloge de cet appareil' }).closest('li')!)
    expect(clock.getByText('Bon')).toBeVisible()
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce()
    await userEvent.click(screen.getByRole('button', { name: 'Copier' }))
    const [text = ''] = written.mock.calls[0] ?? []
    expect(text).toMatch(/^Comptoir [\d.]+, état de l’installation le 10\/03\/2026/)
    expect(text).toMatch(/^À regarder +Courrier +Aucun serveur de messagerie/m)
    expect(await screen.findByText('État copié.')).toBeVisible()
  })

  it('says when it could not be read, and looks again whenever it is asked to', async () => {
    const real = networkTo(server)
    let isRefused = true
    const network = (request: Request) => {
      // The stream tells of every change as it opens: only the buttons shall look again.
      if (request.url.endsWith('/api/events')) return new Promise<Response>(() => undefined)
      const isAsked = isRefused && request.url.includes('/api/installation')
      return isAsked ? Promise.resolve(new Response('{}', { status: 503 })) : real(request)
    }
    await openApp(server, '/settings/installation', { network })
    const [again] = await screen.findAllByRole('button', { name: 'Réessayer' })
    isRefused = false
    await userEvent.click(again!)
    expect(await screen.findByText(/aucune page n’a parlé/)).toBeVisible()
    await sql`insert into devices (device_id, user_id, first_seen, last_seen, reported_at, app_version)
      select gen_random_uuid(), id, ${server.now.toISOString()}, ${server.now.toISOString()}, ${server.now.toISOString()}, '0.0.9'
      from users where username = 'biblio'`.execute(server.db)
    await userEvent.click(screen.getByRole('button', { name: 'Regarder de nouveau' }))
    expect(await screen.findByText(/1 page en version 0\.0\.9/)).toBeVisible()
  })

  it('leads to what shares a code, without naming the reader', async () => {
    await sql`update copies set bar_code = 'r1' where bar_code = '1001'`.execute(server.db)
    await openApp(server, '/settings/installation')
    const panel = within(
      (await screen.findByRole('heading', { name: 'Codes qui nomment plusieurs choses' })).closest(
        'section',
      )!,
    )
    expect(panel.getByText(/^1 code nomme plusieurs choses/)).toBeVisible()
    expect(panel.getByRole('link', { name: /Livre numéro 1/ })).toHaveAttribute('href', '/references/view/1')
    expect(panel.getByRole('link', { name: 'la carte d’un lecteur' })).toHaveAttribute(
      'href',
      '/beneficiaries/view/1',
    )
    expect(panel.queryByText(/Martin/)).not.toBeInTheDocument()
  })
})
