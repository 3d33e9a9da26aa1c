import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Answer, type Client, describeServer, testNow } from '../support/test-server.ts'

// One title with two copies (1 and 90), five people, and whatever several counters do to it at once.

type Gesture =
  | { do: 'reserve'; reader: number; dated: boolean }
  | { do: 'set'; reservation: number; status: string }
  | { do: 'keep' | 'pass' | 'remove'; reservation: number; copy: number }
  | { do: 'lend'; reader: number; copy: number; asks: boolean }
  | { do: 'return' | 'undo' | 'cancel'; copy: number }

const reader = fc.constantFrom(1, 2, 4, 5, 6)
const reservation = fc.integer({ min: 0, max: 5 })
const copy = fc.constantFrom(1, 90)
const gesture: fc.Arbitrary<Gesture> = fc.oneof(
  fc.record({ do: fc.constant('reserve' as const), reader, dated: fc.boolean() }),
  fc.record({
    do: fc.constant('set' as const),
    reservation,
    status: fc.constantFrom('confirmed', 'waiting', 'canceled', 'refused'),
  }),
  fc.record({ do: fc.constantFrom('keep' as const, 'pass' as const, 'remove' as const), reservation, copy }),
  fc.record({ do: fc.constant('lend' as const), reader, copy, asks: fc.boolean() }),
  fc.record({ do: fc.constantFrom('return' as const, 'undo' as const, 'cancel' as const), copy }),
)

const rounds = Number(process.env['RESERVATION_ROUNDS'] ?? 25)

describeServer('what several counters do at once to one title', (server) => {
  let clients: Client[]
  beforeAll(async () => {
    server.moveTo(testNow)
    clients = await Promise.all(['biblio', 'admin', 'biblio'].map((name) => server.as(name)))
    await setParameter(server, 'multiple_reservations', '0')
    await sql`insert into beneficiaries (matricule, lastname) values ('M5', 'Cinq'), ('M6', 'Six')`.execute(
      server.db,
    )
    await sql`insert into copies (id, reference, bar_code, site) overriding system value values (90, 1, '1090', 1)`.execute(
      server.db,
    )
  })
  const clear = async () => {
    await sql`truncate loanings, reservations, idempotency_keys restart identity cascade`.execute(server.db)
    await sql`update copies set status = 'Disponible' where reference = 1`.execute(server.db)
  }

  const act = async (client: Client, one: Gesture): Promise<Answer> => {
    const nth = async (place: number) => {
      const { rows } = await sql<{ id: number }>`
        select id from reservations order by id offset ${place} limit 1`.execute(server.db)
      return rows[0]?.id ?? 999
    }
    const loanOf = async (id: number) => {
      const { rows } = await sql<{ id: number }>`
        select id from loanings where copy = ${id} order by id desc limit 1`.execute(server.db)
      return rows[0]?.id ?? 999
    }
    switch (one.do) {
      case 'reserve':
        return client.post('/api/reservations', {
          beneficiary_id: one.reader,
          reference_id: 1,
          ...(one.dated ? { start_date: '2026-04-01', end_date: '2026-04-05' } : {}),
        })
      case 'set':
        return client.put(`/api/reservations/${await nth(one.reservation)}`, { status: one.status })
      case 'keep':
        return client.put(`/api/reservations/${await nth(one.reservation)}`, {
          status: 'confirmed',
          set_aside_copy: one.copy,
        })
      case 'pass':
        return client.post(`/api/reservations/${await nth(one.reservation)}/pass`, {})
      case 'remove':
        return client.delete(`/api/reservations/${await nth(one.reservation)}`)
      case 'lend':
        return client.post('/api/loanings', {
          beneficiary: one.reader,
          copy: one.copy,
          ...(one.asks ? {} : { despite_reservations: true }),
        })
      case 'return':
        return client.post('/api/loanings/return', { bar_code: one.copy === 1 ? '1001' : '1090' })
      case 'undo':
        return client.post(`/api/loanings/${await loanOf(one.copy)}/undo`, {})
      case 'cancel':
        return client.post(`/api/loanings/${await loanOf(one.copy)}/cancel`, {})
    }
  }

  const expectSound = async () => {
    const { rows } = await sql<{
      queue_position: number | null
      set_aside_copy: number | null
      queued: boolean
      dated: boolean
    }>`
      select queue_position, set_aside_copy, start_date is not null as dated,
        status = 'waiting' and start_date is null as queued
      from reservations
      where status in ('waiting', 'confirmed') and deleted_at is null and fulfilled_by is null
      order by queue_position`.execute(server.db)
    const places = rows.flatMap(({ queue_position }) => queue_position ?? [])
    expect(places).toEqual(places.map((_, at) => at + 1))
    expect(rows.filter(({ queued }) => queued)).toHaveLength(places.length)
    const kept = rows.flatMap(({ set_aside_copy }) => set_aside_copy ?? [])
    expect(new Set(kept).size).toBe(kept.length)
    expect(rows.filter(({ dated }) => dated).length).toBeLessThanOrEqual(2)
    const open = await sql<{ copy: number }>`select copy from loanings where status = 'in_progress'`.execute(
      server.db,
    )
    expect(new Set(open.rows.map(({ copy: one }) => one)).size).toBe(open.rows.length)
  }

  it('keeps one copy for one person when several are confirmed at the same moment', async () => {
    for (let time = 0; time < 10; time += 1) {
      await clear()
      const [biblio] = clients as [Client]
      for (const beneficiary_id of [1, 2, 4])
        await biblio.post('/api/reservations', { beneficiary_id, reference_id: 1 })
      const answers = await Promise.all(
        [1, 2, 3].map((id, at) => clients[at]!.put(`/api/reservations/${id}`, { status: 'confirmed' })),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(answers.map(({ body }) => body.set_aside_copy).toSorted()).toEqual([1, 90, null])
      await expectSound()
    }
  })

  it('leaves places without gaps, a copy for one person, and never an error of the server', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(gesture, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 12 }),
        async (turns) => {
          await clear()
          for (const turn of turns) {
            const answers = await Promise.all(turn.map((one, at) => act(clients[at]!, one)))
            expect(answers.filter(({ status }) => status >= 500)).toEqual([])
            await expectSound()
          }
        },
      ),
      { numRuns: rounds },
    )
  })
})
