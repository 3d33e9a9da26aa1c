import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { sourceFor } from '../../src/server/sync/sync-source.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

const header = 'Matricule;Nom;Prénom;Courriel;Site\n'
const persons = `${header}S1;Lefèvre;Noël;noel@exemple.fr;G-2\nS2;Diallo;Aïcha;;G-1\n`

describeServer('a synchronisation', (server) => {
  const path = join(tmpdir(), `personnes-${randomUUID()}.csv`)
  let stub: Server
  let answer: RequestListener
  let address: string
  beforeAll(async () => {
    stub = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
    await sql`update sites set gestit_id = 'G-' || id`.execute(server.db)
  })
  afterAll(async () => {
    await new Promise((resolve) => stub.close(resolve))
    await rm(path, { force: true })
  })
  beforeEach(async () => {
    await writeFile(path, persons)
    await sql`delete from imports`.execute(server.db)
    await sql`delete from jobs`.execute(server.db)
    await sql`delete from beneficiaries where matricule like 'S%'`.execute(server.db)
  })

  const client = async (
    syncSource: string | null = path,
    username = 'admin',
    environment = server.environment,
  ): Promise<Client> =>
    clientOf(
      createApp({
        environments: [environment],
        logger: pino({ level: 'silent' }),
        now: () => server.now,
        checkAnswers: true,
        syncSource,
      }),
      (await server.as(username)).token,
    )
  const synchronise = async (syncSource = path) => {
    const admin = await client(syncSource)
    const asked = await admin.post('/api/sync')
    if (asked.status !== 202) throw new Error(`${asked.status} ${JSON.stringify(asked.body)}`)
    await server.doJobs()
    return (await admin.get('/api/sync')).body
  }
  const readers = async () =>
    (
      await sql`select matricule, lastname, email, agency_id from beneficiaries
        where matricule like 'S%' and deleted_at is null order by matricule`.execute(server.db)
    ).rows
  const keptPlaces = () => readdir(join(server.environment.files, 'imports')).catch(() => [])
  const later = (seconds: number) =>
    server.moveTo(new Date(server.now.getTime() + seconds * 1000).toISOString())

  /** What administrators do while they lack these rights. */
  async function without<T>(rights: readonly string[], work: () => Promise<T>): Promise<T> {
    const of = sql`(select profile from users where username = 'admin')`
    await sql`delete from profile_rights where profile = ${of} and right_code = any(${rights}::text[])`.execute(
      server.db,
    )
    try {
      return await work()
    } finally {
      await sql`insert into profile_rights (profile, right_code) select ${of}, unnest(${rights}::text[])`.execute(
        server.db,
      )
    }
  }

  it('is refused in a sentence where the server has no source', async () => {
    const admin = await client(null)
    const { status, body } = await admin.post('/api/sync')
    expect(status).toBe(409)
    expect(body.message).toMatch(/^La synchronisation n’est pas réglée.*SYNC_SOURCE/)
    expect((await admin.get('/api/sync')).body).toEqual({
      is_configured: false,
      locked_for: 0,
      results_within: 0,
      last: null,
    })
  })

  it('is closed to whoever lacks its right, and to whoever some readers are hidden from', async () => {
    const biblio = await client(path, 'biblio')
    expect((await biblio.post('/api/sync')).status).toBe(403)
    expect((await biblio.get('/api/sync')).status).toBe(403)
    await setParameter(server, 'by_site_beneficiaries', '1')
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'admin'`.execute(
      server.db,
    )
    const admin = await client()
    expect((await admin.post('/api/sync')).status).toBe(403)
    expect((await admin.get('/api/sync')).status).toBe(403)
    await sql`delete from user_sites`.execute(server.db)
    await setParameter(server, 'by_site_beneficiaries', '0')
    expect(await readers()).toEqual([])
  })

  it('adds by matricule, at sites by their number in that system, tells who asked, and is taken back', async () => {
    const admin = await client()
    const asked = await admin.post('/api/sync')
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({
      locked_for: 180,
      results_within: 3600,
      last: { status: 'queued', total: 2, done: 0, ended_at: null, asked_at: server.now.toISOString() },
    })
    await server.doJobs()
    const { body } = await admin.get('/api/sync')
    expect(body).toMatchObject({
      is_configured: true,
      results_within: 0,
      last: { status: 'done', done: 2, counts: { added: 2, refused: 0 }, errors: [], problem: null },
    })
    expect(await readers()).toMatchObject([
      { matricule: 'S1', lastname: 'Lefèvre', email: 'noel@exemple.fr', agency_id: 2 },
      { matricule: 'S2', lastname: 'Diallo', agency_id: 1 },
    ])
    const { body: report } = await admin.get(`/api/imports/${body.last.import}`)
    expect(report).toMatchObject({ status: 'done', subject: 'readers', act: body.last.act })
    expect((await admin.get(`/api/acts/${body.last.act}`)).body.name).toMatch(/^Synchronisation\s: personnes/)
    expect((await admin.post(`/api/acts/${body.last.act}/undo`)).status).toBe(202)
    await server.doJobs()
    expect(await readers()).toEqual([])
  })

  it('is of the whole library, by whoever of one site asks for it with that right alone', async () => {
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'admin'`.execute(
      server.db,
    )
    const { last } = await without(['BENEFICIARY_EDIT', 'BENEFICIARY_CONTACT', 'BENEFICIARY_ADDRESS'], () =>
      synchronise(),
    )
    await sql`delete from user_sites`.execute(server.db)
    expect(last).toMatchObject({ counts: { added: 2, refused: 0 }, import: null, act: null })
    expect(await readers()).toMatchObject([{ email: 'noel@exemple.fr', agency_id: 2 }, { agency_id: 1 }])
  })

  it('takes every value of the file in place of the one that is there, and empties none', async () => {
    await synchronise()
    later(180)
    await writeFile(path, `${header}S1;Lefèvre-Dumas;Noël;;G-1\nS2;Diallo;Aïcha;;G-1\n`)
    const { last } = await synchronise()
    expect(last.counts).toMatchObject({ added: 0, changed: 1, unchanged: 1 })
    expect(await readers()).toMatchObject([
      { lastname: 'Lefèvre-Dumas', email: 'noel@exemple.fr', agency_id: 1 },
      { lastname: 'Diallo' },
    ])
  })

  it('believes the number of a site before its name, and no name or card in place of a matricule', async () => {
    await sql`update sites set name = 'G-2' where id = 1`.execute(server.db)
    await writeFile(path, `${header}S1;Lefèvre;Noël;;G-2\n;Martin;Alice;;G-1\nS3;Petit;Luc;;Mars\n`)
    const { last } = await synchronise()
    await sql`update sites set name = 'Centre' where id = 1`.execute(server.db)
    expect(await readers()).toMatchObject([{ matricule: 'S1', agency_id: 2 }])
    expect(last.counts).toMatchObject({ added: 1, refused: 2 })
    expect(last.errors).toMatchObject([
      { line: 3, field: 'matricule', reason: expect.stringMatching(/^«.Matricule.» est vide/) },
      { line: 4, field: 'agency', reason: expect.stringMatching(/^Aucun site/) },
    ])
  })

  it('reads a workbook', async () => {
    const rows = [
      ['Matricule', 'Nom', 'Prénom', 'Site'],
      ['S9', 'Roux', 'Ève', 'G-2'],
    ]
    await writeFile(path, await writeXlsx({ sheets: [{ name: 'Personnes', rows }] }))
    expect((await synchronise()).last.counts).toMatchObject({ added: 1 })
    expect(await readers()).toMatchObject([{ matricule: 'S9', lastname: 'Roux', agency_id: 2 }])
  })

  it('is asked for once in three minutes, and says when it may be again', async () => {
    await synchronise()
    later(47)
    const admin = await client()
    const refused = await admin.post('/api/sync')
    expect(refused.status).toBe(409)
    expect(refused.headers.get('retry-after')).toBe('133')
    expect((await admin.get('/api/sync')).body.locked_for).toBe(133)
    later(132)
    expect((await admin.post('/api/sync')).status).toBe(409)
    later(1)
    expect((await admin.post('/api/sync')).status).toBe(202)
  })

  it('is not held for a year by a clock that was a year ahead', async () => {
    const { now } = server
    later(365 * 86_400)
    await synchronise()
    server.moveTo(now.toISOString())
    const admin = await client()
    expect((await admin.get('/api/sync')).body).toMatchObject({ locked_for: 0, results_within: 0 })
    expect((await admin.post('/api/sync')).status).toBe(202)
    // Of two servers, one may be a little ahead of the other.
    later(-20)
    expect((await admin.get('/api/sync')).body.locked_for).toBe(180)
    later(20)
    await server.doJobs()
    later(200)
  })

  it('is one job for two that press at once, and keeps one file', async () => {
    const before = await keptPlaces()
    // Of another process, which does not know that this one reads the file.
    const [one, other] = await Promise.all([client(), client(path, 'admin', { ...server.environment })])
    const both = await Promise.all([one.post('/api/sync'), other.post('/api/sync')])
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
    const { rows } = await sql`select id from jobs where kind = 'sync.run'`.execute(server.db)
    expect(rows).toHaveLength(1)
    expect(await keptPlaces()).toHaveLength(before.length + 1)
  })

  it('has its file once from a slow address, however often it is pressed meanwhile', async () => {
    let asked = 0
    let deliver = () => {}
    const isDelivered = new Promise<void>((resolve) => (deliver = resolve))
    answer = (_, response) => {
      asked += 1
      void isDelivered.then(() => response.end(persons))
    }
    const one = await client(`${address}/personnes.csv`)
    const presses = Array.from({ length: 5 }, () => one.post('/api/sync'))
    const told: { status: number; message: unknown }[] = []
    await new Promise<void>((resolve) => {
      for (const press of presses)
        void press.then(({ status, body }) => {
          told.push({ status, message: body.message })
          if (told.length === presses.length - 1) resolve()
        })
    })
    const message = 'Une synchronisation commence\u202f: son fichier est en train d’être lu.'
    expect(told).toEqual(Array.from({ length: 4 }, () => ({ status: 429, message })))
    deliver()
    await Promise.all(presses)
    expect(told.at(-1)?.status).toBe(202)
    expect(asked).toBe(1)
    await server.doJobs()
  })

  it('ends where its person may no longer ask for it', async () => {
    const admin = await client()
    await admin.post('/api/sync')
    await without(['PARAMETER_SYNCRONIZE'], () => server.doJobs())
    expect((await admin.get('/api/sync')).body.last).toMatchObject({ status: 'failed' })
    expect(await readers()).toEqual([])
  })

  it.each([
    ['is no table', 'ceci n’est rien'],
    ['has no matricules', 'Nom;Prénom\nLefèvre;Noël\n'],
    ['has no names', 'Matricule;Courriel\nS1;noel@exemple.fr\n'],
  ])('is not asked for of a file that %s', async (_, content) => {
    const before = await keptPlaces()
    await writeFile(path, content)
    const admin = await client()
    const { status, body } = await admin.post('/api/sync')
    expect(status).toBe(502)
    expect(body.message).toMatch(/^Le fichier des personnes n’a pas pu être lu\s: /)
    expect((await admin.get('/api/sync')).body).toMatchObject({ locked_for: 0, last: null })
    expect(await keptPlaces()).toEqual(before)
  })

  it('is not asked for of what is missing, a directory, or too large', async () => {
    const large = join(tmpdir(), `grand-${randomUUID()}.csv`)
    await writeFile(large, Buffer.alloc(16_000_001, 'x'))
    for (const source of [join(tmpdir(), 'nulle-part.csv'), tmpdir(), large]) {
      const { status, body } = await (await client(source)).post('/api/sync')
      expect(status).toBe(502)
      expect(body.message).not.toContain(tmpdir())
    }
    await rm(large)
  })

  it('has its file from an address, which may lead to none of another host', async () => {
    answer = (request, response) =>
      request.url === '/ailleurs'
        ? response.writeHead(302, { location: 'http://localhost:1/personnes.csv' }).end()
        : request.url === '/large'
          ? response.end(Buffer.alloc(16_000_001, 'x'))
          : response.end(persons)
    for (const wrong of ['/ailleurs', '/large']) {
      const { status, body } = await (await client(address + wrong)).post('/api/sync')
      expect(status).toBe(502)
      expect(body.message).not.toContain('127.0.0.1')
    }
    const { last } = await synchronise(`${address}/rh/personnes.csv?jeton=secret`)
    expect(last).toMatchObject({ file: 'personnes.csv', counts: { added: 2 } })
    expect(JSON.stringify(last)).not.toContain('secret')
  })

  it('never brings the persons of one library into another', () => {
    expect(sourceFor('/srv/personnes.csv', 1, 1)).toBe('/srv/personnes.csv')
    expect(sourceFor('/srv/personnes.csv', 1, 2)).toBeNull()
    expect(sourceFor('/srv/{bibliotheque}.csv', 2, 2)).toBe('/srv/2.csv')
    expect(sourceFor(null, 1, 1)).toBeNull()
  })
})
