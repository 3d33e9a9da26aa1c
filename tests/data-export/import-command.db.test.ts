import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { openEnvironment, type StorageSettings } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'
import { emptyStorage } from '../support/databases.ts'
import { clientOf, describeServer } from '../support/test-server.ts'
import { archiveOf, openPlaces } from './archiving.ts'

/** Runs `npm run import` from what is shipped. */
const run = (file: string, { dataDir, databaseUrl }: StorageSettings, ...flags: string[]) =>
  new Promise<{ code: number; said: string; blamed: string }>((resolve) => {
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' }
    const child = execFile(
      process.execPath,
      ['dist/server/import.js', file, ...flags],
      { env },
      (_, said, blamed) => resolve({ code: child.exitCode ?? -1, said, blamed }),
    )
  })

/** A site without a prefix is still one whose copies are numbered. */
async function expectUsable(settings: StorageSettings): Promise<void> {
  const environment = await openEnvironment(settings, 1)
  const token = 'A'.repeat(43)
  await sql`insert into sessions (token_hash, user_id, created_at, last_used_at)
    select ${hashToken(token)}, id, now(), now() from users where username = 'admin'`.execute(environment.db)
  const logger = pino({ level: 'silent' })
  const admin = clientOf(createApp({ environments: [environment], logger, checkAnswers: true }), token)
  const { status, body } = await admin.get('/api/sites')
  expect(status).toBe(200)
  const sites = body['hydra:member'] as { id: number; bar_codes_configuration: object }[]
  expect(sites.find(({ id }) => id === 1)?.bar_codes_configuration).toEqual({
    siteCode: '',
    firstValue: '00050',
    symbology: 'CODE128',
  })
  const added = await admin.post('/api/copies', { reference: 1, site: 1 })
  expect([added.status, added.body.bar_code]).toEqual([201, '00050'])
  await environment.close()
}

describeServer('npm run import, of an archive', (server) => {
  const places = openPlaces()
  let settings: StorageSettings
  let drop: () => Promise<void>
  let directory: string
  beforeAll(async () => {
    directory = await places.directory()
    ;({ settings, drop } = await emptyStorage())
  })
  afterAll(async () => {
    await drop()
    await places.drop()
  })

  it('asks for an installation that was started once, brings the library in, and refuses a second time', async () => {
    await sql`update sites set bar_codes_configuration = '{"siteCode":"","firstValue":"00050","symbology":"CODE128"}' where id = 1`.execute(
      server.db,
    )
    const path = await archiveOf(server.environment, directory)
    const early = await run(path, settings)
    expect([early.code, early.said]).toEqual([1, ''])
    expect(early.blamed).toContain('démarrez Comptoir une fois')
    const environment = await openEnvironment(settings, 1)
    await seedEnvironment(environment.db, 'mot-de-passe-admin')
    await environment.close()

    const { code, said, blamed } = await run(path, settings)
    expect([code, blamed]).toEqual([0, ''])
    expect(said).toContain('15 références, 15 exemplaires, 4 lecteurs')
    await expectUsable(settings)
    const again = await run(path, settings)
    expect(again.code).toBe(1)
    expect(again.blamed).toMatch(/^Cette installation a déjà des références ou des lecteurs/)
  })

  it('says what is wrong with a file that is no archive', async () => {
    const path = join(directory, 'other.zip')
    await writeFile(path, 'PK\u0003\u0004 nothing more')
    const { code, blamed } = await run(path, settings)
    expect(code).toBe(1)
    expect(blamed).toMatch(/^Cette archive est abîmé/)
  })

  it('takes which site is which, as often as it is said, and says how where it is said by halves', async () => {
    const path = join(directory, 'titres.csv')
    await writeFile(path, 'titre;code-barres;site\nUn;T1;ANX\nDeux;T2;BIB\nTrois;T3;Quai\n')
    const halves = await run(path, settings, '--user=admin', '--site-of=ANX')
    expect([halves.code, halves.blamed]).toEqual([1, expect.stringMatching(/^Usage/)])
    const sites = ['--site-of=ANX=Annexe', '--site-of=BIB=Quai', '--create-site=Quai']
    const { code, said, blamed } = await run(path, settings, '--user=admin', '--dry-run', ...sites)
    expect([code, blamed]).toEqual([0, ''])
    expect(said).toMatch(/^3 lignes\s: 3 à ajouter/)
  })
})
