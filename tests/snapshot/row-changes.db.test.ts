import { type Kysely, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import type { Trx } from '../../src/server/db/handles.ts'
import { up as baseline } from '../../src/server/db/migrations/0001-baseline.ts'
import { up as rowChanges } from '../../src/server/db/migrations/0077-row-changes.ts'
import { forgetChanges } from '../../src/server/housekeeping/housekeeping.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { newDevice, refresh, untilQuiet } from './device.ts'

describeServer('what changed', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
  })

  const rolledBack = async (look: (trx: Trx) => Promise<void>) => {
    const trx = await server.db.startTransaction().execute()
    try {
      await look(trx)
    } finally {
      await trx.rollback().execute()
    }
  }
  const inDays = (days: number) => new Date(server.now.getTime() + days * 86_400_000)

  it('is told of each row that a tablet copies, made or changed', () =>
    rolledBack(async (trx) => {
      await sql`insert into copies (reference, bar_code, site) values (1, 'NEUF', 1)`.execute(trx)
      await sql`update "references" set name = name where id = 2`.execute(trx)
      await sql`update beneficiaries set message = 'x' where id = 3`.execute(trx)
      await sql`insert into reservations (beneficiary_id, reference_id) values (4, 5)`.execute(trx)
      await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
        values (1, 6, 1, '2026-03-01', '2026-03-02', 1, 'DAY', now(), now())`.execute(trx)
      const { rows } = await sql`
        select distinct subject from row_changes
        where changed_xid = pg_current_xact_id()::text::bigint and row_id > 0 order by 1`.execute(trx)
      const subjects = ['beneficiaries', 'copies', 'loanings', 'references', 'reservations']
      expect(rows).toEqual(subjects.map((subject) => ({ subject })))
    }))

  it('is told without moving an index of a copy that is lent or comes back', () =>
    rolledBack(async (trx) => {
      // A session may count what it did before, until it has told others of it.
      const before = await updatesOf(trx)
      await sql`update copies set status = 'Non Disponible' where id = 1`.execute(trx)
      await sql`update copies set status = 'Disponible' where id = 1`.execute(trx)
      const after = await updatesOf(trx)
      expect([after.all - before.all, after.within_page - before.within_page]).toEqual([2, 2])
    }))

  it('is swept after a month, and a device that was away longer begins anew', async () => {
    const device = newDevice()
    await biblio.put('/api/beneficiaries/1', { message: 'Avant' })
    await untilQuiet(server)
    await refresh(biblio, device)
    const away = { ...newDevice(), cursor: device.cursor }

    // Of two changes, the newest one's lines stay.
    await biblio.put('/api/beneficiaries/2', { message: 'Après' })
    await biblio.put('/api/beneficiaries/3', { message: 'Après' })
    await untilQuiet(server)
    await refresh(biblio, device)
    await forgetChanges(server.db, inDays(30))
    expect((await refresh(biblio, { ...away }))[0]?.reset).toBe(false)
    await forgetChanges(server.db, inDays(32))

    const [anew] = await refresh(biblio, away)
    expect([anew?.reset, away.beneficiaries.get(2)?.message]).toEqual([true, 'Après'])
    expect((await refresh(biblio, device))[0]?.reset).toBe(false)
  })

  it('goes on being told to devices that followed the version before', () =>
    rolledBack(async (trx) => {
      const former = trx as unknown as Kysely<unknown>
      await sql`create schema former`.execute(trx)
      await sql`set local search_path to former, public`.execute(trx)
      await baseline(former)
      await sql`insert into audit_journal (at, action, entity, written_xid)
        values (now() - interval '40 days', 'a', 'b', 100), (now() - interval '3 days', 'a', 'b', 200)`.execute(
        trx,
      )
      await sql`insert into beneficiaries (matricule, lastname, changed_xid) values ('1', 'A', 150), ('2', 'B', 250)`.execute(
        trx,
      )
      await rowChanges(former)
      const { rows } = await sql`select changed_xid, row_id, subject from row_changes order by 1`.execute(trx)
      expect(rows).toEqual([
        { changed_xid: 200, row_id: 0, subject: '' },
        { changed_xid: 250, row_id: 2, subject: 'beneficiaries' },
      ])
    }))
})

async function updatesOf(trx: Trx): Promise<{ all: number; within_page: number }> {
  const { rows } = await sql<{ all: number; within_page: number }>`
    select coalesce(sum(n_tup_upd), 0)::int as all, coalesce(sum(n_tup_hot_upd), 0)::int as within_page
    from pg_stat_xact_user_tables where relid = 'copies'::regclass`.execute(trx)
  return rows[0] ?? { all: 0, within_page: 0 }
}
