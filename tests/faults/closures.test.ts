import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Act } from '../../src/contract/acts.ts'
import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import type { Db } from '../../src/server/db/handles.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import type { KillAt } from './fail-point-server.ts'
import { signInAt } from './inventory-phone.ts'
import { type Fate, openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const readers = 60
const loans = 240
/** Each closes the days to which the one before it had moved what was due. */
const weeks = [
  { first_day: '2031-06-02', last_day: '2031-06-06', label: 'Inventaire' },
  { first_day: '2031-06-07', last_day: '2031-06-09', label: 'Travaux' },
  { first_day: '2031-06-10', last_day: '2031-06-20', label: 'Congés' },
]

describe('closing through a network that cuts and a server that dies', () => {
  let server: RunningServer
  let proxy: TcpProxy
  beforeAll(async () => {
    server = await openRunningServer({ entry: 'dist/faults/fail-point-server.js', prepare: lendMany })
    proxy = await openTcpProxy(server.port)
  })
  afterAll(async () => {
    await proxy?.close()
    await server?.drop()
  })

  it('closes once, moves each loan once, writes to each reader once, and is taken back once', async () => {
    const token = await signInAt(server.address)
    const ask = async <T>(
      path: string,
      body?: object,
      key?: string,
      at = proxy.address,
    ): Promise<T | null> => {
      try {
        const response = await fetch(at + path, {
          method: body ? 'POST' : 'GET',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            ...(key ? { 'idempotency-key': key } : {}),
          },
          signal: AbortSignal.timeout(5_000),
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        // A key whose first request is under way is asked again.
        return response.ok ? ((await response.json()) as T) : null
      } catch {
        if (!server.isRunning()) await server.start()
        return null
      }
    }
    const until = async <T>(work: () => Promise<T | null>, holds: (answer: T) => boolean): Promise<T> => {
      for (;;) {
        const answer = await work()
        if (answer !== null && holds(answer)) return answer
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    /** Sends one gesture again by its key for as long as nothing whole came back. */
    const insist = async (path: string, body: object, fates: readonly Fate[]): Promise<Act> => {
      const key = randomUUID()
      let sent = 0
      proxy.fateOf = ({ path: at }) => (at === path ? (fates[sent++] ?? 'pass') : 'pass')
      return until(
        () => ask<Act>(path, body, key),
        () => true,
      )
    }
    const ended = (id: number) =>
      until(
        () => ask<Act>(`/api/acts/${id}`, undefined, undefined, server.address),
        (act) => act.ended_at !== null,
      )
    const kill = (killAt: KillAt) => server.tell(killAt)

    const ways: { fates: Fate[]; killAt?: KillAt }[] = [
      { fates: ['cut-request', 'cut-answer', { duplicate: 3 }] },
      { fates: [], killAt: { phase: 'before-commit', endpoint: 'closures.close', victim: 'server' } },
      {
        fates: [{ duplicate: 2 }],
        killAt: { phase: 'after-commit', endpoint: 'closures.close', victim: 'server' },
      },
    ]
    const acts: number[] = []
    for (const [at, { fates, killAt }] of ways.entries()) {
      if (killAt) await kill(killAt)
      const body = { site: null, closures: [weeks[at]], mail: true, spread_days: 1 }
      const act = await insist('/api/closures/close', body, fates)
      acts.push(act.id)
      // In the middle of its job, or after it: either way it goes on alone.
      await server.stop('SIGKILL')
      await server.start()
      await ended(act.id)
    }
    await server.stop()
    await inDatabase(server, async (db) => {
      const { rows } = await sql<{ act: number; closures: number; moved: number; lines: number }>`
        select a.id as act, (select count(*)::int from closures c where c.act = a.id) as closures,
          count(distinct j.entity_id)::int as moved, count(j.id)::int as lines
        from acts a left join audit_journal j on j.act = a.id and j.action = 'loan.move_due'
        where a.kind = 'closures.close' group by a.id order by a.id`.execute(db)
      expect(rows).toEqual(acts.map((act) => ({ act, closures: 1, moved: loans, lines: loans })))
      const mails = await sql<{ readers: number; mails: number }>`
        select count(distinct beneficiary)::int as readers, count(*)::int as mails from mail_outbox
        where template = 'closing_notice'`.execute(db)
      expect(mails.rows).toEqual([{ readers, mails: readers * weeks.length }])
      const due = await sql<{ end_date: string }>`
        select distinct end_date from loanings where status = 'in_progress'`.execute(db)
      expect(due.rows).toEqual([{ end_date: '2031-06-21' }])
    })

    await server.start()
    for (const id of acts.toReversed()) {
      const undoing = await insist(`/api/acts/${id}/undo`, {}, ['cut-answer', { duplicate: 2 }])
      await server.stop('SIGKILL')
      await server.start()
      await ended(undoing.id)
    }
    await server.stop()
    await inDatabase(server, async (db) => {
      const { rows } = await sql<{ due: string; loans: number; closures: number; back: number }>`
        select min(end_date) as due, count(*)::int as loans,
          (select count(*)::int from closures where deleted_at is null) as closures,
          (select count(*)::int from audit_journal where action = 'loan.move_back') as back
        from loanings where status = 'in_progress' and end_date = '2031-06-04'`.execute(db)
      expect(rows).toEqual([{ due: '2031-06-04', loans, closures: 0, back: loans * weeks.length }])
    })
  })
})

async function lendMany(db: Db): Promise<void> {
  await sql`insert into beneficiaries (matricule, lastname, firstname, email)
    select 'F' || n, 'Lecteur', 'N' || n, 'lecteur' || n || '@exemple.fr' from generate_series(1, ${readers}) n`.execute(
    db,
  )
  await sql`insert into copies (reference, bar_code, site, status)
    select 1, 'F' || n, 1, 'En Location' from generate_series(1, ${loans}) n`.execute(db)
  await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at, lent_by)
    select b.id, c.id, 1, '2031-05-14', '2031-06-04', 3, 'WEEK', now(), now(), 1
    from copies c join beneficiaries b on b.matricule = 'F' || (1 + substr(c.bar_code, 2)::int % ${readers})
    where c.bar_code like 'F%'`.execute(db)
}

async function inDatabase(server: RunningServer, work: (db: Db) => Promise<void>): Promise<void> {
  const environment = await openEnvironment(server, 1)
  await work(environment.db).finally(() => environment.close())
}
