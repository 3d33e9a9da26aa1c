import { beforeEach, describe, expect, it } from 'vitest'

import type { SnapshotPage } from '../../src/contract/snapshot.ts'
import { clearSnapshot } from '../../src/offline/clear-snapshot.ts'
import { lockIfFree } from '../../src/offline/device-lock.ts'
import { type Side, transact } from '../../src/offline/device-store.ts'
import { currentSession } from '../../src/offline/session-mirror.ts'
import { refreshSnapshot } from '../../src/offline/snapshot.ts'
import { type SnapshotProgress, snapshotState } from '../../src/offline/snapshot-state.ts'
import {
  benevole,
  biblio,
  change,
  copyRow,
  freshDevice,
  json,
  lending,
  loanRow,
  metaOf,
  pageOf,
  readerRow,
  record,
  refusal,
  reservationRow,
  signIn,
  stillClock,
} from './device.ts'

freshDevice()
const clock = stillClock()
beforeEach(async () => {
  clock.at = Date.parse('2026-03-10T09:00:00Z')
  await signIn()
})

type Answer = Partial<SnapshotPage> | (() => Response | Promise<Response>)

/** A server that gives these answers one after the other; `asked` are the cursors that it was asked with. */
function serving(...answers: Answer[]) {
  const asked: (string | null)[] = []
  const receipts: string[] = []
  const fetch = (path: string) => {
    const { pathname, searchParams } = new URL(path, 'https://x')
    if (pathname.endsWith('/lost_receipts')) {
      receipts.push(searchParams.get('keys') ?? '')
      return json({ keys: [] })
    }
    asked.push(searchParams.get('since'))
    const answer = answers[asked.length - 1]
    if (answer === undefined) throw new TypeError('asked once too often')
    return typeof answer === 'function' ? answer() : json(pageOf(answer))
  }
  return { fetch, asked, receipts }
}
const cut = () => Promise.reject(new TypeError('cut'))
const refresh = async (server: ReturnType<typeof serving>, site = 1) => {
  const progress: SnapshotProgress[] = []
  const report = await refreshSnapshot({
    fetch: server.fetch,
    site,
    now: clock.now,
    onProgress: (rows) => progress.push(rows),
  })
  return { report, progress }
}
const copiesOn = (side: Side) =>
  transact([`copies_${side}`], 'readonly', async (tx) => (await tx.store.getAll()).map(({ id }) => id))
/** A device that knows copy 1 up to the cursor « c1 », on side a. */
const known = () => refresh(serving({ copies: [copyRow(1)] }, { cursor: 'c1' }))

