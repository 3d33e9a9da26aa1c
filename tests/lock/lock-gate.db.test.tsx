import '../support/page-globals.ts'
import '@testing-library/jest-dom/vitest'
import 'fake-indexeddb/auto'

import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { noteAnswer } from '../../src/client/api/connection.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { LockGate } from '../../src/client/lock/lock-gate.tsx'
import { beginSession, leaveSession, rememberUser } from '../../src/client/api/session.ts'
import { theme } from '../../src/client/ui/theme.ts'
import type { CurrentUser } from '../../src/contract/session.ts'
import { forgetLockCode } from '../../src/offline/device-meta.ts'
import { chooseLockCode } from '../../src/offline/lock-code.ts'
import { networkTo, noNetwork } from '../session/open-page.tsx'
import { setParameter } from '../settings/set-parameter.ts'
import { testPassword } from '../support/test-library.ts'
import { leavePage } from '../support/leave-page.ts'
import { describeServer } from '../support/test-server.ts'

const minute = 60_000
let now = Date.parse('2026-03-10T09:00:00Z')

/** The device's clock goes on, as in a sleep: nothing is heard of it before somebody looks. */
function wakeAfter(ms: number) {
  now += ms
  vi.setSystemTime(now)
  window.dispatchEvent(new Event('focus'))
}

function Basket() {
  const [copies, setCopies] = useState(0)
  return (
    <main>
      <h1>Prêt à Alice Martin</h1>
      <button onClick={() => setCopies(copies + 1)}>Ajouter</button>
      <output>{copies} exemplaires</output>
    </main>
  )
}

function openPage() {
  return render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <LockGate>
            <Basket />
          </LockGate>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

describeServer('the lock of a screen that stands alone', (server) => {
  let network = networkTo(server)
  const person = () => ({ environment_id: server.environment.id, user_id: 2 })

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now })
    network = networkTo(server)
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
      network(new Request(input, init)),
    )
    noteAnswer()
    await setParameter(server, 'idle_lock_minutes', '3')
    const client = await server.as('biblio')
    beginSession(client.token ?? '', server.environment.id)
    rememberUser((await client.get('/api/users/me')).body as CurrentUser)
  })
  afterEach(async () => {
    await forgetLockCode()
    await leavePage()
  })

  /** A page with a half-made basket whose lock knows its minutes. */
  async function atWork() {
    await chooseLockCode(person(), '2580')
    openPage()
    fireEvent.click(screen.getByRole('button', { name: 'Ajouter' }))
    await waitFor(() => expect(localStorage.getItem('comptoir.lock')).toContain('"minutes":3'))
  }
  const lock = () => screen.findByRole('heading', { name: 'Écran verrouillé' })
  const enter = async (code: string) => {
    fireEvent.change(await screen.findByLabelText('Code de verrouillage'), { target: { value: code } })
    fireEvent.click(screen.getByRole('button', { name: 'Déverrouiller' }))
  }

  it('comes after the minutes without a gesture, however they passed, and keeps what was begun', async () => {
    await atWork()
    wakeAfter(2.9 * minute)
    expect(screen.queryByRole('heading', { name: 'Écran verrouillé' })).toBeNull()
    fireEvent.keyDown(document.body, { key: 'a' })
    wakeAfter(2.9 * minute)
    expect(screen.queryByRole('heading', { name: 'Écran verrouillé' })).toBeNull()
    wakeAfter(0.2 * minute)
    await lock()
    expect(document.body).not.toHaveTextContent(/Alice|exemplaires/)
    expect(await screen.findByLabelText('Code de verrouillage')).toHaveFocus()
    await enter('2580')
    expect(await screen.findByText('1 exemplaires')).toBeVisible()
    expect(document.body).not.toHaveTextContent('Écran verrouillé')
  })

  it('comes with the first key after a rest, which wakes nothing else', async () => {
    await atWork()
    now += 4 * minute
    vi.setSystemTime(now)
    const heard = vi.fn()
    document.addEventListener('keydown', heard)
    fireEvent.keyDown(document.body, { key: 'Enter' })
    document.removeEventListener('keydown', heard)
    await lock()
    expect(heard).not.toHaveBeenCalled()
  })

  it('comes when the clock was set back further than that', async () => {
    await atWork()
    wakeAfter(-24 * 60 * minute)
    await lock()
  })

  it('says how many tries are left, and asks for the password after five', async () => {
    await atWork()
    wakeAfter(4 * minute)
    await lock()
    await enter('12')
    expect(await screen.findByText('Le code compte quatre chiffres.')).toBeVisible()
    for (const said of ['4 essais', '3 essais', '2 essais', '1 essai']) {
      await enter('0000')
      expect(await screen.findByText(`Code erroné. Il reste ${said}.`)).toBeVisible()
      expect(screen.getByRole('alert')).toHaveTextContent(said)
    }
    await enter('0000')
    const password = await screen.findByLabelText('Mot de passe')
    expect(screen.queryByLabelText('Code de verrouillage')).toBeNull()
    network = noNetwork
    await userEvent.click(password)
    // Typed without a pause it would be a scan.
    await userEvent.paste(testPassword)
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByText(/^Le mot de passe se vérifie en ligne/)).toBeVisible()
    network = networkTo(server)
    await waitFor(() => expect(screen.getByRole('button', { name: 'Déverrouiller' })).toBeEnabled())
    await userEvent.click(screen.getByRole('button', { name: 'Déverrouiller' }))
    expect(await screen.findByText('1 exemplaires')).toBeVisible()
  })

  it('stays in a page that is opened anew, and shows nothing of it before', async () => {
    await atWork()
    wakeAfter(4 * minute)
    await lock()
    cleanup()
    openPage()
    expect(document.body).not.toHaveTextContent(/Alice/)
    await enter('2580')
    expect(await screen.findByText('0 exemplaires')).toBeVisible()
  })

  it('ends with the session: there is nothing to hide any more', async () => {
    await atWork()
    wakeAfter(4 * minute)
    await lock()
    leaveSession()
    expect(await screen.findByText('1 exemplaires')).toBeVisible()
  })

  it('is not there where the library does not want it', async () => {
    await setParameter(server, 'idle_lock_minutes', '0')
    openPage()
    await waitFor(() => expect(queryClient.getQueryState(['parameters'])?.status).toBe('success'))
    wakeAfter(600 * minute)
    expect(screen.getByText('0 exemplaires')).toBeVisible()
  })

  it('asks for a code at first', async () => {
    openPage()
    await screen.findByRole('heading', { name: 'Code de verrouillage' })
    expect(document.body).not.toHaveTextContent(/Alice/)
    expect(document.body).toHaveTextContent('verrouille l’écran après 3 minutes sans geste')
    const form = within(screen.getByRole('main'))
    fireEvent.change(form.getByLabelText('Nouveau code'), { target: { value: '1357' } })
    fireEvent.change(form.getByLabelText('Le même code, une seconde fois'), { target: { value: '1357' } })
    fireEvent.click(form.getByRole('button', { name: 'Enregistrer le code' }))
    expect(await screen.findByText('0 exemplaires')).toBeVisible()
    wakeAfter(4 * minute)
    await lock()
    await enter('1357')
    expect(await screen.findByText('0 exemplaires')).toBeVisible()
  })
})
