import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { recordAction } from '../../src/offline/outbox.ts'
import { closeHome, openHome } from '../home/open-home.tsx'
import { noNetwork } from '../loans/open-counter.tsx'
import { actorOf, benevole, biblio, lending } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeHome)

describeServer('the waiting actions', (server) => {
  it('says that nothing waits', async () => {
    await openHome(server, { at: '/waiting' })
    expect(await screen.findByText(/^Rien n’attend\s: tout est enregistré\.$/)).toBeVisible()
  })

  it('shows both sides of a refusal, until a named person sets it aside with a motive', async () => {
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
    expect(screen.getByText(/est déjà prêté à M2 - Dupont Éric, depuis le 10\/03\/2026/)).toBeVisible()
    expect(screen.getByText('Prêté à M2 - Dupont Éric')).toBeVisible()
    expect(
      screen.getByText(/^Enregistré le 10\/03\/2026.* par biblio$/, { selector: 'h4 ~ p:nth-child(4)' }),
    ).toBeVisible()

    await userEvent.click(screen.getByRole('button', { name: 'Mettre de côté' }))
    const dialog = await screen.findByRole('dialog', { name: 'Mettre de côté' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Mettre de côté' }))
    expect(await within(dialog).findByText('Écrivez pourquoi cette action est mise de côté.')).toBeVisible()
    await userEvent.type(within(dialog).getByLabelText(/Motif/), 'Le livre n’est pas parti')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Mettre de côté' }))
    await waitFor(() => expect(screen.queryByText('À régler')).toBeNull())
    await userEvent.click(screen.getByText(/1 action terminée aujourd’hui/))
    expect(await screen.findByText(/^biblio\s: Le livre n’est pas parti$/)).toBeVisible()
  })
})
