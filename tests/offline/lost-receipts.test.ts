import { beforeEach, describe, expect, it } from 'vitest'

import type { DeviceSession } from '../../src/offline/device-meta.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { getEntry, listEntries } from '../../src/offline/outbox.ts'
import { currentSession } from '../../src/offline/session-mirror.ts'
import { findLostActions } from '../../src/offline/snapshot.ts'
import {
  biblio,
  change,
  freshDevice,
  json,
  lending,
  outboxNews,
  record,
  refusal,
  returning,
  scriptedServer,
  type Sent,
  signIn,
  stillClock,
} from './device.ts'

freshDevice()
beforeEach(() => signIn())

const asked = ({ path }: Sent) => new URL(path, 'https://x').searchParams.get('keys')?.split(',') ?? []
/** A server that lost the actions of these keys. */
const losing = (...keys: string[]) =>
  scriptedServer((sent) =>
    json({ '@type': 'LostReceipts', keys: asked(sent).filter((key) => keys.includes(key)) }),
  )
const find = async ({ fetch }: Pick<ReturnType<typeof losing>, 'fetch'>) =>
  findLostActions({
    fetch,
    site: 1,
    session: (await currentSession()) as DeviceSession,
    now: stillClock().now,
  })
const done = (entry: Entry, changes: Partial<Entry> = {}) =>
  change(entry, {
    state: 'done',
    attempts: 2,
    faults: 1,
    last_status: 201,
    receipt: { id: 12 },
    settled_at: '2026-03-10T08:00:00.000Z',
    ...changes,
  })

describe('findLostActions', () => {
  it('asks for what was confirmed here and to this organisation, and for nothing else', async () => {
    const entry = await done(await record(lending(1)))
    await done(await record(lending(2), { ...biblio, environment_id: 2 }))
    await record(lending(3))
    await done(await record(lending(4)), { settled_at: '2026-03-03T08:59:59.000Z' })
    const heard = outboxNews()
    const server = losing()
    await find(server)
    expect(server.sent.map(asked)).toEqual([[entry.id]])
    expect(server.sent[0]?.path).toContain('/api/snapshot/lost_receipts?')
    expect(await getEntry(entry.id)).toEqual(entry)
    expect(heard).toEqual([])
  })

  it('asks for nothing where nothing was confirmed', async () => {
    await record(lending(1))
    const server = losing()
    await find(server)
    expect(server.sent).toEqual([])
  })

  it('asks for a hundred at a time', async () => {
    const made: Entry[] = []
    for (let n = 1; n <= 201; n += 1) made.push(await done(await record(lending(n))))
    const [first, last] = [made[0], made[200]] as [Entry, Entry]
    const server = losing(first.id, last.id)
    await find(server)
    expect(server.sent.map((sent) => asked(sent).length)).toEqual([100, 100, 1])
    expect((await listEntries()).filter(({ state }) => state === 'conflict').map(({ id }) => id)).toEqual([
      first.id,
      last.id,
    ])
  })

  it('leaves a lost loan to its person, as one that was never sent', async () => {
    const lend = await done(await record(lending(1)))
    const kept = await done(await record(lending(2)))
    const heard = outboxNews()
    await find(losing(lend.id))
    expect(await getEntry(lend.id)).toEqual({
      ...lend,
      state: 'conflict',
      attempts: 0,
      faults: 0,
      next_try: 0,
      last_status: null,
      receipt: null,
      settled_at: null,
      decision: null,
      seal: null,
      problem: {
        code: 0,
        reason: 'RECEIPT_LOST',
        message:
          'Confirmée, puis perdue par le serveur, qui a repris un état plus ancien\u202f: confirmez-la pour la refaire, ou mettez-la de côté.',
        facts: null,
      },
    })
    expect(await getEntry(kept.id)).toEqual(kept)
    expect(heard).toEqual([{ ids: [lend.id], to_send: false }])
  })

  it('has a lost return find its loan by the bar code, since the number may be another’s by now', async () => {
    const back = await done(
      await record({
        ...returning(1),
        endpoint: 'loanings.return',
        params: { id: '12' },
        body: { state: 'GOOD' },
      }),
    )
    await find(losing(back.id))
    const lost = await getEntry(back.id)
    expect(lost).toMatchObject({
      state: 'conflict',
      endpoint: 'loanings.return_copy',
      params: {},
      body: { bar_code: '1001', state: 'GOOD' },
    })
    expect(JSON.parse(lost?.frozen_body ?? '')).toEqual({
      bar_code: '1001',
      ...(JSON.parse(back.frozen_body) as object),
    })
  })

  it('leaves a return as it is that has no bar code, or names it already', async () => {
    const byNumber = {
      ...returning(1),
      endpoint: 'loanings.return',
      params: { id: '12' },
      bar_code: null,
    } as const
    const [one, other] = [await done(await record(byNumber)), await done(await record(returning(2)))]
    await find(losing(one.id, other.id))
    for (const { id, endpoint, params, body } of [one, other])
      expect(await getEntry(id)).toMatchObject({ state: 'conflict', endpoint, params, body })
  })

  it('quarantines a lost choice, which cannot be made again', async () => {
    const choice = await done(await record({ ...lending(1), endpoint: 'conflicts.settle' }))
    await find(losing(choice.id))
    expect(await getEntry(choice.id)).toMatchObject({
      state: 'quarantined',
      endpoint: 'conflicts.settle',
      problem: { message: expect.stringContaining('voyez ce qu’il en est') as string },
    })
  })

  it('does not touch what is no longer done by the time the server answers', async () => {
    const entry = await done(await record(lending(1)))
    const moved = { ...entry, state: 'set_aside' } as const
    const server = scriptedServer(async () => {
      await change(entry, moved)
      return json({ '@type': 'LostReceipts', keys: [entry.id, 'nulle part'] })
    })
    await find(server)
    expect(await getEntry(entry.id)).toEqual(moved)
  })

  it('loses nothing where the server refuses or cannot be reached', async () => {
    const entry = await done(await record(lending(1)))
    for (const answer of [() => refusal(403), () => Promise.reject(new TypeError('cut')), () => json({})])
      await expect(find(scriptedServer(answer))).rejects.toMatchObject({ name: 'RefreshStopped' })
    expect(await getEntry(entry.id)).toEqual(entry)
  })
})
