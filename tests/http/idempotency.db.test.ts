import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'

import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { type Answer, type Client, describeServer, testNow } from '../support/test-server.ts'

const wasReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true'

describeServer('idempotency keys', (server) => {
  let biblio: Client
  beforeEach(async () => {
    server.moveTo(testNow)
    // Whatever a test lent is free again.
    await sql`update loanings set status = 'cancelled' where status = 'in_progress'`.execute(server.db)
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    biblio = await server.as('biblio')
  })
  const openLoansOf = async (copy: number) => {
    const loans = server.db.selectFrom('loanings').select('id').where('copy', '=', copy)
    return (await loans.where('status', '=', 'in_progress').execute()).map(({ id }) => id)
  }
  const isKept = async (key: string) =>
    (await server.db.selectFrom('idempotency_keys').select('key').where('key', '=', key).execute()).length ===
    1

  it('makes one loan of ten duplicates at the same instant', async () => {
    const key = randomUUID()
    const body = { beneficiary: 1, copy: 1 }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => biblio.post('/api/loanings', body, { key })),
    )
    const [id] = await openLoansOf(1)
    expect(await openLoansOf(1)).toHaveLength(1)

    const made = answers.filter((answer) => answer.status === 201 && !wasReplayed(answer))
    expect(made).toHaveLength(1)
    for (const answer of answers.filter((other) => other !== made[0])) {
      if (answer.status === 201) {
        expect([wasReplayed(answer), answer.body]).toEqual([true, made[0]?.body])
      } else {
        expect([answer.status, answer.body.reason]).toEqual([409, 'STILL_RUNNING'])
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
    }
    // « Still running » is not the answer: it comes when asked again.
    const after = await biblio.post('/api/loanings', body, { key: key.toUpperCase() })
    expect([after.status, wasReplayed(after), after.body.id]).toEqual([201, true, id])
  })

  it('tells apart another body, another address and another call under the same key', async () => {
    const key = randomUUID()
    const lent = await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })
    const others = [
      await biblio.post('/api/loanings', { beneficiary: 1, copy: 2 }, { key }),
      await biblio.post('/api/loanings', {}, { key, rawBody: '{"beneficiary": 1, "copy": 1}' }),
      await biblio.post('/api/loanings/fast', { beneficiary: 1, copy: 1 }, { key }),
      await biblio.post(`/api/loanings/${lent.body.id}/cancel`, {}, { key }),
    ]
    for (const answer of others) {
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({
        reason: 'KEY_REUSED',
        violations: [{ propertyPath: 'Idempotency-Key' }],
      })
    }
    expect(await openLoansOf(1)).toHaveLength(1)
    expect(await openLoansOf(2)).toEqual([])
  })

  it.each(['abc', '12345678', '0b9f5a39-6a3f-4d0e-8c0e-4f2f1f6f3a1g'])(
    'refuses « %s » as a key',
    async (key) => {
      expect((await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })).status).toBe(400)
      expect(await openLoansOf(1)).toEqual([])
    },
  )

  it('stores a refusal, and gives it again once it would no longer hold', async () => {
    await biblio.post('/api/loanings', { beneficiary: 2, copy: 1 })
    const taken = { key: randomUUID(), body: { beneficiary: 1, copy: 1 }, status: 409 }
    const expired = { key: randomUUID(), body: { beneficiary: 3, copy: 2 }, status: 422 }
    const refused = []
    for (const { key, body, status } of [taken, expired]) {
      const answer = await biblio.post('/api/loanings', body, { key })
      expect([answer.status, wasReplayed(answer)]).toEqual([status, false])
      refused.push(answer.body)
    }
    await biblio.post('/api/loanings/return', { bar_code: '1001' })
    await server.db.updateTable('beneficiaries').set({ exit_date: null }).where('id', '=', 3).execute()
    for (const { key, body, status } of [taken, expired]) {
      const answer = await biblio.post('/api/loanings', body, { key })
      expect([answer.status, wasReplayed(answer)]).toEqual([status, true])
      expect(refused).toContainEqual(answer.body)
    }
    expect(await openLoansOf(1)).toEqual([])
    await server.db
      .updateTable('beneficiaries')
      .set({ exit_date: '2020-01-01' })
      .where('id', '=', 3)
      .execute()
  })

  it('does not store that a session or a right was missing', async () => {
    const key = randomUUID()
    const body = { beneficiary: 3, copy: 1, override_reason: 'Réinscription en cours' }
    const send = (client: Client) => client.post('/api/loanings', body, { key })
    expect((await send(server.anonymous)).status).toBe(401)
    expect((await send(await server.as('lecture'))).status).toBe(403)
    // Refused by the verb itself: this profile lends, but not against a refusal.
    expect((await send(await server.as('benevole'))).status).toBe(403)
    expect(await isKept(key)).toBe(false)
    const answer = await send(biblio)
    expect([answer.status, wasReplayed(answer)]).toEqual([201, false])
  })

  it('keeps no key and no row of a verb that failed', async () => {
    const key = randomUUID()
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'a surprise'; end $$`.execute(
      server.db,
    )
    // After the loan and the copy were written.
    await sql`create trigger surprise before insert on audit_journal for each row execute function fail()`.execute(
      server.db,
    )
    const failed = await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })
    expect(failed.status).toBe(500)
    expect(JSON.stringify(failed.body)).not.toContain('surprise')
    await sql`drop trigger surprise on audit_journal; drop function fail`.execute(server.db)
    expect(await isKept(key)).toBe(false)
    expect(await openLoansOf(1)).toEqual([])

    const again = await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })
    expect([again.status, wasReplayed(again)]).toEqual([201, false])
  })

  it('serves PUT and DELETE too', async () => {
    const { body: loan } = await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })
    const path = `/api/loanings/${loan.id}`
    const [put, del] = [randomUUID(), randomUUID()]
    const first = await biblio.put(path, { comment: 'Une fois' }, { key: put })
    await biblio.put(path, { comment: 'Autre chose' })
    const again = await biblio.put(path, { comment: 'Une fois' }, { key: put })
    expect([again.status, wasReplayed(again), again.body]).toEqual([200, true, first.body])
    expect((await biblio.get(path)).body.comment).toBe('Autre chose')

    const answers = await Promise.all(Array.from({ length: 5 }, () => biblio.delete(path, { key: del })))
    expect(answers.filter((answer) => answer.status === 204 && !wasReplayed(answer))).toHaveLength(1)
    expect(answers.every(({ status }) => status === 204 || status === 409)).toBe(true)
    const replayed = await biblio.delete(path, { key: del })
    expect([replayed.status, wasReplayed(replayed), replayed.body]).toEqual([204, true, ''])
    expect((await biblio.delete(path)).status).toBe(404)
    expect((await biblio.delete(`${path}0`, { key: del })).status).toBe(422)
  })

  describe('of another person or another site', () => {
    const body = { beneficiary: 1, copy: 1 }
    const recorded = { code: 409, reason: 'ALREADY_RECORDED', message: 'Déjà enregistré.' }
    const presented = {
      code: 409,
      reason: 'KEY_OF_ANOTHER',
      message: 'Cette action a déjà été présentée et refusée.',
    }
    const answered = (answer: Answer) => [answer.status, wasReplayed(answer), answer.body]

    it('are told that it is recorded, and nothing of it', async () => {
      const key = randomUUID()
      const made = await biblio.post('/api/loanings', body, { key, site: 1 })
      const admin = await server.as('admin')
      // Even once it could be made again.
      await biblio.post('/api/loanings/return', { bar_code: '1001' })
      expect(answered(await admin.post('/api/loanings', body, { key, site: 1 }))).toEqual([
        409,
        false,
        recorded,
      ])
      for (const site of [0, 2]) {
        expect(answered(await biblio.post('/api/loanings', body, { key, site }))).toEqual([
          409,
          false,
          recorded,
        ])
      }
      expect(answered(await biblio.post('/api/loanings', body, { key, site: 1 }))).toEqual([
        201,
        true,
        made.body,
      ])
      expect(await openLoansOf(1)).toEqual([])
      const other = await admin.post('/api/loanings', { ...body, copy: 2 }, { key, site: 1 })
      expect([other.status, other.body.reason]).toEqual([422, 'KEY_REUSED'])
    })

    it('are told that it was refused, and nothing of why', async () => {
      const key = randomUUID()
      await biblio.post('/api/loanings', { beneficiary: 2, copy: 1 })
      const refused = await biblio.post('/api/loanings', body, { key, site: 1 })
      expect(refused.body.facts).toBeDefined()
      await biblio.post('/api/loanings/return', { bar_code: '1001' })
      const admin = await server.as('admin')
      for (const answer of [
        await admin.post('/api/loanings', body, { key, site: 1 }),
        await biblio.post('/api/loanings', body, { key, site: 2 }),
      ]) {
        expect(answered(answer)).toEqual([409, false, presented])
      }
      expect(answered(await biblio.post('/api/loanings', body, { key, site: 1 }))).toEqual([
        409,
        true,
        refused.body,
      ])
      expect(await openLoansOf(1)).toEqual([])
    })

    it('are not who takes an action over: the answer is the one of whoever did it', async () => {
      const benevole = await server.as('benevole')
      const { user_id } = await server.db
        .selectFrom('users')
        .select('id as user_id')
        .where('username', '=', 'benevole')
        .executeTakeFirstOrThrow()
      const headers = { 'x-on-behalf-of': String(user_id) }
      const [lent, refused] = [randomUUID(), randomUUID()]
      const made = await benevole.post('/api/loanings', body, { key: lent, site: 1 })
      const taken = await benevole.post(
        '/api/loanings',
        { ...body, beneficiary: 2 },
        { key: refused, site: 1 },
      )
      expect(answered(await biblio.post('/api/loanings', body, { key: lent, site: 1, headers }))).toEqual([
        201,
        true,
        made.body,
      ])
      const adopted = { key: refused, site: 1, headers }
      expect(answered(await biblio.post('/api/loanings', { ...body, beneficiary: 2 }, adopted))).toEqual([
        409,
        true,
        taken.body,
      ])
      // What never waits is nobody else's to send: its key would hand an answer from one person to another.
      const list = { list: 'loanings', filters: [] }
      const asOther = await biblio.post('/api/filters', list, { key: randomUUID(), headers })
      expect(asOther.status).toBe(400)
      // The other way round: sent by who took it over, it is still its owner's.
      const sent = randomUUID()
      const byAdopter = await biblio.post(
        '/api/loanings',
        { ...body, copy: 2 },
        { key: sent, site: 1, headers },
      )
      expect(
        answered(await benevole.post('/api/loanings', { ...body, copy: 2 }, { key: sent, site: 1 })),
      ).toEqual([201, true, byAdopter.body])
      expect((await biblio.post('/api/loanings', { ...body, copy: 2 }, { key: sent, site: 1 })).body).toEqual(
        recorded,
      )
    })

    it('are not the sites of a person whose key is older than sites were kept', async () => {
      const key = randomUUID()
      await biblio.post('/api/loanings', body, { key, site: 1 })
      await sql`update idempotency_keys set site = null where key = ${key}`.execute(server.db)
      const again = await biblio.post('/api/loanings', body, { key, site: 2 })
      expect([again.status, wasReplayed(again)]).toEqual([201, true])
      const admin = await server.as('admin')
      expect((await admin.post('/api/loanings', body, { key, site: 1 })).body).toEqual(recorded)
    })
  })

  describe('and the housekeeping', () => {
    const afterDays = async (days: number) => {
      server.moveTo(new Date(Date.parse(testNow) + days * 86_400_000).toISOString())
      await sweep(server.environment, server.now)
      biblio = await server.as('biblio')
    }

    it('keeps them 30 days at least, and not for ever', async () => {
      const key = randomUUID()
      await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })
      for (const days of [1, 29, 31, 44]) {
        await afterDays(days)
        const answer = await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key })
        expect([days, answer.status, wasReplayed(answer)]).toEqual([days, 201, true])
      }
      await afterDays(46)
      expect(await isKept(key)).toBe(false)
    })
  })
})
