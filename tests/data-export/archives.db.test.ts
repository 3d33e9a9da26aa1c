import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'

import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { makeArchives } from '../../src/server/data-export/archive-maker.ts'
import { describeServer } from '../support/test-server.ts'
import { openPlaces } from './archiving.ts'
import { entriesOf } from './read-zip.ts'

describeServer('the archive of a library', (server) => {
  const places = openPlaces()
  afterAll(() => places.drop())
  const make = () => makeArchives(server.environment, { now: () => server.now })
  const files = () => join(server.environment.files, 'archives')

  it('is made in the background, for whoever asked, and fetched as a file', async () => {
    const admin = await server.as('admin')
    const asked = await admin.post('/api/archives')
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({ status: 'queued', kept_until: null, size: null })
    const again = await admin.post('/api/archives')
    expect([again.status, again.body.reason]).toEqual([409, 'WORK_UNDER_WAY'])
    expect((await admin.get(`/api/archives/${asked.body.id}/file`)).status).toBe(404)
    await make()
    const { body } = await admin.get('/api/archives')
    const [made] = body['hydra:member']
    expect(made).toMatchObject({ status: 'done', problem: null, kept_until: '2026-03-11T09:00:00.000Z' })
    expect(made.total).toBeGreaterThan(100)
    const answer = await admin.get(`/api/archives/${made.id}/file`)
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="bibliotheque-20260310-100000.zip"',
    )
    const path = join(await places.directory(), 'fetched.zip')
    writeFileSync(path, answer.body as Buffer)
    expect((answer.body as Buffer).length).toBe(made.size)
    expect((await entriesOf(path)).get('lecteurs.csv')!.toString()).toContain('Alice')
    const [kept] = readdirSync(files())
    expect(statSync(join(files(), kept!)).mode & 0o777).toBe(0o600)
    expect(statSync(files()).mode & 0o777).toBe(0o700)
  })

  it('is nobody else’s, nor theirs who are limited to some sites or have no right to it', async () => {
    await sql`insert into users (username, password_hash, profile) select 'autre', '', profile from users where username = 'admin'`.execute(
      server.db,
    )
    const other = await server.as('autre')
    const { body } = await (await server.as('admin')).get('/api/archives')
    const { id } = body['hydra:member'][0]
    expect((await other.get('/api/archives')).body['hydra:member']).toEqual([])
    expect((await other.get(`/api/archives/${id}/file`)).status).toBe(404)
    expect((await other.delete(`/api/archives/${id}`)).status).toBe(404)
    expect((await (await server.as('biblio')).post('/api/archives')).status).toBe(403)

    await sql`insert into user_sites select id, 1 from users where username = 'admin'`.execute(server.db)
    const limited = await server.as('admin')
    expect((await limited.post('/api/archives')).status).toBe(403)
    expect((await limited.get('/api/archives')).body['hydra:member']).toEqual([])
    expect((await limited.get(`/api/archives/${id}/file`)).status).toBe(404)
    await sql`delete from user_sites`.execute(server.db)
  })

  it('asks whoever takes it for every right to what it holds', async () => {
    const { body } = await (await server.as('admin')).get('/api/archives')
    const { id } = body['hydra:member'][0]
    const held = [
      'LIST_BENEFICIARIES',
      'BENEFICIARY_HISTORY',
      'BENEFICIARY_CONTACT',
      'BENEFICIARY_ADDRESS',
      'LIST_LOANINGS',
    ]
    for (const right of held) {
      await sql`delete from profile_rights where right_code = ${right} and profile = (select profile from users where username = 'admin')`.execute(
        server.db,
      )
      const client = await server.as('admin')
      expect((await client.post('/api/archives')).status).toBe(403)
      expect((await client.get('/api/archives')).body['hydra:member']).toEqual([])
      expect((await client.get(`/api/archives/${id}/file`)).status).toBe(404)
      await sql`insert into profile_rights (profile, right_code) select profile, ${right} from users where username = 'admin'`.execute(
        server.db,
      )
    }
    expect((await (await server.as('admin')).get(`/api/archives/${id}/file`)).status).toBe(200)
  })

  const placeOf = async (username: string) => {
    const { rows } = await sql<{ place: string; status: string; problem: string }>`
      select a.place::text as place, a.status, a.problem from archives a join users u on u.id = a.user_id where u.username = ${username}`.execute(
      server.db,
    )
    return rows[0]!
  }

  it('is not made for whoever lost the right meanwhile, and leaves no file of an earlier attempt', async () => {
    const other = await server.as('autre')
    expect((await other.post('/api/archives')).status).toBe(202)
    const half = join(files(), `${(await placeOf('autre')).place}.zip`)
    writeFileSync(half, 'half of it')
    await sql`update users set profile = (select id from profiles where name = 'Consultation') where username = 'autre'`.execute(
      server.db,
    )
    await make()
    expect(await placeOf('autre')).toMatchObject({
      problem: 'Votre compte n’a plus le droit de faire cette archive.',
    })
    expect(existsSync(half)).toBe(false)
  })

  it('leaves no file where it fails for good', async () => {
    const admin = await server.as('admin')
    const asked = await admin.post('/api/archives')
    expect(asked.status).toBe(202)
    const { place } = await placeOf('admin')
    await sql`alter table reservations rename to reservations_away`.execute(server.db)
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(make()).rejects.toThrow('reservations')
    await sql`alter table reservations_away rename to reservations`.execute(server.db)
    expect(await placeOf('admin')).toMatchObject({
      status: 'failed',
      problem: 'Une erreur inattendue s’est produite.',
    })
    expect(readdirSync(files())).not.toContain(`${place}.zip`)
    expect((await admin.get(`/api/archives/${asked.body.id}/file`)).status).toBe(404)
    expect((await admin.delete(`/api/archives/${asked.body.id}`)).status).toBe(204)
  })

  it('lets the counter lend while it is made, and is of one instant', async () => {
    const admin = await server.as('admin')
    const asked = await admin.post('/api/archives')
    expect(asked.status).toBe(202)
    const biblio = await server.as('biblio')
    const making = make()
    const lent = await Promise.all(
      [1, 2, 3].map((copy) => biblio.post('/api/loanings', { beneficiary: 1, copy })),
    )
    expect(lent.map(({ status }) => status)).toEqual([201, 201, 201])
    await making
    const answer = await admin.get(`/api/archives/${asked.body.id}/file`)
    const path = join(await places.directory(), 'fetched.zip')
    writeFileSync(path, answer.body as Buffer)
    const entries = await entriesOf(path)
    const out = entries.get('exemplaires.csv')!.toString().split('En Location').length - 1
    const loans = entries.get('prets.csv')!.toString().split('in_progress').length - 1
    expect(loans).toBe(out)
  })

  it('stays out of backups', async () => {
    const path = join(await places.directory(), 'b.backup')
    await makeBackup(path, { dataDir: server.storage.dataDir, databaseUrl: server.storage.databaseUrl })
    expect(readdirSync(files())).not.toEqual([])
    const { readFile } = await import('node:fs/promises')
    expect((await readFile(path)).toString('latin1')).not.toContain('archives/')
  })

  describe('is forgotten', () => {
    it('a day after, by those who look after the server', async () => {
      const admin = await server.as('admin')
      const { body } = await admin.get('/api/archives')
      const { id } = body['hydra:member'][0]
      server.moveTo('2026-03-11T09:00:01.000Z')
      const later = await server.as('admin')
      expect((await later.get(`/api/archives/${id}/file`)).status).toBe(404)
      await sweep(server.environment, server.now)
      expect(readdirSync(files())).toEqual([])
      expect((await later.get('/api/archives')).body['hydra:member']).toEqual([])
    })

    it('at once by whoever made it', async () => {
      const admin = await server.as('admin')
      const { body } = await admin.post('/api/archives')
      expect((await admin.delete(`/api/archives/${body.id}`)).status).toBe(409)
      await sql`update archives set status = 'running' where id = ${body.id}`.execute(server.db)
      expect((await admin.delete(`/api/archives/${body.id}`)).status).toBe(409)
      await sql`update archives set status = 'queued' where id = ${body.id}`.execute(server.db)
      await make()
      const [kept] = readdirSync(files())
      expect((await admin.delete(`/api/archives/${body.id}`)).status).toBe(204)
      await make()
      expect(existsSync(join(files(), kept!))).toBe(false)
    })
  })
})