describe('refreshSnapshot', () => {
  it('loads all pages at first, then at once what changed meanwhile', async () => {
    const server = serving(
      { cursor: 'p1', complete: false, total: 3, copies: [copyRow(1), copyRow(2)] },
      { cursor: 'p2', total: 3, copies: [copyRow(3)] },
      { cursor: 'c3', copies: [copyRow(4)] },
    )
    const { report, progress } = await refresh(server)
    expect(report).toEqual({ ok: true })
    expect(server.asked).toEqual([null, 'p1', 'p2'])
    expect(progress).toEqual([
      { rows: 2, total: 3 },
      { rows: 3, total: 3 },
      { rows: 1, total: 1 },
    ])
    expect(await copiesOn('a')).toEqual([1, 2, 3, 4])
    expect(await metaOf('snapshot')).toEqual({
      side: 'a',
      environment_id: 1,
      site: 1,
      cursor: 'c3',
      asked_at: '2026-03-10T09:00:00.000Z',
    })
    expect(await metaOf('loading')).toBeNull()
  })

  it('asks only for changes afterwards, and is as fresh as when it asked', async () => {
    await known()
    clock.at += 60_000
    const server = serving({ cursor: 'c2', copies: [copyRow(1, { deleted: true }), copyRow(2)] })
    expect((await refresh(server)).report).toEqual({ ok: true })
    expect(server.asked).toEqual(['c1'])
    expect(await copiesOn('a')).toEqual([2])
    expect(await metaOf('snapshot')).toMatchObject({ cursor: 'c2', asked_at: '2026-03-10T09:01:00.000Z' })
  })

  it('goes on from what another person of the organisation left', async () => {
    await known()
    await signIn(benevole, 'autre')
    const server = serving({ cursor: 'c2' })
    await refresh(server)
    expect(server.asked).toEqual(['c1'])
  })

  it('takes up changes that were cut where they were, though still as old as before', async () => {
    await known()
    clock.at += 60_000
    const first = serving({ cursor: 'c2', complete: false, copies: [copyRow(2)] }, cut)
    expect((await refresh(first)).report).toEqual({ ok: false, why: 'network' })
    expect(await metaOf('snapshot')).toMatchObject({ cursor: 'c2', asked_at: '2026-03-10T09:00:00.000Z' })
    const then = serving({ cursor: 'c3' })
    await refresh(then)
    expect(then.asked).toEqual(['c2'])
  })

  it('takes up a full load that was cut where it was, on the same side', async () => {
    await known()
    clock.at += 60_000
    await refresh(serving({ cursor: 'q1', complete: false, total: 9, copies: [copyRow(5)] }, cut), 2)
    expect(await metaOf('snapshot')).toMatchObject({ side: 'a', site: 1, cursor: 'c1' })
    expect(await snapshotState()).toMatchObject({ site: 1, loading: { rows: 1, total: 9 } })
    clock.at += 60_000
    const then = serving({ cursor: 'q2', copies: [copyRow(6)] }, { cursor: 'q3' })
    expect((await refresh(then, 2)).progress[0]).toEqual({ rows: 2, total: 2 })
    expect(then.asked).toEqual(['q1', 'q2'])
    expect([await copiesOn('a'), await copiesOn('b')]).toEqual([[], [5, 6]])
    expect(await metaOf('snapshot')).toMatchObject({ side: 'b', site: 2, cursor: 'q3' })
  })

  it('answers from the old side until the new is complete, and is as old as its first page until then', async () => {
    await known()
    clock.at += 60_000
    const marks: unknown[] = []
    const note = async () => {
      const mark = await metaOf('snapshot')
      marks.push([mark?.side, mark?.asked_at])
      clock.at += 60_000
    }
    const page = (changes: Partial<SnapshotPage>) => async () => {
      await note()
      return json(pageOf(changes))
    }
    await refresh(serving(page({ cursor: 'q1', complete: false }), page({ cursor: 'q2' }), page({})), 2)
    await note()
    expect(marks).toEqual([
      ['a', '2026-03-10T09:00:00.000Z'],
      ['a', '2026-03-10T09:00:00.000Z'],
      ['b', '2026-03-10T09:01:00.000Z'],
      ['b', '2026-03-10T09:03:00.000Z'],
    ])
  })

  it.each([
    ['another site', biblio, 2],
    ['another organisation', { ...biblio, environment_id: 2 }, 1],
  ])('begins a half-done load anew for %s', async (_, person, site) => {
    await refresh(serving({ cursor: 'q1', complete: false, copies: [copyRow(5)] }, cut))
    await signIn(person, 'autre')
    const then = serving({ copies: [copyRow(6)] }, {})
    await refresh(then, site)
    expect(then.asked[0]).toBeNull()
    expect(await copiesOn('a')).toEqual([6])
    expect(await metaOf('snapshot')).toMatchObject({ environment_id: person.environment_id, site })
  })

  it('loads in full what it holds of another organisation', async () => {
    await known()
    await signIn({ ...biblio, environment_id: 2 }, 'autre')
    const then = serving({ copies: [copyRow(6)] }, {})
    await refresh(then)
    expect([then.asked[0], await copiesOn('b'), await copiesOn('a')]).toEqual([null, [6], []])
  })

  it('empties the side that it loads in full, of what an older load left there', async () => {
    await transact(['copies_a'], 'readwrite', (tx) => tx.store.put(copyRow(77)))
    await known()
    expect(await copiesOn('a')).toEqual([1])
  })

  it('swaps the sides back at the load after', async () => {
    await known()
    await refresh(serving({}, {}), 2)
    await refresh(serving({ copies: [copyRow(3)] }, {}), 3)
    expect(await metaOf('snapshot')).toMatchObject({ side: 'a', site: 3 })
    expect([await copiesOn('a'), await copiesOn('b')]).toEqual([[3], []])
  })
})

