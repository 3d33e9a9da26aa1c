import '../support/page-globals.ts'

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { countWaiting } from '../../src/client/outbox/waiting-data.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { type Network, noNetwork, overtakenBy } from '../loans/open-counter.tsx'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(async () => {
  vi.restoreAllMocks()
  await closeHome()
})

const lane = () => screen.findByRole('list', { name: 'Derniers passages' })

/** The network, but for calls whose address has these words. */
const but =
  (words: string, instead: Network, network: Network): Network =>
  (request) =>
    (request.url.includes(words) ? instead : network)(request)

const failing =
  (status: number): Network =>
  () =>
    Promise.resolve(new Response(null, { status }))

const silence: Network = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

describeServer('trouble at the counter', (server) => {
  it('waits for the search of a reader no longer than a scan may take', async () => {
    const page = await openHome(server)
    await page.knows()
    const limit = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    const asked = vi.fn(silence)
    page.device.network = but('searchname', asked, page.network)
    typeScan('R99')
    await waitFor(() => expect(asked).toHaveBeenCalled())
    limit.abort()
    // Well before the call itself would give up.
    const said = await within(await lane()).findByText(/« R99 » n’est pas connu/, {}, { timeout: 10_000 })
    expect(said).toBeVisible()
  })

  it('keeps the code that is being typed while the reader before it is found', async () => {
    const page = await openHome(server)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    page.device.network = but(
      'searchname',
      async (request) => {
        await held
        return page.network(request)
      },
      page.network,
    )
    const box = await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    await userEvent.click(box)
    await userEvent.paste('R1')
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(box).toHaveValue(''))
    await userEvent.paste('1001')
    release()
    expect(await screen.findByRole('heading', { name: 'Alice Martin' })).toBeVisible()
    expect(box).toHaveValue('1001')
  })

  it('says that an action of which the server tells nothing is not taken back here', async () => {
    const page = await openHome(server)
    await page.knows()
    page.device.network = overtakenBy('admin', server)
    typeScan('R1')
    typeScan('1009')
    const shown = await lane()
    expect(await within(shown).findByText('Confirmé')).toBeVisible()
    await userEvent.click(within(shown).getByRole('button', { name: /^Annuler\s: Livre numéro 9/ }))
    expect(await within(shown).findByText(/^Corrigez cette action depuis la liste des prêts\./)).toBeVisible()
    await page.client.post('/api/loanings/return', { bar_code: '1009' })
  })

  const openLoans = async (client: Awaited<ReturnType<typeof openHome>>['client'], query: string) =>
    (await client.get(`/api/loanings?status=in_progress&${query}`)).body['hydra:totalItems'] as number

  /** Presses a button twice before anything else happens. */
  const pressTwice = (button: HTMLElement) => {
    fireEvent.click(button)
    fireEvent.click(button)
  }
  const returnsOf = async (bar_code: string) =>
    (await listEntries()).filter((entry) => entry.label.kind === 'return' && entry.bar_code === bar_code)

  it('does once what is pressed twice, on a line and on the reader’s card', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    typeScan('1001')
    typeScan('1002')
    const shown = await lane()
    await waitFor(() => expect(within(shown).getAllByText('Confirmé')).toHaveLength(2))
    typeScan('1001')
    pressTwice(await within(shown).findByRole('button', { name: 'Rendre' }))
    await userEvent.click(
      await screen.findByRole('button', { name: /^\d+ prêts? en cours$/, expanded: false }),
    )
    pressTwice(await screen.findByRole('button', { name: /^Rendre\s: Livre numéro 2/ }))
    await waitFor(() => expect(within(shown).getAllByText('Rendu (prêté à Alice Martin)')).toHaveLength(2))
    await waitFor(async () => expect(await countWaiting()).toBe(0))
    expect(await returnsOf('1001')).toHaveLength(1)
    expect(await returnsOf('1002')).toHaveLength(1)

    // Scanned again to check, what was taken back from the card is not lent at once.
    typeScan('1002')
    expect(await within(shown).findByText('Déjà rendu à l’instant.')).toBeVisible()
    expect(await openLoans(page.client, 'beneficiary=1')).toBe(0)
  })

  it('takes back once what is pressed twice in the list of the day', async () => {
    await sql`insert into copies (reference, bar_code, site) values (1, 'T9', 1)`.execute(server.db)
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select 2, id, 1, '2026-03-03', '2026-03-10', 1, 'WEEK', '2026-03-03', '2026-03-03' from copies where bar_code = 'T9'`.execute(
      server.db,
    )
    const page = await openHome(server)
    await page.knows()
    const table = await screen.findByRole('table', { name: 'À rendre aujourd’hui' })
    pressTwice(await within(table).findByRole('button', { name: /^Rendre/ }))
    await waitFor(async () => expect(await openLoans(page.client, 'copy_barcode=T9')).toBe(0))
    expect(await returnsOf('T9')).toHaveLength(1)
    await waitFor(async () => expect(await countWaiting()).toBe(0))
  })

  it('lends once what is tried again twice while another code is looked up', async () => {
    const page = await openHome(server)
    await page.knows()
    page.device.network = but('/api/copies', failing(503), page.network)
    typeScan('R1')
    typeScan('N1')
    const shown = await lane()
    expect(await within(shown).findByText('Le serveur n’a pas répondu. Réessayez.')).toBeVisible()
    // Not before: the device may hear of a copy, and needs no server then.
    await sql`insert into copies (reference, bar_code, site) values (1, 'N1', 1)`.execute(server.db)
    let answer = () => undefined as void
    const late = new Promise<void>((resolve) => (answer = resolve))
    page.device.network = but('7771', (request) => late.then(() => page.network(request)), page.network)
    typeScan('7771')
    pressTwice(within(shown).getByRole('button', { name: 'Réessayer' }))
    typeScan('7772')
    answer()
    // Once the last scan is worked on, so is all that was pressed before it.
    await within(shown).findByText(/ne porte « 7772 »/)
    expect(within(shown).getByText(/^Retour le /)).toBeVisible()
    await waitFor(async () => expect(await countWaiting()).toBe(0))
    expect(await openLoans(page.client, 'copy_barcode=N1')).toBe(1)
    expect(await returnsOf('N1')).toHaveLength(0)
  })

  it('keeps what is kept when taking it back fails', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R2')
    typeScan('1003')
    const shown = await lane()
    await within(shown).findByText('Confirmé')
    const broken = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new Error('The disk is gone.')
    })
    await userEvent.click(within(shown).getByRole('button', { name: /^Annuler/ }))
    expect(
      await within(shown).findByText('Ce qui vient d’être demandé n’a pas abouti. Réessayez.'),
    ).toBeVisible()
    broken.mockRestore()
    expect(within(shown).getByText(/^Retour le /)).toBeVisible()
    await userEvent.click(within(shown).getByRole('button', { name: /^Annuler/ }))
    expect(await within(shown).findByText('Prêt annulé')).toBeVisible()
  })

  it('adds up what is granted: a motive, then the reservation of another reader', async () => {
    await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 4, reference_id: 6, queue_position: 1, status: 'waiting' })
      .execute()
    const page = await openHome(server)
    await page.knows()
    typeScan('R3')
    typeScan('1006')
    const shown = await lane()
    await userEvent.click(await within(shown).findByRole('button', { name: 'Prêter quand même' }))
    // On the line itself: a scan that comes meanwhile is no part of what is written, and has its line.
    const asked = within(await within(shown).findByRole('group', { name: /^Prêter quand même/ }))
    expect(screen.queryByRole('dialog')).toBeNull()
    const motive = asked.getByLabelText(/^Motif/)
    await waitFor(() => expect(motive).toHaveFocus())
    await userEvent.click(asked.getByRole('button', { name: 'Prêter quand même' }))
    expect(asked.getByText('Écrivez pourquoi ce prêt est accordé.')).toBeVisible()
    await userEvent.type(motive, 'Renouvelle demain')
    typeScan('R2')
    expect(await within(shown).findByText('Éric Dupont')).toBeVisible()
    expect(motive).toHaveValue('Renouvelle demain')
    await userEvent.click(asked.getByRole('button', { name: 'Prêter quand même' }))
    expect(await within(shown).findByText('Cet exemplaire est sujet à réservations')).toBeVisible()
    expect(within(shown).getByText(/^Jean Sans-Courriel/)).toBeVisible()
    expect(within(shown).getByText("êtes vous sûr de vouloir l'ajouter au prêt ?")).toBeVisible()
    await userEvent.click(within(shown).getByRole('button', { name: 'Prêter quand même' }))
    expect(await within(shown).findByText('Confirmé')).toBeVisible()
    const { body } = await page.client.get('/api/loanings?copy_barcode=1006&status=in_progress')
    expect(body['hydra:member'][0].override_reason).toBe('Renouvelle demain')
  })

  it('says who waits for a copy that the server alone knows to be reserved', async () => {
    const page = await openHome(server)
    await page.knows()
    await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 4, reference_id: 7, queue_position: 1, status: 'waiting' })
      .execute()
    typeScan('R1')
    typeScan('1007')
    const shown = await lane()
    expect(await within(shown).findByText('Cet exemplaire est sujet à réservations')).toBeVisible()
    expect(within(shown).getByText(/Jean Sans-Courriel \(M4\)/)).toBeVisible()
    expect(within(shown).getByText("êtes vous sûr de vouloir l'ajouter au prêt ?")).toBeVisible()
    expect(within(shown).queryByText(/^Retour le /)).toBeNull()
    await userEvent.click(within(shown).getByRole('button', { name: 'Prêter quand même' }))
    expect(await within(shown).findByText(/^Retour le /)).toBeVisible()
    await waitFor(async () => expect(await openLoans(page.client, 'copy_barcode=1007')).toBe(1))
    await waitFor(async () => expect(await countWaiting()).toBe(0))
  })

  it('records off line the return of a copy that the device believes free', async () => {
    const page = await openHome(server)
    await page.knows()
    expect((await page.client.post('/api/loanings', { beneficiary: 4, copy: 8 })).status).toBe(201)
    page.device.network = noNetwork
    noteNoAnswer()
    typeScan('1008')
    const shown = await lane()
    await userEvent.click(await within(shown).findByRole('button', { name: 'Rendre' }))
    expect(await within(shown).findByText('Enregistré, à envoyer')).toBeVisible()
    page.comesBack()
    await waitFor(async () => expect(await openLoans(page.client, 'copy=8')).toBe(0))
  })
})
