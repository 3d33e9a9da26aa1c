import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { drainNow } from '../../src/client/outbox/counter-work.ts'
import { countWaiting } from '../../src/client/outbox/waiting-data.ts'
import { streamEvents } from '../../src/contract/events.ts'
import { listLoans } from '../../src/contract/loans.ts'
import { networkTo, noNetwork } from '../loans/open-counter.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { describeServer } from '../support/test-server.ts'
import { typeInTwo } from '../support/type-as-scanner.ts'
import { holdTimers } from '../ui/held-timers.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(closeHome)

const lane = () => screen.findByRole('list', { name: 'Derniers passages' })
const lines = async () => within(await lane()).findAllByRole('listitem')

describeServer('the counter', (server) => {
  const openLoans = async (client: Awaited<ReturnType<typeof openHome>>['client'], query: string) =>
    (await client.get(`/api/loanings?status=in_progress&${query}`)).body['hydra:totalItems'] as number

  const search = async (text: string) => {
    await userEvent.click(screen.getByLabelText('Code-barres, carte ou nom du lecteur'))
    await userEvent.paste(text)
  }

  it('says of a typed code that its copy’s status does not allow it, and empties the box', async () => {
    await sql`update copies set status = 'Non Disponible' where bar_code = '1007'`.execute(server.db)
    const page = await openHome(server)
    await page.knows()
    const box = screen.getByLabelText('Code-barres, carte ou nom du lecteur')
    await userEvent.click(box)
    await userEvent.paste('1007')
    expect(box).toHaveValue('1007')
    await userEvent.keyboard('{Enter}')
    const said = await within(await lane()).findByText(
      "Saisie rapide indisponible, veuillez vérifier le statut de l'exemplaire.",
    )
    expect(said).toBeVisible()
    expect(box).toHaveValue('')
    await sql`update copies set status = 'Disponible' where bar_code = '1007'`.execute(server.db)
  })

  it('asks which one is read where a card has the code of a copy', async () => {
    const giveCard = (code: string) =>
      sql`update beneficiaries set reader_id = ${code} where id = 1`.execute(server.db)
    await giveCard('1010')
    const page = await openHome(server)
    await page.knows()
    typeScan('1010')
    const shown = await lane()
    const asked =
      /^Lequel est lu\s\? Ce code est celui de «\sLivre numéro 10\s» et de la carte d’Alice Martin\.$/
    expect(await within(shown).findByText(asked)).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Alice Martin' })).toBeNull()
    await userEvent.click(within(shown).getByRole('button', { name: 'C’est une carte' }))
    expect(await screen.findByRole('heading', { name: 'Alice Martin' })).toBeVisible()
    await giveCard('R1')
  })

  it('lends three books to the reader whose card was scanned, and takes one back', async () => {
    const page = await openHome(server)
    await page.knows()
    // Free copies wait for a card to say for whom.
    for (const code of ['1001', '1002']) typeScan(code)
    const shown = await lane()
    await waitFor(() => expect(within(shown).getAllByText('Attend un lecteur')).toHaveLength(2))
    typeScan('R1')
    expect(await screen.findByRole('heading', { name: 'Alice Martin' })).toBeVisible()
    typeScan('1003')
    await waitFor(() => expect(within(shown).getAllByText('Confirmé')).toHaveLength(3))
    expect(within(shown).getAllByText('Retour le 31/03/2026')).toHaveLength(3)
    // Under the box its word stands beside the title where room is short.
    const word = screen.getByText('Prêté')
    expect(word.parentElement).toHaveTextContent(
      /^Prêté à Alice Martin jusqu’au 31\/03, 0,75\s€\s: Livre numéro \d$/,
    )
    expect(
      screen.getByText(/^Prêté à Alice Martin jusqu’au 31\/03, 0,75\s€\s: Livre numéro \d\.$/),
    ).toBeVisible()
    expect(await openLoans(page.client, 'beneficiary=1')).toBe(3)
    expect(await screen.findByText('3 prêts en cours')).toBeVisible()

    // The same copy again: a choice, not a return.
    typeScan('1001')
    expect(await within(shown).findByText('Déjà prêté à l’instant.')).toBeVisible()
    expect(await openLoans(page.client, 'beneficiary=1')).toBe(3)
    await userEvent.click(within(shown).getByRole('button', { name: 'Rendre' }))
    expect(await within(shown).findByText('Rendu (prêté à Alice Martin)')).toBeVisible()
    await waitFor(async () => expect(await openLoans(page.client, 'beneficiary=1')).toBe(2))

    // And back again: the server undoes what it has applied.
    const [, first] = await lines()
    await within(first!).findByText('Confirmé')
    await userEvent.click(within(first!).getByRole('button', { name: /^Annuler/ }))
    expect(await within(shown).findByText('Retour annulé')).toBeVisible()
    expect(await openLoans(page.client, 'beneficiary=1')).toBe(3)
  })

  it('says under its box and on a line that stays of a code that came in two, instead of how the scan before ended', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    // Under the box, and read aloud.
    expect(await screen.findAllByText(/^Lecteur\s: Alice Martin/)).toHaveLength(2)
    typeInTwo('31555', '510000066')
    const cut = 'Code lu en deux fois, à scanner de nouveau'
    await waitFor(() => expect(screen.getAllByText(cut)).toHaveLength(3))
    expect(screen.queryByText(/^Lecteur\s: Alice Martin/)).toBeNull()
    typeScan('R1')
    await waitFor(() => expect(screen.getAllByText(cut)).toHaveLength(1))
  })

  it('has nothing of before in its box once a scan was taken, but the name of a reader in sight', async () => {
    const page = await openHome(server)
    await page.knows()
    const box = screen.getByLabelText('Code-barres, carte ou nom du lecteur')
    await userEvent.type(box, 'zz')
    typeScan('1004')
    await within(await lane()).findByText('Attend un lecteur')
    await waitFor(() => expect(box).toHaveValue(''))
    await userEvent.type(box, 'Alice')
    await screen.findByRole('heading', { name: 'Alice Martin' })
    typeScan('INCONNU')
    await within(await lane()).findByText(/^Aucun exemplaire ni lecteur ne porte/)
    expect(box).toHaveValue('Alice')
  })

  it('says under its box on a desktop how the last scan ended once the lane is passed', async () => {
    const seeing: ((seen: { isIntersecting: boolean }[]) => void)[] = []
    const { IntersectionObserver } = globalThis
    onTestFinished(() => void Object.assign(globalThis, { IntersectionObserver }))
    class Watch {
      constructor(see: (typeof seeing)[number]) {
        seeing.push(see)
      }
      observe() {}
      disconnect() {}
    }
    Object.assign(globalThis, { IntersectionObserver: Watch })
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    const [word] = await screen.findAllByText(/^Lecteur\s: Alice Martin/)
    const line = word!.closest('p')
    expect(line).not.toHaveAttribute('data-alone')
    seeing.at(-1)!([{ isIntersecting: false }])
    await waitFor(() => expect(line).toHaveAttribute('data-alone'))
    seeing.at(-1)!([{ isIntersecting: true }])
    await waitFor(() => expect(line).not.toHaveAttribute('data-alone'))
  })

  it('has the focus back in its box once « Rendre » was pressed on a line: the next scan presses nothing', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    expect(await screen.findByRole('heading', { name: 'Alice Martin' })).toBeVisible()
    typeScan('1006')
    typeScan('1006')
    const shown = await lane()
    const ofLine = await within(shown).findByRole('button', { name: 'Rendre' })
    await userEvent.click(ofLine)
    const box = screen.getByLabelText('Code-barres, carte ou nom du lecteur')
    expect(box).toHaveFocus()
    expect(await within(shown).findByText('Rendu (prêté à Alice Martin)')).toBeVisible()
    await waitFor(() => expect(ofLine).not.toBeInTheDocument())
    expect(box).toHaveFocus()
    await waitFor(async () => expect(await openLoans(page.client, 'copy=6')).toBe(0))
  })

  it('says whose copy came back while another reader is chosen, and lends it to them by one press', async () => {
    const page = await openHome(server)
    const before = await openLoans(page.client, 'beneficiary=2')
    await page.client.post('/api/loanings', { beneficiary: 1, copy: 9 })
    await page.knows()
    typeScan('R2')
    typeScan('1009')
    const shown = await lane()
    const words = await within(shown).findByText('N’était pas prêté à Éric Dupont.')
    expect(words).toHaveAttribute('data-tone', 'warn')
    expect(within(shown).getByText('Rendu (prêté à Alice Martin)')).toBeVisible()
    expect(screen.getByText('Rendu par Alice Martin, n’était pas prêté à Éric Dupont')).toBeVisible()
    expect(await openLoans(page.client, 'beneficiary=2')).toBe(before)
    const pass = within(shown).getByRole('button', { name: 'Prêter à Éric Dupont' })
    // The line has said to whom: to the eye the name stands once.
    expect(pass).toHaveTextContent(/^Prêter$/)
    await userEvent.click(pass)
    const lent = (await within(shown).findByText('Retour le 31/03/2026')).closest('li')
    expect(within(lent!).getByText(/^0,75\s€$/)).toBeVisible()
    expect(within(shown).queryByRole('button', { name: 'Prêter à Éric Dupont' })).toBeNull()
    expect(words).toBeVisible()
    await waitFor(async () => expect(await openLoans(page.client, 'beneficiary=2')).toBe(before + 1))

    // Their card again: said once, and no line of its own.
    const many = (await lines()).length
    for (let turn = 0; turn < 2; turn += 1) typeScan('R2')
    expect(await within(shown).findByText(/déjà choisi/)).toBeVisible()
    await waitFor(() => expect(within(shown).queryByText('Recherche…')).toBeNull())
    expect(await lines()).toHaveLength(many)
    await page.client.post('/api/loanings/return', { bar_code: '1009' })
  })

  it('finds a copy by its title, and does nothing with it before a button is pressed', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    await screen.findByRole('heading', { name: 'Alice Martin' })
    await search('film numéro')
    await userEvent.click(await screen.findByRole('option', { name: /Film numéro 5.*2005.*Disponible/ }))
    const row = await screen.findByRole('region', { name: 'Exemplaire cherché' })
    const lend = await within(row).findByRole('button', { name: 'Prêter à Alice Martin' })
    expect(await countWaiting()).toBe(0)
    await userEvent.click(lend)
    const shown = await lane()
    expect(await within(shown).findByText('Confirmé')).toBeVisible()
    expect(await openLoans(page.client, 'copy_barcode=2005')).toBe(1)

    // The copy that somebody has: looked up, it is not taken back.
    await search('film numéro')
    await userEvent.click(await screen.findByRole('option', { name: /Film numéro 5/ }))
    const again = await screen.findByRole('region', { name: 'Exemplaire cherché' })
    const giveBack = await within(again).findByRole('button', { name: 'Rendre' })
    expect(within(again).getByRole('link', { name: 'Voir' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/loanings\/view\/\d+$/),
    )
    expect(await openLoans(page.client, 'copy_barcode=2005')).toBe(1)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(giveBack).not.toBeInTheDocument())
    expect(screen.getByRole('heading', { name: 'Alice Martin' })).toBeVisible()
    expect(await openLoans(page.client, 'copy_barcode=2005')).toBe(1)
    await page.client.post('/api/loanings/return', { bar_code: '2005' })
  })

  it('loses no scan of a burst, off line, and applies them in order once', async () => {
    const page = await openHome(server)
    await page.knows()
    await page.cutOff()
    const burst = 'R4 1006 2001 2002 2003 R2 1009 1002 9780306406157 X-9 1003 R1 1001'.split(' ')
    for (const code of burst) typeScan(code)
    expect((await lines()).length).toBeGreaterThan(0)
    await userEvent.click(await screen.findByRole('button', { name: 'Voir les passages précédents' }))
    await waitFor(async () => expect(await lines()).toHaveLength(burst.length))
    await waitFor(() => expect(screen.queryByText('Recherche…')).toBeNull())
    await waitFor(async () => expect(await countWaiting()).toBe(7))
    const shown = await lane()
    expect(within(shown).getByText(/est un ISBN/)).toBeVisible()
    expect(within(shown).getByText(/Code inconnu.*« X-9 »/)).toBeVisible()
    // Two DVDs at most: the third is refused with its reason, and waits for a decision.
    expect(within(shown).getByText("Le bénéficiaire n'est pas éligible.")).toBeVisible()
    // What another reader has comes back, and what is just lent to the chosen one is asked about.
    await waitFor(() => expect(within(shown).getAllByText(/^Rendu \(prêté à /)).toHaveLength(3))

    page.device.network = networkTo(server)
    drainNow()
    await waitFor(async () => expect(await countWaiting()).toBe(0))
    const held = await Promise.all([1, 2, 4].map((reader) => openLoans(page.client, `beneficiary=${reader}`)))
    expect(held).toEqual([0, 1, 3])
  })

  it('asks for its lists once after an action, however long they are', async () => {
    await sql`insert into copies (reference, bar_code, site) select 1, 'L' || n, 1 from generate_series(1, 12) n`.execute(
      server.db,
    )
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select 2, id, 1, '2026-03-03', '2026-03-10', 1, 'WEEK', now(), now() from copies where bar_code like 'L%'`.execute(
      server.db,
    )
    // Gone whatever becomes of this test: the next one counts what is due.
    onTestFinished(async () => {
      await sql`delete from loanings where copy in (select id from copies where bar_code like 'L%')`.execute(
        server.db,
      )
    })
    const asked: string[] = []
    const answers = networkTo(server)
    const page = await openHome(server, {
      network: (request) => {
        const { pathname, searchParams } = new URL(request.url)
        // What the server tells of changes would be asked for beside what the page did itself.
        if (pathname === streamEvents.path) return new Promise(() => undefined)
        if (request.method === 'GET' && pathname === listLoans.path) asked.push(`${searchParams}`)
        return answers(request)
      },
    })
    await page.knows()
    const table = await screen.findByRole('table', { name: 'À rendre aujourd’hui' })
    // A row of its header, and one for each loan.
    await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(13))
    typeScan('R1')
    await screen.findByRole('heading', { name: 'Alice Martin' })
    // What the choice of a reader asks for may still be on its way.
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    asked.length = 0
    // How long the counter gathers news of an action that is sent, then answered.
    const gathering = holdTimers(250)
    typeScan('1001')
    await waitFor(async () => expect(within(await lane()).getAllByText('Confirmé')).toHaveLength(1))
    expect(gathering.lengths).toEqual([250])
    expect(asked).toEqual([])
    gathering.letGo()
    await waitFor(() => expect(asked).not.toHaveLength(0))
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    // What is due today, what is late, and what the reader has.
    expect([asked.length, new Set(asked).size]).toEqual([3, 3])
  })

  it('shows off line as on line that a loan due today was taken back', async () => {
    await sql`insert into copies (reference, bar_code, site) values (1, 'T1', 1)`.execute(server.db)
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select 2, id, 1, '2026-03-03', '2026-03-10', 1, 'WEEK', '2026-03-03', '2026-03-03' from copies where bar_code = 'T1'`.execute(
      server.db,
    )
    const page = await openHome(server)
    await page.knows()
    page.device.network = noNetwork
    noteNoAnswer()
    expect((await screen.findAllByText(/liste de cet appareil/))[0]).toBeVisible()
    const table = screen.getByRole('table', { name: 'À rendre aujourd’hui' })
    expect(await within(table).findByRole('row', { name: /T1|Livre numéro 1/ })).toBeVisible()
    typeScan('T1')
    expect(await within(table).findByText('Retour enregistré')).toBeVisible()
    page.comesBack()
    await waitFor(async () => expect(await countWaiting()).toBe(0))
    await waitFor(() => expect(screen.queryByText('Retour enregistré')).toBeNull())
  })

  it('keeps the reader when Escape closes a list of choices above the page', async () => {
    const page = await openHome(server)
    await page.knows()
    typeScan('R1')
    const name = { name: 'Alice Martin' }
    await screen.findByRole('heading', name)
    await userEvent.click((await screen.findAllByRole('button', { name: 'Filtres' }))[0]!)
    const drawer = await screen.findByRole('dialog', { name: 'Filtres' })
    await userEvent.click(within(drawer).getByLabelText('Supports', { selector: 'input' }))
    await screen.findByRole('option', { name: 'DVD' })
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('option', { name: 'DVD' })).toBeNull())
    expect(drawer).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('heading', name)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('heading', name)).toBeNull())
  })

  it('says how late a copy comes back, what it costs and who waits for it', async () => {
    const page = await openHome(server)
    expect((await page.client.post('/api/loanings', { copy: 8, beneficiary: 2 })).status).toBe(201)
    await server.db
      .updateTable('loanings')
      .set({ start_date: '2026-02-01', end_date: '2026-03-01' })
      .where('copy', '=', 8)
      .execute()
    await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 1, reference_id: 8, queue_position: 1, status: 'waiting' })
      .execute()
    await page.knows()
    typeScan('1008')
    const shown = await lane()
    expect(await within(shown).findByText('Confirmé')).toBeVisible()
    expect(within(shown).getByText(/^9 jours de retard, pénalité 1,00/)).toBeVisible()
    // The one line in sight when the lane is not tells all that is to be done.
    const last = /^Rendu, à mettre de côté pour .+, 9 jours de retard \(prêté à .+\)\s: Livre numéro 8\.$/
    expect(screen.getAllByText(last)[0]).toBeVisible()
    expect(within(shown).getByRole('link', { name: 'Voir les réservations' })).toBeVisible()
  })

  it('says off line which open days a penalty counts, where the library counts no others', async () => {
    const admin = await server.as('admin')
    expect((await admin.post('/api/loanings', { copy: 7, beneficiary: 2 })).status).toBe(201)
    await sql`update loanings set start_date = '2026-02-01', end_date = '2026-03-01' where copy = 7`.execute(
      server.db,
    )
    const closed = { site: null, first_day: '2026-03-03', last_day: '2026-03-08', label: 'Travaux' }
    const { id } = (await admin.post('/api/closures', closed)).body
    await setParameter(server, 'penalty_open_days_only', '1')
    const page = await openHome(server)
    await page.knows()
    await page.cutOff()
    typeScan('1007')
    // Nine days would be two started weeks.
    const told = /^9 jours de retard, 3 jours d’ouverture comptés, pénalité 0,50\s€$/
    expect(await within(await lane()).findByText(told)).toBeVisible()
    page.comesBack()
    expect(await within(await lane()).findByText('Confirmé')).toBeVisible()
    expect(within(await lane()).getByText(told)).toBeVisible()
    await setParameter(server, 'penalty_open_days_only', '0')
    await admin.delete(`/api/closures/${id}`)
  })

  it('says on the line that a copy came back unusable, and puts it back for who may', async () => {
    const client = await server.as('biblio')
    await client.put('/api/copies/10', { state: 'UNUSABLE' })
    expect((await client.post('/api/loanings', { copy: 10, beneficiary: 4 })).status).toBe(201)
    const page = await openHome(server)
    await page.knows()
    typeScan('1010')
    expect(await screen.findByText('Non Disponible')).toBeVisible()
    await userEvent.click(
      await screen.findByRole('button', { name: /^Rendre disponible\s: Livre numéro 10$/ }),
    )
    expect(await screen.findByText('Exemplaire mis à jour avec succès.')).toBeVisible()
    await waitFor(() => expect(screen.queryByText('Non Disponible')).toBeNull())
    const { body } = await client.get('/api/copies?filters[bar_code|eq]=1010')
    expect(body['hydra:member'][0].status_name).toBe('Disponible')
    await client.put('/api/copies/10', { state: 'GOOD' })
  })

  it('shows a refusal of the server where it was scanned, and takes the copy back from whoever has it', async () => {
    const page = await openHome(server)
    await page.knows()
    // Another counter lent it since, and this device has not heard of it.
    await page.cutOff()
    expect((await page.client.post('/api/loanings', { beneficiary: 4, copy: 5 })).status).toBe(201)
    typeScan('R1')
    typeScan('1005')
    const shown = await lane()
    expect(await within(shown).findByText('Enregistré, à envoyer')).toBeVisible()
    page.comesBack()
    expect(await within(shown).findByText(/est déjà prêté à Jean Sans-Courriel \(M4\)/)).toBeVisible()
    await userEvent.click(within(shown).getByRole('button', { name: 'Rendre' }))
    await waitFor(async () => expect(await openLoans(page.client, 'copy=5')).toBe(0))
    await waitFor(async () => expect(await countWaiting()).toBe(0))
  })

  it('shows what conditions to hand over before it lends, once a reader and medium, and keeps that they were', async () => {
    await sql`update media set loaning_conditions_enabled = true, loaning_conditions_label = 'Caution de 50 €'
      where id = 1`.execute(server.db)
    onTestFinished(async () => {
      await sql`update media set loaning_conditions_enabled = false`.execute(server.db)
    })
    await sql`update loanings set status = 'finished', return_date = '2026-03-10', returned_at = now()
      where status = 'in_progress'`.execute(server.db)
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    const page = await openHome(server)
    await page.knows()
    typeScan('R4')
    await screen.findByRole('heading', { name: 'Jean Sans-Courriel' })
    typeScan('1001')
    const shown = await lane()
    expect(await within(shown).findByText('Conditions de prêt à remettre.')).toBeVisible()
    expect(within(shown).getByText('Caution de 50 €')).toBeVisible()
    expect(await openLoans(page.client, 'copy_barcode=1001')).toBe(0)
    await userEvent.click(within(shown).getByRole('button', { name: 'Conditions remises' }))
    expect(await within(shown).findByText('Confirmé')).toBeVisible()

    page.device.network = noNetwork
    noteNoAnswer()
    // Handed over once, it is not asked again for the same reader and medium.
    typeScan('1002')
    expect(await within(shown).findByText('Enregistré, à envoyer')).toBeVisible()
    expect(within(shown).queryByRole('button', { name: 'Conditions remises' })).toBeNull()
    typeScan('R1')
    await screen.findByRole('heading', { name: 'Alice Martin' })
    typeScan('1003')
    await userEvent.click(await within(shown).findByRole('button', { name: 'Prêter sans les remettre' }))
    page.device.network = networkTo(server)
    drainNow()
    await waitFor(async () => expect(await openLoans(page.client, 'beneficiary=4')).toBe(2))
    await waitFor(async () => expect(await openLoans(page.client, 'beneficiary=1')).toBe(1))
    const { body } = await page.client.get('/api/loanings?status=in_progress&order[copy_barcode]=asc')
    expect(
      body['hydra:member'].map(({ conditions_given }: { conditions_given: boolean }) => conditions_given),
    ).toEqual([true, true, false])
  })
})
