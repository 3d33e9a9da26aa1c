// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import UpdatePrompt from '../../src/client/app/update-prompt.tsx'
import { deviceId } from '../../src/offline/device-meta.ts'
import { freshDevice } from './device.ts'

freshDevice()
afterEach(cleanup)

const show = () =>
  render(
    <MantineProvider env="test">
      <UpdatePrompt />
    </MantineProvider>,
  )

/** The store as a page of another version opens it; that page lets go of it only when told. */
const pageOf = (version: number) =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('comptoir', version)
    opening.addEventListener('upgradeneeded', () => {
      if (version === 1)
        for (const name of ['meta', 'outbox', 'copies_a', 'copies_b']) opening.result.createObjectStore(name)
    })
    opening.addEventListener('success', () => resolve(opening.result))
    opening.addEventListener('error', () => reject(new Error('the store cannot be opened')))
  })

describe('a page', () => {
  it('asks to close the other tabs while one of them keeps an older store open, and no longer', async () => {
    const old = await pageOf(1)
    show()
    const kept = deviceId()
    expect(await screen.findByRole('alert')).toHaveTextContent('fermez les autres onglets de Comptoir')
    old.close()
    expect(await kept).toMatch(/^[\da-f-]{36}$/)
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  it('asks to load the page again once a newer one has changed the store', async () => {
    await deviceId()
    show()
    const newer = await pageOf(99)
    expect(await screen.findByRole('alert')).toHaveTextContent('cette page n’enregistre plus rien')
    await expect(deviceId()).rejects.toThrow(/rechargez la page/)
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    await userEvent.click(screen.getByRole('button', { name: 'Recharger la page' }))
    expect(reload).toHaveBeenCalledOnce()
    newer.close()
  })
})
