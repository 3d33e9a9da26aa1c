import '../support/page-globals.ts'

import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'

import {
  beginSession,
  chooseSite,
  currentSession,
  leaveSession,
  rememberUser,
} from '../../src/client/api/session.ts'
import { mirrorSettled } from '../../src/client/api/mirror-session.ts'
import { setPreference } from '../../src/client/page/preferences.ts'
import { transact } from '../../src/offline/device-store.ts'
import { offeredFiles, offerFiles } from '../../src/offline/offered-files.ts'
import { tellOutbox } from '../../src/offline/outbox-news.ts'
import { exportEntries } from '../../src/offline/export-entries.ts'
import { listEntries, recordAction } from '../../src/offline/outbox.ts'
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
    expect(dialog).toHaveTextContent(
      '« comptoir-actions-202[...].comptoir » contient 2 actions. Elles partiront de cet appareil, chacune une seule fois ; celles d’une autre personne attendront sa confirmation.',
    )
    expect(within(dialog).getByRole('button', { name: 'Annuler' })).toHaveFocus()
    typeScan('1001')
    expect(await within(dialog).findByText(/Code .+ gardé, à reprendre en haut/)).toBeInTheDocument()
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
    expect(await screen.findByText(/n’est pas une file d’actions exportée de Comptoir/)).toBeVisible()
    const unread = { name: 'clé.comptoir', size: 1, text: () => Promise.reject(new Error('gone')) }
    await hand(unread as unknown as File)
    expect(await screen.findByText('« clé.comptoir » n’a pas pu être lu.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
  it('is asked about in its turn where one of the same name is in sight, and stays until it is answered', async () => {
    const { queue, hand } = await openWithQueue()
    await hand(queue)
    await question()
    await hand(queue)
    expect(await offeredFiles()).toHaveLength(2)
    await userEvent.click(within(await question()).getByRole('button', { name: 'Annuler' }))
    await expect.poll(async () => (await offeredFiles()).length).toBe(1)
    await userEvent.click(within(await question()).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('2 actions importées.')).toBeVisible()
    await expect.poll(offeredFiles).toEqual([])
  })

  it('asks nothing of an empty queue, and says so', async () => {
    const { queue, hand } = await openWithQueue()
    const empty = JSON.stringify({ ...JSON.parse(await queue.text()), entries: [] })
    await hand(new File([empty], 'vide.comptoir'))
    expect(await screen.findByText('Ce fichier ne contient aucune action.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    await expect.poll(offeredFiles).toEqual([])
  })

  it('names the file that is too large, offered or chosen here', async () => {
    const { hand } = await openWithQueue()
    const large = (name: string) =>
      Object.defineProperty(new File(['{}'], name), 'size', { value: 16_000_001 })
    await hand(large('film.comptoir'))
    expect(
      await screen.findByText('« film.comptoir » : la taille maximale ne doit pas excéder 16Mo.'),
    ).toBeVisible()
    const label = screen.getByRole('button', { name: 'Importer une file' })
    const field = label.parentElement?.querySelector('input[type=file]') as HTMLInputElement
    await userEvent.upload(field, large('autre.comptoir'))
    expect(
      await screen.findByText('« autre.comptoir » : la taille maximale ne doit pas excéder 16Mo.'),
    ).toBeVisible()
  })

  it('is not imported once nobody is signed in, which is said; what comes then waits for the sign-in', async () => {
    const { queue, hand } = await openWithQueue()
    await hand(queue)
    const dialog = await question()
    const session = currentSession()
    act(leaveSession)
    await mirrorSettled()
    expect(await offeredFiles()).toEqual([])
    await offerFiles([new File([await queue.text()], 'ensuite.comptoir')])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Valider' }))
    expect(
      await screen.findByText(
        '« comptoir-actions-202[...].comptoir » n’a pas été importé : vous n’êtes plus connecté.',
      ),
    ).toBeVisible()
    expect(await listEntries()).toEqual([])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await offeredFiles()).toMatchObject([{ name: 'ensuite.comptoir' }])
    if (!session?.user) throw new Error('nobody was signed in')
    const { user } = session
    act(() => {
      beginSession(session.token, session.environment_id ?? 0)
      rememberUser(user)
      chooseSite({ id: 0, name: 'Tous les sites' })
    })
    await hand()
    await userEvent.click(within(await question()).getByRole('button', { name: 'Valider' }))
    expect(await screen.findByText('2 actions importées.')).toBeVisible()
  })
})
