import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import { setPreference } from '../../src/client/ui/preferences.ts'
import { transact } from '../../src/offline/device-store.ts'
import { offerFiles } from '../../src/offline/offered-files.ts'
import { tellOutbox } from '../../src/offline/outbox-news.ts'
import { exportEntries, listEntries, recordAction } from '../../src/offline/outbox.ts'
import { closeHome, openHome, typeScan } from '../home/open-home.tsx'
import { noNetwork } from '../loans/open-counter.tsx'
import { actorOf, biblio, lending } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'

afterEach(closeHome)

describeServer('a file that the system hands over', (server) => {
  /** The screen off line, and a queue of two actions that another device of the same person exported. */
  async function openWithQueue() {
    const page = await openHome(server, { at: '/waiting' })
    page.device.network = noNetwork
    const one = await recordAction(lending(1), await actorOf(biblio))
    const other = await recordAction(lending(2), await actorOf(biblio))
    const queue = new File([await exportEntries()], 'comptoir-actions-2026-03-10-09-00.comptoir')
    await transact(['outbox'], 'readwrite', (tx) => tx.store.clear())
    tellOutbox({ ids: [one.id, other.id], to_send: false })
    /** As the system does: kept, then the screen is opened. */
    const hand = async (...files: File[]) => {
      await offerFiles(files)
      await act(() => page.router.navigate('/waiting'))
    }
    return { ...page, queue, hand }
  }
  const question = () => screen.findByRole('dialog', { name: 'Importer une file' })

  it('is asked about, and a scan or a refusal imports nothing', async () => {
    setPreference('scanner_prefix', '~')
    const { queue, hand, router } = await openWithQueue()
    await hand(queue)
    const dialog = await question()
    expect(dialog).toHaveTextContent('« comptoir-actions-202[...].comptoir » contient 2 actions.')
    expect(within(dialog).getByRole('button', { name: 'Annuler' })).toHaveFocus()
    typeScan('1001')
    expect(await within(dialog).findByText(/Code lu, ignoré/)).toBeInTheDocument()
    expect(dialog).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Annuler' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await listEntries()).toEqual([])
    // Asked once.
    await act(() => router.navigate('/waiting'))
    expect(await screen.findByText(/^Rien n’attend/)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is imported as a chosen one when the person says so, and twice does nothing twice', async () => {
    const { queue, hand } = await openWithQueue()
    await hand(queue, queue)
    await userEvent.click(within(await question()).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('2 actions importées.')).toBeVisible()
    await userEvent.click(within(await question()).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('Aucune action importée, 2 déjà connues.')).toBeVisible()
    expect(await listEntries()).toHaveLength(2)
  })

  it('is refused without a question when it is no queue, or cannot be read', async () => {
    const { hand } = await openWithQueue()
    await hand(new File(['%PDF-1.7'], 'affiche.comptoir'))
    expect(await screen.findByText(/n’est pas une file d’actions exportée du Comptoir/)).toBeVisible()
    const unread = { name: 'clé.comptoir', size: 1, text: () => Promise.reject(new Error('gone')) }
    await hand(unread as unknown as File)
    expect(await screen.findByText('Ce fichier n’a pas pu être lu.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
