import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { transact } from '../../src/offline/device-store.ts'
import { importEntries } from '../../src/offline/import-entries.ts'
import { tellOutbox } from '../../src/offline/outbox-news.ts'
import { exportEntries } from '../../src/offline/export-entries.ts'
import { listEntries, recordAction } from '../../src/offline/outbox.ts'
import { closeHome, openHome } from '../home/open-home.tsx'
import { actorOf, benevole, biblio, lending } from '../offline/device.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { press } from '../support/press.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeHome)

describeServer('actions that nothing proves', (server) => {
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings', 'audit_journal')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
  })
  const loans = () => server.db.selectFrom('loanings').select(['copy', 'lent_by', 'end_date']).execute()

  /** A file that somebody wrote in the name of « biblio », with a line that says less than what it does. */
  async function forgedQueue(): Promise<string> {
    await recordAction(lending(1), await actorOf(benevole))
    await recordAction(lending(2), await actorOf(benevole))
    const file = JSON.parse(await exportEntries()) as { entries: Record<string, unknown>[] }
    await transact(['outbox'], 'readwrite', (tx) => tx.store.clear())
    for (const [at, entry] of file.entries.entries()) {
      const body = {
        ...(JSON.parse(String(entry['frozen_body'])) as object),
        free: true,
        override_reason: 'Rien à voir',
        expected_return_date: '2036-03-10',
      }
      Object.assign(entry, { user_id: 2, username: 'biblio', seal: null, body })
      entry['frozen_body'] = JSON.stringify(body)
      entry['label'] = { kind: 'return', title: `Retour anodin ${at}`, beneficiary: null, due: null }
    }
    return JSON.stringify(file)
  }

  it('wait, are read as what they do rather than as what they say, and leave one by one or all together', async () => {
    await openHome(server, { at: '/waiting' })
    const file = await forgedQueue()
    await importEntries(file, benevole)
    const section = await screen.findByRole('region', { name: 'À confirmer' })
    expect(await within(section).findByText(/Prêter .*Livre numéro 1/)).toBeVisible()
    expect(within(section).queryByText(/Retour anodin/)).toBeNull()
    for (const said of [/^À .* \(M1\)$/, /^Gratuit$/, /^Malgré un refus\s: Rien à voir$/, /10\/03\/2036/]) {
      expect(within(section).getAllByText(said).length).toBeGreaterThan(0)
    }
    await userEvent
      .click(screen.getByRole('button', { name: 'Tout envoyer maintenant' }))
      .catch(() => undefined)
    expect(await loans()).toEqual([])

    const [first] = within(section).getAllByRole('button', { name: /^Mettre de côté\s: / })
    await userEvent.click(first!)
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(within(dialog).getByLabelText(/Motif/), 'Ce n’est pas moi')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Mettre de côté' }))
    await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(1))
    expect(await loans()).toEqual([])
  })

  it('are not confirmed unread: what cannot be read can only be set aside', async () => {
    await openHome(server, { at: '/waiting' })
    await importEntries(await forgedQueue(), benevole)
    const [spoilt] = await listEntries()
    await transact(['outbox'], 'readwrite', (tx) => tx.store.put({ ...spoilt!, frozen_body: '{' }))
    tellOutbox({ ids: [spoilt!.id], to_send: false })
    const section = await screen.findByRole('region', { name: 'À confirmer' })
    expect(await within(section).findByText(/Cette action ne peut pas être lue/)).toBeVisible()
    const [unread, read] = within(section).getAllByRole('button', { name: /^Confirmer\s: / })
    expect(unread).toBeDisabled()
    expect(read).toBeEnabled()
    expect(screen.queryByRole('button', { name: /^Confirmer les/ })).toBeNull()
  })

  it('leave in their owner’s name once confirmed', async () => {
    await openHome(server, { at: '/waiting' })
    await recordAction(lending(3), await actorOf(biblio))
    await recordAction(lending(4), await actorOf(biblio))
    // Both are tampered with before they are sent: the seal holds no more.
    await waitFor(async () =>
      expect((await listEntries()).map(({ state }) => state)).toEqual(['done', 'done']),
    )
    const file = JSON.parse(await exportEntries(await listEntries())) as {
      entries: Record<string, unknown>[]
    }
    await emptyTables(server.db, 'loanings', 'idempotency_keys')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    await transact(['outbox'], 'readwrite', (tx) => tx.store.clear())
    for (const entry of file.entries) Object.assign(entry, { state: 'queued', attempts: 0, seal: null })
    await importEntries(JSON.stringify(file), biblio)
    await screen.findByRole('button', { name: 'Confirmer les 2 actions' })
    expect(await loans()).toEqual([])
    await press('Confirmer les 2 actions')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Valider' }))
    await waitFor(async () => expect(await loans()).toMatchObject([{ lent_by: 2 }, { lent_by: 2 }]))
    expect(await screen.findByText('2 actions confirmées.')).toBeVisible()
  })
})
