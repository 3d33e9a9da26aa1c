import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { chooseSite } from '../../src/client/api/session.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { closeHome, openHome, typeScan } from '../home/open-home.tsx'
import { closeCounter, noNetwork, openCounter } from '../loans/open-counter.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { type Client, describeServer } from '../support/test-server.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))

const lane = () => screen.findByRole('list', { name: 'Derniers passages' })
const inLane = async (text: string | RegExp) => within(await lane()).findByText(text)
/** The sentence may be cut by the reader's number, which is grey. */
const said = async (text: RegExp) =>
  waitFor(async () => expect(await screen.findByRole('note')).toHaveTextContent(text))

describeServer('a copy that comes back and is awaited', (server) => {
  let admin: Client
  beforeEach(async () => {
    admin = await server.as('admin')
    await emptyTables(server.db, 'loanings', 'reservations')
    await setParameter(server, 'reservations_without_dates', '1')
    await sql`update copies set status = 'Disponible', sent_from = null, sent_at = null,
      site = case when id <= 10 then 1 else 2 end`.execute(server.db)
    await admin.post('/api/loanings', { beneficiary: 2, copy: 1 }, { site: 1 })
  })
  const reserve = async (site: number) =>
    (await admin.post('/api/reservations', { beneficiary_id: 1, reference_id: 1, site })).body.id as number
  const reservation = async (id: number) => (await admin.get(`/api/reservations/${id}`)).body
  const copyOf = async (id: number) => (await admin.get(`/api/copies?id|eq=${id}`)).body['hydra:member'][0]

  describe('in the lane', () => {
    afterEach(closeHome)

    it('says at once for whom, is set aside by one tap, and put back by another', async () => {
      const id = await reserve(1)
      const page = await openHome(server)
      await page.knows()
      chooseSite({ id: 1, name: 'Centre' })
      typeScan('1001')
      await said(/^Mettre de côté pour Alice Martin M1/)
      expect((await reservation(id)).status).toBe('waiting')
      await press('Mettre de côté\u202f: Livre numéro 1')
      await said(/^Mis de côtépour Alice Martin M1, jusqu’au 17\/03\/2026/)
      expect(await reservation(id)).toMatchObject({ status: 'confirmed', set_aside_copy: 1 })
      await press('Écrire au lecteur\u202f: Livre numéro 1')
      const mail = await screen.findByRole('dialog', { name: /^Courriel/ })
      await userEvent.click(within(mail).getByRole('button', { name: 'Envoyer' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      const { rows: written } = await sql`select template from mail_outbox where beneficiary = 1`.execute(
        server.db,
      )
      expect(written).toEqual([{ template: 'reservation_confirmed' }])
      await press('Annuler la mise de côté\u202f: Livre numéro 1')
      await said(/^Mettre de côté pour/)
      expect(await reservation(id)).toMatchObject({
        status: 'waiting',
        queuePosition: 1,
        set_aside_copy: null,
      })
    })

    it('is set aside on its line where it is scanned for somebody else, and the box is ready for the next scan', async () => {
      await emptyTables(server.db, 'loanings')
      await sql`update copies set status = 'Disponible' where id = 1`.execute(server.db)
      const id = await reserve(1)
      vi.stubGlobal('matchMedia', (media: string) => ({
        matches: media === '(any-pointer: fine)',
        media,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }))
      const page = await openHome(server)
      await page.knows()
      chooseSite({ id: 1, name: 'Centre' })
      typeScan('R2')
      typeScan('1001')
      await inLane('Cet exemplaire est sujet à réservations')
      await press(/^Mettre de côté pour Alice Martin/)
      await said(/^Mis de côtépour Alice Martin M1/)
      expect(await reservation(id)).toMatchObject({ status: 'confirmed', set_aside_copy: 1 })
      expect(await inLane('Non prêté')).toBeVisible()
      expect(screen.queryByRole('button', { name: /^Prêter quand même|prêt complet$/ })).toBeNull()
      expect(screen.getByLabelText('Code-barres, carte ou nom du lecteur')).toHaveFocus()
      await press('Annuler la mise de côté\u202f: Livre numéro 1')
      // It asks again what it asked.
      expect(await screen.findByRole('button', { name: /^Mettre de côté pour Alice Martin/ })).toBeEnabled()
      expect(screen.getByRole('button', { name: 'Prêter quand même' })).toBeEnabled()
      expect((await reservation(id)).status).toBe('waiting')
    })

    it('is not lent all the same while it is being set aside, unless that fails', async () => {
      await emptyTables(server.db, 'loanings')
      await sql`update copies set status = 'Disponible' where id = 1`.execute(server.db)
      await reserve(1)
      const page = await openHome(server)
      await page.knows()
      chooseSite({ id: 1, name: 'Centre' })
      typeScan('R2')
      typeScan('1001')
      const { network } = page.device
      let fail = () => {}
      const isFailed = new Promise<void>((resolve) => (fail = resolve))
      page.device.network = async (request) => {
        if (request.method !== 'PUT') return network(request)
        await isFailed
        return new Response(null, { status: 500 })
      }
      const despite = await screen.findByRole('button', { name: 'Prêter quand même' })
      await press(/^Mettre de côté pour Alice Martin/)
      await waitFor(() => expect(despite).toBeDisabled())
      expect(await listEntries()).toEqual([])
      fail()
      await waitFor(() => expect(despite).toBeEnabled())
      await userEvent.click(despite)
      expect(await inLane('Confirmé')).toBeVisible()
      expect(screen.queryByRole('button', { name: /^Mettre de côté/ })).toBeNull()
    })

    it('leaves nothing to settle where the server refused its loan for whoever waits', async () => {
      await emptyTables(server.db, 'loanings')
      await sql`update copies set status = 'Disponible' where id = 1`.execute(server.db)
      const page = await openHome(server)
      await page.knows()
      chooseSite({ id: 1, name: 'Centre' })
      await reserve(1)
      typeScan('R2')
      typeScan('1001')
      await press(/^Mettre de côté pour Alice Martin/)
      expect(await inLane('Non prêté')).toBeVisible()
      await waitFor(async () =>
        expect((await listEntries()).map(({ state }) => state)).toEqual(['set_aside']),
      )
    })

    it('says on its line who waited where it is lent all the same, and keeps their reservation', async () => {
      await emptyTables(server.db, 'loanings')
      await sql`update copies set status = 'Disponible' where id = 1`.execute(server.db)
      const id = await reserve(1)
      await admin.put(`/api/reservations/${id}`, { status: 'confirmed', set_aside_copy: 1 })
      const page = await openHome(server)
      await page.knows()
      typeScan('R2')
      typeScan('1001')
      await press('Prêter quand même')
      expect(await inLane(/^Mis de côté pour Alice Martin\s: sa réservation est gardée\.$/)).toBeVisible()
      expect(await inLane('Confirmé')).toBeVisible()
      expect(await reservation(id)).toMatchObject({ status: 'confirmed', set_aside_copy: 1 })
    })

    it('is said to be reserved where it is looked up, and may be set aside there', async () => {
      await emptyTables(server.db, 'loanings')
      await sql`update copies set status = 'Disponible' where id = 1`.execute(server.db)
      const id = await reserve(1)
      const page = await openHome(server)
      await page.knows()
      chooseSite({ id: 1, name: 'Centre' })
      await act(() => page.router.navigate('/home?copy=1'))
      const looked = await screen.findByRole('region', { name: 'Exemplaire cherché' })
      expect(await within(looked).findByText('1001 · Réservé')).toBeVisible()
      await press('Mettre de côté\u202f: Livre numéro 1')
      await said(/^Mis de côtépour Alice Martin M1/)
      expect((await reservation(id)).set_aside_copy).toBe(1)
    })

    it('is offered on its line once the network is back where it is scanned for somebody else off line', async () => {
      await emptyTables(server.db, 'loanings')
      await sql`update copies set status = 'Disponible' where id = 1`.execute(server.db)
      await reserve(1)
      const page = await openHome(server)
      await page.knows()
      page.device.network = noNetwork
      noteNoAnswer()
      typeScan('R2')
      typeScan('1001')
      expect(
        await inLane(/^Mettre de côté pour Alice Martin\s: proposé au retour du réseau\.$/),
      ).toBeVisible()
      expect(screen.queryByRole('button', { name: /^Mettre de côté/ })).toBeNull()
      page.comesBack()
      const offer = await screen.findByRole('button', { name: /^Mettre de côté/ })
      expect(offer).toHaveTextContent('Mettre de côté pour Alice Martin')
    })

    it('says off line who waits, when the device knows, and prints the slip', async () => {
      await reserve(1)
      vi.stubGlobal('print', () => undefined)
      const page = await openHome(server)
      await page.knows()
      page.device.network = noNetwork
      noteNoAnswer()
      typeScan('1001')
      await said(/^Mettre de côté pour Alice Martin M1.*s’enregistre une fois le retour arrivé au serveur/)
      expect(screen.queryByRole('button', { name: /^Mettre de côté/ })).toBeNull()
      expect(screen.getByRole('button', { name: /^Imprimer le bulletin/ })).toBeEnabled()
      page.comesBack()
      expect(await screen.findByRole('button', { name: /^Mettre de côté/ })).toBeVisible()
    })

    it('goes to where it is fetched, and says there that it is set aside', async () => {
      const id = await reserve(2)
      const page = await openHome(server)
      await page.knows()
      chooseSite({ id: 1, name: 'Centre' })
      typeScan('1001')
      await said(/^Mettre de côté pour Alice Martin M1, à retirer à Annexe/)
      await press('Mettre de côté\u202f: Livre numéro 1')
      await said(/^Mis de côté/)
      await press('Transférer à Annexe')
      expect(await inLane('En transfert vers Annexe')).toBeVisible()
      expect(await copyOf(1)).toMatchObject({ status_name: 'En transfert', site: 2 })
      expect(await reservation(id)).toMatchObject({ set_aside_copy: 1, set_aside_status: 'En transfert' })
    })

    it('offers nothing but the name to whoever may not decide', async () => {
      await reserve(1)
      const page = await openHome(server, { username: 'benevole' })
      await page.knows()
      typeScan('1001')
      await said(/^Mettre de côté pour Alice Martin M1/)
      expect(screen.queryByRole('button', { name: /^Mettre de côté/ })).toBeNull()
    })

    it('says so once another counter has decided', async () => {
      const id = await reserve(1)
      const page = await openHome(server)
      await page.knows()
      typeScan('1001')
      await screen.findByRole('button', { name: /^Mettre de côté/ })
      await admin.put(`/api/reservations/${id}`, { status: 'canceled' })
      await press(/^Mettre de côté/)
      expect(await screen.findByText(/n’attend plus cet exemplaire/)).toBeVisible()
    })
  })

  describe('on the screen of returns', () => {
    afterEach(closeCounter)
    const giveBack = async () => {
      await userEvent.click(await screen.findByRole('checkbox', { name: /Livre numéro 1/ }))
      await press('Enregistrer le retour')
    }

    it('says for whom, and is set aside by one tap', async () => {
      const id = await reserve(1)
      await openCounter('/loaning/return?beneficiary=2', server)
      await giveBack()
      const done = await screen.findByRole('region', { name: 'Retours enregistrés' })
      await waitFor(() => expect(done).toHaveTextContent('Mettre de côté pour Alice Martin M1'))
      await press('Mettre de côté\u202f: Livre numéro 1')
      await waitFor(() => expect(done).toHaveTextContent('Mis de côté'))
      expect((await reservation(id)).set_aside_copy).toBe(1)
    })
  })

  describe('at the site where it is fetched', () => {
    afterEach(closeApp)

    it('says for whom as it arrives', async () => {
      const id = await reserve(1)
      await admin.post('/api/loanings/1/return', {})
      await sql`update copies set site = 2 where id = 1`.execute(server.db)
      await admin.put('/api/copies/1', { site: 1 })
      await openApp(server, '/transfers')
      await screen.findByRole('table', { name: 'Transferts' })
      typeScan('1001')
      const scans = await screen.findByRole('list', { name: 'Exemplaires scannés' })
      await waitFor(() => expect(scans).toHaveTextContent('Mettre de côté pour Alice Martin M1'))
      await press('Mettre de côté\u202f: Livre numéro 1')
      await waitFor(() => expect(scans).toHaveTextContent('Mis de côté'))
      expect((await reservation(id)).set_aside_copy).toBe(1)
    })
  })
})
