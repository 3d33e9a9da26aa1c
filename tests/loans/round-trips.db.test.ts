import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { StatementRecorder } from '../bench/scale/captured-statements.ts'
import { testEngine } from '../support/databases.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

/** What the library keeps of its parameters and open days is read once in a while, and not for a call. */
const isOfCall = ({ text }: { text: string }) =>
  !text.includes('from "parameters"') && !text.includes('from closures where deleted_at is null')

describeServer('what a counter does all day', (server) => {
  let biblio: Client
  let recorder: StatementRecorder
  let reason: number
  beforeAll(async () => {
    biblio = await server.as('biblio')
    recorder = new StatementRecorder(server.environment.pool)
    const { rows } = await sql<{ id: number }>`
      insert into reasons (name, type) values ('Pour une classe', 'free') returning id`.execute(server.db)
    reason = rows[0]?.id ?? 0
    await sql`update media set max_loaning = 20 where id = 1`.execute(server.db)
  })
  beforeEach(async () => {
    server.moveTo('2026-03-10T09:00:00.000Z')
    await sql`update reservations set fulfilled_by = null, status = 'canceled'`.execute(server.db)
    await sql`update loanings set status = 'cancelled', return_date = null`.execute(server.db)
    await sql`update copies set status = 'Disponible', state = 'VERY_GOOD'`.execute(server.db)
  })

  const key = () => ({ key: randomUUID() })
  const lend = (body: object, options = key()) =>
    biblio.post('/api/loanings', { beneficiary: 1, copy: 1, ...body }, options)
  const reserve = (beneficiary: number) =>
    sql`insert into reservations (beneficiary_id, reference_id, queue_position) values (${beneficiary}, 1, 1)`.execute(
      server.db,
    )

  /** Puts back what says who may do what. */
  const keptOf = async () => {
    const { rows: rights } = await sql<{ profile: number; right_code: string }>`
      select profile, right_code from profile_rights`.execute(server.db)
    return async () => {
      await sql`update sessions set revoked_at = null`.execute(server.db)
      await sql`delete from user_sites`.execute(server.db)
      await sql`insert into profile_rights (profile, right_code)
        select profile, right_code from json_to_recordset(${JSON.stringify(rights)}) as kept (profile integer, right_code text)
        on conflict do nothing`.execute(server.db)
    }
  }

  /** What a person does at a counter; what it needs is done first. */
  const gestures: Record<string, () => Promise<() => Promise<Answer>>> = {
    lend: async () => () => lend({}),
    'lend at once': async () => () => biblio.post('/api/loanings/fast', { beneficiary: 1, copy: 1 }, key()),
    'lend with all that may be said': async () => () =>
      lend({
        beneficiary: 2,
        relative: 1,
        start_date: '2026-03-09',
        duration_type: 'WEEK',
        duration_value: 60,
        free: true,
        free_reason: reason,
        comment: 'Pour l’école',
        override_reason: 'Une année scolaire',
        occurred_at: '2026-03-10T08:59:00.000Z',
        device_id: '11111111-1111-4111-8111-111111111111',
      }),
    'lend to who reserved it': async () => {
      await reserve(1)
      return () => lend({ amount: '3.5' })
    },
    'lend in spite of who reserved it': async () => {
      await reserve(2)
      return () => lend({ despite_reservations: true })
    },
    'take back': async () => {
      await lend({})
      return () => biblio.post('/api/loanings/return', { bar_code: '1001' }, key())
    },
    'take back by its number': async () => {
      const { body } = await lend({})
      return () => biblio.post(`/api/loanings/${body.id}/return`, { state: 'DAMAGED', penalty: false }, key())
    },
    'take back what a device lent, late and spoilt, at another site, while somebody waits': async () => {
      const lending = key()
      await lend({}, lending)
      await reserve(2)
      server.moveTo('2026-04-15T09:00:00.000Z')
      biblio = await server.as('biblio')
      const body = {
        bar_code: '1001',
        loan_key: lending.key,
        state: 'UNUSABLE',
        return_comment: 'Déchiré',
        occurred_at: '2026-04-15T08:59:00.000Z',
      }
      return () => biblio.post('/api/loanings/return', body, { ...key(), site: 2 })
    },
  }

  describe.each(Object.entries(gestures))('%s', (gesture, prepare) => {
    it('takes two round trips', async () => {
      const act = await prepare()
      // The session is known from before.
      await biblio.get('/api/copies?filters[bar_code|eq]=1001')
      const { result, statements } = await recorder.record(act)
      expect(result).toMatchObject({ status: expect.toBeOneOf([200, 201]) })
      const sent = statements.filter(isOfCall)
      const texts = sent.map(({ text }) => text.trim())
      expect(texts.at(-1)).toBe('commit')
      const trips = new Set(sent.map(({ wave }) => wave)).size
      // A loan's number is a statement of its own; the embedded engine takes one statement at a time.
      const count = gesture.startsWith('lend') ? 8 : 7
      expect({ trips, texts }).toEqual({ trips: testEngine === 'embedded' ? count : 2, texts })
      expect({ count: texts.length, texts }).toEqual({ count, texts })
    })

    it('answers what is kept, and journals the same', async () => {
      const act = await prepare()
      const answer = await act()
      expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) })
      const { status, body } = answer
      const { body: kept } = await biblio.get(`/api/loanings/${body.id}`)
      expect(body).toMatchObject(kept)
      const written = await server.db
        .selectFrom('audit_journal')
        .innerJoin('idempotency_keys', 'idempotency_keys.key', 'audit_journal.idempotency_key')
        .select(['after', 'status', 'answer'])
        .where('entity_id', '=', body.id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      const { '@id': _id, '@type': _type, ...loan } = kept
      expect(written.after).toMatchObject(loan)
      expect([written.status, JSON.parse(written.answer)]).toEqual([status, body])
    })
  })

  it('finds a copy by its bar code in one round trip, and its session with it', async () => {
    const lookUp = () => biblio.get('/api/copies?filters[bar_code|eq]=1001')
    await lookUp()
    const { result, statements } = await recorder.record(lookUp)
    expect(result.body['hydra:member']).toMatchObject([{ bar_code: '1001' }])
    const sent = statements.filter(isOfCall)
    expect([sent.length, new Set(sent.map(({ wave }) => wave)).size]).toEqual([
      2,
      testEngine === 'embedded' ? 2 : 1,
    ])
  })

  it.each([
    ['a session that was closed', sql`update sessions set revoked_at = now()`, 401, 401],
    ['a person who may no longer', sql`delete from profile_rights`, 403, 403],
    [
      'a person of another site',
      sql`insert into user_sites (user_id, site) select u.id, s.id from users u, sites s where s.id <> 1`,
      200,
      201,
    ],
  ])('believes nothing of %s, whatever was known of it', async (_, happens, looked, lent) => {
    const lookUp = () => biblio.get('/api/copies?filters[bar_code|eq]=1001')
    expect((await lookUp()).body['hydra:totalItems']).toBe(1)
    const before = await keptOf()
    try {
      await happens.execute(server.db)
      const { status, body } = await lookUp()
      expect(status).toBe(looked)
      expect(body['hydra:totalItems'] ?? 0).toBe(0)
      expect((await lend({})).status).toBe(lent)
      const { rows } = await sql<{ site: number }>`
        select site from loanings where status = 'in_progress'`.execute(server.db)
      expect(rows.map(({ site }) => site)).not.toContain(1)
    } finally {
      await before()
    }
  })

  it('serves the reservation of whoever it is lent to', async () => {
    await reserve(1)
    const { body } = await lend({})
    const { rows } = await sql`
      select beneficiary_id, fulfilled_by from reservations where fulfilled_by is not null`.execute(server.db)
    expect(rows).toEqual([{ beneficiary_id: 1, fulfilled_by: body.id }])
  })

  it('keeps the refusal of a lend that met a constraint, and gives it again', async () => {
    // The copy says that it is at home, and a loan says that it is not.
    await lend({})
    await sql`update copies set status = 'Disponible' where id = 1`.execute(server.db)
    const sent = key()
    const refused = await lend({ beneficiary: 2 }, sent)
    expect([refused.status, refused.body.reason]).toEqual([409, 'ALREADY_DONE'])
    const again = await lend({ beneficiary: 2 }, sent)
    expect([again.status, again.body]).toEqual([409, refused.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const { rows } =
      await sql`select count(*) as loans from loanings where copy = 1 and status = 'in_progress'`.execute(
        server.db,
      )
    expect(rows).toEqual([{ loans: 1 }])
  })

  // One embedded engine runs one transaction at a time: there is nothing to race.
  it.skipIf(testEngine === 'embedded')('lends ten of forty where ten is the limit', async () => {
    await sql`update media set max_loaning = 10 where id = 1`.execute(server.db)
    await sql`insert into copies (reference, bar_code, site) select 1, 'Q' || n, 1 from generate_series(1, 40) n`.execute(
      server.db,
    )
    const { rows: copies } = await sql<{
      id: number
    }>`select id from copies where bar_code like 'Q%'`.execute(server.db)
    const answers = await Promise.all(copies.map(({ id }) => lend({ beneficiary: 4, copy: id })))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([count(201), count(422)]).toEqual([10, 30])
  })
})
