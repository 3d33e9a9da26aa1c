import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { counterActions } from '../../src/client/outbox/keep-actions.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { chooseSite } from '../../src/client/api/session.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { screenOf } from '../support/screen-of.ts'
import { networkTo } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome, typeScan } from './open-home.tsx'

beforeEach(() => setPreference('scanner_prefix', '~'))
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await closeHome()
})

const box = () => screen.getByLabelText('Code-barres, carte ou nom du lecteur')
const lane = () => screen.findByRole('list', { name: 'Derniers passages' })
const lineOf = async (title: string) => {
  const found = await within(await lane()).findByText(title)
  return within(found.closest('li')!)
}
const sheet = () => screen.findByRole('region', { name: 'Prêt complet' })
const inSheet = async (title: string) => {
  const fold = await screen.findByRole('button', { name: new RegExp(`^Prêt complet\\s: ${title}$`) })
  return within(fold.closest('section')!)
}
const ended = '01/01/2020'
const answerLeaving = async (name: 'Annuler' | 'Valider') => {
  const question = await screen.findByRole('dialog', { name: /Quitter sans enregistrer le prêt/ })
  await userEvent.click(within(question).getByRole('button', { name }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

describeServer('the whole loan beside the lane', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'sales', 'loanings', 'reservations')
    await sql`update copies set status = 'Disponible', type = 'Location', price = null, withdrawn_on = null`.execute(
      server.db,
    )
  })

  const opened = async (username?: string) => {
    const page = await openHome(server, username === undefined ? {} : { username })
    await page.knows()
    await userEvent.click(box())
    return page
  }
  const refuse = async (code: string, title: string) => {
    typeScan('R3')
    typeScan(code)
    return inSheet(title)
  }
  const loansOf = async (page: Awaited<ReturnType<typeof openHome>>, code: string) =>
    (await page.client.get(`/api/loanings?copy_barcode=${code}`)).body['hydra:member'] as Record<
      string,
      unknown
    >[]

  it('opens at once with reader, copy and why, and leaves the focus and the page where they are', async () => {
    const page = await opened()
    for (const code of ['R3', '1004']) typeScan(code)
    // A slow scan has timers of its own.
    const timers = vi.spyOn(window, 'setTimeout')
    const form = await inSheet('Livre numéro 4')
    expect(form.getByText('Noémie Expirée')).toBeVisible()
    expect(form.getByText(new RegExp(ended))).toBeVisible()
    expect(form.getByRole('list', { name: 'Exemplaires du prêt' })).toHaveTextContent('Livre numéro 4')
    expect(box()).toHaveFocus()
    expect(timers.mock.calls.filter(([, ms]) => ms === 2_000)).toEqual([])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(page.router.state.location.pathname).toBe('/home')
    expect((await lineOf('Livre numéro 4')).getByRole('button', { name: 'Prêter quand même' })).toBeVisible()
    // Back at the counter nothing opens again by itself.
    await act(() => page.router.navigate('/waiting'))
    await screen.findByRole('heading', { name: 'Actions en attente' })
    await act(() => page.router.navigate('/home'))
    const line = await lineOf('Livre numéro 4')
    expect(line.getByRole('button', { name: 'Ouvrir le prêt complet' })).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull()
  })

  it('takes no scan and folds for the next reader, whose copies get their lines beside it', async () => {
    const page = await opened()
    const form = await refuse('1004', 'Livre numéro 4')
    for (const code of ['R1', '1001', '1002']) typeScan(code)
    await waitFor(async () => expect(within(await lane()).getAllByText('Confirmé')).toHaveLength(2))
    expect(await loansOf(page, '1001')).toHaveLength(1)
    expect(await loansOf(page, '1002')).toHaveLength(1)
    expect(form.queryByText('Livre numéro 1')).toBeNull()
    const fold = form.getByRole('button', { name: /^Prêt complet/ })
    expect(fold).toHaveAttribute('aria-expanded', 'false')
    await userEvent.click(fold)
    expect(form.getByText('Noémie Expirée')).toBeVisible()
    // Whoever is already there is nobody new.
    typeScan('R1')
    await screen.findAllByText(/déjà choisi/)
    expect(fold).toHaveAttribute('aria-expanded', 'true')
  })

  it('lends once at the terms that were written, and its line says so', async () => {
    const page = await opened()
    const record = vi.spyOn(counterActions, 'lend')
    const form = await refuse('1004', 'Livre numéro 4')
    const save = form.getByRole('button', { name: 'Enregistrer' })
    await userEvent.click(save)
    const motive = form.getByLabelText(/^Motif pour prêter quand même/)
    expect(motive).toHaveFocus()
    expect(record).not.toHaveBeenCalled()
    await userEvent.paste('Renouvelle demain')
    await userEvent.click(form.getByRole('button', { name: /^Conditions du prêt/ }))
    await userEvent.click(form.getByLabelText('Commentaire'))
    await userEvent.paste('Vu avec la direction')
    const again = (await lineOf('Livre numéro 4')).getByRole('button', { name: 'Prêter quand même' })
    fireEvent.click(save)
    fireEvent.click(save)
    fireEvent.click(again)
    const line = await lineOf('Livre numéro 4')
    expect(await line.findByText('Confirmé')).toBeVisible()
    expect(line.getByText('Retour le 31/03/2026')).toBeVisible()
    expect(line.queryByRole('button', { name: 'Prêter quand même' })).toBeNull()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull())
    expect(box()).toHaveFocus()
    expect(record).toHaveBeenCalledTimes(1)
    expect(await loansOf(page, '1004')).toMatchObject([
      { beneficiary: 3, override_reason: 'Renouvelle demain', comment: 'Vu avec la direction' },
    ])
  })

  it('is of the next refused copy, unless somebody has written in it', async () => {
    await opened()
    await refuse('1004', 'Livre numéro 4')
    typeScan('1005')
    const form = await inSheet('Livre numéro 5')
    await userEvent.click(form.getByLabelText(/^Motif pour prêter quand même/))
    await userEvent.paste('Parti trop tôt')
    await userEvent.click(box())
    typeScan('1006')
    const line = await lineOf('Livre numéro 6')
    const open = await line.findByRole('button', { name: 'Ouvrir le prêt complet' })
    expect((await inSheet('Livre numéro 5')).getByDisplayValue('Parti trop tôt')).toBeVisible()
    await userEvent.click(open)
    await answerLeaving('Annuler')
    expect((await inSheet('Livre numéro 5')).getByDisplayValue('Parti trop tôt')).toBeVisible()
    await userEvent.click(open)
    await answerLeaving('Valider')
    const next = await inSheet('Livre numéro 6')
    expect(next.getByLabelText(/^Motif pour prêter quand même/)).toHaveValue('')
  })

  it('sells a copy that is to be sold', async () => {
    await sql`update copies set type = 'Vente', price = 4 where bar_code = '1003'`.execute(server.db)
    const page = await opened()
    typeScan('R1')
    typeScan('1003')
    const form = await inSheet('Livre numéro 3')
    expect(form.getByText('Alice Martin')).toBeVisible()
    expect(box()).toHaveFocus()
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    const line = await lineOf('Livre numéro 3')
    expect(await line.findByText('Vendu')).toBeInTheDocument()
    expect(line.getByText(/^4,00/)).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull()
    expect((await page.client.get('/api/sales')).body['hydra:totalItems']).toBe(1)
    typeScan('1003')
    expect(
      await within(await lane()).findByText(
        /^Laissez-le à qui l’apporte\s: vendu à Alice Martin le \d\d\/\d\d\/\d{4}\. Par erreur\s\? Supprimez/,
      ),
    ).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Rendre' })).toBeNull()
  })

  it('closes by Escape and « Fermer », and its line keeps the way to it', async () => {
    await opened()
    const form = await refuse('1004', 'Livre numéro 4')
    await userEvent.click(form.getByLabelText(/^Motif pour prêter quand même/))
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull()
    expect(box()).toHaveFocus()
    // The counter's own Escape was not meant.
    expect(screen.getByRole('heading', { name: 'Noémie Expirée' })).toBeVisible()
    const line = await lineOf('Livre numéro 4')
    await userEvent.click(line.getByRole('button', { name: 'Ouvrir le prêt complet' }))
    const again = await inSheet('Livre numéro 4')
    expect(line.queryByRole('button', { name: 'Ouvrir le prêt complet' })).toBeNull()
    await userEvent.click(again.getByRole('button', { name: 'Fermer' }))
    expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull()
  })

  it('asks before what was written in it is thrown away', async () => {
    await opened()
    const form = await refuse('1004', 'Livre numéro 4')
    const motive = form.getByLabelText(/^Motif pour prêter quand même/)
    await userEvent.click(motive)
    await userEvent.paste('Renouvelle demain')
    await userEvent.keyboard('{Escape}')
    await answerLeaving('Annuler')
    expect(motive).toHaveValue('Renouvelle demain')
    await userEvent.click(form.getByRole('button', { name: 'Fermer' }))
    await answerLeaving('Valider')
    expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull()
    await waitFor(() => expect(box()).toHaveFocus())
  })

  it('says once why the server refused what the device had taken', async () => {
    await opened()
    await sql`update beneficiaries set exit_date = '2020-01-01' where id = 1`.execute(server.db)
    try {
      typeScan('R1')
      typeScan('1004')
      const form = await inSheet('Livre numéro 4')
      expect(await form.findByText(new RegExp(ended))).toBeVisible()
      expect(form.queryByRole('alert')).toBeNull()
    } finally {
      await sql`update beneficiaries set exit_date = null where id = 1`.execute(server.db)
    }
  })

  it('is closed by what its line does itself', async () => {
    const page = await opened()
    await refuse('1004', 'Livre numéro 4')
    const line = await lineOf('Livre numéro 4')
    await userEvent.click(line.getByRole('button', { name: 'Prêter quand même' }))
    await userEvent.type(await line.findByLabelText(/^Motif/), 'Vu')
    await userEvent.click(line.getByRole('button', { name: 'Prêter quand même' }))
    expect(await line.findByText('Confirmé')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull())
    expect(await loansOf(page, '1004')).toHaveLength(1)
  })

  it('comes folded while a motive is written on a line, which it might cover', async () => {
    await opened()
    await refuse('1004', 'Livre numéro 4')
    const line = await lineOf('Livre numéro 4')
    await userEvent.click((await inSheet('Livre numéro 4')).getByRole('button', { name: 'Fermer' }))
    await userEvent.click(line.getByRole('button', { name: 'Prêter quand même' }))
    const motive = await line.findByLabelText(/^Motif/)
    await userEvent.paste('Vu')
    typeScan('1005')
    const fold = await screen.findByRole('button', { name: /^Prêt complet\s: Livre numéro 5$/ })
    expect(fold).toHaveAttribute('aria-expanded', 'false')
    expect(motive).toHaveValue('Vu')
    expect(motive).toHaveFocus()
  })

  it('gives the box the focus back once a motive is given up', async () => {
    vi.stubGlobal('matchMedia', (media: string) => ({
      matches: media === '(any-pointer: fine)' || media === '(min-width: 1200px)',
      media,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    await opened()
    await refuse('1004', 'Livre numéro 4')
    const line = await lineOf('Livre numéro 4')
    await userEvent.click(line.getByRole('button', { name: 'Prêter quand même' }))
    expect(await line.findByLabelText(/^Motif/)).toHaveFocus()
    await userEvent.click(line.getByRole('button', { name: 'Ne pas prêter' }))
    expect(line.getByRole('button', { name: 'Prêter quand même' })).toBeVisible()
    expect(box()).toHaveFocus()
  })

  it('is folded to one line on a phone until it is touched', async () => {
    screenOf(390)
    await opened()
    typeScan('R3')
    typeScan('1004')
    const fold = await screen.findByRole('button', { name: /^Prêt complet\s: Livre numéro 4$/ })
    expect(fold).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByRole('button', { name: 'Enregistrer' })).toBeNull()
    await userEvent.click(fold)
    const form = await inSheet('Livre numéro 4')
    expect(form.getByLabelText(/^Motif pour prêter quand même/)).toBeVisible()
    expect(form.getByRole('button', { name: 'Enregistrer' })).toBeVisible()
  })

  it('says who waits for a reserved copy, and passes over them only once that is ticked', async () => {
    await sql`insert into reservations (beneficiary_id, reference_id) values (2, 7)`.execute(server.db)
    const page = await opened()
    typeScan('R1')
    typeScan('1007')
    const form = await inSheet('Livre numéro 7')
    expect(form.getByText(/Dupont/)).toBeVisible()
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    const tick = form.getByRole('checkbox', { name: 'Prêter malgré la réservation' })
    expect(tick).toHaveFocus()
    await userEvent.click(tick)
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    expect(await (await lineOf('Livre numéro 7')).findByText('Confirmé')).toBeVisible()
    expect(await loansOf(page, '1007')).toHaveLength(1)
  })

  it('closes when the copy is set aside for whoever waits', async () => {
    await sql`insert into reservations (beneficiary_id, reference_id) values (2, 7)`.execute(server.db)
    const page = await openHome(server)
    await page.knows()
    chooseSite({ id: 1, name: 'Centre' })
    typeScan('R1')
    typeScan('1007')
    await inSheet('Livre numéro 7')
    await press(/^Mettre de côté pour Éric Dupont/)
    const line = await lineOf('Livre numéro 7')
    expect(await line.findByText('Mis de côté')).toBeVisible()
    expect(line.queryByRole('button', { name: /^Prêter|^Ouvrir/ })).toBeNull()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull())
  })

  it('keeps what the server refused on its line and in the sheet, and lends it by one more try', async () => {
    const page = await opened()
    const form = await refuse('1004', 'Livre numéro 4')
    await userEvent.click(form.getByLabelText(/^Motif pour prêter quand même/))
    await userEvent.paste('Vu')
    await userEvent.click(form.getByRole('button', { name: /^Conditions du prêt/ }))
    const start = form.getByLabelText(/^Date de début/)
    await userEvent.clear(start)
    await userEvent.type(start, '01/01/2026{Enter}')
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    // Its own bound was not answered yet: it asks where the days stand, in no dialog.
    expect(await form.findByRole('alert')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    expect(await (await lineOf('Livre numéro 4')).findByText('Confirmé')).toBeVisible()
    expect(await loansOf(page, '1004')).toMatchObject([{ start_date: '2026-01-01' }])
  })

  it('gathers the copies of a reader where quick input is off, and lends them together', async () => {
    await setParameter(server, 'fast_input', '0')
    const page = await opened()
    typeScan('1001')
    await inSheet('Livre numéro 1')
    typeScan('R1')
    const form = within(await sheet())
    expect(await form.findByText('Alice Martin')).toBeVisible()
    typeScan('1002')
    await waitFor(() =>
      expect(
        within(form.getByRole('list', { name: 'Exemplaires du prêt' })).getAllByRole('listitem'),
      ).toHaveLength(2),
    )
    await userEvent.click(form.getByRole('button', { name: 'Enregistrer' }))
    await waitFor(async () => expect(within(await lane()).getAllByText('Confirmé')).toHaveLength(2))
    expect((await page.client.get('/api/loanings?beneficiary=1')).body['hydra:totalItems']).toBe(2)
    await setParameter(server, 'fast_input', '1')
  })

  it('asks nothing about a reserved copy that its line asks already', async () => {
    await sql`insert into reservations (beneficiary_id, reference_id) values (2, 7)`.execute(server.db)
    await opened()
    chooseSite({ id: 1, name: 'Centre' })
    typeScan('R1')
    typeScan('1007')
    const form = await inSheet('Livre numéro 7')
    expect(form.getByText(/Dupont/)).toBeVisible()
    await (await lineOf('Livre numéro 7')).findByRole('button', { name: /^Mettre de côté/ })
    expect(form.queryByText(/ajouter au prêt/)).toBeNull()
    expect(form.queryByRole('button', { name: /^Mettre de côté/ })).toBeNull()
  })

  it('offers to set a reserved copy aside where its line asks nothing', async () => {
    await sql`insert into reservations (beneficiary_id, reference_id) values (2, 7)`.execute(server.db)
    await setParameter(server, 'fast_input', '0')
    onTestFinished(() => setParameter(server, 'fast_input', '1'))
    const page = await opened()
    chooseSite({ id: 1, name: 'Centre' })
    typeScan('R1')
    typeScan('1007')
    const form = await inSheet('Livre numéro 7')
    expect(await form.findByText(/ajouter au prêt/)).toBeVisible()
    await userEvent.click(await form.findByRole('button', { name: 'Mettre de côté pour Éric Dupont' }))
    expect(await (await lineOf('Livre numéro 7')).findByText('Mis de côté')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull())
    expect(await loansOf(page, '1007')).toEqual([])
  })

  it('lends nothing at once before it is known whether the library does', async () => {
    await setParameter(server, 'fast_input', '0')
    const network = networkTo(server)
    let tell = () => {}
    const isTold = new Promise<void>((resolve) => (tell = resolve))
    await openHome(server, {
      network: async (request) => {
        const { pathname } = new URL(request.url)
        if (pathname.startsWith('/api/parameters') || pathname.startsWith('/api/snapshot')) await isTold
        return network(request)
      },
    })
    const record = vi.spyOn(counterActions, 'lend')
    await userEvent.click(await screen.findByLabelText('Code-barres, carte ou nom du lecteur'))
    typeScan('R1')
    typeScan('1001')
    const shown = await lane()
    expect(within(shown).getAllByText('Recherche…')).toHaveLength(2)
    tell()
    expect(within(await sheet()).getByText('Alice Martin')).toBeVisible()
    expect(record).not.toHaveBeenCalled()
    await setParameter(server, 'fast_input', '1')
  })

  it('lends nothing for who may not pass over a refusal', async () => {
    await opened('benevole')
    typeScan('R3')
    typeScan('1004')
    // Nothing could be done in it: it does not come by itself.
    const open = await (
      await lineOf('Livre numéro 4')
    ).findByRole('button', { name: 'Ouvrir le prêt complet' })
    expect(screen.queryByRole('region', { name: 'Prêt complet' })).toBeNull()
    await userEvent.click(open)
    const form = await inSheet('Livre numéro 4')
    expect(form.getByText('Votre profil ne permet pas de prêter malgré un refus.')).toBeVisible()
    expect(form.queryByLabelText(/^Motif pour prêter quand même/)).toBeNull()
    expect(form.getByRole('button', { name: 'Enregistrer' })).toBeDisabled()
  })
})
