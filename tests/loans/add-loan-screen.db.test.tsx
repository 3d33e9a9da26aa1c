import '../support/page-globals.ts'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'

import type { Loan } from '../../src/contract/loans.ts'
import { noteAnswer, noteNoAnswer } from '../../src/client/api/connection.ts'
import { counterActions } from '../../src/client/outbox/keep-actions.ts'
import { refreshNow } from '../../src/client/outbox/counter-work.ts'
import { findCopy } from '../../src/offline/counter.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { deviceKnows } from '../support/device-knows.ts'
import { press } from '../support/press.ts'
import { describeServer, testNow } from '../support/test-server.ts'
import { closeCounter, networkTo, noNetwork, openCounter, overtakenBy, unfoldTerms } from './open-counter.tsx'

afterEach(closeCounter)

const basket = () => screen.findByRole('list', { name: 'Exemplaires du prêt' })
const write = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.paste(text)
}

describeServer('the add loan screen', (server) => {
  it('lends what is scanned to whose card is scanned, at the rules’ dates and prices', async () => {
    server.connectMail(true)
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('R1')
    page.scan('1001')
    page.scan('1002')
    expect(await screen.findByText('Alice Martin')).toBeVisible()
    const lines = await basket()
    await waitFor(() => expect(within(lines).getAllByRole('listitem')).toHaveLength(2))
    expect(within(lines).getAllByText('31/03/2026')).toHaveLength(2)
    expect(screen.getByText(/2 exemplaires · Total 1,50/)).toBeVisible()
    await waitFor(() => expect(within(lines).getAllByText('Peut emprunter')).toHaveLength(2))

    await userEvent.click(await screen.findByLabelText('Envoyer le récapitulatif du prêt'))
    await press('Enregistrer et continuer')
    expect(await screen.findByText('Articles sortis avec succès.')).toBeVisible()
    const done = screen.getByRole('region', { name: 'Prêts enregistrés' })
    await waitFor(() => expect(within(done).getAllByText('Prêté')).toHaveLength(2))
    expect(await screen.findByText('2 prêts en cours')).toBeVisible()
    expect(await screen.findByText("L'email a bien été envoyé.")).toBeVisible()
    const { body } = await page.client.get('/api/loanings?beneficiary=1')
    expect(body['hydra:totalItems']).toBe(2)
  })

  it('chooses a reader by a whole number, and nobody by its beginning, as of a card whose scanner stands still', async () => {
    const giveCard = (code: string) =>
      sql`update beneficiaries set reader_id = ${code} where id = 4`.execute(server.db)
    await giveCard('21555000000016')
    onTestFinished(async () => void (await giveCard('R4')))
    await openCounter('/loaning/add', server)
    const field = await screen.findByRole('combobox', { name: 'Lecteur' })
    const retained = /^Seul résultat, retenu/
    await write(field, '2155500000001')
    expect(await screen.findByRole('option', { name: /Sans-Courriel/ })).toBeVisible()
    expect(screen.queryByText(retained)).toBeNull()
    await write(field, '21555000000016')
    expect(await screen.findByText(retained)).toBeVisible()
  })

  it('says the sentence of the specification, then the server’s, when the mail of a loan is refused', async () => {
    const page = await openCounter('/loaning/add?beneficiary=2&copy=8', server)
    await basket()
    await userEvent.click(await screen.findByLabelText('Envoyer le récapitulatif du prêt'))
    const write = (email: string) =>
      server.db.updateTable('beneficiaries').set({ email }).where('id', '=', 2).execute()
    await write('néant')
    await press('Enregistrer et continuer')
    expect(
      await screen.findByText(
        "Une erreur est survenue. Vérifiez que l'email du bénéficiaire est valide. Éric Dupont n’a pas d’adresse électronique valable.",
      ),
    ).toBeVisible()
    await write('eric@exemple.fr')
    await page.client.post('/api/loanings/return', { bar_code: '1008' })
  })

  it('asks nothing about a reservation for days that the loan does not take', async () => {
    const { id } = await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 2, reference_id: 9, start_date: '2026-06-01', end_date: '2026-06-30' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await openCounter('/loaning/add?beneficiary=1&copy=9', server)
    expect(await within(await basket()).findByText('Livre numéro 9')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await server.db.deleteFrom('reservations').where('id', '=', id).execute()
  })

  it('says no day of return before it is known when the site is open', async () => {
    let open = () => {}
    const isTold = new Promise<void>((resolve) => {
      open = resolve
    })
    const network = networkTo(server)
    let asked = 0
    const page = await openCounter('/loaning/add?beneficiary=1', server, 'biblio', async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith('/api/closures') || pathname.startsWith('/api/snapshot')) {
        asked += 1
        await isTold
      }
      return network(request)
    })
    await screen.findByRole('button', { name: 'Changer de lecteur' })
    page.scan('1006')
    await waitFor(() => expect(asked).toBeGreaterThan(0))
    expect(await screen.findByText(/prêts? en cours/i)).toBeVisible()
    expect(screen.queryByText(/retour le/i)).toBeNull()
    open()
    expect(await within(await basket()).findByText(/^Retour le/)).toBeVisible()
  })

  it('says who is not eligible and why, and lends all the same with a motive', async () => {
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('R3')
    page.scan('1003')
    // No dialog opens by itself, and the next scan is not behind one.
    page.scan('rien-de-tel')
    const left = within(await screen.findByRole('region', { name: 'Non prêtés' }))
    expect(await left.findByText('rien-de-tel')).toBeVisible()
    expect(
      await left.findByText(/^Le bénéficiaire n'est pas éligible\. L’inscription a pris fin/),
    ).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(left.getByRole('button', { name: /^Prêter quand même/ }))
    await write(await left.findByLabelText(/^Motif pour prêter quand même/), 'Renouvelle demain')
    await userEvent.click(left.getByRole('button', { name: 'Prêter quand même' }))
    expect(within(await basket()).getByText('Malgré un refus')).toBeVisible()
    expect(within(await basket()).getByText('Ne peut pas emprunter')).toBeVisible()
    expect(within(await basket()).getByText('L’inscription a pris fin le 01/01/2020.')).toBeVisible()
    // The screen does not leave before what was refused is read.
    await press(/^Masquer.*rien-de-tel$/)
    await press('Enregistrer et quitter')
    await waitFor(() => expect(page.address).toBe('/loanings'))
    const { body } = await page.client.get('/api/loanings?copy_barcode=1003')
    expect(body['hydra:member'][0].override_reason).toBe('Renouvelle demain')
  })

  it('is left once the last refusal is read, where it was asked to be left with one', async () => {
    await sql`insert into copies (reference, bar_code, site) values (10, '1097', 1)`.execute(server.db)
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('R1')
    page.scan('1097')
    await within(await basket()).findByText('Livre numéro 10')
    page.scan('rien-de-tel')
    await screen.findByRole('region', { name: 'Non prêtés' })
    await press('Enregistrer et quitter')
    expect(await screen.findByText(/^Enregistré\. Lisez ce qui n’est pas prêté/)).toBeVisible()
    expect(page.address).toBe('/loaning/add')
    await press(/^Masquer.*rien-de-tel$/)
    await waitFor(() => expect(page.address).toBe('/loanings'))
    await page.client.post('/api/loanings/return', { bar_code: '1097' })
  })

  it('is left though it was asked twice, before the server had answered about its line', async () => {
    await sql`insert into copies (reference, bar_code, site) values (10, '1096', 1)`.execute(server.db)
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    await deviceKnows()
    const { network } = page.device
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    page.device.network = async (request) => {
      if (request.url.includes('/api/eligibility')) await isAnswered
      return network(request)
    }
    page.scan('R1')
    page.scan('1096')
    await within(await basket()).findByText('Livre numéro 10')
    const save = screen.getByRole('button', { name: 'Enregistrer et quitter' })
    fireEvent.click(save)
    fireEvent.click(save)
    answer()
    await waitFor(() => expect(page.address).toBe('/loanings'))
    await page.client.post('/api/loanings/return', { bar_code: '1096' })
  })

  it('writes the motive of the copy before for the next one of the same reader', async () => {
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('R3')
    page.scan('1005')
    page.scan('1006')
    const left = within(await screen.findByRole('region', { name: 'Non prêtés' }))
    await left.findByText('Livre numéro 6')
    const motive = async (title: string) => {
      await userEvent.click(left.getByRole('button', { name: `Prêter quand même\u202f: ${title}` }))
      return left.findByLabelText(/^Motif pour prêter quand même/)
    }
    await write(await motive('Livre numéro 5'), 'Renouvelle demain')
    await userEvent.click(left.getByRole('button', { name: 'Prêter quand même' }))
    expect(within(await basket()).getByText('Livre numéro 5')).toBeVisible()
    expect(await motive('Livre numéro 6')).toHaveValue('Renouvelle demain')
  })

  it('asks again for a copy of which the server could not tell', async () => {
    const page = await openCounter('/loaning/add?beneficiary=1', server)
    await screen.findByRole('button', { name: 'Changer de lecteur' })
    const { network } = page.device
    page.device.network = (request) =>
      request.url.includes('/api/eligibility')
        ? Promise.resolve(new Response(null, { status: 500 }))
        : network(request)
    page.scan('1006')
    const left = within(await screen.findByRole('region', { name: 'Non prêtés' }))
    await left.findByText('Livre numéro 6')
    page.device.network = network
    await userEvent.click(await left.findByRole('button', { name: /^Réessayer.*Livre numéro 6$/ }))
    expect(await within(await basket()).findByText('Livre numéro 6')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Non prêtés' })).toBeNull())
  })

  it('does not offer to pass over a refusal without the right', async () => {
    const page = await openCounter('/loaning/add', server, 'benevole')
    await screen.findByRole('heading', { name: 'Prêter' })
    await deviceKnows()
    page.scan('R3')
    page.scan('1004')
    const left = await screen.findByRole('region', { name: 'Non prêtés' })
    expect(await within(left).findByText(/^Le bénéficiaire n'est pas éligible\./)).toBeVisible()
    expect(within(left).queryByRole('button', { name: /^Prêter quand même/ })).toBeNull()
    expect(screen.queryByRole('list', { name: 'Exemplaires du prêt' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Enregistrer/ })).toBeNull()
    // Refused, both keep their line.
    page.scan('rien-de-tel')
    expect(await within(left).findByText('rien-de-tel')).toBeVisible()
    expect(within(left).getByText('Livre numéro 4')).toBeVisible()
    expect(within(left).getByText(/L’inscription a pris fin le 01\/01\/2020\./)).toBeVisible()
  })

  it('keeps a refused copy in the basket, with the reason, until it is dismissed', async () => {
    const page = await openCounter('/loaning/add?beneficiary=2&copy=5', server)
    expect(within(await basket()).getByText('Livre numéro 5')).toBeVisible()
    expect(within(await basket()).getByText('31/03/2026')).toBeVisible()
    // Another counter was quicker.
    expect((await page.client.post('/api/loanings', { beneficiary: 1, copy: 5 })).status).toBe(201)
    await press('Enregistrer et quitter')
    const refusal = await within(await basket()).findByRole('alert')
    expect(refusal).toHaveTextContent('Livre numéro 5')
    expect(refusal).toHaveTextContent('est déjà prêté à Alice Martin (M1)')
    // What is not lent comes back on no day.
    expect(within(await basket()).queryByText('Retour le')).toBeNull()
    expect(within(await basket()).queryByText('31/03/2026')).toBeNull()
    await waitFor(() => expect(page.address).toBe('/loaning/add?beneficiary=2&copy=5'))
    // The device cannot keep the new try: the refused one stays as it was.
    const lend = vi.spyOn(counterActions, 'lend').mockRejectedValueOnce(new Error('disk full'))
    await press('Enregistrer et quitter')
    expect(await screen.findByText(/cet appareil n’a pas pu l’écrire/)).toBeVisible()
    lend.mockRestore()
    expect((await listEntries()).map(({ state }) => state)).toEqual(['conflict'])
    await userEvent.click(within(refusal).getByRole('button', { name: /Masquer le refus/ }))
    await waitFor(() => expect(screen.queryByText(/est déjà prêté à M1/)).toBeNull())
    expect(within(await basket()).getByText('Livre numéro 5')).toBeVisible()
  })

  it('makes a free loan with its reason, over a changed duration', async () => {
    const page = await openCounter('/loaning/add?beneficiary=2&copy=6', server)
    await basket()
    const fold = await unfoldTerms()
    const duration = screen.getByLabelText('Durée')
    await write(duration, '2')
    expect(within(await basket()).getByText('24/03/2026')).toBeVisible()
    await userEvent.click(screen.getByLabelText('Prêt gratuit'))
    expect(screen.getByText(/1 exemplaire · Total 0,00/)).toBeVisible()
    // There are reasons to choose from: one is demanded, also of who folded its field away.
    await userEvent.click(fold)
    expect(duration).not.toBeVisible()
    await press('Enregistrer et continuer')
    const reason = screen.getByRole('combobox', { name: /Motif de gratuité/ })
    expect(reason).toBeVisible()
    expect(reason).toHaveFocus()
    await userEvent.click(reason)
    await userEvent.click(await screen.findByRole('option', { name: 'Animation' }))
    await write(screen.getByLabelText('Commentaire'), 'Pour la fête')
    await userEvent.click(fold)
    expect(fold).toHaveTextContent(
      /À partir d’aujourd’hui, pour 2 semaines, gratuit \(Animation\), commentaire «\sPour la fête\s»$/,
    )
    await press('Enregistrer et continuer')
    expect(await screen.findByText('Article sorti avec succès')).toBeVisible()
    const { body } = await page.client.get('/api/loanings?copy_barcode=1006')
    expect(body['hydra:member'][0]).toMatchObject({
      free: true,
      free_reason: { name: 'Animation' },
      amount: '0.00',
      duration_value: 2,
      end_date: '2026-03-24',
    })
  })

  it('does not lend at another amount than the one typed', async () => {
    const page = await openCounter('/loaning/add?beneficiary=2&copy=4', server)
    const lines = within(await basket())
    await userEvent.click(lines.getByRole('button', { name: /^Montant 0,75.€\s: Livre numéro 4$/ }))
    const amount = lines.getByRole('textbox', { name: /^Montant/ })
    expect(amount).toHaveFocus()
    await write(amount, 'douze')
    await press('Enregistrer et continuer')
    expect(await screen.findByText('Montant inconnu : écrivez-le comme 12,50.')).toBeVisible()
    expect(amount).toHaveFocus()
    await write(amount, '12,5')
    await press('Enregistrer et continuer')
    expect(await screen.findByText('Article sorti avec succès')).toBeVisible()
    const { body } = await page.client.get('/api/loanings?copy_barcode=1004')
    expect(body['hydra:member'].map((one: { amount: string }) => one.amount)).toEqual(['12.50'])
  })

  it('takes an amount on Enter, takes it back on Escape, and gives the focus to what was pressed', async () => {
    await openCounter('/loaning/add?beneficiary=2&copy=9', server)
    const lines = within(await basket())
    const shown = () => lines.getByRole('button', { name: /^Montant/ })
    const typeAmount = async (text: string) => {
      await userEvent.click(shown())
      fireEvent.change(lines.getByRole('textbox', { name: /^Montant/ }), { target: { value: text } })
    }
    await typeAmount('3')
    await userEvent.keyboard('{Enter}')
    expect(shown()).toHaveFocus()
    expect(shown()).toHaveTextContent(/^3,00.€$/)
    expect(screen.getByText(/Total 3,00/)).toBeVisible()
    await typeAmount('rien')
    await userEvent.keyboard('{Escape}')
    expect(shown()).toHaveFocus()
    expect(shown()).toHaveTextContent(/^3,00.€$/)
    // Elsewhere by hand, the focus is left there.
    await typeAmount('4,5')
    const mail = await screen.findByLabelText('Envoyer le récapitulatif du prêt')
    await userEvent.click(mail)
    expect(shown()).toHaveTextContent(/^4,50.€$/)
    expect(mail).toHaveFocus()
  })

  it('lends off line, and tells the server when it is back', async () => {
    const page = await openCounter('/loaning/add?beneficiary=2&copy=7', server)
    await basket()
    page.device.network = noNetwork
    await press('Enregistrer et continuer')
    expect(await screen.findByText(/partira dès que le serveur répondra/)).toBeVisible()
    const done = await screen.findByRole('region', { name: 'Prêts enregistrés' })
    expect(await within(done).findByText('Enregistré, à envoyer')).toBeVisible()
    page.device.network = networkTo(server)
    window.dispatchEvent(new Event('online'))
    expect(await within(done).findByText('Prêté')).toBeVisible()
    const { body } = await page.client.get('/api/loanings?copy_barcode=1007')
    expect(body['hydra:totalItems']).toBe(1)
  })

  it('says off line what is to be checked of each copy', async () => {
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    await deviceKnows()
    page.device.network = noNetwork
    noteNoAnswer()
    page.scan('R1')
    page.scan('1009')
    expect(await within(await basket()).findByText('Peut emprunter')).toBeVisible()
    vi.setSystemTime(Date.now() + 3 * 3600_000)
    page.scan('1010')
    expect(await within(await basket()).findByText('À vérifier')).toBeVisible()
    expect(
      within(await basket()).getByText(/^Les données de cet appareil datent d’il y a 3\sh\.$/),
    ).toBeVisible()
  })

  it('asks the server before it turns away a copy that the device believes lent', async () => {
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    const lent = await page.client.post('/api/loanings', { beneficiary: 2, copy: 9 })
    await waitFor(async () => {
      await refreshNow()
      expect((await findCopy('1009'))?.loan).toMatchObject({ loan_id: lent.body.id })
    })
    const answers = networkTo(server)
    page.device.network = (request) =>
      /\/api\/(snapshot|events)/.test(request.url) ? new Promise(() => undefined) : answers(request)
    await page.client.post(`/api/loanings/${lent.body.id}/return`, {})
    page.scan('R1')
    page.scan('1009')
    expect(await within(await basket()).findByText('Peut emprunter')).toBeVisible()
  })

  it('shows the line before the server answers, saves nothing until then, and takes out what it refuses', async () => {
    await server.db.updateTable('copies').set({ status: 'Disponible' }).where('id', '=', 10).execute()
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    await deviceKnows()
    const answers = networkTo(server)
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    page.device.network = async (request) => {
      if (/\/api\/(snapshot|events)/.test(request.url)) return new Promise(() => undefined)
      if (request.url.includes('/api/eligibility')) await isAnswered
      return answers(request)
    }
    const record = vi.spyOn(counterActions, 'lend')
    const endOn = (exit_date: string | null) =>
      server.db.updateTable('beneficiaries').set({ exit_date }).where('id', '=', 1).execute()
    onTestFinished(async () => void (await endOn(null)))
    await endOn('2026-01-31')
    // What was held back just now is no sign of a network that is gone.
    noteAnswer()
    page.scan('R1')
    page.scan('1010')
    expect(within(await basket()).getByText('Livre numéro 10')).toBeVisible()
    await press('Enregistrer et continuer')
    expect(screen.queryByRole('dialog')).toBeNull()
    answer()
    const left = await screen.findByRole('region', { name: 'Non prêtés' })
    expect(await within(left).findByText('Livre numéro 10')).toBeVisible()
    expect(within(left).getByText(/L’inscription a pris fin le 31\/01\/2026\./)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('list', { name: 'Exemplaires du prêt' })).toBeNull()
    expect(record).not.toHaveBeenCalled()
  })

  it('offers twenty copies at most of what is typed', async () => {
    await sql`insert into copies (reference, bar_code, site) select 9, 'Z' || n, 1 from generate_series(1, 25) n`.execute(
      server.db,
    )
    await openCounter('/loaning/add', server)
    await userEvent.click(await screen.findByRole('combobox', { name: 'Exemplaire' }))
    await userEvent.paste('Livre numéro 9')
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(20))
    await sql`delete from copies where bar_code like 'Z%'`.execute(server.db)
  })

  it('has no line without a reader, nothing to save without a copy, and is saved once however often it is pressed', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into copies (reference, bar_code, site) values (10, '1099', 1) returning id`.execute(server.db)
    const copy = rows[0]!.id
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    expect(screen.queryByRole('button', { name: /^Enregistrer/ })).toBeNull()
    page.scan('1099')
    expect(await screen.findByText(/choisissez le lecteur, l’exemplaire rejoindra le prêt/)).toBeVisible()
    expect(screen.queryByRole('list', { name: 'Exemplaires du prêt' })).toBeNull()
    const early = screen.getByRole('region', { name: 'En attente du lecteur' })
    expect(within(early).getByText('1099')).toBeVisible()
    page.scan('R1')
    expect(await within(await basket()).findByText('Peut emprunter')).toBeVisible()
    expect(early).not.toBeInTheDocument()
    const save = await screen.findByRole('button', { name: 'Enregistrer et continuer' })
    const record = vi.spyOn(counterActions, 'lend')
    fireEvent.click(save)
    fireEvent.click(save)
    expect(await screen.findByText('Article sorti avec succès')).toBeVisible()
    expect(record).toHaveBeenCalledTimes(1)
    record.mockRestore()
    const lent = await page.client.get(`/api/loanings?copy=${copy}`)
    expect(lent.body['hydra:totalItems']).toBe(1)
  })

  it('asks before it is left with copies that wait for their reader', async () => {
    await sql`insert into copies (reference, bar_code, site) values (10, '1098', 1)`.execute(server.db)
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('1098')
    await screen.findByRole('region', { name: 'En attente du lecteur' })
    await act(() => page.router.navigate('/home'))
    const question = within(await screen.findByRole('dialog', { name: /Quitter sans enregistrer le prêt/ }))
    await userEvent.click(question.getByRole('button', { name: 'Annuler' }))
    expect(page.address).toBe('/loaning/add')
    expect(screen.getByRole('region', { name: 'En attente du lecteur' })).toBeVisible()
    await press(/^Masquer.*Livre numéro 10$/)
    await act(() => page.router.navigate('/home'))
    expect(page.address).toBe('/home')
  })

  it('offers to set a reserved copy aside beside lending it, and off line once the network is back', async () => {
    await sql`update copies set status = 'Disponible' where id = 3`.execute(server.db)
    await sql`update loanings set status = 'finished', return_date = start_date where copy = 3`.execute(
      server.db,
    )
    const { id } = await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 2, reference_id: 3, queue_position: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    await deviceKnows()
    await refreshNow()
    page.device.network = noNetwork
    act(noteNoAnswer)
    page.scan('R1')
    page.scan('1003')
    const left = within(await screen.findByRole('region', { name: 'Non prêtés' }))
    expect(
      await left.findByText(/^Mettre de côté pour Éric Dupont\s: proposé au retour du réseau\.$/),
    ).toBeVisible()
    expect(left.getByRole('button', { name: /^Prêter quand même/ })).toBeVisible()
    page.device.network = networkTo(server)
    act(noteAnswer)
    await userEvent.click(await left.findByRole('button', { name: 'Mettre de côté pour Éric Dupont' }))
    const aside = await screen.findByRole('region', { name: 'Réservés' })
    expect(await within(aside).findByText('Mis de côté')).toBeVisible()
    expect(within(aside).getByRole('button', { name: /^Annuler la mise de côté/ })).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Non prêtés' })).toBeNull()
    const kept = server.db
      .selectFrom('reservations')
      .select(['status', 'set_aside_copy'])
      .where('id', '=', id)
    expect(await kept.executeTakeFirst()).toEqual({ status: 'confirmed', set_aside_copy: 3 })
    await server.db.deleteFrom('reservations').where('id', '=', id).execute()
  })

  it('lends no copy all the same that is being set aside, unless that fails', async () => {
    const page = await openCounter('/loaning/add?beneficiary=1', server)
    const reserved = await page.client.post('/api/reservations', { reference_id: 3, beneficiary_id: 2 })
    await screen.findByRole('heading', { name: 'Prêter' })
    await deviceKnows()
    await refreshNow()
    page.scan('1003')
    const { network } = page.device
    let fail = () => {}
    const isFailed = new Promise<void>((resolve) => (fail = resolve))
    page.device.network = async (request) => {
      if (request.method !== 'PUT') return network(request)
      await isFailed
      return new Response(null, { status: 500 })
    }
    const despite = await screen.findByRole('button', { name: /^Prêter quand même/ })
    await press('Mettre de côté pour Éric Dupont')
    await waitFor(() => expect(despite).toBeDisabled())
    fail()
    await waitFor(() => expect(despite).toBeEnabled())
    await server.db.deleteFrom('reservations').where('id', '=', reserved.body.id).execute()
  })

  it('names those who waited for what is lent all the same, before and after it is recorded', async () => {
    const page = await openCounter('/loaning/add?beneficiary=1', server)
    const reserved = await page.client.post('/api/reservations', { reference_id: 3, beneficiary_id: 2 })
    expect(reserved.status).toBe(201)
    await screen.findByRole('heading', { name: 'Prêter' })
    await deviceKnows()
    await refreshNow()
    page.scan('1003')
    const refused = within(await screen.findByRole('region', { name: 'Non prêtés' }))
    await userEvent.click(await refused.findByRole('button', { name: /^Prêter quand même/ }))
    const who = /^Réservé pour Éric Dupont\s: sa réservation est gardée\.$/
    expect(await within(await basket()).findByText(who)).toBeVisible()
    await press('Enregistrer et continuer')
    const done = await screen.findByRole('region', { name: 'Prêts enregistrés' })
    expect(await within(done).findByText(who)).toBeVisible()
    await page.client.post('/api/loanings/return', { bar_code: '1003' })
    await server.db.deleteFrom('reservations').where('id', '=', reserved.body.id).execute()
  })

  it('offers it as well where the server alone knew who waits', async () => {
    const page = await openCounter('/loaning/add?beneficiary=1&copy=3', server)
    await within(await basket()).findByText('Livre numéro 3')
    const reserved = await page.client.post('/api/reservations', { reference_id: 3, beneficiary_id: 2 })
    expect(reserved.status).toBe(201)
    await press('Enregistrer et continuer')
    const lines = within(await basket())
    await userEvent.click(await lines.findByRole('button', { name: 'Mettre de côté pour Éric Dupont' }))
    expect(await screen.findByText('Mis de côté pour Éric Dupont.')).toBeVisible()
    expect(screen.queryByRole('list', { name: 'Exemplaires du prêt' })).toBeNull()
    await server.db.deleteFrom('reservations').where('id', '=', reserved.body.id).execute()
  })

  it('keeps off line a card and a label that the device does not know, and the server finds both', async () => {
    const [card, label] = ['21555510000019', '31555510000017']
    await sql`update beneficiaries set reader_id = ${card} where id = 4`.execute(server.db)
    await sql`insert into copies (reference, bar_code, site) values (1, ${label}, 1)`.execute(server.db)
    const network = networkTo(server)
    const page = await openCounter('/loaning/add', server, 'biblio', (request) =>
      request.url.includes('/api/snapshot')
        ? Promise.resolve(new Response(null, { status: 500 }))
        : network(request),
    )
    await screen.findByRole('heading', { name: 'Prêter' })
    page.device.network = noNetwork
    act(noteNoAnswer)
    page.scan(label)
    expect(await screen.findByRole('region', { name: 'En attente du lecteur' })).toHaveTextContent(label)
    page.scan(card)
    expect(await screen.findByText(`Carte ${card}`)).toBeVisible()
    const lines = within(await basket())
    expect(lines.getByText('À vérifier')).toBeVisible()
    expect(lines.queryByText(/^Retour le/)).toBeNull()
    expect(lines.queryByRole('button', { name: /^Montant/ })).toBeNull()
    // Its looks do not say what this is.
    page.scan('1098')
    await press(/^C’est un exemplaire.*1098$/)
    await waitFor(() => expect(lines.getAllByRole('listitem')).toHaveLength(2))
    await press('Enregistrer et continuer')
    const done = within(await screen.findByRole('region', { name: 'Prêts enregistrés' }))
    await waitFor(() => expect(done.getAllByText('À vérifier')).toHaveLength(2))
    page.device.network = network
    window.dispatchEvent(new Event('online'))
    await waitFor(() => expect(done.getAllByText('Prêté')).toHaveLength(2))
    expect(done.getByText('Livre numéro 1')).toBeVisible()
    const { body } = await page.client.get(`/api/loanings?copy_barcode=${label}`)
    expect(body['hydra:member']).toMatchObject([{ beneficiary: 4, status: 'in_progress' }])
  })

  it('says what an ISBN is', async () => {
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('9782070612758')
    expect(await screen.findAllByText(/est un ISBN/)).not.toHaveLength(0)
  })

  it('lends on the day it is saved, though the screen was opened the day before', async () => {
    server.moveTo('2026-03-10T22:30:00Z')
    const page = await openCounter('/loaning/add?beneficiary=4&copy=8', server)
    await basket()
    expect(await unfoldTerms()).toHaveTextContent(/À partir d’aujourd’hui, durées des supports$/)
    expect(screen.getByRole('textbox', { name: /Date de début/ })).toHaveValue('10/03/2026')
    server.moveTo('2026-03-10T23:30:00Z')
    vi.setSystemTime(server.now)
    await press('Enregistrer et continuer')
    expect(await screen.findByText('Article sorti avec succès')).toBeVisible()
    const { body } = await page.client.get('/api/loanings?copy_barcode=1008')
    expect(body['hydra:member'][0]).toMatchObject({
      start_date: '2026-03-11',
      end_date: '2026-04-01',
      end_date_flagged: false,
    })
    await page.client.post(`/api/loanings/${body['hydra:member'][0].id}/return`)
    server.moveTo(testNow)
  })

  it('asks about leaving, and whoever stays finds the refused copy and goes on', async () => {
    // Before the page is opened: the device answers first, from what it fetched then, and would not know.
    await server.db
      .insertInto('reservations')
      .values({ beneficiary_id: 1, reference_id: 10, queue_position: 1, status: 'waiting' })
      .execute()
    const page = await openCounter('/loaning/add?beneficiary=4&copy=8', server)
    await basket()
    page.scan('1010')
    const left = within(await screen.findByRole('region', { name: 'Non prêtés' }))
    expect(
      await left.findByText(/^Cet exemplaire est sujet à réservations.*l'ajouter au prêt \?$/),
    ).toBeVisible()
    act(() => void page.router.navigate('/home'))
    const question = await screen.findByRole('dialog', { name: 'Quitter sans enregistrer le prêt\u202f?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Annuler' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const refused = screen.getByRole('region', { name: 'Non prêtés' })
    expect(within(refused).getByText('Livre numéro 10')).toBeVisible()
    page.scan('1009')
    await waitFor(async () => expect(within(await basket()).getAllByRole('listitem')).toHaveLength(2))
    expect(within(await basket()).getByText('Livre numéro 9')).toBeVisible()
  })

  it('takes for lent what the server has already, and writes no mail of a loan that it does not tell', async () => {
    const page = await openCounter('/loaning/add?beneficiary=1&copy=10', server)
    within(await basket()).getByText('Livre numéro 10')
    page.device.network = overtakenBy('admin', server)
    await userEvent.click(await screen.findByLabelText('Envoyer le récapitulatif du prêt'))
    await press('Enregistrer et continuer')
    const done = await screen.findByRole('region', { name: 'Prêts enregistrés' })
    expect(await within(done).findByText('Prêté')).toBeVisible()
    expect(await screen.findByText('Article sorti avec succès')).toBeVisible()
    expect(screen.queryByText("L'email a bien été envoyé.")).toBeNull()
    expect(screen.queryByText("Une erreur s'est produite.")).toBeNull()
    const { body } = await page.client.get('/api/loanings?copy_barcode=1010&status=in_progress')
    expect(body['hydra:totalItems']).toBe(1)
  })

  it('asks before a half-made loan is left', async () => {
    const page = await openCounter('/loaning/add?beneficiary=2&copy=8', server)
    await basket()
    void page.router.navigate('/home')
    const question = await screen.findByRole('dialog', { name: 'Quitter sans enregistrer le prêt\u202f?' })
    // The second attempt follows before anything is drawn of the first one's end.
    await act(async () => {
      within(question).getByRole('button', { name: 'Annuler' }).click()
      await Promise.resolve().then(() => undefined)
      expect(page.address).toBe('/loaning/add?beneficiary=2&copy=8')
      void page.router.navigate('/home')
    })
    await press('Valider')
    expect(await screen.findByRole('heading', { name: 'Accueil' })).toBeVisible()
  })

  it('shows the conditions of a medium, and keeps whether they were handed over', async () => {
    await server.db
      .updateTable('media')
      .set({ loaning_conditions_enabled: true, loaning_conditions_label: 'Caution de 50 €' })
      .where('id', '=', 1)
      .execute()
    await server.db
      .updateTable('loanings')
      .set({ status: 'finished', return_date: '2026-03-10', returned_at: '2026-03-10T09:00:00Z' })
      .where('status', '=', 'in_progress')
      .execute()
    await server.db.updateTable('copies').set({ status: 'Disponible' }).execute()
    const page = await openCounter('/loaning/add?beneficiary=1&copy=8', server)
    await basket()
    page.scan('1007')
    const conditions = await screen.findByRole('group', { name: /^Conditions de prêt/ })
    expect(conditions).toHaveTextContent('Caution de 50 €')
    await waitFor(async () => expect(within(await basket()).getAllByRole('listitem')).toHaveLength(2))
    // Once for the medium, and for every copy of it, those scanned afterwards as well.
    const given = screen.getByRole('checkbox', { name: 'Conditions remises' })
    expect(given).not.toBeChecked()
    await userEvent.click(given)
    expect(given).toBeChecked()
    page.scan('1006')
    await waitFor(async () => expect(within(await basket()).getAllByRole('listitem')).toHaveLength(3))
    expect(screen.getByRole('checkbox', { name: 'Conditions remises' })).toBeChecked()
    await press('Enregistrer et continuer')
    expect(await screen.findByText(/^Articles sortis avec succès/)).toBeVisible()
    const { body } = await page.client.get('/api/loanings?beneficiary=1&status=in_progress')
    expect(body['hydra:member'].map((loan: Loan) => loan.conditions_given)).toEqual([true, true, true])
    await server.db.updateTable('media').set({ loaning_conditions_enabled: false }).execute()
    for (const bar_code of ['1006', '1007', '1008'])
      await page.client.post('/api/loanings/return', { bar_code })
  })

  it('chooses the only hit, whom Escape gives back, and nobody where relatives are searched and it has some', async () => {
    const page = await openCounter('/loaning/add', server)
    fireEvent.change(await screen.findByLabelText('Lecteur'), { target: { value: 'Éric Dup' } })
    expect(await screen.findByRole('button', { name: 'Changer de lecteur' })).toBeVisible()
    fireEvent.keyDown(screen.getByLabelText('Lecteur'), { key: 'Escape' })
    expect(await screen.findByRole('option', { name: /^Éric Dupont.*M2/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Changer de lecteur' })).toBeNull()
    await closeCounter()
    await setParameter(server, 'relative_search', '1')
    const again = await openCounter('/loaning/add', server)
    expect(again.client).not.toBe(page.client)
    fireEvent.change(await screen.findByLabelText('Lecteur'), { target: { value: 'Éric Dup' } })
    expect(await screen.findByRole('option', { name: /^Éric Dupont.*M2/ })).toBeVisible()
    expect(screen.getByRole('option', { name: /Zoé Dupont/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Changer de lecteur' })).toBeNull()
    await setParameter(server, 'relative_search', '0')
  })
})
