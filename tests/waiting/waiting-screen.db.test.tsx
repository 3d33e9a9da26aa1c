import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/page/preferences.ts'
import { recordAction } from '../../src/offline/outbox.ts'
import { closeHome, openHome, typeScan } from '../home/open-home.tsx'
import { noNetwork } from '../loans/open-counter.tsx'
import { actorOf, benevole, biblio, lending } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeHome)

describeServer('the waiting actions', (server) => {
  it('says that nothing waits', async () => {
    await openHome(server, { at: '/waiting' })
    expect(await screen.findByText(/^Rien n’attend\s: tout est enregistré\.$/)).toBeVisible()
  })

  it('shows both sides of a refusal, until a person chooses how to settle it', async () => {
    const page = await openHome(server, { at: '/waiting' })
    page.device.network = noNetwork
    // Lent to someone else meanwhile; another person of this tablet has one too.
    expect((await page.client.post('/api/loanings', { beneficiary: 2, copy: 1 })).status).toBe(201)
    await recordAction(lending(1), await actorOf(biblio))
    await recordAction(lending(2), await actorOf(benevole))
    expect(await screen.findByText(/^1 action attend/)).toBeVisible()
    expect(await screen.findByText('À envoyer')).toBeVisible()
    expect(await screen.findByText(/^benevole\s: 1 action/)).toBeVisible()

    page.device.network = page.network
    await userEvent.click(screen.getByRole('button', { name: 'Tout envoyer maintenant' }))
    expect(await screen.findByText('À régler')).toBeVisible()
    expect(screen.getByText(/est déjà prêté à Éric Dupont \(M2\), depuis le 10\/03\/2026/)).toBeVisible()
    expect(screen.getByText('Prêté à Éric Dupont (M2)')).toBeVisible()
    expect(
      screen.getByText(/^Enregistré le 10\/03\/2026.* par biblio Test$/, { selector: 'h3 ~ p:nth-child(4)' }),
    ).toBeVisible()

    const choices = screen.getByRole('list', { name: 'Comment régler' })
    expect(
      within(choices)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Clore l’ancien prêt et prêter', 'Non remis au lecteur'])
    await userEvent.click(within(choices).getByRole('button', { name: 'Non remis au lecteur' }))
    await waitFor(() => expect(screen.queryByText('À régler')).toBeNull())
    await userEvent.click(await screen.findByText(/2 actions terminées aujourd’hui/))
    expect(await screen.findByText(/^biblio Test\s: Non remis au lecteur$/)).toBeVisible()
  })

  it('lets a reader through whom the rules refuse, with a motive', async () => {
    await openHome(server, { at: '/waiting' })
    await recordAction(lending(3, 3), await actorOf(biblio))
    await userEvent.click(await screen.findByRole('button', { name: 'Prêter malgré le refus' }))
    const dialog = await screen.findByRole('dialog', { name: 'Prêter malgré le refus' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Prêter malgré le refus' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Écrivez pourquoi.')
    expect(within(dialog).getByLabelText(/Motif/)).toHaveAccessibleDescription('Écrivez pourquoi.')
    await userEvent.type(within(dialog).getByLabelText(/Motif/), 'Vu avec la direction')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Prêter malgré le refus' }))
    await waitFor(async () => {
      const rows = await server.db
        .selectFrom('loanings')
        .select(['override_reason'])
        .where('copy', '=', 3)
        .execute()
      expect(rows).toEqual([{ override_reason: 'Vu avec la direction' }])
    })
  })

  it('brings a loan within the bounds that were not known when it was made', async () => {
    const page = await openHome(server, { at: '/waiting', username: 'benevole' })
    const told = { body: { expected_return_date: '2035-03-10' } }
    await recordAction(lending(10, 1, told), await actorOf(benevole))
    expect(
      await screen.findByText(/^Le prêt dure plus de 366 jours\s: retour prévu au plus tard le 11\/03\/2027/),
    ).toBeVisible()
    const choices = screen.getByRole('list', { name: 'Comment régler' })
    expect(
      within(choices)
        .getAllByRole<HTMLButtonElement>('button')
        .map(({ textContent, disabled }) => [textContent, disabled]),
    ).toEqual([
      ['Prêter dans les limites', false],
      ['Prêter malgré le refus', true],
      ['Non remis au lecteur', false],
    ])
    await userEvent.click(within(choices).getByRole('button', { name: 'Prêter dans les limites' }))
    await waitFor(async () => {
      const { body } = await page.client.get('/api/loanings?copy_barcode=1010')
      expect(body['hydra:member']).toMatchObject([{ end_date: '2026-03-31', end_date_flagged: true }])
    })
  })

  it('gives the focus back when a dialog is left, and moves it on when an action is settled', async () => {
    await openHome(server, { at: '/waiting' })
    await recordAction(lending(6, 3), await actorOf(biblio))
    await recordAction(lending(7, 3), await actorOf(biblio))
    const rowOf = async (title: string) =>
      (await screen.findByRole('heading', { name: title })).closest('li')!
    const choiceOf = async (title: string, name: string) =>
      within(await rowOf(title)).findByRole('button', { name })
    const override = await choiceOf('Livre numéro 6', 'Prêter malgré le refus')
    await choiceOf('Livre numéro 7', 'Non remis au lecteur')
    expect(screen.getByRole('status')).toHaveTextContent('2 actions à régler.')
    await userEvent.click(override)
    await screen.findByRole('dialog')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(override).toHaveFocus())

    await userEvent.click(await choiceOf('Livre numéro 6', 'Non remis au lecteur'))
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Livre numéro 7' })).toHaveFocus())
    await userEvent.click(await choiceOf('Livre numéro 7', 'Prêter malgré le refus'))
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(within(dialog).getByLabelText(/Motif/), 'Vu avec la direction')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Prêter malgré le refus' }))
    await waitFor(() => expect(screen.getByRole('status')).toHaveFocus())
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Rien n’attend'))
  })

  it('is one tap away from the line that the server refused', async () => {
    setPreference('scanner_prefix', '~')
    const page = await openHome(server)
    await page.knows()
    // Another counter lent it since, and this device has not heard of it.
    await page.cutOff()
    expect((await page.client.post('/api/loanings', { beneficiary: 4, copy: 8 })).status).toBe(201)
    typeScan('R1')
    typeScan('1008')
    const lane = await screen.findByRole('list', { name: 'Derniers passages' })
    expect(await within(lane).findByText('Enregistré, à envoyer')).toBeVisible()
    page.comesBack()
    await userEvent.click(await screen.findByRole('link', { name: /^Régler.: Livre numéro 8$/ }))
    const choices = await screen.findByRole('list', { name: 'Comment régler' })
    await userEvent.click(within(choices).getByRole('button', { name: 'Non remis au lecteur' }))
    await waitFor(() => expect(screen.queryByText('À régler')).toBeNull())
  })

  it('takes over what another person left, after a question', async () => {
    await openHome(server, { at: '/waiting' })
    await recordAction(lending(5), await actorOf(benevole))
    await userEvent.click(await screen.findByRole('button', { name: 'Reprendre les actions de benevole' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reprendre les actions de benevole' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    await waitFor(async () => {
      const { rows } =
        await sql`select user_id, on_behalf_of from audit_journal where on_behalf_of is not null`.execute(
          server.db,
        )
      expect(rows).toEqual([{ user_id: 2, on_behalf_of: 3 }])
    })
  })

  it('imports a queue from a file', async () => {
    await openHome(server, { at: '/waiting' })
    const label = await screen.findByRole('button', { name: 'Importer une file' })
    const field = label.parentElement?.querySelector('input[type=file]') as HTMLInputElement
    await userEvent.upload(field, new File(['{}'], 'file.json', { type: 'application/json' }))
    expect(await screen.findByText(/n’est pas une file d’actions exportée/)).toBeVisible()
  })
})
