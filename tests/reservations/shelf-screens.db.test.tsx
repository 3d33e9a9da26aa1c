import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { typeScan } from '../home/open-home.tsx'
import { type Network, networkTo } from '../loans/open-counter.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeApp)

describeServer('the shelf of what is set aside', (server) => {
  let admin: Client
  beforeEach(async () => {
    server.moveTo(testNow)
    admin = await server.as('admin')
    await emptyTables(server.db, 'loanings', 'reservations', 'audit_journal')
    await setParameter(server, 'reservations_without_dates', '1')
    await sql`update copies set status = 'Disponible', sent_from = null, sent_at = null,
      site = case when id <= 10 then 1 else 2 end`.execute(server.db)
    await sql`delete from copies where id > 15`.execute(server.db)
  })
  const reserve = async (beneficiary_id: number, reference_id: number, site = 1) =>
    (await admin.post('/api/reservations', { beneficiary_id, reference_id, site })).body.id as number
  const keep = (id: number, set_aside_copy: number) =>
    admin.put(`/api/reservations/${id}`, { status: 'confirmed', set_aside_copy })
  const reservation = async (id: number) => (await admin.get(`/api/reservations/${id}`)).body

  describe('« À retirer »', () => {
    const rows = async () => {
      const table = await screen.findByRole('table', { name: 'À retirer' })
      await within(table).findAllByText(/Livre numéro/)
      return within(table).getAllByRole('row').slice(1)
    }

    it('shows since when and until when, what nobody fetched first, and says so', async () => {
      const [first, second] = [await reserve(1, 1), await reserve(2, 2)]
      await keep(first, 1)
      await keep(second, 2)
      await sql`update reservations set pickup_until = '2026-03-09' where id = ${second}`.execute(server.db)
      const page = await openApp(server, '/reservations/set_aside')
      const [late, other] = await rows()
      expect(late).toHaveTextContent(/Éric Dupont.*Livre numéro 2.*1002.*Non retiré à temps\s: 09\/03\/2026/)
      expect(other).toHaveTextContent(/Alice Martin.*Livre numéro 1.*1001.*10\/03\/2026.*17\/03\/2026/)
      await waitFor(() => expect(page.address).toContain('sort=pickup_until%3Aasc'))
      expect(await screen.findByRole('link', { name: 'À retirer 2', current: 'page' })).toBeVisible()
    })

    it('says what is not on its shelf, and does not pass that on', async () => {
      const [sent, lent] = [await reserve(1, 1, 2), await reserve(2, 2)]
      await keep(sent, 1)
      await keep(lent, 2)
      await admin.put('/api/copies/1', { site: 2 })
      await admin.post('/api/loanings', { beneficiary: 4, copy: 2, despite_reservations: true })
      await openApp(server, '/reservations/set_aside')
      const words = (await rows()).map(({ textContent }) => textContent)
      expect(words.join()).toContain('En prêt')
      expect(screen.queryByRole('button', { name: /^Prêter/ })).toBeNull()
    })

    it('says which wait to be sent to where they are fetched, and sends them there', async () => {
      const id = await reserve(1, 1, 2)
      await keep(id, 1)
      await openApp(server, '/reservations/set_aside')
      const [elsewhere] = await rows()
      expect(elsewhere).toHaveTextContent(/Centre → Annexe\s: À transférer/)
      expect(screen.queryByRole('button', { name: /^Prêter/ })).toBeNull()
      await press(/^Transférer au site de retrait.*Livre numéro 1/)
      expect(await screen.findByText('Exemplaire en transfert.')).toBeVisible()
      expect(await reservation(id)).toMatchObject({ set_aside_status: 'En transfert', set_aside_site: 2 })
    })

    it('opens the loan with its reader and its copy', async () => {
      await keep(await reserve(1, 1), 1)
      const page = await openApp(server, '/reservations/set_aside')
      await press(/^Prêter.*Livre numéro 1/)
      await waitFor(() => expect(page.address).toBe('/loaning/add?beneficiary=1&copy=1'))
    })

    it('passes one on after asking, to whoever comes next', async () => {
      const [first, second] = [await reserve(1, 1), await reserve(2, 1)]
      await keep(first, 1)
      await openApp(server, '/reservations/set_aside')
      await press(/^Actions.*Livre numéro 1/)
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Passer au suivant' }))
      const question = await screen.findByRole('dialog', { name: 'Passer au suivant' })
      expect(question).toHaveTextContent('l’exemplaire est mis de côté pour Éric Dupont (M2).')
      expect((await reservation(first)).status).toBe('confirmed')
      await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
      expect(await screen.findByText('Mis de côté pour Éric Dupont (M2).')).toBeVisible()
      expect(await screen.findByRole('dialog', { name: /courriel/i })).toHaveTextContent('Éric Dupont')
      expect(await reservation(first)).toMatchObject({ status: 'canceled', comment: 'Non retirée.' })
      expect(await reservation(second)).toMatchObject({ status: 'confirmed', set_aside_copy: 1 })
    })

    it('passes several on, and says what goes back to its shelf', async () => {
      for (const title of [1, 2]) await keep(await reserve(1, title), title)
      await openApp(server, '/reservations/set_aside')
      for (const title of [1, 2]) {
        await userEvent.click(
          await screen.findByRole('checkbox', { name: new RegExp(`Livre numéro ${title}`) }),
        )
      }
      await press(/^Passer au suivant$/)
      const question = await screen.findByRole('dialog', { name: 'Passer au suivant\u202f: 2 exemplaires' })
      await userEvent.click(within(question).getByRole('button', { name: 'Valider' }))
      expect(await screen.findAllByText(/^Personne d’autre n’attend\s: à remettre en rayon\.$/)).toHaveLength(
        2,
      )
    })

    it('prints the slip, with the name, the title, the day and the code', async () => {
      vi.stubGlobal('print', () => undefined)
      await keep(await reserve(1, 1), 1)
      await openApp(server, '/reservations/set_aside')
      await press(/^Actions.*Livre numéro 1/)
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Imprimer le bulletin' }))
      await waitFor(() => expect(document.title).toBe('Réservation, Alice Martin (M1)'))
      const paper = document.querySelector('[data-paper="slip"]')
      expect(paper).toHaveTextContent(
        /10\/03\/2026.*Alice Martin \(M1\).*Livre numéro 1.*À retirer jusqu’au 17\/03\/2026.*À retirer à Centre.*1001/,
      )
      expect(paper?.querySelectorAll('rect').length).toBeGreaterThan(15)
    })

    it('offers whoever may only read no change', async () => {
      await keep(await reserve(1, 1), 1)
      await openApp(server, '/reservations/set_aside', { as: 'lecture' })
      await rows()
      expect(screen.queryByRole('button', { name: /^Passer|^Prêter/ })).toBeNull()
      expect(screen.queryByRole('link', { name: /À chercher/ })).toBeNull()
    })
  })

  describe('« À chercher en rayon »', () => {
    const tickOf = (title: number) =>
      screen.findByRole('checkbox', { name: new RegExp(`^Livre numéro ${title},`) })

    it('is empty where nothing on the shelves is reserved', async () => {
      await openApp(server, '/reservations/picking')
      expect(await screen.findByText(/^Rien à chercher en rayon/)).toBeVisible()
    })

    it('is by shelf, and ticked by scanning, each set aside at once', async () => {
      await sql`insert into locations (id, label) overriding system value values (901, 'Adultes')
        on conflict do nothing`.execute(server.db)
      await sql`update copies set location = 901 where id = 2`.execute(server.db)
      const [first, second] = [await reserve(1, 1), await reserve(2, 2)]
      await openApp(server, '/reservations/picking')
      const adults = await screen.findByRole('region', { name: 'Adultes' })
      expect(adults).toHaveTextContent(/Livre numéro 2.*1002.*pour Éric Dupont M2/)
      typeScan('1002')
      expect(
        await screen.findByText(/^Livre numéro 2\s: mis de côté pour Éric Dupont \(M2\)\.$/),
      ).toBeVisible()
      expect(await reservation(second)).toMatchObject({ status: 'confirmed', set_aside_copy: 2 })
      expect(await tickOf(2)).toBeChecked()
      expect(await tickOf(1)).not.toBeChecked()
      // Read again, it is no other copy.
      typeScan('1002')
      expect(await screen.findByText(/déjà mis de côté/)).toBeVisible()
      typeScan('1003')
      expect(await screen.findByText(/^Livre numéro 3\s: personne n’attend cet exemplaire\.$/)).toBeVisible()
      await userEvent.click(screen.getByRole('textbox', { name: 'Code-barres de ce qui est pris en rayon' }))
      await userEvent.paste('1001')
      await userEvent.keyboard('{Enter}')
      await waitFor(async () => expect((await reservation(first)).set_aside_copy).toBe(1))
      expect(await screen.findByText('Tout est mis de côté')).toBeVisible()
      await sql`update copies set location = null where id = 2`.execute(server.db)
    })

    it('takes another copy of the title as well', async () => {
      await sql`insert into copies (id, reference, bar_code, site) overriding system value
        values (999, 1, '1999', 1)`.execute(server.db)
      const id = await reserve(1, 1)
      await openApp(server, '/reservations/picking')
      await tickOf(1)
      typeScan('1999')
      await waitFor(async () => expect((await reservation(id)).set_aside_copy).toBe(999))
      await sql`update reservations set status = 'waiting' where id = ${id}`.execute(server.db)
    })

    it('is ticked by hand, put back, and proposes the transfer to where it is fetched', async () => {
      const id = await reserve(1, 1, 2)
      await openApp(server, '/reservations/picking')
      expect(await screen.findByText(/à envoyer à Annexe/)).toBeVisible()
      await userEvent.click(await tickOf(1))
      expect(await screen.findByRole('button', { name: 'Transférer à Annexe' })).toBeVisible()
      expect((await reservation(id)).set_aside_copy).toBe(1)
      await userEvent.click(await tickOf(1))
      expect(await screen.findByText(/remis en attente/)).toBeVisible()
      expect(await reservation(id)).toMatchObject({ status: 'waiting', set_aside_copy: null })
      await waitFor(async () => expect(await tickOf(1)).not.toBeChecked())
    })

    it('asks again for what got no answer, and sets it aside once', async () => {
      const network = networkTo(server)
      let isCut = true
      const cut: Network = async (request) => {
        const answer = await network(request)
        if (isCut && request.method === 'PUT') throw new TypeError('Failed to fetch')
        return answer
      }
      const id = await reserve(1, 1)
      await openApp(server, '/reservations/picking', { network: cut })
      await tickOf(1)
      typeScan('1001')
      const again = await screen.findByRole('button', { name: 'Réessayer' })
      isCut = false
      await userEvent.click(again)
      expect(
        await screen.findByText(/^Livre numéro 1\s: mis de côté pour Alice Martin \(M1\)\.$/),
      ).toBeVisible()
      expect((await reservation(id)).set_aside_copy).toBe(1)
      const { rows: lines } = await sql`select 1 from audit_journal where entity = 'reservations'
        and action = 'reservations.confirmed'`.execute(server.db)
      expect(lines).toHaveLength(1)
    })

    it('prints the walk', async () => {
      vi.stubGlobal('print', () => undefined)
      await reserve(1, 1)
      await openApp(server, '/reservations/picking')
      await tickOf(1)
      await press('Actions\u202f: À chercher en rayon')
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Imprimer la liste' }))
      await waitFor(() =>
        expect(document.querySelector('[data-paper="upright"]')).toHaveTextContent(
          /Centre · 10\/03\/2026 · 1 exemplaire à prendre.*Livre numéro 11001Alice Martin \(M1\)Centre/,
        ),
      )
    })
  })

  it('has its three lists one tap from each other, with how many they hold', async () => {
    await keep(await reserve(1, 1), 1)
    await reserve(2, 2)
    const page = await openApp(server, '/reservations')
    await userEvent.click(await screen.findByRole('link', { name: 'À retirer 1' }))
    expect(await screen.findByRole('heading', { name: 'À retirer' })).toBeVisible()
    await userEvent.click(await screen.findByRole('link', { name: 'À chercher en rayon 1' }))
    expect(await screen.findByRole('heading', { name: 'À chercher en rayon' })).toBeVisible()
    await userEvent.click(await screen.findByRole('link', { name: /^À servir/ }))
    await waitFor(() => expect(page.address).toBe('/reservations'))
  })
})
