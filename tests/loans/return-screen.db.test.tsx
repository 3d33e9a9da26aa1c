import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { knowShapes } from '../../src/client/scanner/known-shapes.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { press } from '../support/press.ts'
import { screenOf } from '../support/screen-of.ts'
import { describeServer, type TestServer } from '../support/test-server.ts'
import { typeInTwo } from '../support/type-as-scanner.ts'
import { holdTimers } from '../ui/held-timers.ts'
import { closeCounter, networkTo, noNetwork, openCounter } from './open-counter.tsx'

afterEach(closeCounter)

/** Lends a copy of the test library, begun so many days ago. */
async function lend(server: TestServer, copy: number, beneficiary: number, daysAgo = 5) {
  const client = await server.as('biblio')
  const start = new Date(server.now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const { status, body } = await client.post('/api/loanings', { copy, beneficiary, start_date: start })
  expect(status).toBe(201)
  return body as { id: number }
}

const lineOf = async (title: string) => (await screen.findByText(title)).closest('li')!

describeServer('the return screen', (server) => {
  // Late loans began long ago.
  beforeAll(() => setParameter(server, 'earliest_start_days', '60'))

  it('takes back what is scanned, whoever had it, each with its state and comment', async () => {
    await lend(server, 1, 1)
    await lend(server, 2, 2)
    const page = await openCounter('/loaning/return', server)
    await screen.findByRole('heading', { name: 'Rendre' })
    page.scan('1001')
    page.scan('1002')
    // Whose they are is said where they are counted, and where they are recorded.
    expect(
      await screen.findByText('2 prêts en cours (1 d’Éric Dupont, 1 d’Alice Martin), 2 cochés'),
    ).toBeVisible()
    expect(screen.getByText('1 d’Éric Dupont, 1 d’Alice Martin')).toBeVisible()
    await userEvent.type(screen.getAllByLabelText('Commentaire de retour')[0] as HTMLElement, 'Page arrachée')
    await press('Enregistrer les 2 retours')
    expect(await screen.findByText('Article(s) retourné(s) avec succès.')).toBeVisible()
    const copies = await server.db.selectFrom('copies').select('status').where('id', 'in', [1, 2]).execute()
    expect(copies.map(({ status }) => status)).toEqual(['Disponible', 'Disponible'])
    const { rows } = await sql<{ return_comment: string }>`
      select return_comment from loanings where return_comment <> ''`.execute(server.db)
    expect(rows).toEqual([{ return_comment: 'Page arrachée' }])
  })

  it.each(['/loaning/return', '/loaning/add'])(
    'keeps a line of a code that came in two, at %s, until it is put away',
    async (address) => {
      const page = await openCounter(address, server)
      await screen.findByRole('heading', { name: /^(Rendre|Prêter)$/ })
      page.scan('R1')
      const reader = /^Lecteur\s: Alice Martin/
      expect(await screen.findByText(reader)).toBeVisible()
      typeInTwo('31555', '510000066')
      const line = await lineOf('Scan coupé')
      expect(line).toHaveTextContent('Code lu en deux fois, à scanner de nouveau')
      expect(screen.queryByText(reader)).toBeNull()
      page.scan('R1')
      expect(await screen.findByText(reader)).toBeVisible()
      expect(line).toBeVisible()
      await press('Masquer\u202f: Scan coupé')
      await waitFor(() => expect(line).not.toBeInTheDocument())
    },
  )

  it('says on its line what a late return costs, and waives it when told so', async () => {
    const { id } = await lend(server, 3, 1, 40)
    const page = await openCounter(`/loaning/return?beneficiary=1&loan=${id}`, server)
    expect(await screen.findByText('1 prêt en cours, 1 coché')).toBeVisible()
    await press('Tout décocher')
    expect(await screen.findByText('1 prêt en cours, aucun coché')).toBeVisible()
    await press('Tout cocher')
    const line = await lineOf('Livre numéro 3')
    await waitFor(() => expect(line).toHaveTextContent(/Pénalité\s: 19 jours de retard, 1,50/))
    expect(screen.getByText(/^Pénalité\s: 1,50/)).toBeVisible()
    await userEvent.click(screen.getByLabelText(/^Lever la pénalité\s: Livre numéro 3$/))
    expect(screen.queryByText(/^Pénalité\s: 1,50/)).toBeNull()
    await press('Enregistrer le retour')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await screen.findByText('Article(s) retourné(s) avec succès.')).toBeVisible()
    const { body } = await page.client.get(`/api/loanings/${id}`)
    expect(body).toMatchObject({ status: 'finished', penalty_amount: null })
  })

  it('tells the delay from the days that a penalty counts', async () => {
    await setParameter(server, 'delay_days_number_before_penalize', '5')
    const { id } = await lend(server, 7, 1, 40)
    const page = await openCounter(`/loanings/view/${id}`, server)
    const delay = await screen.findByText('Durée du retard')
    expect(delay.nextElementSibling).toHaveTextContent('19 jours')
    await press('Rendre')
    const line = await lineOf('Livre numéro 7')
    await waitFor(() => expect(line).toHaveTextContent('19 jours de retard, 14 jours comptés, 1,00'))
    await press('Enregistrer le retour')
    expect(await screen.findByText('Article(s) retourné(s) avec succès.')).toBeVisible()
    void page.router.navigate(`/loanings/view/${id}`)
    expect(await screen.findByText(/^1,00 € \(14 jours comptés\)$/)).toBeVisible()
    expect((await screen.findByText('Durée du retard')).nextElementSibling).toHaveTextContent('19 jours')
    await setParameter(server, 'delay_days_number_before_penalize', '0')
  })

  it('tells the open days that a penalty counts, where the library counts no others', async () => {
    await setParameter(server, 'penalty_open_days_only', '1')
    const admin = await server.as('admin')
    const closed = { site: null, first_day: '2026-02-20', last_day: '2026-03-06', label: 'Travaux' }
    const { id: closure } = (await admin.post('/api/closures', closed)).body
    const { id } = await lend(server, 8, 1, 40)
    await sql`update loanings set end_date = '2026-02-19' where id = ${id}`.execute(server.db)
    await openCounter(`/loaning/return?beneficiary=1&loan=${id}`, server)
    const line = await lineOf('Livre numéro 8')
    await waitFor(() =>
      expect(line).toHaveTextContent('19 jours de retard, 4 jours d’ouverture comptés, 0,50'),
    )
    await press('Enregistrer le retour')
    expect(await screen.findByText('Article(s) retourné(s) avec succès.')).toBeVisible()
    await setParameter(server, 'penalty_open_days_only', '0')
    await admin.delete(`/api/closures/${closure}`)
  })

  it('waits for the reader of its address, and asks nobody to seek one meanwhile', async () => {
    const network = networkTo(server)
    let letThrough: (() => void) | undefined
    const isLet = new Promise<void>((resolve) => (letThrough = resolve))
    await openCounter('/loaning/return?beneficiary=4', server, 'biblio', async (request) => {
      if (new URL(request.url).pathname === '/api/beneficiaries/4') await isLet
      return network(request)
    })
    await screen.findByRole('heading', { name: 'Rendre' })
    expect(screen.queryByText(/cherchez le lecteur qui rend/)).toBeNull()
    letThrough?.()
    expect(await screen.findByText('Ce lecteur n’a aucun prêt en cours.')).toBeVisible()
  })

  it('keeps on the line that somebody waits for the copy', async () => {
    await lend(server, 4, 1)
    await sql`insert into reservations (reference_id, beneficiary_id, queue_position) values (4, 2, 1)`.execute(
      server.db,
    )
    const page = await openCounter('/loaning/return', server)
    await screen.findByRole('heading', { name: 'Rendre' })
    page.scan('1004')
    await press('Enregistrer le retour')
    expect(await screen.findByRole('link', { name: 'Voir les réservations' })).toHaveAttribute(
      'href',
      '/reservations?reference_id%7Ceq=4',
    )
  })

  it('says that what came back unusable is off the shelf, and puts it back there', async () => {
    await lend(server, 6, 1)
    const page = await openCounter('/loaning/return', server)
    await screen.findByRole('heading', { name: 'Rendre' })
    page.scan('1006')
    await userEvent.click(await screen.findByRole('combobox', { name: /^État/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'Inutilisable' }))
    await press('Enregistrer le retour')
    const done = await screen.findByRole('region', { name: 'Retours enregistrés' })
    expect(await within(done).findByText('Non Disponible')).toBeVisible()
    await userEvent.click(
      await within(done).findByRole('button', { name: /^Rendre disponible\s: Livre numéro 6$/ }),
    )
    await waitFor(() => expect(within(done).queryByText('Non Disponible')).toBeNull())
    const { body } = await page.client.get('/api/copies?filters[bar_code|eq]=1006')
    expect(body['hydra:member'][0]).toMatchObject({ status_name: 'Disponible', state: 'UNUSABLE' })
  })

  it('shows first what is scanned, wherever it stands among what its reader has', async () => {
    await lend(server, 8, 2, 9)
    await lend(server, 9, 2, 8)
    const page = await openCounter('/loaning/return?beneficiary=2', server)
    const titles = () => screen.getAllByRole('checkbox').map((box) => box.closest('li')?.textContent)
    expect(await screen.findByText(/2 prêts en cours, aucun coché/)).toBeVisible()
    expect(titles()).toEqual([expect.stringMatching(/numéro 8/), expect.stringMatching(/numéro 9/)])
    page.scan('1009')
    expect(await screen.findByText(/2 prêts en cours, 1 coché/)).toBeVisible()
    expect(titles()).toEqual([expect.stringMatching(/numéro 9/), expect.stringMatching(/numéro 8/)])
    for (const bar_code of ['1008', '1009']) await page.client.post('/api/loanings/return', { bar_code })
  })

  it('says what it cannot take back', async () => {
    const page = await openCounter('/loaning/return', server)
    await screen.findByRole('heading', { name: 'Rendre' })
    page.scan('1010')
    expect(await screen.findByText(/Livre numéro 10.*n’est pas en prêt \(Disponible\)/)).toBeVisible()
    // Another site may know it.
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    page.scan('rien-de-tel')
    expect(await screen.findByText(/^Code inconnu sur ce site\s: «\srien-de-tel\s»\.$/)).toBeVisible()
    // Each keeps its line, until it is read.
    const left = screen.getByRole('region', { name: 'Non rendus' })
    expect(
      within(left)
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual([
      expect.stringMatching(/^rien-de-telCode inconnu/),
      'Livre numéro 10 1010Pas en prêt (Disponible)',
    ])
    await userEvent.click(within(left).getByRole('button', { name: /^Masquer.*Livre numéro 10$/ }))
    expect(within(left).getAllByRole('listitem')).toHaveLength(1)
    await closeCounter()
    await setParameter(server, 'multisite', '0')
    const alone = await openCounter('/loaning/return', server)
    await screen.findByRole('heading', { name: 'Rendre' })
    alone.scan('rien-de-tel')
    expect(await screen.findByText(/Aucun exemplaire ni lecteur ne porte/)).toBeVisible()
    await setParameter(server, 'multisite', '1')
  })

  it('folds refusals on a phone, where they would push the returns out of sight', async () => {
    screenOf(390)
    const page = await openCounter('/loaning/return', server)
    await screen.findByRole('heading', { name: 'Rendre' })
    page.scan('rien-de-tel')
    const left = within(await screen.findByRole('region', { name: 'Non rendus' }))
    expect(left.getByText('rien-de-tel')).not.toBeVisible()
    await userEvent.click(left.getByText('Non rendus (1)'))
    expect(left.getByText('rien-de-tel')).toBeVisible()
  })

  it('shows a refusal in error style, and why, on its line', async () => {
    const { id } = await lend(server, 5, 1)
    const page = await openCounter(`/loaning/return?beneficiary=1&loan=${id}`, server)
    await screen.findByText('1 prêt en cours, 1 coché')
    await page.client.post(`/api/loanings/${id}/return`)
    await press('Enregistrer le retour')
    expect(await screen.findByText("Une erreur s'est produite.")).toBeVisible()
    const done = screen.getByRole('region', { name: 'Retours enregistrés' })
    await waitFor(() => expect(within(done).getByText('Refusé')).toBeVisible())
    expect(done).toHaveTextContent('est déjà rendu.')
  })

  it('says a refusal that comes later than one waits for it', async () => {
    const { id } = await lend(server, 5, 1)
    const page = await openCounter(`/loaning/return?beneficiary=1&loan=${id}`, server)
    await screen.findByText('1 prêt en cours, 1 coché')
    await page.client.post(`/api/loanings/${id}/return`)
    const patience = holdTimers(8_000)
    onTestFinished(() => void vi.restoreAllMocks())
    let answer = () => undefined as void
    const late = new Promise<void>((resolve) => (answer = resolve))
    const { network } = page.device
    page.device.network = (request) =>
      request.url.endsWith(`/api/loanings/${id}/return`)
        ? late.then(() => network(request))
        : network(request)
    await press('Enregistrer le retour')
    await waitFor(() => expect(patience.lengths).toEqual([8_000]))
    patience.letGo()
    expect(await screen.findByText(/partira dès que le serveur répondra/)).toBeVisible()
    answer()
    expect(await screen.findByText("Une erreur s'est produite.")).toBeVisible()
  })

  it('takes back off line: the loan leaves the reader’s list at once', async () => {
    const { id } = await lend(server, 6, 2)
    const page = await openCounter(`/loaning/return?beneficiary=2&loan=${id}`, server)
    await screen.findByText('1 prêt en cours, 1 coché')
    page.device.network = noNetwork
    await press('Enregistrer le retour')
    expect(await screen.findByText(/partira dès que le serveur répondra/)).toBeVisible()
    expect(screen.getByText('Ce lecteur n’a aucun prêt en cours.')).toBeVisible()
  })

  it('takes back by its code what the device does not know off line, and no card', async () => {
    await lend(server, 1, 1)
    await sql`update copies set bar_code = '31555510000017' where id = 1`.execute(server.db)
    const network = networkTo(server)
    const page = await openCounter('/loaning/return', server, 'biblio', (request) =>
      request.url.includes('/api/snapshot')
        ? Promise.resolve(new Response(null, { status: 500 }))
        : network(request),
    )
    await screen.findByRole('heading', { name: 'Rendre' })
    page.device.network = noNetwork
    act(noteNoAnswer)
    await knowShapes([])
    page.scan('21555510000019')
    page.scan('31555510000017')
    expect(await screen.findByText('1 prêt en cours, 1 coché')).toBeVisible()
    expect(await lineOf('31555510000017')).toHaveTextContent('retour à vérifier')
    const left = within(screen.getByRole('region', { name: 'Non rendus' }))
    expect(left.getAllByRole('listitem')).toHaveLength(1)
    expect(left.queryByRole('button', { name: /^C’est un exemplaire/ })).toBeNull()
    await press('Enregistrer le retour')
    page.device.network = network
    fireEvent(window, new Event('online'))
    await waitFor(async () => {
      const copy = await server.db
        .selectFrom('copies')
        .select('status')
        .where('id', '=', 1)
        .executeTakeFirst()
      expect(copy?.status).toBe('Disponible')
    })
    await sql`update copies set bar_code = '1001' where id = 1`.execute(server.db)
  })

  it('finds what a reader has by their name', async () => {
    await lend(server, 7, 4)
    await openCounter('/loaning/return', server)
    fireEvent.change(await screen.findByLabelText('Lecteur'), { target: { value: 'sans-courriel' } })
    expect(await screen.findByText('Livre numéro 7')).toBeVisible()
  })

  it('records no late return before the open days are known, for nobody could waive its penalty', async () => {
    const { id } = await lend(server, 8, 1, 40)
    const network = networkTo(server)
    let tell = () => undefined as void
    const told = new Promise<void>((resolve) => (tell = resolve))
    await openCounter(`/loaning/return?beneficiary=1&loan=${id}`, server, 'biblio', async (request) => {
      const { pathname } = new URL(request.url)
      // A device without its copy of the library knows no open days either.
      if (pathname === '/api/snapshot') return new Response(null, { status: 500 })
      if (pathname === '/api/closures') await told
      return network(request)
    })
    const record = await screen.findByRole('button', { name: 'Enregistrer le retour' })
    expect(record).toBeDisabled()
    tell()
    await waitFor(() => expect(record).toBeEnabled())
    expect(screen.getByText(/^Pénalité\s: 1,50/)).toBeVisible()
  })
})
