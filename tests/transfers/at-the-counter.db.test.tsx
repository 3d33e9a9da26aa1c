import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { refreshNow } from '../../src/client/outbox/counter-work.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { closeHome, openHome, typeScan } from '../home/open-home.tsx'
import { closeCounter, noNetwork, openCounter } from '../loans/open-counter.tsx'
import { closeApp, openApp } from '../support/open-app.tsx'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer } from '../support/test-server.ts'

beforeEach(() => setPreference('scanner_prefix', '~'))

const lane = () => screen.findByRole('list', { name: 'Derniers passages' })

describeServer('what another site sent, at the counter', (server) => {
  let admin: Client
  beforeEach(async () => {
    admin = await server.as('admin')
    await emptyTables(server.db, 'loanings')
    await sql`update copies set status = 'Disponible', sent_from = null, sent_at = null,
      site = case when id <= 10 then 1 else 2 end`.execute(server.db)
    await admin.put('/api/copies/11', { site: 1 })
  })
  const copyOf = async (id: number) => (await admin.get(`/api/copies?id|eq=${id}`)).body['hydra:member'][0]

  describe('in the lane', () => {
    afterEach(closeHome)

    it('is received by its scan, and lent by the next one', async () => {
      const page = await openHome(server)
      await page.knows()
      typeScan('2001')
      expect(await within(await lane()).findByText('Reçu de Annexe')).toBeVisible()
      expect(await copyOf(11)).toMatchObject({ status_name: 'Disponible', site: 1 })
      typeScan('R1')
      typeScan('2001')
      expect(await within(await lane()).findByText(/^Retour le /)).toBeVisible()
    })

    it('says off line that the network is needed', async () => {
      const page = await openHome(server)
      await page.knows()
      page.device.network = noNetwork
      noteNoAnswer()
      typeScan('2001')
      expect(await within(await lane()).findByText(/le recevoir demande le réseau/)).toBeVisible()
      expect((await copyOf(11)).status_name).toBe('En transfert')
    })
  })

  describe('among the returns', () => {
    afterEach(closeCounter)

    it('is received, with a line of its own', async () => {
      const page = await openCounter('/loaning/return', server)
      await screen.findByRole('heading', { name: 'Rendre' })
      page.scan('2001')
      const received = await screen.findByRole('region', { name: 'Exemplaires reçus' })
      expect(received).toHaveTextContent(/Film numéro 1.*Reçu de Annexe/)
      expect((await copyOf(11)).status_name).toBe('Disponible')
    })

    it('says off line that the network is needed', async () => {
      const page = await openCounter('/loaning/return', server)
      await screen.findByRole('heading', { name: 'Rendre' })
      await refreshNow()
      page.device.network = noNetwork
      noteNoAnswer()
      page.scan('2001')
      expect(await screen.findByText(/le recevoir demande le réseau/)).toBeVisible()
    })

    it('goes home by one tap, when what came back is another site’s', async () => {
      await admin.post('/api/loanings', { beneficiary: 1, copy: 12 }, { site: 1 })
      const page = await openCounter('/loaning/return?beneficiary=1', server)
      await screen.findByRole('heading', { name: 'Rendre' })
      await userEvent.click(await screen.findByRole('checkbox', { name: /Film numéro 2/ }))
      await userEvent.click(await screen.findByRole('button', { name: 'Enregistrer le retour' }))
      await userEvent.click(await screen.findByRole('button', { name: 'Renvoyer à Annexe' }))
      expect(await screen.findByText('En transfert vers Annexe')).toBeVisible()
      expect(await copyOf(12)).toMatchObject({
        status_name: 'En transfert',
        site: 2,
        sent_from: { name: 'Centre' },
      })
      await waitFor(() => expect(page.address).toContain('/loaning/return'))
    })
  })

  describe('that came back here', () => {
    afterEach(closeApp)

    it('goes home by one tap in the lane too', async () => {
      await admin.post('/api/loanings', { beneficiary: 1, copy: 12 }, { site: 1 })
      await openApp(server, '/home')
      await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
      await refreshNow()
      typeScan('2002')
      await userEvent.click(await screen.findByRole('button', { name: 'Renvoyer à Annexe' }))
      await waitFor(async () => expect((await copyOf(12)).status_name).toBe('En transfert'))
      expect(await screen.findByText('En transfert vers Annexe')).toBeVisible()
    })
  })
})
