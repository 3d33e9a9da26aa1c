import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { typeScan } from '../home/open-home.tsx'
import { type Network, networkTo } from '../loans/open-counter.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { holdTimers } from '../ui/held-timers.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeApp)

const table = () => screen.findByRole('table', { name: 'Transferts' })
const rows = async () =>
  within(await table())
    .queryAllByRole('link')
    .map(({ textContent }) => textContent)

describeServer('transfers', (server) => {
  let admin: Client
  beforeEach(async () => {
    admin = await server.as('admin')
    await emptyTables(server.db, 'loanings', 'audit_journal')
    await sql`update copies set status = 'Disponible', sent_from = null, sent_at = null, type = 'Location',
      site = case when id <= 10 then 1 else 2 end`.execute(server.db)
    for (const copy of [11, 12, 13]) await admin.put(`/api/copies/${copy}`, { site: 1 })
    await admin.put('/api/copies/1', { site: 2 })
  })
  const copyOf = async (id: number) => (await admin.get(`/api/copies?id|eq=${id}`)).body['hydra:member'][0]

  it('shows what comes to this site, sorted up, down and not at all, ten or more at a time', async () => {
    const page = await openApp(server, '/transfers')
    await waitFor(async () =>
      expect(await rows()).toEqual(['Film numéro 1', 'Film numéro 2', 'Film numéro 3']),
    )
    for (const heading of ['Article', 'Code-barres', 'Site envoyeur', "Date d'envoi"]) {
      expect(screen.getByRole('columnheader', { name: new RegExp(heading) })).toBeVisible()
    }
    expect((await within(await table()).findAllByRole('row'))[1]).toHaveTextContent(
      /Film numéro 1.*2001.*Annexe.*10\/03\/2026/,
    )
    const sort = async () =>
      userEvent.click(within(screen.getByRole('columnheader', { name: /Article/ })).getByRole('button'))
    await sort()
    await waitFor(() => expect(page.address).toContain('sort=name%3Aasc'))
    await sort()
    await waitFor(() => expect(page.address).toContain('sort=name%3Adesc'))
    await waitFor(async () => expect((await rows())[0]).toBe('Film numéro 3'))
    await sort()
    expect(page.address).not.toContain('sort')
  })

  it('counts by 10, 25 or 50, and searches once typing has stopped for half a second', async () => {
    await sql`insert into copies (reference, bar_code, site, status, sent_from, sent_at)
      select 1, 'N' || lpad(n::text, 3, '0'), 1, 'En transfert', 2, now() from generate_series(1, 57) n`.execute(
      server.db,
    )
    const page = await openApp(server, '/transfers')
    await waitFor(async () => expect(await rows()).toHaveLength(25))
    const size = screen.getByLabelText('Lignes par page')
    expect(Array.from(size.querySelectorAll('option'), ({ value }) => value)).toEqual(['10', '25', '50'])
    await userEvent.selectOptions(size, '10')
    await waitFor(async () => expect(await rows()).toHaveLength(10))
    await press('Page 6')
    await waitFor(() => expect(page.address).toContain('page=6'))

    const asked: string[] = []
    const send = page.device.network
    page.device.network = (request) => {
      if (request.url.includes('searchname')) asked.push(request.url)
      return send(request)
    }
    const timers = holdTimers(500)
    const search = screen.getByRole('searchbox', { name: 'Article ou code-barres' })
    for (const value of ['200', '2002']) fireEvent.change(search, { target: { value } })
    expect(timers.lengths).toEqual([500])
    expect(asked).toEqual([])
    timers.letGo()
    await waitFor(async () => expect(await rows()).toEqual(['Film numéro 2']))
    // Not for what was typed meanwhile; the same rows may be read again when something changes.
    expect(new Set(asked).size).toBe(1)
    await sql`delete from copies where bar_code like 'N0%'`.execute(server.db)
  })

  it('confirms one, or those that are ticked', async () => {
    await openApp(server, '/transfers')
    await userEvent.click(
      await screen.findByRole('button', { name: /Confirmer la réception.*Film numéro 1/ }),
    )
    await waitFor(async () => expect(await copyOf(11)).toMatchObject({ status_name: 'Disponible', site: 1 }))
    for (const title of ['Film numéro 2', 'Film numéro 3']) {
      await userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(title) }))
    }
    await press(/^Confirmer la réception$/)
    expect(await screen.findByText('2 exemplaires reçus.')).toBeVisible()
    expect((await copyOf(13)).status_name).toBe('Disponible')
  })

  it('takes back what left this site and has not arrived', async () => {
    await openApp(server, '/transfers')
    await userEvent.click(await screen.findByRole('tab', { name: /Partis d’ici/ }))
    await waitFor(async () => expect(await rows()).toEqual(['Livre numéro 1']))
    expect(screen.getByRole('columnheader', { name: /Destination/ })).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: /Reprendre.*Livre numéro 1/ }))
    await waitFor(async () => expect(await copyOf(1)).toMatchObject({ status_name: 'Disponible', site: 1 }))
    expect(await screen.findByText(/Transfert repris/)).toBeVisible()
  })

  it('receives what is scanned, and says of the rest what it is', async () => {
    await openApp(server, '/transfers')
    await table()
    for (const code of ['2001', '2001', '1001', '1002', 'R1', 'RIEN']) typeScan(code)
    const scans = await screen.findByRole('list', { name: 'Exemplaires scannés' })
    await waitFor(() => expect(within(scans).queryByText('Recherche…')).toBeNull())
    expect(
      within(scans)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Non reçuRIEN Aucun exemplaire ne porte le code «\u00a0RIEN\u00a0».',
      'Non reçuR1 C’est une carte de lecteur, pas un exemplaire.',
      'Non reçuLivre numéro 2 1002Déjà ici (Disponible).',
      'Non reçuLivre numéro 1 1001En transfert vers Annexe, pas ici.',
      'Reçu de AnnexeFilm numéro 1 2001',
    ])
    expect((await copyOf(11)).status_name).toBe('Disponible')
    const { rows: lines } =
      await sql`select entity_id from audit_journal where action = 'copies.receive'`.execute(server.db)
    expect(lines.filter((line) => (line as { entity_id: number }).entity_id === 11)).toHaveLength(1)
    // The same by hand.
    await userEvent.click(screen.getByRole('textbox', { name: 'Code-barres de ce qui arrive' }))
    await userEvent.paste('2002')
    await userEvent.keyboard('{Enter}')
    await waitFor(async () => expect((await copyOf(12)).status_name).toBe('Disponible'))
  })

  it('asks again for what got no answer, and receives it once', async () => {
    const network = networkTo(server)
    let isCut = true
    const cut: Network = async (request) => {
      const answer = await network(request)
      if (isCut && request.method === 'PUT') throw new TypeError('Failed to fetch')
      return answer
    }
    await openApp(server, '/transfers', { network: cut })
    await table()
    const before = await sql<{
      n: number
    }>`select count(*) as n from audit_journal where action = 'copies.receive'`.execute(server.db)
    typeScan('2003')
    expect(await screen.findByText('Sans réponse')).toBeVisible()
    isCut = false
    await press('Réessayer')
    expect(await screen.findByText('Reçu de Annexe')).toBeVisible()
    const after = await sql<{
      n: number
    }>`select count(*) as n from audit_journal where action = 'copies.receive'`.execute(server.db)
    expect(after.rows[0]!.n - before.rows[0]!.n).toBe(1)
  })

  it('sends one copy or several to another site, and says who waits for them', async () => {
    await admin.post('/api/sites', { name: 'Bourg' })
    await sql`insert into reservations (beneficiary_id, reference_id, queue_position, site) values (1, 5, 1, 1)`.execute(
      server.db,
    )
    await openApp(server, '/settings/copies')
    for (const code of ['1005', '1006'])
      await userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(`${code},`) }))
    const offered = screen.queryByRole('button', { name: 'Transférer…' })
    if (offered) await userEvent.click(offered)
    else {
      await press('Autres actions sur le choix')
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Transférer…' }))
    }
    const dialog = await screen.findByRole('dialog', { name: 'Transférer 2 exemplaires' })
    expect(dialog).toHaveTextContent(/1 titre est réservé\s: Livre numéro 5\./)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Transférer' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Choisissez le site')
    await userEvent.click(within(dialog).getByRole('combobox', { name: /^Site de destination/ }))
    expect(screen.queryByRole('option', { name: 'Centre' })).toBeNull()
    await userEvent.click(await screen.findByRole('option', { name: 'Annexe' }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Transférer' }))
    expect(await screen.findByText('2 exemplaires en transfert.')).toBeVisible()
    expect(await copyOf(6)).toMatchObject({ site: 2, sent_from: { name: 'Centre' } })
    await sql`truncate reservations`.execute(server.db)
  })

  it('stand in the menus with how many are to be received, where there are several sites', async () => {
    await openApp(server, '/beneficiaries')
    await press('Suivi')
    expect(
      await screen.findByRole('menuitem', { name: /Transferts.*3 exemplaires à recevoir/ }),
    ).toBeVisible()
    await closeApp()
    await setParameter(server, 'multisite', '0')
    await openApp(server, '/references/view/2')
    await screen.findByRole('heading', { name: 'Livre numéro 2' })
    await press('Suivi')
    expect(await screen.findByRole('menuitem', { name: /^Prêts/ })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: /Transferts/ })).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'Actions\u202f: exemplaire 1002' }))
    expect(await screen.findByRole('menuitem', { name: 'Modifier' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Transférer…' })).toBeNull()
    await setParameter(server, 'multisite', '1')
  })
  it('are received by whoever sees them, and sent and taken back by whoever holds COPY_TRANSFER', async () => {
    await openApp(server, '/transfers', { as: 'lecture' })
    expect(await screen.findByRole('button', { name: /Confirmer la réception.*Film numéro 1/ })).toBeVisible()
    await userEvent.click(await screen.findByRole('tab', { name: /Partis d’ici/ }))
    await waitFor(async () => expect(await rows()).toEqual(['Livre numéro 1']))
    expect(screen.queryByRole('button', { name: /Reprendre/ })).toBeNull()
    await closeApp()
    await openApp(server, '/references/view/2', { as: 'lecture' })
    await screen.findByText('1002')
    expect(screen.queryByRole('button', { name: 'Actions\u202f: exemplaire 1002' })).toBeNull()
    await closeApp()
    await sql`insert into profile_rights select id, 'COPY_TRANSFER' from profiles where name = 'Consultation'`.execute(
      server.db,
    )
    await openApp(server, '/references/view/2', { as: 'lecture' })
    await userEvent.click(await screen.findByRole('button', { name: 'Actions\u202f: exemplaire 1002' }))
    expect(await screen.findByRole('menuitem', { name: 'Transférer…' })).toBeVisible()
    await sql`delete from profile_rights where right_code = 'COPY_TRANSFER' and profile = (select id from profiles where name = 'Consultation')`.execute(
      server.db,
    )
  })
})
