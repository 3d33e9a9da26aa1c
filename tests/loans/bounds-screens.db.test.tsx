import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { queryClient } from '../../src/client/api/query-client.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { forgetParameters } from '../../src/server/library-facts/parameters.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'
import { closeCounter, noNetwork, openCounter, unfoldTerms } from './open-counter.tsx'

afterEach(closeCounter)

const tooLong = /^Le prêt dure plus de 366 jours\s: retour prévu au plus tard le 11\/03\/2027\.$/
const type = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
const basket = () => screen.findByRole('list', { name: 'Exemplaires du prêt' })

describeServer('the bounds of a loan on the screens', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
  })
  const lent = async () =>
    (
      await sql<object>`select copy, duration_value, override_reason from loanings order by id`.execute(
        server.db,
      )
    ).rows
  const openLending = async (username = 'biblio', copy = 1) => {
    const page = await openCounter(`/loaning/add?beneficiary=1&copy=${copy}`, server, username)
    await basket()
    await unfoldTerms()
    return page
  }
  const duration = () => screen.getByLabelText('Durée')

  it.each([
    ['on line', false],
    ['off line', true],
  ])(
    'are said at their field to who may not pass them, %s, and nothing is recorded',
    async (_, isOffline) => {
      const page = await openLending('benevole')
      if (isOffline) page.device.network = noNetwork
      await type(duration(), '53')
      await userEvent.click(screen.getByRole('button', { name: /^Conditions du prêt/ }))
      expect(duration()).not.toBeVisible()
      await press('Enregistrer et continuer')
      expect(await screen.findByText(tooLong)).toBeVisible()
      expect(duration()).toBeVisible()
      expect(duration()).toBeInvalid()
      expect(within(await basket()).getByRole('alert')).toHaveTextContent(/Livre numéro 1.*plus de 366 jours/)
      expect(screen.queryByRole('button', { name: 'Prêter quand même' })).toBeNull()
      expect(await listEntries()).toEqual([])
      await type(duration(), '2')
      expect(duration()).not.toBeInvalid()
      await press('Enregistrer et continuer')
      await screen.findByRole('region', { name: 'Prêts enregistrés' })
      expect(await listEntries()).toHaveLength(1)
    },
  )

  it('are passed with a motive, asked for again when the terms change', async () => {
    await openLending()
    const giveMotive = async (motive: string) => {
      await press('Prêter quand même')
      const refusal = await screen.findByRole('alert')
      expect(refusal).toHaveTextContent('plus de 366 jours')
      await userEvent.type(await screen.findByLabelText(/^Motif pour prêter quand même/), motive)
      await press('Prêter quand même')
      expect(await within(await basket()).findByText('Au-delà des limites')).toBeVisible()
    }
    await type(duration(), '53')
    await press('Enregistrer et continuer')
    await giveMotive('Exposition')
    await type(duration(), '54')
    expect(within(await basket()).queryByText('Au-delà des limites')).toBeNull()
    await press('Enregistrer et continuer')
    await giveMotive('Exposition itinérante')
    await press('Enregistrer et continuer')
    expect(await screen.findByText('Article sorti avec succès')).toBeVisible()
    expect(await lent()).toEqual([{ copy: 1, duration_value: 54, override_reason: 'Exposition itinérante' }])
  })

  it('are shown at their field when only the server knows them', async () => {
    await openLending()
    const set = async (value: string) => {
      await sql`update parameters set value = ${value} where code = 'longest_loan_days'`.execute(server.db)
      forgetParameters(server.environment)
    }
    await type(duration(), '20')
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    await set('100')
    await press('Enregistrer et continuer')
    expect(await screen.findByText(/^Le prêt dure plus de 100 jours/)).toBeVisible()
    expect(duration()).toBeInvalid()
    await press('Prêter quand même')
    await userEvent.type(await screen.findByLabelText(/^Motif pour prêter quand même/), 'Exposition')
    await press('Prêter quand même')
    await press('Enregistrer et continuer')
    expect(await screen.findByText('Article sorti avec succès')).toBeVisible()
    expect(await lent()).toEqual([{ copy: 1, duration_value: 20, override_reason: 'Exposition' }])
    await waitFor(async () =>
      expect((await listEntries()).map(({ state }) => state)).toEqual(['set_aside', 'done']),
    )
    await set('366')
  })

  /** The dialog that extends a loan of nearly a year. */
  async function openExtending(username: string): Promise<HTMLElement> {
    const client = await server.as('biblio')
    await client.post('/api/loanings', { beneficiary: 1, copy: 2, duration_value: 52 })
    await openCounter('/loanings', server, username)
    await press('Actions\u202f: Livre numéro 2')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Prolonger' }))
    return screen.findByRole('dialog', { name: 'Prolonger le prêt' })
  }

  it('ask for their motive in the dialog that extends, once it was refused', async () => {
    const dialog = await openExtending('biblio')
    await type(within(dialog).getByLabelText(/Prolonger de/), '1')
    expect(within(dialog).queryByLabelText('Motif pour dépasser la limite')).toBeNull()
    await press('Valider')
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(tooLong)
    expect(within(dialog).getByLabelText(/Prolonger de/)).toBeInvalid()
    await userEvent.type(await within(dialog).findByLabelText('Motif pour dépasser la limite'), 'Exposition')
    await press('Valider')
    expect(await screen.findByText(/^Votre demande a bien été prise en compte\. Retour prévu/)).toBeVisible()
    expect(await lent()).toEqual([{ copy: 2, duration_value: 53, override_reason: 'Exposition' }])
  })

  it('are said in that dialog, without a motive, to who may not pass them', async () => {
    await sql`insert into profile_rights (profile, right_code)
      select profile, 'LOANING_EDIT' from users where username = 'benevole' on conflict do nothing`.execute(
      server.db,
    )
    const dialog = await openExtending('benevole')
    await press('Valider')
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(tooLong)
    expect(within(dialog).getByLabelText(/Prolonger de/)).toBeInvalid()
    expect(within(dialog).queryByLabelText('Motif pour dépasser la limite')).toBeNull()
  })

  it('ask for their motive on the screen that edits, once it was refused', async () => {
    const client = await server.as('biblio')
    const { body: loan } = await client.post('/api/loanings', { beneficiary: 1, copy: 3 })
    await openCounter(`/loanings/edit/${loan.id}`, server)
    const start = await screen.findByRole('textbox', { name: /Date de début/ })
    await type(start, '07/02/2026')
    expect(screen.queryByLabelText('Motif pour dépasser la limite')).toBeNull()
    await press('Enregistrer')
    expect(await screen.findByText(/^La date de début remonte à plus de 30 jours/)).toBeVisible()
    expect(start).toBeInvalid()
    await userEvent.type(await screen.findByLabelText('Motif pour dépasser la limite'), 'Reprise du cahier')
    await press('Enregistrer')
    expect(await screen.findByText('Le prêt a bien été mis à jour.')).toBeVisible()
    expect((await client.get(`/api/loanings/${loan.id}`)).body).toMatchObject({
      start_date: '2026-02-07',
      override_reason: 'Reprise du cahier',
    })
  })
})
