import '../support/page-globals.ts'

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { currentConnection, noteAnswer } from '../../src/client/api/connection.ts'
import { transact } from '../../src/offline/device-store.ts'
import { getEntry, recordAction } from '../../src/offline/outbox.ts'
import { findEntry } from '../../src/offline/outbox-store.ts'
import { closeHome, openHome } from '../home/open-home.tsx'
import { noNetwork } from '../loans/open-counter.tsx'
import { actorOf, biblio, lending, returning } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeHome)

const fullDisk = () =>
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('Le disque est plein', 'QuotaExceededError')
  })

describeServer('the waiting actions in trouble', (server) => {
  it('keeps the dialog and what was typed when a decision cannot be written, and says why', async () => {
    await openHome(server, { at: '/waiting' })
    await recordAction(lending(3, 3), await actorOf(biblio))
    await userEvent.click(await screen.findByRole('button', { name: 'Prêter malgré le refus' }))
    const dialog = await screen.findByRole('dialog', { name: 'Prêter malgré le refus' })
    const motive = within(dialog).getByLabelText(/Motif/)
    await userEvent.type(motive, 'Vu avec la direction')
    const disk = fullDisk()
    const confirm = within(dialog).getByRole('button', { name: 'Prêter malgré le refus' })
    await userEvent.click(confirm)
    expect(await screen.findByText(/L’action n’est pas enregistrée/)).toBeVisible()
    expect(motive).toHaveValue('Vu avec la direction')
    disk.mockRestore()
    await userEvent.click(confirm)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByText(/^Rien n’attend/)).toBeVisible()
  })

  it('keeps an action that could not be set aside, with the motive', async () => {
    const page = await openHome(server, { at: '/waiting' })
    page.device.network = noNetwork
    await recordAction(lending(2), await actorOf(biblio))
    const disk = fullDisk()
    await userEvent.click(await screen.findByRole('button', { name: 'Mettre de côté' }))
    const dialog = await screen.findByRole('dialog', { name: 'Mettre de côté' })
    await userEvent.type(within(dialog).getByLabelText(/Motif/), 'Erreur')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Mettre de côté' }))
    expect(await screen.findByText(/L’action n’est pas enregistrée/)).toBeVisible()
    expect(within(dialog).getByLabelText(/Motif/)).toHaveValue('Erreur')
    disk.mockRestore()
  })

  it('says that the actions cannot be read, and reads them again when asked', async () => {
    const broken = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
      throw new DOMException('La base ne répond pas', 'UnknownError')
    })
    await openHome(server, { at: '/waiting' })
    const alert = await screen.findByText('Les actions en attente n’ont pas pu être lues sur cet appareil.')
    expect(alert).toBeVisible()
    broken.mockRestore()
    await userEvent.click(screen.getByRole('button', { name: 'Réessayer' }))
    expect(await screen.findByText(/^Rien n’attend/)).toBeVisible()
  })

  it('says once that nothing can be sent because the store does not answer', async () => {
    const broken = vi.spyOn(IDBIndex.prototype, 'openCursor').mockImplementation(() => {
      throw new DOMException('La base ne répond pas', 'UnknownError')
    })
    await openHome(server, { at: '/waiting' })
    expect(await screen.findByText(/^Rien ne part pour l’instant/)).toBeVisible()
    broken.mockRestore()
  })

  it('sends what got no answer as soon as the server is known to answer, whatever its next try', async () => {
    const page = await openHome(server, { at: '/waiting' })
    page.device.network = noNetwork
    const { id } = await recordAction(lending(4), await actorOf(biblio))
    await expect
      .poll(async () => (await getEntry(id))?.state === 'queued' && currentConnection())
      .toBe('offline')
    await transact(['outbox'], 'readwrite', async (tx) => {
      const entry = await findEntry(tx, id)
      if (entry) await tx.store.put({ ...entry, next_try: Date.now() + 4 * 60_000 })
    })
    page.device.network = page.network
    noteAnswer()
    expect(await screen.findByText(/^Rien n’attend/)).toBeVisible()
    expect(await getEntry(id)).toMatchObject({ state: 'done' })
  })

  it('takes the bar code that is meant, however it was scanned', async () => {
    const page = await openHome(server, { at: '/waiting' })
    expect((await page.client.post('/api/loanings', { beneficiary: 2, copy: 7 })).status).toBe(201)
    const unknown = { bar_code: 'sans-étiquette', copy_id: null, body: { bar_code: 'sans-étiquette' } }
    await recordAction({ ...returning(7), ...unknown }, await actorOf(biblio))
    await userEvent.click(await screen.findByRole('button', { name: 'Relier à un exemplaire' }))
    const dialog = await screen.findByRole('dialog', { name: 'Relier à un exemplaire' })
    const field = within(dialog).getByLabelText(/Code-barres/)
    await userEvent.click(field)
    await userEvent.paste(']C01007 ')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Relier à un exemplaire' }))
    await waitFor(async () => {
      const { status } = await server.db
        .selectFrom('loanings')
        .select('status')
        .where('copy', '=', 7)
        .executeTakeFirstOrThrow()
      expect(status).toBe('finished')
    })
  })

  it('reads the same file again when it is chosen again', async () => {
    await openHome(server, { at: '/waiting' })
    const label = await screen.findByRole('button', { name: 'Importer une file' })
    const field = label.parentElement?.querySelector<HTMLInputElement>('input[type=file]')
    const file = new File(['{}'], 'file.json', { type: 'application/json' })
    const read = vi.spyOn(file, 'text')
    for (const times of [1, 2]) {
      if (field) await userEvent.upload(field, file)
      await waitFor(() => expect(read).toHaveBeenCalledTimes(times))
    }
  })
})
