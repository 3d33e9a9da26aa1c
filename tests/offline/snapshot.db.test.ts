import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import type { SnapshotCopy } from '../../src/contract/snapshot.ts'
import { clearSnapshot } from '../../src/offline/clear-snapshot.ts'
import { adoptEntries } from '../../src/offline/adopt-entries.ts'
import { findCopy, findReader, openLoansOf, searchReaders } from '../../src/offline/counter.ts'
import { actionToLend, actionToReturn } from '../../src/offline/counter-actions.ts'
import { confirmEntries } from '../../src/offline/confirm-entries.ts'
import { drain } from '../../src/offline/drain.ts'
import { transact } from '../../src/offline/device-store.ts'
import type { Entry, NewAction } from '../../src/offline/entry.ts'
import { judgeLend } from '../../src/offline/judge-lend.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import { findEntry } from '../../src/offline/outbox-store.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { rememberSession } from '../../src/offline/session-mirror.ts'
import { refreshSnapshot } from '../../src/offline/snapshot.ts'
import { snapshotState } from '../../src/offline/snapshot-state.ts'
import { isToConfirm } from '../../src/offline/unproven.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { freshDevice, receiptId, record, settingsOf, signInWith, stillClock } from './device.ts'

describeServer('the snapshot and the counter', (server) => {
  freshDevice()
  let client: Client
  beforeAll(async () => {
    client = await server.as('biblio')
  })

  const person = { environment_id: 1, site: 1, user_id: 2, username: 'biblio' }
  const today = '2026-03-10'
  const network: DeviceFetch = (path, init) => server.app.request(path, init)
  const clock = stillClock()
  const refresh = (fetch = network, site = 1) => refreshSnapshot({ fetch, site, now: clock.now })
  const signIn = () => signInWith(client, person)
  const known = async (bar_code: string) => {
    const found = await findCopy(bar_code, today)
    if (!found) throw new Error(`no copy ${bar_code}`)
    return found
  }
  const act = (action: NewAction): Promise<Entry> => record(action, person, new Date(clock.at))
  const lend = async (
    bar_code: string,
    beneficiary = { id: 1, matricule: 'M1', lastname: 'Martin', firstname: 'Alice' },
  ) => {
    const { copy } = await known(bar_code)
    return act(actionToLend({ copy, beneficiary, due: '2026-03-31', toldOffline: true }))
  }
  const giveBack = async (bar_code: string) => {
    const { copy, loan } = await known(bar_code)
    return act(actionToReturn({ bar_code, copy, loan, beneficiary: null }))
  }
  const send = () => drain(settingsOf(network, clock))

  it('holds what a site lends, and finds it by code, card and name', async () => {
    await signIn()
    expect(await refresh()).toEqual({ ok: true })
    expect(await snapshotState()).toMatchObject({
      site: 1,
      complete: true,
      refreshed_at: '2026-03-10T09:00:00.000Z',
      counts: { copies: 10, beneficiaries: 4, loanings: 0 },
      loading: null,
    })
    expect(await known('1001')).toMatchObject({
      copy: { id: 1, name: 'Livre numéro 1' },
      medium: { name: 'Livre' },
      loan: null,
    })
    expect(await findCopy('2001', today)).toBeNull()
    expect(await findReader('R1')).toMatchObject({ beneficiary: { id: 1 }, relative: null })
    expect(await findReader('M2')).toMatchObject({ beneficiary: { id: 2 }, relative: null })
    expect(await findReader('R2A')).toMatchObject({
      beneficiary: { id: 2 },
      relative: { name: 'Zoé Dupont' },
    })
    expect(await findReader('R9')).toBeNull()
    const found = async (text: string) => (await searchReaders(text, 10, today)).map(({ id }) => id)
    expect(await found('éric')).toEqual([2])
    expect(await found('DUP er')).toEqual([2])
    expect(await found('zoe')).toEqual([2])
    expect(await found('m')).toEqual([2, 1, 4])
    expect(await found('noemie')).toEqual([])
    expect(await found('martin dupont')).toEqual([])
    expect(await found(' - ')).toEqual([])
  })

  it('lays what waits over what it holds, until the snapshot knows it itself', async () => {
    await signIn()
    await refresh()
    const made = await lend('1001')
    expect(await known('1001')).toMatchObject({
      copy: { status: 'En Location' },
      loan: {
        loan_id: null,
        loan_key: made.id,
        beneficiary_id: 1,
        end_date: '2026-03-31',
        start_date: today,
        waiting: true,
      },
      borrower: { lastname: 'Martin' },
    })
    expect(await openLoansOf(1, today)).toMatchObject([
      { bar_code: '1001', title: 'Livre numéro 1', waiting: true, late: false },
    ])
    expect(await openLoansOf(1, '2026-04-01')).toMatchObject([{ late: true }])

    await send()
    const loan_id = receiptId(await getEntry(made.id))
    const confirmed = [{ loan_id, bar_code: '1001', waiting: false, medium: 1 }]
    for (const _ of ['known by the outbox', 'by both', 'by the snapshot']) {
      expect(await openLoansOf(1, today)).toMatchObject(confirmed)
      expect(await openLoansOf(1, today)).toHaveLength(1)
      await refresh()
      clock.at += 1000
    }

    const back = await giveBack('1001')
    expect(back).toMatchObject({ depends_on: null, body: { bar_code: '1001' } })
    expect(back.body).not.toHaveProperty('loan_key')
    expect(await known('1001')).toMatchObject({ copy: { status: 'Disponible' }, loan: null })
    expect(await openLoansOf(1, today)).toEqual([])
    await send()
    expect(await openLoansOf(1, today)).toEqual([])
    clock.at += 1000
    await refresh()
    expect(await openLoansOf(1, today)).toEqual([])
    expect((await snapshotState()).counts.loanings).toBe(0)
  })

  it('believes the snapshot again once it is newer than what was done here', async () => {
    await signIn()
    await refresh()
    await lend('1007')
    await send()
    await client.post('/api/loanings/return', { bar_code: '1007' }, { site: 1 })
    clock.at += 1000
    await refresh()
    expect(await known('1007')).toMatchObject({ copy: { status: 'Disponible' }, loan: null })
  })

  it('names the loan of the outbox in its return, and believes nothing that was refused', async () => {
    await signIn()
    await refresh()
    const made = await lend('1002')
    const back = await giveBack('1002')
    expect(back).toMatchObject({ depends_on: made.id, body: { loan_key: made.id } })
    expect((await known('1002')).loan).toBeNull()
    await client.post('/api/loanings', { beneficiary: 2, copy: 2 }, { site: 1 })
    await send()
    expect((await getEntry(made.id))?.state).toBe('conflict')
    clock.at += 1000
    await refresh()
    // The return still waits behind the refusal: the copy lies on the counter.
    expect((await known('1002')).loan).toBeNull()
  })

  it('keeps the date told off line, and the server keeps it too', async () => {
    await signIn()
    await refresh()
    const { copy } = await known('1003')
    const beneficiary = { id: 4, matricule: 'M4', lastname: 'Sans-Courriel', firstname: 'Jean' }
    const made = await act(actionToLend({ copy, beneficiary, due: '2026-04-02', toldOffline: true }))
    await send()
    expect((await getEntry(made.id))?.receipt).toMatchObject({
      end_date: '2026-04-02',
      end_date_flagged: true,
    })
  })

  it('judges as the server does, counting what waits', async () => {
    await signIn()
    await refresh(network, 0)
    const now = new Date(clock.at)
    const dvds = ['2001', '2002', '2003']
    const first = await judgeLend(await known('2001'), 1, today, { now })
    expect(first).toMatchObject({
      obstacle: null,
      refusals: [],
      beyond: [],
      duration: { duration_value: 7, duration_type: 'DAY' },
      due: '2026-03-17',
      doubts: [],
      verdict: { colour: 'green', reasons: [] },
    })
    for (const bar_code of dvds.slice(0, 2)) await lend(bar_code)
    const third = await judgeLend(await known('2003'), 1, today, { now })
    expect(third.refusals.map(({ code }) => code)).toEqual(['MAX_LOANING'])
    expect((await judgeLend(await known('2001'), 2, today, { now })).obstacle).toEqual({
      code: 'ALREADY_LENT',
      message: '«\u00a0Film numéro 1\u00a0» est déjà prêté à Alice Martin (M1), depuis le 10/03/2026.',
    })
    expect((await judgeLend(await known('2001'), 1, today, { now })).obstacle?.code).toBe(
      'ALREADY_LENT_TO_SAME',
    )
    expect(
      (await judgeLend(await known('1005'), 3, today, { now })).refusals.map(({ code }) => code),
    ).toEqual(['EXPIRED'])
    const later = new Date(clock.at + 2 * 3600_000)
    expect(await judgeLend(await known('1005'), 2, today, { now: later })).toMatchObject({
      doubts: ['Les données de cet appareil datent d’il y a 2\u00a0h.'],
      verdict: { colour: 'amber' },
    })
  })

  it('goes by changes afterwards, those of other devices and withdrawn copies included', async () => {
    await signIn()
    await refresh()
    const asked: string[] = []
    await client.post('/api/loanings', { beneficiary: 4, copy: 8 }, { site: 1 })
    await server.db
      .updateTable('copies')
      .set({ deleted_at: server.now.toISOString() })
      .where('id', '=', 9)
      .execute()
    await refresh((path, init) => {
      asked.push(path)
      return network(path, init)
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('since=')
    expect(await known('1008')).toMatchObject({
      loan: { beneficiary_id: 4, waiting: false },
      copy: { status: 'En Location' },
    })
    expect(await findCopy('1009', today)).toBeNull()
    await server.db.updateTable('copies').set({ deleted_at: null }).where('id', '=', 9).execute()
  })

  it('takes up a load that was cut, and answers from the old data until the new is complete', async () => {
    await signIn()
    await refresh()
    await server.db
      .insertInto('copies')
      .values(Array.from({ length: 4500 }, (_, n) => ({ reference: 1, bar_code: `N${n}`, site: 2 })))
      .execute()
    const asked: string[] = []
    const cutAt =
      (nth: number): DeviceFetch =>
      (path, init) => {
        asked.push(path)
        if (asked.length === nth) throw new TypeError('Failed to fetch')
        return network(path, init)
      }
    expect(await refresh(cutAt(3), 0)).toEqual({ ok: false, why: 'network' })
    expect(await snapshotState()).toMatchObject({ site: 1, counts: { copies: 10 }, loading: { rows: 4000 } })
    expect(await findCopy('N1', today)).toBeNull()
    expect((await known('1001')).copy.id).toBe(1)

    const progress: number[] = []
    await refreshSnapshot({
      fetch: cutAt(0),
      site: 0,
      now: clock.now,
      onProgress: ({ rows }) => progress.push(rows),
    })
    expect(asked[3]).toBe(asked[2])
    expect(progress[0]).toBeGreaterThan(4000)
    expect(await snapshotState()).toMatchObject({ site: 0, counts: { copies: 4515 }, loading: null })
    expect((await known('N4499')).copy.site).toBe(2)
  })

  it('begins anew beside the old data when the server no longer knows the cursor', async () => {
    await signIn()
    await server.db.insertInto('copies').values({ reference: 1, bar_code: 'PERDU', site: 1 }).execute()
    await refresh()
    expect((await known('PERDU')).copy.bar_code).toBe('PERDU')
    const forgetful: DeviceFetch = (path, init) => network(path.replace(/since=[^&]*/, 'since=perdu'), init)
    let first = true
    const once: DeviceFetch = (path, init) => {
      const fetch = first ? forgetful : network
      first = false
      return fetch(path, init)
    }
    // As after a backup was restored: no change tells that it was ever there.
    await server.db.deleteFrom('copies').where('bar_code', '=', 'PERDU').execute()
    expect(await refresh(once)).toEqual({ ok: true })
    expect(await snapshotState()).toMatchObject({ complete: true, counts: { copies: 10, beneficiaries: 4 } })
  })

  it('takes up a load that was begun anew and cut, rather than beginning once more', async () => {
    await signIn()
    await server.db
      .insertInto('copies')
      .values(Array.from({ length: 4500 }, (_, n) => ({ reference: 1, bar_code: `P${n}`, site: 2 })))
      .execute()
    await refresh(network, 0)
    const asked: string[] = []
    const forgetfulThenCut: DeviceFetch = (path, init) => {
      asked.push(path)
      if (asked.length === 3) throw new TypeError('Failed to fetch')
      return network(asked.length === 1 ? path.replace(/since=[^&]*/, 'since=perdu') : path, init)
    }
    expect(await refresh(forgetfulThenCut, 0)).toEqual({ ok: false, why: 'network' })
    expect(await snapshotState()).toMatchObject({ complete: true, loading: { rows: 4000 } })
    expect(await refresh(forgetfulThenCut, 0)).toEqual({ ok: true })
    expect(asked[3]).toBe(asked[2])
    expect(await snapshotState()).toMatchObject({ complete: true, loading: null })
  })

  it('leaves nothing behind at sign-out, not even from a load under way; the outbox stays', async () => {
    await signIn()
    await refresh()
    const made = await lend('1006')
    const signingOut: DeviceFetch = async (path, init) => {
      const answer = await network(path, init)
      await clearSnapshot()
      return answer
    }
    expect(await refresh(signingOut, 0)).toEqual({ ok: false, why: 'superseded' })
    expect(await snapshotState()).toMatchObject({ complete: false, site: null, counts: { copies: 0 } })
    expect(await findReader('R1')).toBeNull()
    expect((await getEntry(made.id))?.state).toBe('queued')
  })

  it('says why it could not', async () => {
    expect(await refresh()).toEqual({ ok: false, why: 'signed-out' })
    await rememberSession({ ...person, token: 'jeton-inconnu' })
    expect(await refresh()).toEqual({ ok: false, why: 'signed-out' })
    const { token } = await server.as('lecture')
    await rememberSession({ ...person, token: token ?? '' })
    expect(await refresh()).toEqual({ ok: false, why: 'refused' })
    await signIn()
    const portal = () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })
    expect(await refresh(portal)).toEqual({ ok: false, why: 'network' })
    const other = () => Response.json({ copies: [] as SnapshotCopy[] })
    expect(await refresh(other)).toEqual({ ok: false, why: 'network' })
    const proxy = () => Response.json({ error: 'denied' }, { status: 401 })
    expect(await refresh(proxy)).toEqual({ ok: false, why: 'network' })
    expect(await refresh()).toEqual({ ok: true })
  })

  it('leaves to their person what was confirmed and lost by the database, to be done again once', async () => {
    await signIn()
    await sql`update loanings set status = 'finished', return_date = ${today}, returned_at = now() where status = 'in_progress'`.execute(
      server.db,
    )
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    await refresh()
    const kept = await lend('1003')
    const made = await lend('1004')
    const back = await lend('1005')
    await send()
    const loan_id = receiptId(await getEntry(back.id))
    const returned = await act({
      ...actionToReturn({
        bar_code: '1005',
        copy: (await known('1005')).copy,
        loan: null,
        beneficiary: null,
      }),
      endpoint: 'loanings.return',
      params: { id: String(loan_id) },
      body: {},
    })
    await send()
    clock.at += 1000
    await refresh()
    const states = async () =>
      Promise.all([kept, made, back, returned].map(async ({ id }) => (await getEntry(id))?.state))
    expect(await states()).toEqual(['done', 'done', 'done', 'done'])

    // A standby that lacked the last moments, or a backup of the day before.
    const lost = [made.id, returned.id]
    await sql`delete from loanings where loan_key = ${made.id}`.execute(server.db)
    await sql`update copies set status = 'Disponible' where bar_code = '1004'`.execute(server.db)
    await sql`update loanings set status = 'in_progress', return_date = null, returned_at = null where id = ${loan_id}`.execute(
      server.db,
    )
    await sql`delete from idempotency_keys where key = any(${lost})`.execute(server.db)
    await sql`delete from audit_journal where id = (select max(id) from audit_journal)`.execute(server.db)
    // A network that fails meanwhile loses none of them.
    const first: DeviceFetch = (path, init) =>
      path.includes('lost_receipts') ? Promise.reject(new Error('no network')) : network(path, init)
    expect(await refresh(first)).toEqual({ ok: false, why: 'network' })
    expect(await states()).toEqual(['done', 'done', 'done', 'done'])

    expect(await refresh()).toEqual({ ok: true })
    expect(await states()).toEqual(['done', 'conflict', 'done', 'conflict'])
    expect((await getEntry(made.id))?.problem?.message).toContain('puis perdue par le serveur')
    expect(await confirmEntries(lost, person)).toBe(2)
    await send()
    expect(await states()).toEqual(['done', 'done', 'done', 'done'])
    clock.at += 1000
    await refresh()
    expect((await openLoansOf(1, today)).map(({ bar_code }) => bar_code)).toEqual(
      expect.arrayContaining(['1003', '1004']),
    )
    const { rows } = await sql`select status from loanings where id = ${loan_id}`.execute(server.db)
    expect(rows).toEqual([{ status: 'finished' }])
  })

  it('asks for what was lost though its own session was lost too, and for nothing that is past its week', async () => {
    await signIn()
    await sql`update loanings set status = 'finished', return_date = ${today}, returned_at = now() where status = 'in_progress'`.execute(
      server.db,
    )
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    await refresh()
    const [old, made] = [await lend('1006'), await lend('1007')]
    await send()
    expect((await getEntry(made.id))?.state).toBe('done')
    await transact(['outbox'], 'readwrite', async (tx) => {
      const entry = await findEntry(tx, old.id)
      if (entry) await tx.store.put({ ...entry, settled_at: '2026-02-20T09:00:00.000Z' })
    })

    await sql`delete from loanings where loan_key = any(${[old.id, made.id]})`.execute(server.db)
    await sql`delete from idempotency_keys where key = any(${[old.id, made.id]})`.execute(server.db)
    await sql`delete from audit_journal where id = (select max(id) from audit_journal)`.execute(server.db)
    // What a refused session leaves: no reader, and no cursor.
    await clearSnapshot()
    await signIn()
    expect(await refresh()).toEqual({ ok: true })
    expect(await getEntry(made.id)).toMatchObject({ state: 'conflict', problem: { reason: 'RECEIPT_LOST' } })
    expect(await getEntry(old.id)).toBeNull()

    // Whoever takes it over reads it too: it may have been done anew by hand.
    const other = { environment_id: 1, user_id: 1, username: 'admin' }
    expect(await adoptEntries('1/2', other)).toBe(1)
    expect(await getEntry(made.id)).toMatchObject({ state: 'conflict', adopted_by: { user_id: 1 } })
    expect(isToConfirm((await getEntry(made.id)) as Entry)).toBe(true)
  })
})
