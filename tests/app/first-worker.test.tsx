// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import UpdatePrompt from '../../src/client/app/update-prompt.tsx'

// The browser's side of a service worker, as far as the page hears of it.

class Worker extends EventTarget {
  state = 'installing'
  readonly scriptURL = new URL('/sw.js', location.href).href
}

class Registration extends EventTarget {
  installing: Worker | null = null
  waiting: Worker | null = null
  active: Worker | null = null
}

class Container extends EventTarget {
  controller: Worker | null = null
  readonly registration = new Registration()
  register = vi.fn<() => Promise<Registration>>(() => Promise.resolve(this.registration))
  getRegistration = () => Promise.resolve(this.registration)
}

let browser: Container
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubEnv('PROD', true)
  browser = new Container()
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: browser })
})
afterEach(() => {
  cleanup()
  vi.unstubAllEnvs()
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** Opens the page; a worker is found, installed, and waits longer than the page gives it. */
async function openWhileAWorkerWaits(): Promise<void> {
  render(
    <MantineProvider env="test">
      <UpdatePrompt />
    </MantineProvider>,
  )
  await vi.waitFor(() => expect(browser.register).toHaveBeenCalled())
  const worker = new Worker()
  const { registration } = browser
  await act(async () => {
    await vi.advanceTimersByTimeAsync(0)
    registration.installing = worker
    registration.dispatchEvent(new Event('updatefound'))
    Object.assign(registration, { installing: null, waiting: worker })
    worker.state = 'installed'
    worker.dispatchEvent(new Event('statechange'))
    await vi.advanceTimersByTimeAsync(1_000)
  })
}

describe('a page', () => {
  it('offers no new version where the first one takes its time', async () => {
    await openWhileAWorkerWaits()
    expect(screen.queryByRole('button', { name: 'Mettre à jour' })).toBeNull()
  })

  it('offers a new version that waits for an older one', async () => {
    browser.registration.active = browser.controller = new Worker()
    await openWhileAWorkerWaits()
    expect(screen.getByRole('button', { name: 'Mettre à jour' })).toBeVisible()
  })
})
