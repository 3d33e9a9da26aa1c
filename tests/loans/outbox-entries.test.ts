// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { noteEntry, readEntry, useEntries, useEntry } from '../../src/client/outbox/outbox-entries.ts'
import { drain } from '../../src/offline/drain.ts'
import { dropEntry, retryEntry } from '../../src/offline/outbox-decisions.ts'
import { settleEntry } from '../../src/offline/settle-entry.ts'
import {
  actorOf,
  biblio,
  freshDevice,
  json,
  lending,
  loaned,
  record,
  refusal,
  scriptedServer,
  settingsOf,
  signIn,
} from '../offline/device.ts'

freshDevice()

const settled = (loaning: object | null) =>
  json({ '@type': 'Settlement', '@id': '/api/conflicts/7', id: 7, is_first: loaning !== null, loaning })

/** The line of a loan that the server refused; `then` is what it answers to what comes after. */
async function refusedLine(then: () => Response) {
  await signIn()
  const { id } = await record(lending(1))
  const server = scriptedServer((_, nth) => (nth === 1 ? refusal(409, 'ALREADY_LENT') : then()))
  const send = () => drain(settingsOf(server.fetch))
  await send()
  const line = renderHook(() => useEntry(id)).result
  await waitFor(() => expect(line.current).toMatchObject({ id, state: 'conflict' }))
  return { id, line, send }
}

describe('the reading of an entry', () => {
  it('follows a refused action to the choice that does it, and to the loan that it made', async () => {
    const { id, line, send } = await refusedLine(() => settled({ id: 12, end_date: '2026-03-31' }))
    await settleEntry(id, { choice: 'CLOSE_AND_LEND' }, await actorOf(biblio))
    await waitFor(() => expect(line.current).toMatchObject({ state: 'queued', resolves: id }))
    await send()
    await waitFor(() => expect(line.current).toMatchObject({ state: 'done', receipt: { id: 12 } }))
    expect(await readEntry(id)).toEqual(line.current)
  })

  it('follows a choice that the server has already, and of which it tells nothing', async () => {
    const { id, line, send } = await refusedLine(() => refusal(409, 'ALREADY_RECORDED'))
    await settleEntry(id, { choice: 'CLOSE_AND_LEND' }, await actorOf(biblio))
    await send()
    await waitFor(() => expect(line.current).toMatchObject({ state: 'done', receipt: null, resolves: id }))
  })

  it('follows a new try, and the try after it', async () => {
    const { id, line, send } = await refusedLine(() => loaned(12))
    const again = await retryEntry(id, biblio)
    await send()
    await waitFor(() => expect(line.current).toMatchObject({ id: again?.id, state: 'done' }))
  })

  it.each([
    ['a choice that only notes something', 'NOT_HANDED_OVER'],
    ['a choice that another device had made before, without a loan', 'CLOSE_AND_LEND'],
  ] as const)('stays with what was set aside by %s', async (_, choice) => {
    const { id, line, send } = await refusedLine(() => settled(null))
    await settleEntry(id, { choice }, await actorOf(biblio))
    await send()
    await waitFor(() => expect(line.current).toMatchObject({ id, state: 'set_aside' }))
  })

  it('stays with what was set aside for good', async () => {
    const { id, line } = await refusedLine(() => loaned())
    await dropEntry(id, 'biblio', 'Erreur')
    await waitFor(() => expect(line.current).toMatchObject({ id, state: 'set_aside' }))
  })

  it('keeps of a day’s settled actions the last few hundred, and those that a line follows', async () => {
    await signIn()
    const entry = await record(lending(1))
    const line = renderHook(() => useEntry('settled 1')).result
    const all = renderHook(() => useEntries()).result
    act(() => {
      for (let n = 1; n <= 400; n += 1)
        noteEntry({ ...entry, id: `settled ${n}`, seq: entry.seq + n, state: 'done' })
    })
    expect(line.current?.id).toBe('settled 1')
    const ids = all.current.map(({ id }) => id)
    expect(ids).toContain('settled 400')
    expect(ids).not.toContain('settled 2')
    await waitFor(() => expect(all.current.map(({ id }) => id)).toContain(entry.id))
  })

  it('goes on saying whom it was about while the session lives, though the store no longer does', async () => {
    localStorage.setItem('token', 'jeton')
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))
    await signIn()
    const action = lending(1)
    const { id } = await record({ ...action, label: { ...action.label, beneficiary: 'M1 - Martin Alice' } })
    const line = renderHook(() => useEntry(id)).result
    await waitFor(() => expect(line.current?.label.beneficiary).toBe('M1 - Martin Alice'))
    await drain(settingsOf(scriptedServer(() => loaned(12)).fetch))
    await waitFor(() => expect(line.current?.state).toBe('done'))
    expect(line.current?.label.beneficiary).toBe('M1 - Martin Alice')
    expect((await readEntry(id))?.label.beneficiary).toBeNull()

    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    await waitFor(() => expect(line.current?.label.beneficiary ?? null).toBeNull())
  })
})
