// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'
import 'fake-indexeddb/auto'

import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { IDBFactory } from 'fake-indexeddb'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { noteAnswer, noteNoAnswer } from '../../src/client/api/connection.ts'
import { WaitingBadge } from '../../src/client/app/waiting-badge.tsx'
import { waitingWords } from '../../src/client/app/waiting-badge.tsx'
import { closeStore, transact } from '../../src/offline/device-store.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { dropEntry } from '../../src/offline/outbox-decisions.ts'
import { recordAction } from '../../src/offline/outbox.ts'
import { actorOf, benevole, biblio, lending } from '../offline/device.ts'

const now = Date.parse('2026-03-10T09:00:00Z')
const minute = 60_000
const held = (minutes: number, changes = {}) => ({
  waiting: 3,
  conflicts: 0,
  quarantined: 0,
  oldest_at: new Date(now - minutes * minute).toISOString(),
  ...changes,
})

describe('what waits, in words', () => {
  it.each([
    ['on line', true, 0, 'wait', ''],
    ['on line', true, 12, 'wait', ', la plus ancienne depuis 12\u00a0min'],
    ['on line', true, 15, 'wait', ', la plus ancienne depuis 15\u00a0min'],
    ['on line', true, 16, 'warn', ', la plus ancienne depuis 16\u00a0min'],
    ['off line', false, 16, 'wait', ', la plus ancienne depuis 16\u00a0min'],
    ['off line', false, 240, 'wait', ', la plus ancienne depuis 4\u00a0h'],
    ['off line', false, 241, 'warn', ', la plus ancienne depuis 4\u00a0h'],
    ['off line', false, -30, 'wait', ''],
  ] as const)('%s (%s), after %i minutes: %s', (_, isOnline, minutes, tone, since) => {
    expect(waitingWords(held(minutes), now, isOnline)).toEqual({
      tone,
      figure: 3,
      words: 'actions en attente',
      sentence: `3 actions en attente${since}`,
    })
  })

  it('is red as soon as one waits for a person', () => {
    expect(waitingWords(held(1, { waiting: 0, conflicts: 1 }), now, false)).toEqual({
      tone: 'bad',
      figure: 1,
      words: 'à régler',
      sentence: '1 action en attente depuis 1\u00a0min, dont 1 à régler',
    })
    expect(waitingWords(held(1, { quarantined: 1 }), now, true)).toMatchObject({
      tone: 'bad',
      figure: 1,
      words: 'à régler',
    })
  })

  it('is silent when nothing waits', () => {
    expect(waitingWords({ ...held(0), waiting: 0, oldest_at: null }, now, true)).toBeNull()
  })
})

describe('the badge of the top bar', () => {
  beforeEach(() => {
    globalThis.indexedDB = new IDBFactory()
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
    noteAnswer()
  })
  afterEach(async () => {
    cleanup()
    vi.useRealTimers()
    await closeStore()
  })
  const open = () =>
    render(
      <MemoryRouter>
        <WaitingBadge />
      </MemoryRouter>,
    )
  const badge = () => screen.findByRole('link')
  const refuse = ({ id }: Entry) =>
    transact(['outbox'], 'readwrite', async (tx) => {
      const entry = await tx.store.index('id').get(id)
      if (entry) await tx.store.put({ ...entry, state: 'conflict' })
    })

  it('counts everybody’s actions, grows older by the minute, and goes when they are settled', async () => {
    open()
    expect(screen.queryByRole('link')).toBeNull()
    const first = await recordAction(lending(1), await actorOf(biblio), new Date(now - 14 * minute))
    expect(await badge()).toHaveTextContent(/^1 action en attente$/)
    expect(await badge()).toHaveAttribute('href', '/waiting')
    const second = await recordAction(lending(2), await actorOf(benevole), new Date(now))
    await waitFor(() => expect(screen.getByRole('link')).toHaveTextContent(/^2 actions en attente$/))
    expect(screen.getByRole('link').firstElementChild).toHaveAttribute('data-tone', 'wait')
    act(() => void vi.advanceTimersByTime(2 * minute))
    expect(await badge()).toHaveAccessibleName(/^2 actions en attente, la plus ancienne depuis 16.min$/)
    expect((await badge()).firstElementChild).toHaveAttribute('data-tone', 'warn')
    act(noteNoAnswer)
    expect((await badge()).firstElementChild).toHaveAttribute('data-tone', 'wait')
    act(noteAnswer)

    await refuse(second)
    expect(await dropEntry(first.id, 'biblio', 'Essai')).toBe(true)
    await waitFor(() =>
      expect(screen.getByRole('link')).toHaveAccessibleName(
        /^1 action en attente depuis 2.min, dont 1 à régler$/,
      ),
    )
    expect((await badge()).firstElementChild).toHaveAttribute('data-tone', 'bad')
    expect(await dropEntry(second.id, 'biblio', 'Essai')).toBe(true)
    await waitFor(() => expect(screen.queryByRole('link')).toBeNull())
    // Nothing waits: nothing wakes the device.
    await expect.poll(() => vi.getTimerCount()).toBe(0)
  })
})

describe('the badge on the icon of the installed application', () => {
  beforeEach(noteAnswer)
  afterEach(async () => {
    cleanup()
    Reflect.deleteProperty(navigator, 'setAppBadge')
    await closeStore()
    globalThis.indexedDB = new IDBFactory()
  })
  const install = (setAppBadge: (count: number) => Promise<void>) =>
    Object.defineProperty(navigator, 'setAppBadge', { value: setAppBadge, configurable: true })
  const open = () =>
    render(
      <MemoryRouter>
        <WaitingBadge />
      </MemoryRouter>,
    )

  it('counts what waits, and is cleared when nothing does', async () => {
    const told: number[] = []
    install((count) => {
      told.push(count)
      return Promise.resolve()
    })
    open()
    await waitFor(() => expect(told).toEqual([0]))
    const first = await recordAction(lending(1), await actorOf(biblio))
    await waitFor(() => expect(told.at(-1)).toBe(1))
    const second = await recordAction(lending(2), await actorOf(benevole))
    await waitFor(() => expect(told.at(-1)).toBe(2))
    for (const { id } of [first, second]) expect(await dropEntry(id, 'biblio', 'Essai')).toBe(true)
    // Zero takes it off.
    await waitFor(() => expect(told.at(-1)).toBe(0))
  })

  it.each([
    ['refuses it', () => install(() => Promise.reject(new DOMException('no', 'NotAllowedError')))],
    ['has none', () => undefined],
  ])('disturbs nothing where the system %s', async (_, prepare) => {
    prepare()
    open()
    await recordAction(lending(1), await actorOf(biblio))
    expect(await screen.findByRole('link')).toHaveTextContent(/^1/)
  })
})
