import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import { noteNoAnswer } from '../../src/client/api/connection.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { snapshotState } from '../../src/offline/snapshot-state.ts'
import { networkTo, noNetwork } from '../support/page-network.ts'
import { describeServer } from '../support/test-server.ts'
import { closeHome, openHome } from './open-home.tsx'

afterEach(closeHome)

const lane = () => screen.findByRole('list', { name: 'Derniers passages' })
/** Types a code as it stands on a card or a label. */
async function enter(code: string) {
  await userEvent.click(screen.getByLabelText('Code-barres, carte ou nom du lecteur'))
  await userEvent.paste(code)
  await userEvent.keyboard('{Enter}')
}
const card = '21555510000019'
const label = '31555510000017'

describeServer('a device that has nothing of the library, off line', (server) => {
  beforeAll(async () => {
    await sql`update beneficiaries set reader_id = ${card} where id = 1`.execute(server.db)
    await sql`insert into copies (reference, bar_code, site) values (1, ${label}, 1)`.execute(server.db)
  })
  beforeEach(async () => {
    await sql`truncate loanings, settlements restart identity cascade`.execute(server.db)
    await sql`update copies set status = 'Disponible'`.execute(server.db)
  })

  async function openUnready(at = '/home') {
    const network = networkTo(server)
    const page = await openHome(server, {
      at,
      network: (request) =>
        request.url.includes('/api/snapshot')
          ? Promise.resolve(new Response(null, { status: 500 }))
          : network(request),
    })
    await screen.findByLabelText('Code-barres, carte ou nom du lecteur')
    page.device.network = noNetwork
    act(noteNoAnswer)
    expect((await snapshotState()).complete).toBe(false)
    return page
  }
  const loans = async () =>
    (
      await sql<{ bar_code: string; beneficiary: number; status: string }>`
        select c.bar_code, l.beneficiary, l.status from loanings l join copies c on c.id = l.copy order by c.bar_code`.execute(
        server.db,
      )
    ).rows

  it('lends two copies to a card that it does not know, once the network is back', async () => {
    const page = await openUnready()
    await enter(card)
    expect(await screen.findByRole('heading', { name: `Carte ${card}` })).toBeVisible()
    expect(screen.getByRole('region', { name: 'Lecteur' })).toHaveTextContent('À vérifier')
    await enter(label)
    const shown = await lane()
    expect(await within(shown).findByText('Sera vérifié dès que le réseau reviendra.')).toBeVisible()
    expect(within(shown).queryByRole('button', { name: /^Rendre/ })).toBeNull()

    // Its looks do not say what this is.
    await enter('1002')
    expect(await within(shown).findByText(/^Est-ce une carte ou un exemplaire/)).toBeVisible()
    expect(within(shown).queryByRole('button', { name: /^Rendre/ })).toBeNull()
    await userEvent.click(within(shown).getByRole('button', { name: 'C’est un exemplaire' }))
    await waitFor(() => expect(within(shown).getAllByText('À vérifier')).toHaveLength(2))
    expect(await loans()).toEqual([])

    page.comesBack()
    await waitFor(async () => expect(within(await lane()).getAllByText('Confirmé')).toHaveLength(2))
    expect(await lane()).toHaveTextContent('Livre numéro 2')
    expect(await loans()).toEqual([
      { bar_code: '1002', beneficiary: 1, status: 'in_progress' },
      { bar_code: label, beneficiary: 1, status: 'in_progress' },
    ])
  })

  it('takes such a loan back before it is sent, and a return depends on it', async () => {
    const page = await openUnready()
    await enter(card)
    await enter(label)
    await enter('1003')
    const shown = await lane()
    await userEvent.click(await within(shown).findByRole('button', { name: 'C’est un exemplaire' }))
    await userEvent.click(await within(shown).findByRole('button', { name: /^Annuler\s: 1003$/ }))
    expect(await within(shown).findByText('Prêt annulé')).toBeVisible()

    await enter(label)
    await userEvent.click(await within(shown).findByRole('button', { name: 'Rendre' }))
    expect(await within(shown).findByText('Rendu')).toBeVisible()
    const [lent, , back] = await listEntries()
    expect(back).toMatchObject({ depends_on: lent?.id, body: { bar_code: label, loan_key: lent?.id } })
    page.comesBack()
    await waitFor(async () =>
      expect(await loans()).toEqual([{ bar_code: label, beneficiary: 1, status: 'finished' }]),
    )
  })

  it('leaves to a person whose card nobody carries, with what was read', async () => {
    const page = await openUnready()
    await enter('21555510000027')
    await enter(label)
    await within(await lane()).findByText('Sera vérifié dès que le réseau reviendra.')
    page.comesBack()
    expect(await within(await lane()).findByRole('link', { name: `Régler\u202f: ${label}` })).toBeVisible()
    await page.router.navigate('/waiting')
    expect(await screen.findByText('Prêt à vérifier, à la carte 21555510000027')).toBeVisible()
    const read = await screen.findByText(/ · Lu sur cet appareil$/)
    expect(read).toHaveTextContent(`Carte lue : 21555510000027 · Étiquette lue : ${label}`)
    await userEvent.click(screen.getByRole('button', { name: 'Relier à un lecteur' }))
    const dialog = await screen.findByRole('dialog', { name: 'Relier à un lecteur' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Relier à un lecteur' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'Scannez la carte du lecteur, ou saisissez son matricule.',
    )
    await userEvent.type(within(dialog).getByLabelText(/^Carte ou matricule du lecteur/), 'M2')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Relier à un lecteur' }))
    await waitFor(async () =>
      expect(await loans()).toEqual([{ bar_code: label, beneficiary: 2, status: 'in_progress' }]),
    )
  })
})
