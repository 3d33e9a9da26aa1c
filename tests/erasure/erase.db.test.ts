import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { cutLoansOf } from '../../src/server/erasure/cut-loans.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { clearCounter } from '../visibility/two-sites.ts'
import { testEngine } from '../support/databases.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

const ids = (body: { 'hydra:member': { id: number }[] }) => body['hydra:member'].map(({ id }) => id)
const named = /Alice|Martin|Éric|Dupont|Zoé|alice@|eric@|"M1"|"M2"|"R1"|"R2|secret/

describeServer('erasing readers', (server) => {
  let admin: Client
  beforeEach(async () => {
    server.moveTo(testNow)
    await clearCounter(server, false)
    await sql`truncate beneficiaries, relatives, forgetting_agreements, forgetting_days, cut_loans, last_cut_loans, audit_journal, letters, acts, acts_kept, jobs, archives, import_refusals restart identity cascade`.execute(
      server.db,
    )
    await sql`insert into beneficiaries (matricule, lastname, firstname, reader_id, email, phone, address, commune, birth_year, message, agency_id, contract_type, dossiers, wallet_amount, displayed, created_at) values
      ('M1', 'Martin', 'Alice', 'R1', 'alice@exemple.fr', '0102030405', '1 rue secrète', 'Lyon', 1980, 'privé', 1, 'CDI', '{privé}', null, '[{"name":"Bureau","value":"privé","tab":"personal"}]', '2020-05-17'),
      ('M2', 'Dupont', 'Éric', 'R2', 'eric@exemple.fr', null, null, null, null, '', 1, 'CDD', '{}', null, '[]', '2020-05-17'),
      ('M3', 'Expirée', 'Noémie', 'R3', 'noemie@exemple.fr', null, null, null, null, '', 2, 'CDI', '{}', 3.20, '[]', '2020-05-17'),
      ('M4', 'Récent', 'Jean', 'R4', null, null, null, null, null, '', 2, 'CDI', '{}', null, '[]', '2026-01-01')`.execute(
      server.db,
    )
    await sql`insert into relatives (beneficiary, lastname, firstname, reader_id) values (2, 'Dupont', 'Zoé', 'R2A')`.execute(
      server.db,
    )
  })
  beforeAll(async () => {
    admin = await server.as('admin')
  })

  const loan = (beneficiary: number, copy: number, on: string, back: string | null) =>
    sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, lent_at, lent_received_at)
      values (${beneficiary}, ${copy}, 1, ${back === null ? 'in_progress' : 'finished'}, ${on}, '2026-04-01', ${back}, 7, 'DAY', ${on}, ${on})`.execute(
      server.db,
    )
  const whole = async (table: string) =>
    JSON.stringify((await sql`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(server.db)).rows)
  const erase = (id: number, client = admin) => client.call('DELETE', `/api/beneficiaries/${id}`)

  it('refuses in a sentence while something is lent or waits', async () => {
    await loan(1, 1, '2026-03-01', null)
    expect(await erase(1)).toMatchObject({
      status: 409,
      body: {
        reason: 'IN_USE',
        message: 'Alice Martin a un prêt en cours\u202f: enregistrez d’abord son retour.',
      },
    })
    const asked = await admin.post('/api/reservations', { beneficiary_id: 2, reference_id: 3 })
    expect(asked.status).toBe(201)
    expect(await erase(2)).toMatchObject({
      status: 409,
      body: { message: 'Éric Dupont a une réservation en attente\u202f: annulez-la d’abord.' },
    })
    expect((await erase(99)).status).toBe(404)
    expect(await whole('beneficiaries')).toContain('Alice')
  })

  it('asks for the right to change readers and to see their history', async () => {
    expect((await erase(1, await server.as('lecture'))).status).toBe(403)
    await sql`delete from profile_rights where right_code = 'BENEFICIARY_HISTORY' and profile = (select id from profiles where name = 'Bibliothécaire')`.execute(
      server.db,
    )
    expect((await erase(1, await server.as('biblio'))).status).toBe(403)
    expect((await erase(1)).status).toBe(204)
  })

  it('leaves nothing that names the person, and what figures count', async () => {
    const sent = { key: '6a1c2b7e-54bb-4a0c-8f27-0c8b1d1c0001' }
    const lent = await admin.post(
      '/api/loanings',
      { beneficiary: 2, copy: 1, relative: 1, comment: 'secret' },
      sent,
    )
    expect(lent.status).toBe(201)
    const back = { return_comment: 'secret' }
    expect((await admin.post(`/api/loanings/${lent.body.id}/return`, back)).status).toBe(200)
    await admin.put(
      '/api/beneficiaries/2',
      { phone: '0607080910' },
      { key: '6a1c2b7e-54bb-4a0c-8f27-0c8b1d1c0002' },
    )
    await admin.put('/api/beneficiaries/2/relatives/1', { firstname: 'Zoé' })
    const asked = await admin.post('/api/reservations', {
      beneficiary_id: 2,
      reference_id: 3,
      comment: 'secret',
    })
    await admin.put(`/api/reservations/${asked.body.id}`, { status: 'canceled' })
    await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, status, created_at, next_attempt_at, attempts)
      values ('eric@exemple.fr', 'Retard', 'Éric', 'late_1', 2, 'queued', now(), now(), 0)`.execute(server.db)
    await sql`insert into letters (beneficiary, template, why, sites, made_on) values (2, 'late_1', 'no_address', '{1}', '2026-03-01')`.execute(
      server.db,
    )
    await sql`insert into sales (beneficiary, relative, copy, site, date, price, comment, sold_at, sold_received_at)
      values (2, 1, 5, 1, '2026-03-01', 2, 'secret', '2026-03-01', '2026-03-01')`.execute(server.db)
    await sql`insert into settlements (resolves, choice, motive, action, settled_by, settled_at, loaning)
      values (gen_random_uuid(), 'OVERRIDE', 'secret', '{"body":{"beneficiary":2}}', 1, now(), null)`.execute(
      server.db,
    )
    await sql`insert into archives (user_id, status, place, created_at, touched_at, ended_at) values (1, 'done', gen_random_uuid(), now(), now(), now())`.execute(
      server.db,
    )
    expect(await whole('idempotency_keys')).toMatch(/Éric/)

    expect((await erase(2)).status).toBe(204)
    for (const table of [
      'beneficiaries',
      'relatives',
      'loanings',
      'sales',
      'reservations',
      'mail_outbox',
      'letters',
      'settlements',
      'audit_journal',
      'idempotency_keys',
    ])
      expect(`${table} ${await whole(table)}`).not.toMatch(/Éric|Dupont|Zoé|eric@|secret"|0607|"R2/)
    expect(await whole('archives')).toBe('[]')
    const row = await server.db
      .selectFrom('beneficiaries')
      .selectAll()
      .where('id', '=', 2)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      lastname: 'Lecteur effacé',
      contract_type: 'CDD',
      agency_id: 1,
      kind: 'person',
      created_at: '2020-04-30T22:00:00.000Z',
      reader_id: null,
    })
    const sale = await server.db.selectFrom('sales').selectAll().executeTakeFirstOrThrow()
    expect(sale).toMatchObject({ beneficiary: null, price: '2.00', date: '2026-03-01' })
    const lines = await server.db.selectFrom('audit_journal').select(['action', 'user_id']).execute()
    expect(lines.map(({ action }) => action)).toContain('beneficiaries.erase')
    expect(lines.map(({ action }) => action)).toContain('beneficiary.update')

    // What comes again by its key is answered, without the person.
    const again = await admin.post(
      '/api/loanings',
      { beneficiary: 2, copy: 1, relative: 1, comment: 'secret' },
      sent,
    )
    expect(again.status).toBe(201)
    expect(again.body).toMatchObject({
      id: lent.body.id,
      beneficiary: null,
      beneficiary_name: 'Lecteur effacé',
      comment: '',
    })
    expect(JSON.stringify(again.body)).not.toMatch(named)
    expect((await admin.get('/api/beneficiaries/2')).status).toBe(404)
    expect(ids((await admin.get('/api/loanings')).body)).toEqual([lent.body.id])
    // The matricule and the number are free for who comes next.
    const next = await admin.post('/api/beneficiaries', {
      matricule: 'M2',
      lastname: 'Neuf',
      firstname: '',
      reader_id: 'R2',
    })
    expect(next.status).toBe(201)
  })

  it('leaves nobody in what was written of a copy that they had or waited for', async () => {
    const lent = await admin.post('/api/loanings', { beneficiary: 2, copy: 1 })
    const asked = await admin.post('/api/reservations', { beneficiary_id: 1, reference_id: 3, copy_id: 3 })
    expect([lent.status, asked.status]).toEqual([201, 201])
    const { rows } = await sql<{ id: number }>`
      select id from copies where reference = 3 and deleted_at is null order by id limit 1`.execute(server.db)
    for (const id of [1, rows[0]!.id])
      expect((await admin.put(`/api/copies/${id}`, { state: 'DAMAGED' })).status).toBe(200)
    expect((await admin.delete(`/api/references/3`)).status).toBe(204)
    expect((await admin.post(`/api/loanings/${lent.body.id}/return`, {})).status).toBe(200)
    for (const id of [1, 2]) expect((await erase(id)).status).toBe(204)
    expect(await whole('audit_journal')).toMatch(/"copies.change".*"references.remove"/s)
    expect(await whole('audit_journal')).not.toMatch(named)
  })

  it('leaves nobody in the answers that named them beside somebody else’s loan', async () => {
    await sql`update beneficiaries set lastname = 'Dupont "Dédé"' where id = 2`.execute(server.db)
    await sql`update beneficiaries set firstname = 'Éric', lastname = 'Dup' where id = 4`.execute(server.db)
    const lent = await admin.post('/api/loanings', { beneficiary: 1, copy: 1 })
    const asked = await admin.post('/api/reservations', { beneficiary_id: 2, reference_id: 1 })
    const key = { key: '6a1c2b7e-54bb-4a0c-8f27-0c8b1d1c0003' }
    const back = await admin.post(`/api/loanings/${lent.body.id}/return`, {}, key)
    expect(back.body.awaited_by.beneficiary_info).toBe('M2 - Dupont "Dédé" Éric')
    await admin.put(`/api/reservations/${asked.body.id}`, { status: 'canceled' })
    // A name that another one begins with is not theirs.
    expect((await erase(4)).status).toBe(204)
    expect(await whole('idempotency_keys')).toContain('Éric Dupont')
    expect((await erase(2)).status).toBe(204)
    expect(await whole('idempotency_keys')).not.toMatch(/Éric|Dupont|Dédé|M2/)
    expect((await admin.post(`/api/loanings/${lent.body.id}/return`, {}, key)).body).toMatchObject({
      beneficiary_name: 'Alice Martin (M1)',
      awaited_by: { beneficiary_info: 'Lecteur effacé', beneficiary_name: 'Lecteur effacé' },
    })
  })

  it('leaves nobody under a former name, nor in views that seek them', async () => {
    await admin.put('/api/beneficiaries/1', { lastname: 'Durand' })
    const lent = await admin.post('/api/loanings', { beneficiary: 1, copy: 1 })
    const seen = await admin.post('/api/reservations', { beneficiary_id: 2, reference_id: 1 })
    const key = { key: '6a1c2b7e-54bb-4a0c-8f27-0c8b1d1c0009' }
    await admin.put('/api/beneficiaries/2', { firstname: 'Erik' })
    await admin.post(`/api/loanings/${lent.body.id}/return`, {}, key)
    await admin.put(`/api/reservations/${seen.body.id}`, { status: 'canceled' })
    await admin.put('/api/beneficiaries/2', { firstname: 'Éric' })
    const keep = (name: string, list: string, filters: Record<string, string>) =>
      admin.post('/api/views', { list, name, content: { filters, order: null, hidden_columns: [] } })
    await keep('Prêts de M. Éric DUPONT', 'loanings', { 'status|eq': 'finished' })
    await keep('Un numéro', 'loanings', { 'beneficiary|eq': '2' })
    await keep('Une recherche', 'beneficiaries', { 'searchname|like': 'dupont eric' })
    await keep('Un matricule', 'beneficiaries', { 'searchname|like': 'M2' })
    await keep('Tous les Dupont', 'beneficiaries', { 'searchname|like': 'dupont' })
    const { body: renamed } = await keep('Relances Éric Dupont', 'loanings', { 'category|eq': '2' })
    await admin.put(`/api/views/${renamed.id}`, { name: 'Deux' })
    expect((await erase(2)).status).toBe(204)
    expect(await whole('idempotency_keys')).not.toMatch(/Erik|Éric|Dupont|M2/)
    const { rows } = await sql<{ name: string }>`select name from views order by id`.execute(server.db)
    expect(rows.map(({ name }) => name)).toEqual(['Tous les Dupont', 'Deux'])
    const { rows: told } = await sql<{ name: string | null }>`
      select after ->> 'name' as name from audit_journal where entity = 'views' order by id`.execute(
      server.db,
    )
    expect(told.map(({ name }) => name).filter(Boolean)).toEqual([
      'Un numéro',
      'Une recherche',
      'Un matricule',
      'Tous les Dupont',
    ])
    expect((await erase(1)).status).toBe(204)
    expect(await whole('idempotency_keys')).not.toMatch(/Alice|Martin|Durand|M1/)
  })

  it('leaves no free word on a refused return of theirs, whatever it was settled by', async () => {
    const settled = async (loaning: number, resolves: string, choice: string) => {
      const { status } = await admin.post('/api/conflicts/settle', {
        resolves,
        choice,
        motive: 'secret',
        happened_at: testNow,
        action: { endpoint: 'loanings.return', loaning, body: { return_comment: 'secret' } },
      })
      return status
    }
    const one = await admin.post('/api/loanings', { beneficiary: 2, copy: 1, start_date: '2026-03-02' })
    const other = await admin.post('/api/loanings', { beneficiary: 2, copy: 2, start_date: '2026-03-02' })
    expect(await settled(one.body.id, '6a1c2b7e-54bb-4a0c-8f27-0c8b1d1c0004', 'DATE_RETURN')).toBe(200)
    expect((await admin.post(`/api/loanings/${other.body.id}/return`, {})).status).toBe(200)
    expect(await settled(other.body.id, '6a1c2b7e-54bb-4a0c-8f27-0c8b1d1c0005', 'IGNORE')).toBe(200)
    const read = await admin.post('/api/conflicts/settle', {
      resolves: '6a1c2b7e-54bb-4a0c-8f27-0c8b1d1c0006',
      choice: 'NOT_HANDED_OVER',
      motive: 'secret',
      action: { endpoint: 'loanings.lend', body: { beneficiary_code: 'R2A', copy_code: '9999' } },
    })
    expect(read.status).toBe(200)
    expect((await erase(2)).status).toBe(204)
    for (const table of ['settlements', 'audit_journal', 'idempotency_keys'])
      expect(`${table} ${await whole(table)}`).not.toMatch(/secret|"R2A"/)
  })

  // The embedded engine does one thing at a time.
  it.runIf(testEngine === 'postgres')(
    'takes nothing more for a reader while they are being erased',
    async () => {
      const lent = await admin.post('/api/reservations', { beneficiary_id: 1, reference_id: 5 })
      const eraser = await server.environment.pool.connect()
      try {
        await eraser.query('begin; select from beneficiaries where id in (2, 4) for update')
        const asked = [
          admin.post('/api/reservations', { beneficiary_id: 2, reference_id: 3, comment: 'secret' }),
          admin.post('/api/beneficiaries/4/relatives', {
            firstname: 'secret',
          }),
          admin.put(`/api/reservations/${lent.body.id}`, { beneficiary_id: 2 }),
        ]
        await untilWaiting(asked)
        await eraser.query(
          'update beneficiaries set deleted_at = now(), forgotten_at = now() where id in (2, 4)',
        )
        await eraser.query('commit')
        expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([422, 404, 422])
      } finally {
        eraser.release(true)
      }
    },
  )
  it.runIf(testEngine === 'postgres')(
    'leaves who has a loan again once its return is taken back',
    async () => {
      await loan(2, 1, '2026-03-01', '2026-03-08')
      const counter = await server.environment.pool.connect()
      try {
        await counter.query('begin; select from loanings for update')
        const asked = erase(2)
        await untilWaiting([asked])
        await counter.query(`update loanings set status = 'in_progress', return_date = null; commit`)
        expect((await asked).status).toBe(409)
      } finally {
        counter.release(true)
      }
    },
  )

  /** Until each waits for a lock, or was answered without. */
  const untilWaiting = async (asked: readonly Promise<unknown>[]) => {
    let answered = 0
    for (const one of asked) void one.then(() => (answered += 1))
    for (;;) {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
      if (rows[0]!.waiting + answered >= asked.length) return
    }
  }

  it('cannot be undone by an act that had brought or changed the reader', async () => {
    await sql`insert into acts (kind, name, user_id, begun_at, ended_at) values ('import.readers', 'Import', 1, now(), now())`.execute(
      server.db,
    )
    await admin.put('/api/beneficiaries/1', { message: 'autre' })
    await sql`update audit_journal set act = 1`.execute(server.db)
    expect((await erase(1)).status).toBe(204)
    const before = await admin.get('/api/acts/1/rows')
    expect(before.body['hydra:member']).toMatchObject([{ name: 'Lecteur effacé', changes: [] }])
    expect((await admin.post('/api/acts/1/undo')).status).toBe(202)
    await server.doJobs()
    const { body } = await admin.get('/api/acts/1/rows')
    expect(body['hydra:member']).toMatchObject([{ kept: 'Ce qu’il était a été effacé.' }])
    expect((await admin.get('/api/beneficiaries/1')).status).toBe(404)
  })

  it('leaves nobody in why an act was not wholly undone', async () => {
    await sql`insert into acts (kind, name, user_id, begun_at, ended_at) values ('import.readers', 'Import', 1, now(), now())`.execute(
      server.db,
    )
    await admin.put('/api/beneficiaries/1', { matricule: 'M9', reader_id: 'R9' })
    await sql`update audit_journal set act = 1`.execute(server.db)
    await admin.put('/api/beneficiaries/2', { matricule: 'M1', reader_id: 'R1' })
    expect((await admin.post('/api/acts/1/undo')).status).toBe(202)
    await server.doJobs()
    const { body } = await admin.get('/api/acts/1/rows')
    expect(body['hydra:member']).toMatchObject([
      { kept: 'Son matricule ou son numéro est maintenant celui d’un autre lecteur.' },
    ])
    expect((await erase(2)).status).toBe(204)
    expect(await whole('acts_kept')).not.toMatch(named)
  })

  it('proposes who has not borrowed for long and waits for nothing, and erases them as one act', async () => {
    await loan(1, 1, '2024-01-01', '2024-02-01')
    await loan(2, 2, '2025-06-01', '2025-06-08')
    const list = () => admin.get('/api/inactive_readers?order[last_active_on]=asc')
    expect((await list()).body['hydra:member']).toMatchObject([
      {
        id: 1,
        name: 'Alice Martin',
        last_active_on: '2024-02-01',
        registered_on: '2020-05-17',
        is_settled: true,
      },
      { id: 3, name: 'Noémie Expirée', last_active_on: null, wallet_amount: '3.20', is_settled: false },
    ])
    expect(ids((await admin.get('/api/inactive_readers?filters[is_settled]=0')).body)).toEqual([3])
    expect(ids((await admin.get('/api/inactive_readers?filters[name|like]=alice')).body)).toEqual([1])
    // Who waits for a title is still a reader.
    await sql`insert into reservations (beneficiary_id, reference_id, queue_position, status) values (1, 3, 1, 'waiting')`.execute(
      server.db,
    )
    expect(ids((await list()).body)).toEqual([3])
    await sql`delete from reservations`.execute(server.db)
    // What was cut counts still.
    await sql`insert into last_cut_loans (beneficiary, site, day, active_on) values (1, 1, '2025-01-01', '2025-12-01')`.execute(
      server.db,
    )
    expect(ids((await list()).body)).toEqual([3])
    await sql`delete from last_cut_loans`.execute(server.db)
    await setParameter(server, 'retention_inactive_months', '6')
    expect(ids((await list()).body)).toEqual([1, 2, 3])
    await setParameter(server, 'retention_inactive_months', '0')
    expect(ids((await list()).body)).toEqual([])
    await setParameter(server, 'retention_inactive_months', '6')
    expect((await (await server.as('biblio')).get('/api/inactive_readers')).status).toBe(403)

    // Whose wallet is not empty, and who is not proposed, is left out.
    const asked = await admin.post('/api/inactive_readers/erase', { beneficiaries: [1, 2, 3, 4] })
    expect(asked).toMatchObject({ status: 202, body: { count: 2 } })
    // Who borrows before the job comes to them stays.
    await loan(2, 3, '2026-03-10', null)
    await server.doJobs()
    const { rows } = await sql<{
      id: number
    }>`select id from beneficiaries where forgotten_at is not null`.execute(server.db)
    expect(rows.map(({ id }) => id)).toEqual([1])
    const acts = (await admin.get('/api/acts')).body['hydra:member']
    expect(acts).toMatchObject([
      {
        kind: 'readers.erase',
        name: 'Effacement de 2 lecteurs',
        touched: 1,
        fixed: 'Un effacement ne s’annule pas.',
      },
    ])
    expect((await admin.post(`/api/acts/${acts[0].id}/undo`)).status).toBe(409)
    expect((await admin.get(`/api/acts/${acts[0].id}/rows`)).body['hydra:member']).toMatchObject([
      { name: 'Lecteur effacé', action: 'Effacement', state: 'left' },
    ])
    expect((await admin.post('/api/inactive_readers/erase', { beneficiaries: [1, 4] })).body).toMatchObject({
      reason: 'CHANGED_SINCE',
    })
    await setParameter(server, 'retention_inactive_months', '12')
  })

  it('counts from the latest of lent, extended and returned, also once loans are cut', async () => {
    const proposed = async () =>
      ids((await admin.get('/api/inactive_readers?order[name]=asc&filters[is_settled]=1')).body)
    // On 2026-03-10, twelve months back is 2025-03-10.
    await loan(1, 1, '2024-06-01', '2025-03-09')
    await loan(2, 2, '2024-06-01', '2025-03-10')
    expect(await proposed()).toEqual([1])
    await sql`insert into loan_renewals (loaning, renewed_on, from_date, to_date, user_id, received_at)
      select id, '2025-03-11', '2025-03-11', '2025-04-11', 1, now() from loanings where beneficiary = 1`.execute(
      server.db,
    )
    expect(await proposed()).toEqual([])
    await sql`update loan_renewals set renewed_on = '2025-03-01'`.execute(server.db)
    expect(await proposed()).toEqual([1])
    await server.db
      .transaction()
      .execute((trx) =>
        cutLoansOf(trx, [1, 2], { endedBefore: null, today: '2026-03-10', timezone: 'Europe/Paris' }),
      )
    expect(
      (await admin.get('/api/inactive_readers?filters[is_settled]=1')).body['hydra:member'],
    ).toMatchObject([{ id: 1, last_active_on: '2025-03-09' }])
    // What was lent by mistake never was.
    await loan(1, 1, '2026-01-01', '2026-01-01')
    await sql`update loanings set status = 'cancelled', return_date = null where beneficiary = 1`.execute(
      server.db,
    )
    expect(await proposed()).toEqual([1])
  })

  it('is agreed to once, and tells what was done', async () => {
    await loan(1, 1, '2024-01-01', '2024-02-01')
    expect((await admin.get('/api/personal_data')).body).toMatchObject({
      agreed: null,
      linked_loans: 1,
      retention_months: 4,
      forgotten_before: '2025-11-10',
      days: [],
    })
    await sql`insert into user_rights select id, 'BENEFICIARY_CONTACT', true from users where username = 'benevole'`.execute(
      server.db,
    )
    const agreed = await admin.post('/api/personal_data/agreement')
    expect(agreed.body).toMatchObject({ agreed: { at: testNow } })
    await admin.post('/api/personal_data/agreement')
    expect(await server.db.selectFrom('forgetting_agreements').selectAll().execute()).toHaveLength(1)
    expect((await (await server.as('biblio')).post('/api/personal_data/agreement')).status).toBe(403)
    const { seen_by } = agreed.body
    expect(seen_by).toContainEqual(
      expect.objectContaining({ profile: 'Bénévole', contact: true, address: false }),
    )
    await sql`delete from user_rights`.execute(server.db)
    expect(seen_by).toContainEqual({
      profile: 'Consultation',
      people: 1,
      readers: true,
      contact: false,
      address: false,
      history: false,
    })
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'admin'`.execute(
      server.db,
    )
    expect((await admin.post('/api/personal_data/agreement')).status).toBe(403)
    expect((await admin.call('DELETE', '/api/personal_data/agreement')).status).toBe(403)
    await sql`delete from user_sites`.execute(server.db)
  })

  it('is suspended by whoever may agree to it, with a line in the journal, and agreed to again', async () => {
    const suspend = (client = admin) => client.call('DELETE', '/api/personal_data/agreement')
    expect((await suspend()).body).toMatchObject({ agreed: null, suspended: null })
    await admin.post('/api/personal_data/agreement')
    expect((await suspend(await server.as('biblio'))).status).toBe(403)
    const suspended = await suspend()
    expect(suspended.body).toMatchObject({ agreed: null, suspended: { at: testNow } })
    await suspend()
    expect((await admin.post('/api/personal_data/agreement')).body).toMatchObject({
      agreed: { at: testNow },
      suspended: null,
    })
    const lines = await server.db
      .selectFrom('audit_journal')
      .select('action')
      .where('entity', '=', 'personal_data')
      .orderBy('id')
      .execute()
    expect(lines.map(({ action }) => action)).toEqual([
      'personal_data.agree',
      'personal_data.suspend',
      'personal_data.agree',
    ])
  })
})
