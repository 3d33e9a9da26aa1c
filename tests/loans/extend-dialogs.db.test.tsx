import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { closeApp, openApp } from '../support/open-app.tsx'
import { press } from '../support/press.ts'
import { describeServer, type TestServer } from '../support/test-server.ts'

afterEach(closeApp)

const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const tick = async (title: string) =>
  userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(`^Choisir\\s: ${title}$`) }))

/** Holds every extension at the server's door until it is let in. */
function heldExtensions({ device }: Pick<Awaited<ReturnType<typeof openApp>>, 'device'>) {
  const { network } = device
  const waiting: (() => void)[] = []
  device.network = async (request) => {
    if (request.method === 'POST' && request.url.endsWith('/extend')) {
      await new Promise<void>((letIn) => waiting.push(letIn))
    }
    return network(request)
  }
  return {
    letOneIn: async () => {
      await waitFor(() => expect(waiting.length).toBeGreaterThan(0))
      waiting.shift()?.()
    },
    waiting,
  }
}

describeServer('what an extension comes to', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings', 'reservations')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    const admin = await server.as('admin')
    const lend = (copy: number, start_date: string) =>
      admin.post('/api/loanings', { copy, beneficiary: 1, start_date, override_reason: 'Reprise du cahier' })
    await lend(1, '2026-03-09')
    await lend(2, '2026-03-08')
    // Late since 24 February, by two weeks.
    await lend(3, '2026-02-03')
  })
  const loanOf = async (copy: number): Promise<{ id: number; end_date: string; duration_value: number }> =>
    (await (await server.as('admin')).get(`/api/loanings?copy=${copy}`)).body['hydra:member'][0]
  const dueOf = async (copy: number) => (await loanOf(copy)).end_date

  async function openExtending(of: TestServer, title: string) {
    const page = await openApp(of, '/loanings')
    await press(`Actions\u202f: ${title}`)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Prolonger' }))
    return { page, dialog: await screen.findByRole('dialog', { name: 'Prolonger le prêt' }) }
  }

  it('is told of a late loan before and after, and what would not leave it late', async () => {
    const { dialog } = await openExtending(server, 'Livre numéro 3')
    const added = within(dialog).getByLabelText(/^Prolonger de/)
    write(added, '1')
    const told = await within(dialog).findByRole('status')
    await waitFor(() => expect(told).toHaveTextContent('prolongé jusqu’au 03/03/2026'))
    expect(told).toHaveTextContent('Restera en retard')
    expect(told).toHaveTextContent('Il faut au moins 2 semaines')
    write(added, '2')
    await waitFor(() => expect(told).toHaveTextContent('prolongé jusqu’au 10/03/2026'))
    expect(told).not.toHaveTextContent('Restera en retard')
    write(added, '1')
    await press('Valider')
    expect(
      await screen.findByText(
        /^Votre demande a bien été prise en compte\. Retour prévu le 03\/03\/2026\s: le prêt reste en retard\.$/,
      ),
    ).toBeVisible()
    expect(await dueOf(3)).toBe('2026-03-03')
  })

  it('is told of a loan in cycles by the cycle of its copy', async () => {
    await sql`update copies set cycle_type = 'MONTH', cycle_value = 2 where id = 1`.execute(server.db)
    await sql`update loanings set duration_type = 'CYCLE', duration_value = 1, end_date = '2026-05-09' where copy = 1`.execute(
      server.db,
    )
    const { dialog } = await openExtending(server, 'Livre numéro 1')
    await waitFor(() =>
      expect(within(dialog).getByRole('status')).toHaveTextContent('prolongé jusqu’au 09/07/2026'),
    )
    await press('Valider')
    expect(await screen.findByText(/Retour prévu le 09\/07\/2026\.$/)).toBeVisible()
  })

  it('is told of several, each with its date, the late ones first', async () => {
    await openApp(server, '/loanings')
    for (const title of ['Livre numéro 1', 'Livre numéro 2', 'Livre numéro 3']) await tick(title)
    await press('Prolonger')
    const dialog = within(await screen.findByRole('dialog', { name: 'Prolonger 3 prêts' }))
    const told = await dialog.findByRole('status')
    await waitFor(() => expect(told).toHaveTextContent('Retour prévu du 03/03/2026 au 06/04/2026.'))
    expect(told).toHaveTextContent('1 prêt restera en retard')
    const dates = within(dialog.getByRole('region', { name: 'Nouvelles dates de retour' }))
    expect(dates.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Livre numéro 3Restera en retard03/03/2026',
      'Livre numéro 106/04/2026',
      'Livre numéro 205/04/2026',
    ])
    write(dialog.getByLabelText(/^Prolonger de/), '2')
    await waitFor(() => expect(told).not.toHaveTextContent('en retard'))
    write(dialog.getByLabelText(/^Prolonger de/), '1')
    await press('Valider')
    expect(
      await screen.findByText(
        /^3 prêts prolongés\s: retour prévu du 03\/03\/2026 au 06\/04\/2026\. 1 prêt reste en retard\.$/,
      ),
    ).toBeVisible()
  })

  it('is shown while several are extended, and stops after the one that is under way', async () => {
    const page = await openApp(server, '/loanings')
    const held = heldExtensions(page)
    for (const title of ['Livre numéro 1', 'Livre numéro 2', 'Livre numéro 3']) await tick(title)
    await press('Prolonger')
    const dialog = within(await screen.findByRole('dialog', { name: 'Prolonger 3 prêts' }))
    write(dialog.getByLabelText(/^Prolonger de/), '2')
    await press('Valider')
    expect(await dialog.findByText('0 sur 3')).toBeVisible()
    await held.letOneIn()
    expect(await dialog.findByText('1 sur 3')).toBeVisible()
    expect(dialog.getByRole('progressbar', { name: 'Prolonger 3 prêts' })).toHaveAttribute('aria-valuenow')
    await userEvent.click(dialog.getByRole('button', { name: 'Arrêter' }))
    expect(await dialog.findByText('1 sur 3, arrêt en cours')).toBeVisible()
    await held.letOneIn()
    expect(
      await screen.findByText(
        /^2 prêts prolongés\s: retour prévu du 12\/04\/2026 au 13\/04\/2026\. Arrêté\s: 1 prêt n’est pas prolongé\.$/,
      ),
    ).toBeVisible()
    expect(held.waiting).toEqual([])
    expect([await dueOf(1), await dueOf(2), await dueOf(3)]).toEqual([
      '2026-04-13',
      '2026-04-12',
      '2026-02-24',
    ])

    // What was not come to stays to be done.
    expect(await screen.findByRole('dialog', { name: 'Prolonger 1 prêt' })).toBeVisible()
    await press('Valider')
    await held.letOneIn()
    expect(await screen.findByText(/^1 prêt prolongé\s: retour prévu le 10\/03\/2026\.$/)).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('counts what was refused beside what was done', async () => {
    await openApp(server, '/loanings')
    await tick('Livre numéro 1')
    await tick('Livre numéro 2')
    await press('Prolonger')
    await screen.findByRole('dialog', { name: 'Prolonger 2 prêts' })
    // A colleague takes one back meanwhile.
    await sql`update loanings set status = 'finished', return_date = '2026-03-10' where copy = 2`.execute(
      server.db,
    )
    await press('Valider')
    expect(
      await screen.findByText(/^1 prêt prolongé\s: retour prévu le 06\/04\/2026\. 1 prêt refusé\.$/),
    ).toBeVisible()
    expect(await screen.findByRole('alert')).toHaveTextContent('Seul un prêt en cours peut être prolongé.')
  })

  it('is shown over the list while several are deleted, and can be stopped there', async () => {
    const page = await openApp(server, '/loanings')
    const { network } = page.device
    const waiting: (() => void)[] = []
    page.device.network = async (request) => {
      if (request.method === 'DELETE') await new Promise<void>((letIn) => waiting.push(letIn))
      return network(request)
    }
    await tick('Livre numéro 1')
    await tick('Livre numéro 2')
    await press('Autres actions sur le choix')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    await screen.findByRole('dialog', { name: 'Supprimer 2 prêts' })
    await press('Valider')
    expect(await screen.findByText('0 sur 2')).toBeVisible()
    await userEvent.click(
      within(screen.getByRole('region', { name: 'Suppression des prêts' })).getByRole('button', {
        name: 'Arrêter',
      }),
    )
    waiting.shift()?.()
    expect(await screen.findByText('1 prêt supprimé.')).toBeVisible()
    expect(await screen.findByText(/^Arrêté\s: 1 prêt non supprimé\.$/)).toBeVisible()
    expect((await page.client.get('/api/loanings?status=in_progress')).body['hydra:totalItems']).toBe(2)
  })

  const waits = 'Éric Dupont (M2)'
  /** Of the title of a copy. */
  const reserve = async (beneficiary_id: number, reference_id: number) =>
    (await server.as('admin')).post('/api/reservations', { beneficiary_id, reference_id })

  it('asks whether to extend what somebody waits for, and who that is', async () => {
    await setParameter(server, 'reservations_without_dates', '1')
    expect((await reserve(2, 1)).status).toBe(201)
    const { dialog } = await openExtending(server, 'Livre numéro 1')
    await press('Valider')
    const refused = await screen.findByRole('dialog', { name: 'Cet exemplaire est sujet à réservations' })
    expect(refused).toHaveTextContent('Livre numéro 1')
    expect(refused).toHaveTextContent(`${waits}êtes vous sûr de vouloir l'ajouter au prêt ?`)
    await userEvent.click(within(refused).getByRole('button', { name: 'Annuler' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'Cet exemplaire est sujet à réservations',
    )
    const before = await dueOf(1)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    const asked = await screen.findByRole('dialog', { name: 'Cet exemplaire est sujet à réservations' })
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText(/^Votre demande a bien été prise en compte\./)).toBeVisible()
    expect((await dueOf(1)) > before).toBe(true)
  })

  it('asks the same on the screen that edits a loan, of a return that moves later alone', async () => {
    await setParameter(server, 'reservations_without_dates', '1')
    await reserve(2, 1)
    const [before, loan] = [await dueOf(1), (await loanOf(1)).id]
    await openApp(server, `/loanings/edit/${loan}`)
    write(await screen.findByLabelText(/^Durée/), '9')
    await press('Enregistrer')
    const title = 'Cet exemplaire est sujet à réservations'
    const refused = await screen.findByRole('dialog', { name: title })
    expect(refused).toHaveTextContent(`Livre numéro 1${waits}`)
    await userEvent.click(within(refused).getByRole('button', { name: 'Annuler' }))
    expect(await screen.findByText(title)).toBeVisible()
    expect(await dueOf(1)).toBe(before)
    await press('Enregistrer')
    const asked = await screen.findByRole('dialog', { name: title })
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Le prêt a bien été mis à jour.')).toBeVisible()
    expect(await loanOf(1)).toMatchObject({ duration_value: 9, end_date: '2026-05-11' })
  })

  it('asks once about those of several that somebody waits for', async () => {
    await setParameter(server, 'reservations_without_dates', '1')
    await reserve(2, 1)
    await reserve(2, 3)
    await openApp(server, '/loanings')
    for (const title of ['Livre numéro 1', 'Livre numéro 2', 'Livre numéro 3']) await tick(title)
    await press('Prolonger')
    await screen.findByRole('dialog', { name: 'Prolonger 3 prêts' })
    await press('Valider')
    const asked = await screen.findByRole('dialog', { name: 'Cet exemplaire est sujet à réservations' })
    expect(asked).toHaveTextContent(`Livre numéro 1${waits}`)
    expect(asked).toHaveTextContent(`Livre numéro 3${waits}`)
    expect(asked).not.toHaveTextContent('Livre numéro 2')
    await userEvent.click(within(asked).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText(/^3 prêts prolongés\s: /)).toBeVisible()
    expect([await dueOf(1), await dueOf(2), await dueOf(3)]).toEqual([
      '2026-04-06',
      '2026-04-05',
      '2026-03-03',
    ])
  })
})