describe('refreshSnapshot, of a server that knows its cursor no more,', () => {
  const anew = { reset: true, cursor: 'n1', complete: false, total: 5, copies: [copyRow(8)] }

  it('loads all again beside the old data, and shows those until it is complete', async () => {
    await known()
    await transact(['copies_b'], 'readwrite', (tx) => tx.store.put(copyRow(77)))
    clock.at += 60_000
    expect((await refresh(serving(anew, cut))).report).toEqual({ ok: false, why: 'network' })
    expect(await copiesOn('a')).toEqual([1])
    expect(await snapshotState()).toMatchObject({
      refreshed_at: '2026-03-10T09:00:00.000Z',
      counts: { copies: 1 },
      loading: { rows: 1, total: 5 },
    })
    const then = serving({ cursor: 'n2', copies: [copyRow(9)] }, { cursor: 'n3' })
    expect((await refresh(then)).report).toEqual({ ok: true })
    expect(then.asked).toEqual(['n1', 'n2'])
    expect([await copiesOn('a'), await copiesOn('b')]).toEqual([[], [8, 9]])
  })

  it('begins a full load anew on the side that is not in use', async () => {
    await known()
    const full = { cursor: 'q1', complete: false, copies: [copyRow(5)] }
    await refresh(serving(full, cut), 2)
    await refresh(serving({ ...anew, complete: true }, {}), 2)
    expect(await copiesOn('b')).toEqual([8])
    expect(await metaOf('snapshot')).toMatchObject({ side: 'b', site: 2 })
  })

  const confirmed = async () =>
    change(await record(lending(1)), { state: 'done', settled_at: '2026-03-10T08:00:00.000Z' })

  it('asks which confirmed actions were lost', async () => {
    const { id } = await confirmed()
    await known()
    const server = serving(anew, cut)
    await refresh(server)
    expect(server.receipts).toEqual([id])
  })

  it('keeps its cursor where that cannot be asked', async () => {
    await confirmed()
    await known()
    const server = serving({ ...anew, complete: true })
    const fetch = (path: string) => (path.includes('lost_receipts') ? cut() : server.fetch(path))
    const report = await refreshSnapshot({ fetch, site: 1, now: clock.now })
    expect(report).toEqual({ ok: false, why: 'network' })
    expect(await metaOf('snapshot')).toMatchObject({ cursor: 'c1' })
    expect(await metaOf('loading')).toMatchObject({ mode: 'changes', cursor: 'c1' })
  })

  it('asks for nothing lost where the server goes on from the cursor', async () => {
    await confirmed()
    await known()
    const server = serving({ cursor: 'c2' })
    await refresh(server)
    expect(server.receipts).toEqual([])
  })
})

describe('refreshSnapshot, when it cannot,', () => {
  it('says that nobody is signed in, and asks for nothing', async () => {
    await transact(['meta'], 'readwrite', (tx) => tx.store.delete('session'))
    const server = serving()
    expect((await refresh(server)).report).toEqual({ ok: false, why: 'signed-out' })
    expect(server.asked).toEqual([])
  })

  it('empties the device where the token is refused, and not where a right is missing', async () => {
    await known()
    expect((await refresh(serving(() => refusal(403)))).report).toEqual({ ok: false, why: 'refused' })
    expect(await copiesOn('a')).toEqual([1])
    expect((await refresh(serving(() => refusal(401)))).report).toEqual({ ok: false, why: 'signed-out' })
    expect([await copiesOn('a'), await currentSession()]).toEqual([[], null])
  })

  it('says that another page loads', async () => {
    const report = await lockIfFree('comptoir-snapshot', async () => (await refresh(serving())).report)
    expect(report).toEqual({ ok: false, why: 'elsewhere' })
  })

  it.each([
    ['the first page', [async () => (await clearSnapshot(), json(pageOf({ complete: false })))]],
    ['the last page', [async () => (await clearSnapshot(), json(pageOf()))]],
    ['a page that begins anew', [async () => (await clearSnapshot(), json(pageOf({ reset: true })))]],
  ])('leaves nothing where the device was emptied at %s', async (_, answers) => {
    await known()
    expect((await refresh(serving(...answers))).report).toEqual({ ok: false, why: 'superseded' })
    expect(await snapshotState()).toMatchObject({ complete: false, site: null, loading: null })
    expect([await copiesOn('a'), await copiesOn('b')]).toEqual([[], []])
  })

  it('passes on what nobody foresaw', async () => {
    await known()
    const fetch = serving({ cursor: 'c2', copies: [{ bar_code: 'X' } as never] })
    await expect(refresh(fetch)).rejects.toMatchObject({ name: 'DataError' })
  })
})

describe('snapshotState', () => {
  it('knows nothing on a fresh device', async () => {
    expect(await snapshotState()).toEqual({
      site: null,
      complete: false,
      refreshed_at: null,
      counts: { copies: 0, beneficiaries: 0, loanings: 0, reservations: 0 },
      loading: null,
      shapes: [],
    })
  })

  it('counts what it holds of each kind', async () => {
    await refresh(
      serving(
        {
          copies: [copyRow(1), copyRow(2)],
          beneficiaries: [readerRow(1)],
          loanings: [loanRow(1), loanRow(2), loanRow(3)],
          reservations: [reservationRow(1)],
        },
        {},
      ),
    )
    expect(await snapshotState()).toMatchObject({
      site: 1,
      complete: true,
      refreshed_at: '2026-03-10T09:00:00.000Z',
      counts: { copies: 2, beneficiaries: 1, loanings: 3, reservations: 1 },
      loading: null,
    })
  })

  it('does not show the loading of changes', async () => {
    await known()
    await refresh(serving({ cursor: 'c2', complete: false }, cut))
    expect(await metaOf('loading')).toMatchObject({ mode: 'changes' })
    expect((await snapshotState()).loading).toBeNull()
  })
})
