import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { closeHome, openHome, typeScan } from '../home/open-home.tsx'
import { press } from '../support/press.ts'
import { describeServer, type TestServer } from '../support/test-server.ts'
import { type Network, networkTo, openCounter } from './open-counter.tsx'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeHome)

/** The server applies the first of these changes, and its answer never comes. */
function losing(server: TestServer, path: RegExp): Network {
  const network = networkTo(server)
  let isLost = false
  return async (request) => {
    const answer = await network(request)
    const { pathname, search } = new URL(request.url)
    if (isLost || request.method === 'GET' || !path.test(pathname + search)) return answer
    isLost = true
    throw new TypeError('Failed to fetch')
  }
}

const noAnswer = /Le serveur ne répond pas/

describeServer('a change whose answer was lost', (server) => {
  it('extends a loan once, whatever is pressed again in the dialog', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', { copy: 1, beneficiary: 1 })
    const endsOn = async () => (await client.get(`/api/loanings/${loan.id}`)).body.end_date
    await openCounter(`/loanings/view/${loan.id}`, server, 'biblio', losing(server, /extend$/))
    await press('Prolonger')
    const dialog = await screen.findByRole('dialog', { name: 'Prolonger le prêt' })
    const added = within(dialog).getByLabelText(/Prolonger de/)
    await userEvent.clear(added)
    await userEvent.type(added, '1')
    await press('Valider')
    expect(await within(dialog).findByText(noAnswer)).toBeVisible()
    // Another duration would come on top of the first, which had arrived.
    await userEvent.type(added, '{Backspace}2')
    await press('Valider')
    expect(await within(dialog).findByText(/La demande précédente était arrivée/)).toBeVisible()
    expect(await endsOn()).toBe('2026-04-07')
  })

  it('says that a loan was extended when the same is asked again', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', { copy: 2, beneficiary: 1 })
    await openCounter(`/loanings/view/${loan.id}`, server, 'biblio', losing(server, /extend$/))
    await press('Prolonger')
    const dialog = await screen.findByRole('dialog', { name: 'Prolonger le prêt' })
    await press('Valider')
    expect(await within(dialog).findByText(noAnswer)).toBeVisible()
    await press('Valider')
    expect(await screen.findByText(/^Votre demande a bien été prise en compte\. Retour prévu/)).toBeVisible()
    expect((await client.get(`/api/loanings/${loan.id}`)).body.end_date).toBe('2026-04-21')
  })

  it('writes one recap to each reader', async () => {
    await openCounter('/loanings', server, 'biblio', losing(server, /recap$/))
    for (const said of [noAnswer, 'Votre demande a bien été prise en compte.']) {
      await press('Envoyer un récapitulatif')
      await screen.findByRole('dialog', { name: 'Récapitulatif des prêts' })
      await press('Valider')
      expect(await screen.findByText(said)).toBeVisible()
    }
    await server.doJobs()
    expect(await server.db.selectFrom('mail_outbox').select('id').execute()).toHaveLength(1)
  })

  it('takes back a return, and not the loan before it', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    typeScan('1003')
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    expect(await within(lane).findByText('Confirmé')).toBeVisible()
    typeScan('1003')
    await userEvent.click(await within(lane).findByRole('button', { name: 'Rendre' }))
    expect(await within(lane).findByText('Rendu (prêté à Alice Martin)')).toBeVisible()
    const [, line] = await within(lane).findAllByRole('listitem')
    expect(await within(line!).findByText('Confirmé')).toBeVisible()
    page.device.network = losing(server, /undo$/)
    const takeBack = async () => userEvent.click(within(line!).getByRole('button', { name: /^Annuler/ }))
    await takeBack()
    expect((await within(line!).findAllByText(noAnswer))[0]).toBeVisible()
    await takeBack()
    expect(await within(line!).findByText('Retour annulé')).toBeVisible()
    await waitFor(async () => {
      const { body } = await page.client.get('/api/loanings?copy=3&status=in_progress')
      expect(body['hydra:totalItems']).toBe(1)
    })
  })
})
