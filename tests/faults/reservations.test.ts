import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { isPostgresReachable } from '../support/postgres-address.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import type { KillAt } from './fail-point-server.ts'
import { signInAt } from './inventory-phone.ts'
import { type Fate, openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

// A reservation's life, each change of it asked for again under its own key until an answer comes whole: once each.

type Gesture = { endpoint: string; method: string; path: string; body?: object }

const fates: [string, Fate][] = [
  ['the request is cut', 'cut-request'],
  ['the answer is cut after the commit', 'cut-answer'],
  ['the answer’s body is cut', 'cut-body'],
  ['ten of it arrive at the same instant', { duplicate: 10 }],
]
const deaths: [string, KillAt['phase']][] = [
  ['before the commit', 'before-commit'],
  ['after the commit, before the answer', 'after-commit'],
]

describe.skipIf(!(await isPostgresReachable()))(
  'reservations over a network that fails, with a server that dies',
  () => {
    let server: RunningServer
    let proxy: TcpProxy
    let token: string
    /** Each life has a title with one copy, and so a queue of its own. */
    let title = 0
    beforeAll(async () => {
      server = await openRunningServer({
        onPostgres: true,
        entry: 'dist/faults/fail-point-server.js',
        // What is done twice would be two.
        prepare: (db) =>
          sql`update parameters set value = '1' where code in ('multiple_reservations', 'reservations_without_dates')`.execute(
            db,
          ),
      })
      proxy = await openTcpProxy(server.port)
      token = await signInAt(server.address)
    })
    afterAll(async () => {
      await proxy?.close()
      await server?.drop()
    })

    const ask = async <T>({ method, path, body }: Gesture, key: string): Promise<T | null> => {
      try {
        const response = await fetch(proxy.address + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': key,
            'x-site': '1',
          },
          signal: AbortSignal.timeout(10_000),
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        const text = await response.text()
        // A key whose first request is under way is asked again; any other refusal is none of the network's.
        if (!response.ok && !/STILL_RUNNING/.test(text) && response.status < 500) {
          throw new Error(`${method} ${path}: ${response.status} ${text}`)
        }
        return response.ok ? ((text === '' ? {} : JSON.parse(text)) as T) : null
      } catch (error) {
        if (error instanceof Error && error.message.startsWith(`${method} `)) throw error
        if (!server.isRunning()) await server.start()
        return null
      }
    }
    const until = async <T>(work: () => Promise<T | null>): Promise<T> => {
      for (;;) {
        const answer = await work()
        if (answer !== null) return answer
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    type Meets = (gesture: Gesture) => Promise<Fate>

    /** Lives through everything that may become of a reservation, and tells what was kept of it. */
    async function live(meets: Meets) {
      title += 1
      const insist = async <T extends object>(gesture: Gesture): Promise<T> => {
        let fate: Fate | null = await meets(gesture)
        proxy.fateOf = ({ method, path }) => {
          if (method !== gesture.method || path !== gesture.path || fate === null) return 'pass'
          const now = fate
          fate = null
          return now
        }
        const key = randomUUID()
        return until(() => ask<T>(gesture, key))
      }
      const add = async (beneficiary_id: number) =>
        (
          await insist<{ id: number }>({
            endpoint: 'reservations.add',
            method: 'POST',
            path: '/api/reservations',
            body: { beneficiary_id, reference_id: title },
          })
        ).id
      const set = (id: number, body: object) =>
        insist({ endpoint: 'reservations.change', method: 'PUT', path: `/api/reservations/${id}`, body })
      const first = await add(1)
      const second = await add(2)
      await set(first, { status: 'refused', comment: 'Non' })
      await insist({
        endpoint: 'mail.send',
        method: 'POST',
        path: '/api/mail',
        body: { reservation: first, template: 'reservation_refused' },
      })
      await set(first, { status: 'waiting' })
      await set(second, { status: 'confirmed' })
      await insist({
        endpoint: 'reservations.pass',
        method: 'POST',
        path: `/api/reservations/${second}/pass`,
        body: {},
      })
      await set(first, { status: 'canceled' })
      await insist({ endpoint: 'reservations.remove', method: 'DELETE', path: `/api/reservations/${second}` })
      return told(first, second)
    }

    async function told(first: number, second: number) {
      const environment = await openEnvironment(server, 1)
      const { db } = environment
      const { rows: kept } = await sql<{ id: number; status: string; deleted: boolean; kept: number | null }>`
        select id, status, deleted_at is not null as deleted, set_aside_copy as kept from reservations
        where reference_id = ${title} order by id`.execute(db)
      const { rows: lines } = await sql<{ entity_id: number; action: string }>`
        select entity_id, replace(action, 'reservations.', '') as action from audit_journal
        where entity = 'reservations' and entity_id in (${first}, ${second}) order by id`.execute(db)
      const { rows: mails } = await sql<{ count: number }>`
        select count(*)::integer as count from mail_outbox
        where template = 'reservation_refused' and html like ${`%Livre numéro ${title}»%`}
          or html like ${`%Livre numéro ${title}\u00a0»%`}`.execute(db)
      await environment.close()
      return {
        kept: kept.map(({ id, ...one }) => ({
          ...one,
          is: id === first ? 'first' : id === second ? 'second' : 'other',
        })),
        lines: lines.map(({ entity_id, action }) => `${entity_id === first ? 'first' : 'second'} ${action}`),
        mails: mails[0]?.count,
      }
    }
    const lived = {
      kept: [
        { is: 'first', status: 'canceled', deleted: false, kept: null },
        { is: 'second', status: 'canceled', deleted: true, kept: null },
      ],
      lines: [
        'first add',
        'second add',
        'first refused',
        'first waiting',
        'second confirmed',
        'second canceled',
        'first confirmed',
        'first canceled',
        'second remove',
      ],
      mails: 1,
    }

    it.each(fates)('change once each when %s', async (_, fate) => {
      expect(await live(() => Promise.resolve(fate))).toEqual(lived)
    })

    it.each(deaths)('change once each when the server dies %s', async (_, phase) => {
      const killed = await live(async ({ endpoint }) => {
        await server.tell({ phase, endpoint, victim: 'server' } satisfies KillAt)
        return 'pass'
      })
      expect(killed).toEqual(lived)
    })
  },
)
