import { CompiledQuery, sql } from 'kysely'
import pino from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { StatementRecorder } from '../bench/scale/captured-statements.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

const filterOf = (name: string, value: string) => `filters[${name}]=${encodeURIComponent(value)}`

describeServer('filters by a part of a text', (server) => {
  let biblio: Client
  beforeAll(async () => {
    await sql`insert into "references" (name, code, tags)
      select 'Titre ' || md5(n::text), 'T' || n, '{"author":"Perec, Georges"}' from generate_series(1, 4000) n`.execute(
      server.db,
    )
    await sql`insert into "references" (name, code, tags) values
      ('Les Misérables', 'MIS-1', '{"author":"Hugo, Victor"}'), ('Hugo Cabret', 'CAB-1', '{"author":"Selznick, Brian"}')`.execute(
      server.db,
    )
    await sql`insert into beneficiaries (matricule, lastname, firstname)
      select 'N' || n, 'Nom ' || md5(n::text), 'Prénom ' || n from generate_series(1, 4000) n`.execute(
      server.db,
    )
    // What is added to such an index waits in a list until then.
    await sql`vacuum analyze "references", beneficiaries`.execute(server.db)
    // Lists have connections of their own: here they are those that are listened to.
    const environment = { ...server.environment, reads: server.db }
    const logger = pino({ level: 'silent' })
    const app = createApp({ environments: [environment], logger, now: () => server.now, checkAnswers: true })
    biblio = clientOf(app, (await server.as('biblio')).token)
  })

  it.each([
    ['name|like', 'miserables', ['MIS-1']],
    ['name|like', 'MISÉR', ['MIS-1']],
    // The author is no part of the title.
    ['name|like', 'hugo', ['CAB-1']],
    ['name|eq', 'Hugo Cabret', ['CAB-1']],
    ['name|eq', 'hugo cabret', []],
    ['code|like', 'cab', ['CAB-1']],
    ['code|eq', 'CAB-1', ['CAB-1']],
    ['code|in', 'CAB-1,MIS-1,none', ['CAB-1', 'MIS-1']],
    ['name|like', '100%', []],
  ])('finds references by %s %s', async (name, value, codes) => {
    const { body } = await biblio.get(`/api/references?${filterOf(name, value)}&order[code]=asc`)
    const found = body['hydra:member'].map(({ code }: { code: string }) => code)
    expect([found, body['hydra:totalItems']]).toEqual([codes, codes.length])
  })

  it.each([
    ['lastname|like', 'martin', ['M1']],
    ['firstname|like', 'ERIC', ['M2']],
    ['firstname|eq', 'Éric', ['M2']],
    ['matricule|eq', 'M4', ['M4']],
    ['contract_type|like', 'cdd', ['M2']],
  ])('finds readers by %s %s', async (name, value, matricules) => {
    const { body } = await biblio.get(`/api/beneficiaries?${filterOf(name, value)}`)
    const found = body['hydra:member'].map(({ matricule }: { matricule: string }) => matricule)
    expect(found).toEqual(matricules)
  })

  describe('of what is done with a title', () => {
    beforeAll(async () => {
      await sql`update "references" set code = '9782070409228' where id = 1`.execute(server.db)
      await sql`update copies set reference = 1, type = 'Vente' where id = 2`.execute(server.db)
      const admin = await server.as('admin')
      const made = [
        await admin.post('/api/loanings', { beneficiary: 1, copy: 1 }),
        await admin.post('/api/reservations', { beneficiary_id: 2, reference_id: 1 }),
        await admin.post('/api/sales', { beneficiary: 1, copy: 2 }),
      ]
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    })
    it.each([
      ['copies', 'searchname', 2],
      ['loanings', 'referencesearchname', 1],
      ['reservations', 'referencesearchname', 1],
      ['sales', 'copysearchname', 1],
    ])('find it among %s by its ISBN and the words after it', async (path, field, count) => {
      const typed = encodeURIComponent('ISBN 978-2-07-040922-8 (br.)')
      const { body } = await biblio.get(`/api/${path}?${field}=${typed}`)
      expect(body['hydra:totalItems']).toBe(count)
    })
  })

  describe('walks an index', () => {
    it.each([
      ['references', 'name|like', 'misérables', 'references_search'],
      ['references', 'name|eq', 'Les Misérables', 'references_search'],
      ['references', 'code|like', 'cab-1', 'references_search'],
      ['beneficiaries', 'lastname|like', 'martin', 'beneficiaries_search'],
      ['beneficiaries', 'firstname|like', 'alice', 'beneficiaries_search'],
      ['beneficiaries', 'matricule|like', 'm4', 'beneficiaries_'],
    ])('%s by %s', async (path, name, value, index) => {
      const recorder = new StatementRecorder(server.environment.pool)
      const { statements } = await recorder.record(() => biblio.get(`/api/${path}?${filterOf(name, value)}`))
      const counts = statements.find(({ text }) => text.includes('select count(*) as total'))
      // Among so few rows any way would do.
      const { rows } = await server.db.transaction().execute(async (trx) => {
        for (const way of ['seqscan', 'indexscan', 'indexonlyscan'])
          await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(trx)
        return trx.executeQuery<{ 'QUERY PLAN': string }>(
          CompiledQuery.raw(`explain ${counts?.text ?? ''}`, [...(counts?.values ?? [])]),
        )
      })
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`on ${index}`)
    })
  })
})
