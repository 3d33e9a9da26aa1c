import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { cutLoansOf } from '../../src/server/erasure/cut-loans.ts'
import { forgetOfToday } from '../../src/server/erasure/forget-of-today.ts'
import { clearCounter } from '../visibility/two-sites.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

const ids = (body: { 'hydra:member': { id: number }[] }) => body['hydra:member'].map(({ id }) => id)

// On 2026-03-10, four months back is 2025-11-10.
describeServer('forgetting who borrowed what', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  beforeEach(async () => {
    await clearCounter(server, false)
    await sql`truncate forgetting_days, forgetting_agreements, cut_loans, last_cut_loans, audit_journal, letters, acts cascade`.execute(
      server.db,
    )
    server.moveTo(testNow)
  })

  const forget = () => forgetOfToday(server.environment, { now: () => server.now })
  const agree = () =>
    sql`insert into forgetting_agreements (user_id, agreed_at) values (1, ${testNow})`.execute(server.db)
  const lend = async (beneficiary: number, copy: number, on: string, more: object = {}) => {
    server.moveTo(`${on}T09:00:00.000Z`)
    const { body, status } = await admin.post('/api/loanings', { beneficiary, copy, ...more })
    expect({ status, body }).toMatchObject({ status: 201 })
    return body.id as number
  }
  const giveBack = async (loan: number, on: string, more: object = {}) => {
    server.moveTo(`${on}T09:00:00.000Z`)
    const { body, status } = await admin.post(`/api/loanings/${loan}/return`, more)
    expect({ status, body }).toMatchObject({ status: 200 })
  }
  const lendAndReturn = async (beneficiary: number, copy: number, on: string, back: string) => {
    const loan = await lend(beneficiary, copy, on)
    await giveBack(loan, back)
    return loan
  }
  const readersOf = async () => {
    const { rows } = await sql<{ id: number; beneficiary: number | null }>`
      select id, beneficiary from loanings order by id`.execute(server.db)
    return Object.fromEntries(rows.map(({ id, beneficiary }) => [id, beneficiary]))
  }
  const days = async () =>
    (await server.db.selectFrom('forgetting_days').selectAll().orderBy('day').execute()).map(
      ({ day, readers, loans, ended_at }) => ({ day, readers, loans, ended: ended_at !== null }),
    )

  it('does nothing before somebody agreed, then a day once, and says what it did', async () => {
    const loan = await lendAndReturn(1, 1, '2025-10-01', '2025-10-15')
    server.moveTo(testNow)
    await forget()
    expect(await readersOf()).toEqual({ [loan]: 1 })
    expect(await days()).toEqual([])

    await agree()
    await forget()
    expect(await readersOf()).toEqual({ [loan]: null })
    expect(await days()).toEqual([{ day: '2026-03-10', readers: 1, loans: 1, ended: true }])

    // What comes to be forgotten later the same day waits for the next.
    const late = await lendAndReturn(2, 2, '2025-10-01', '2025-10-15')
    server.moveTo(testNow)
    await forget()
    expect(await readersOf()).toEqual({ [loan]: null, [late]: 2 })
    server.moveTo('2026-03-11T09:00:00.000Z')
    await forget()
    expect(await readersOf()).toEqual({ [loan]: null, [late]: null })
    expect(await days()).toHaveLength(2)
  })

  it('does nothing while it is suspended, and goes on once it is agreed to again', async () => {
    const loan = await lendAndReturn(1, 1, '2025-10-01', '2025-10-15')
    server.moveTo(testNow)
    await agree()
    await sql`update forgetting_agreements set suspended_at = now(), suspended_by = 1`.execute(server.db)
    await forget()
    expect(await readersOf()).toEqual({ [loan]: 1 })
    await agree()
    await forget()
    expect(await readersOf()).toEqual({ [loan]: null })
  })

  it('asks again once the clock is far ahead of the day before, and forgets nothing meanwhile', async () => {
    const loan = await lendAndReturn(1, 1, '2025-12-01', '2025-12-15')
    server.moveTo(testNow)
    await agree()
    await forget()
    // Sessions of the day before have ended in such a year.
    const said = async () => (await (await server.as('admin')).get('/api/personal_data')).body
    // A year ahead by mistake.
    server.moveTo('2027-03-10T09:00:00.000Z')
    await forget()
    expect(await readersOf()).toEqual({ [loan]: 1 })
    expect(await said()).toMatchObject({ agreed: null, suspended: null, lapsed_since: '2026-03-10' })

    // Set right, it goes on by itself; forty days without a passage are a closed library, not a clock.
    server.moveTo('2026-04-19T09:00:00.000Z')
    await forget()
    expect(await readersOf()).toEqual({ [loan]: null })
    expect(await said()).toMatchObject({ agreed: { at: testNow }, lapsed_since: null })

    server.moveTo('2027-03-10T09:00:00.000Z')
    expect((await (await server.as('admin')).post('/api/personal_data/agreement')).body).toMatchObject({
      agreed: { at: '2027-03-10T09:00:00.000Z' },
      lapsed_since: null,
    })
  })

  it('leaves a day where it is once it is suspended, and takes it up from there', async () => {
    await sql`insert into beneficiaries (matricule, lastname, firstname)
      select 'S' || n, 'Suite', '' from generate_series(1, 60) n`.execute(server.db)
    await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
      select id, 1, 1, 'finished', '2025-10-01', '2025-10-08', '2025-10-08', 7, 'DAY', '2025-10-01', '2025-10-01'
      from beneficiaries where lastname = 'Suite'`.execute(server.db)
    server.moveTo(testNow)
    await agree()
    // Suspended by whoever is faster than the first step: its row of the day is written in that step.
    await sql`create or replace function suspend_all() returns trigger language plpgsql as
      $$ begin update forgetting_agreements set suspended_at = now(), suspended_by = 1; return new; end $$`.execute(
      server.db,
    )
    await sql`create trigger suspends after insert on forgetting_days execute function suspend_all()`.execute(
      server.db,
    )
    await forget()
    await sql`drop trigger suspends on forgetting_days`.execute(server.db)
    await sql`drop function suspend_all`.execute(server.db)
    expect(await days()).toEqual([{ day: '2026-03-10', readers: 40, loans: 40, ended: false }])
    await agree()
    await forget()
    expect(await days()).toEqual([{ day: '2026-03-10', readers: 60, loans: 60, ended: true }])
    await sql`delete from beneficiaries where lastname = 'Suite'`.execute(server.db)
  })

  it('does a day once where two processes begin it at the same moment', async () => {
    await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
      select 1 + n % 4, 1, 1, 'finished', '2025-10-01', '2025-10-08', '2025-10-08', 7, 'DAY', '2025-10-01', '2025-10-01'
      from generate_series(1, 60) n`.execute(server.db)
    await agree()
    await Promise.all([forget(), forget(), forget()])
    await forget()
    expect(await days()).toEqual([{ day: '2026-03-10', readers: 4, loans: 60, ended: true }])
    expect(Object.values(await readersOf()).every((reader) => reader === null)).toBe(true)
  })

  it('cuts what ended before the delay, cancelled loans too, and leaves what is open or younger', async () => {
    const old = await lendAndReturn(1, 1, '2025-10-01', '2025-11-09')
    const young = await lendAndReturn(1, 2, '2025-10-01', '2025-11-10')
    const open = await lend(1, 3, '2025-10-01')
    const cancelled = await lend(2, 4, '2025-10-01')
    expect((await admin.post(`/api/loanings/${cancelled}/cancel`)).status).toBe(200)
    server.moveTo(testNow)
    await agree()
    await forget()
    expect(await readersOf()).toEqual({ [old]: null, [young]: 1, [open]: 1, [cancelled]: null })

    await sql`update parameters set value = '6' where code = 'retention_months'`.execute(server.db)
    const other = await lendAndReturn(2, 5, '2025-10-01', '2025-10-15')
    server.moveTo('2026-03-11T09:00:00.000Z')
    await forget()
    expect((await readersOf())[other]).toBe(2)
    await sql`update parameters set value = '4' where code = 'retention_months'`.execute(server.db)
  })

  it('takes names and free words from loans, journal, reservations, mails, letters and settled refusals', async () => {
    const loan = await lend(2, 1, '2025-10-01', { relative: 1, comment: 'pour Zoé' })
    await giveBack(loan, '2025-10-15', { return_comment: 'rendu par Éric' })
    await admin.post(`/api/loanings/${loan}/delay`, { delay_comment: 'malade' })
    server.moveTo('2025-10-02T09:00:00.000Z')
    const asked = await admin.post('/api/reservations', {
      beneficiary_id: 2,
      reference_id: 3,
      comment: 'rappeler Éric',
    })
    expect(asked.status).toBe(201)
    await admin.put(`/api/reservations/${asked.body.id}`, { status: 'canceled' })
    await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, loaning, status, created_at, sent_at, next_attempt_at, attempts)
      values ('eric@exemple.fr', 'Retard', 'Éric', 'late_1', 2, ${loan}, 'sent', '2025-10-16', '2025-10-16', '2025-10-16', 1)`.execute(
      server.db,
    )
    const letter = await sql<{ id: number }>`
      insert into letters (beneficiary, template, why, mail, sites, made_on, printed_at, printed_by)
      select 2, 'late_1', 'refused', id, '{1}', '2025-10-17', '2025-10-18', 1 from mail_outbox returning id`.execute(
      server.db,
    )
    await sql`insert into loan_reminders (loaning, level, end_date, made_on, mail, letter)
      select ${loan}, 'late_1', '2025-10-10', '2025-10-16', id, ${letter.rows[0]!.id} from mail_outbox`.execute(
      server.db,
    )
    await sql`insert into settlements (resolves, choice, reason, motive, action, settled_by, settled_at, loaning)
      values (gen_random_uuid(), 'OVERRIDE', 'NOT_ELIGIBLE', 'Éric est connu', '{"body":{"beneficiary":2}}', 1, '2025-10-01', ${loan})`.execute(
      server.db,
    )
    await sql`insert into audit_journal (at, user_id, action, entity, entity_id, before, after)
      select '2025-10-01', 1, 'conflict.settle', 'settlements', id, '{"body":{"beneficiary":2}}', '{"motive":"Éric est connu","choice":"OVERRIDE"}' from settlements`.execute(
      server.db,
    )
    server.moveTo(testNow)
    await agree()
    await forget()

    const whole = async (table: string) =>
      JSON.stringify(
        (await sql`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(server.db)).rows,
      )
    for (const table of ['loanings', 'audit_journal', 'reservations', 'settlements', 'loan_reminders'])
      expect(`${table} ${await whole(table)}`).not.toMatch(/Éric|Zoé|Dupont|malade|"beneficiary": ?2/)
    for (const table of ['reservations', 'mail_outbox', 'letters', 'loan_reminders'])
      expect(`${table} ${await whole(table)}`).toBe(`${table} []`)
    const kept = await server.db
      .selectFrom('audit_journal')
      .select(['action', 'user_id'])
      .where('entity', '=', 'loanings')
      .orderBy('id')
      .execute()
    expect(kept.map(({ action }) => action)).toEqual(['loan.lend', 'loan.return', 'loan.delay'])
    expect(kept.every(({ user_id }) => user_id === 1)).toBe(true)
  })

  it('never opens such a loan again, by itself or along with an act', async () => {
    const loan = await lendAndReturn(1, 1, '2026-03-01', '2026-03-10')
    const today = testNow.slice(0, 10)
    await server.db
      .transaction()
      .execute((trx) => cutLoansOf(trx, [1], { endedBefore: null, today, timezone: 'Europe/Paris' }))
    expect(await admin.post(`/api/loanings/${loan}/undo`, { expects: 'return' })).toMatchObject({
      status: 409,
      body: {
        reason: 'READER_FORGOTTEN',
        message: 'Ce prêt est coupé de son lecteur\u202f: il ne se rouvre plus.',
      },
    })

    await sql`insert into acts (kind, name, user_id, begun_at, ended_at) values ('inventory.apply', 'Récolement', 1, '2025-10-15', '2025-10-15')`.execute(
      server.db,
    )
    await sql`update audit_journal set act = (select max(id) from acts) where action = 'loan.return'`.execute(
      server.db,
    )
    const act = (await admin.get('/api/acts')).body['hydra:member'][0]
    expect((await admin.post(`/api/acts/${act.id}/undo`)).status).toBe(202)
    await server.doJobs()
    const { body } = await admin.get(`/api/acts/${act.id}/rows`)
    expect(body['hydra:member']).toMatchObject([
      { state: 'left', kept: 'Ce prêt est coupé de son lecteur\u202f: il ne se rouvre plus.' },
    ])
    expect(await readersOf()).toEqual({ [loan]: null })
  })

  it('is shown as « Lecteur oublié » wherever loans are', async () => {
    const cut = await lendAndReturn(1, 1, '2025-10-01', '2025-10-15')
    const open = await lend(2, 1, '2026-03-01')
    server.moveTo(testNow)
    await agree()
    await forget()
    const told = {
      id: cut,
      beneficiary: null,
      beneficiary_name: 'Lecteur oublié',
      beneficiary_info: 'Lecteur oublié',
    }
    for (const query of [
      'order[id]=asc',
      'order[beneficiary_lastname]=desc',
      'filters[copy]=1&order[id]=asc',
      'filters[reference]=1&order[id]=asc',
    ]) {
      const { status, body } = await admin.get(`/api/loanings?${query}`)
      expect(status).toBe(200)
      expect(ids(body).toSorted()).toEqual([cut, open])
      expect(body['hydra:member'].find(({ id }: { id: number }) => id === cut)).toMatchObject(told)
    }
    expect((await admin.get(`/api/loanings/${cut}`)).body).toMatchObject(told)
    // By name, only those that have one are found.
    expect(ids((await admin.get('/api/loanings?benefsearchname=a')).body)).not.toContain(cut)
    expect(ids((await admin.get('/api/loanings?filters[beneficiary]=1')).body)).toEqual([])
    const { body: csv } = await admin.get('/api/export/loanings?export_type=csv&order[id]=asc')
    expect((csv as Buffer).toString()).toContain('Lecteur oublié')
    expect((await admin.get(`/api/journal?entity=loanings&id=${cut}`)).status).toBe(200)
  })
})
