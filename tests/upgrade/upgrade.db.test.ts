import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import type { Hono } from 'hono'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import { seedAtStart } from '../../src/server/open-served.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { expectTalliesTrue } from '../support/loan-tallies.ts'
import { clientOf } from '../support/test-server.ts'
import { differences } from './compare.ts'
import { countRows } from './count-rows.ts'
import { expectCounterGoesOn } from './counter-goes-on.ts'
import type { KeptCall } from './fill-former.ts'
import { passwordOf, tell, type Told } from './told.ts'

/** What tests/upgrade/make-former.ts kept of a former version: what it answered, and when. */
type Former = {
  now: string
  /** Of a session that was open when the former version stopped. */
  token: string
  calls: KeptCall[]
  counts: Record<string, number>
  told: Told
}

const fixture = (name: string) => join(import.meta.dirname, 'former', name)

describeUpgrade('a backup of 0.1.0, restored', {
  bring: (storage) => restoreBackup(fixture('library.backup'), storage, { replace: false }),
  endsSessions: true,
})

describeUpgrade(
  'a schema of 0.1.0, left in place',
  { bring: loadSchema, endsSessions: false, isOfPostgres: true },
  ({ former, app }) => {
    it('leaves who was signed in signed in', async () => {
      const { status, body } = await clientOf(app(), former().token).get('/api/users/me')
      expect([status, body.username]).toEqual([200, 'biblio'])
    })

    it('goes on with a device that followed the former version', async () => {
      const { cursor } = former().told['biblio /api/snapshot'] as { cursor: string }
      const device = clientOf(app(), former().token)
      const { body: anew } = await device.get('/api/snapshot')
      // The former version's machine is another one than ours: only its name and its transactions are ours here.
      const [version, from, , ...rest] = cursor.split('~')
      const [, , to, ...ours] = String(anew.cursor).split('~')
      const kept = [version, from, to, ...rest.slice(0, -1), ours.at(-1)].join('~')
      const { status, body } = await device.get(`/api/snapshot?since=${kept}`)
      expect([status, body.reset]).toEqual([200, false])
    })
  },
)

async function loadSchema({ databaseUrl }: StorageSettings): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  const extensions = ['pg_trgm', 'unaccent', 'btree_gist', 'citext']
  const statements = [
    ...extensions.map((name) => `create extension if not exists ${name} schema public;`),
    gunzipSync(await readFile(fixture('library.sql.gz'))).toString(),
  ]
  try {
    await client.query(statements.join('\n'))
    await client.query(ofThePast)
  } finally {
    await client.end()
  }
}

/** Rows are stamped with transactions of the machine where the former version ran, to which ours may not have come yet. */
const ofThePast = `
  set session_replication_role = replica;
  do $$
  declare stamp record;
  begin
    for stamp in select table_schema, table_name, column_name from information_schema.columns
      where table_schema ~ '^env_' and column_name in ('changed_xid', 'written_xid')
    loop
      execute format('update %I.%I set %I = 3', stamp.table_schema, stamp.table_name, stamp.column_name);
    end loop;
  end $$`

type Way = { bring(storage: StorageSettings): Promise<unknown>; endsSessions: boolean; isOfPostgres?: true }
type Upgraded = { former: () => Former; app: () => Hono }

function describeUpgrade(
  name: string,
  { bring, endsSessions, isOfPostgres }: Way,
  more: (upgraded: Upgraded) => void = () => undefined,
): void {
  const isElsewhere = isOfPostgres && testEngine !== 'postgres'
  describe.skipIf(isElsewhere || !isEngineReachable())(`${name} (${testEngine})`, () => {
    let former: Former
    let environment: Environment
    let app: Hono
    let counts: Record<string, number>
    const drops: (() => Promise<unknown>)[] = []
    beforeAll(async () => {
      former = JSON.parse(await readFile(fixture('told.json'), 'utf8')) as Former
      const { settings, drop } = await emptyStorage()
      drops.push(drop)
      await bring(settings)
      environment = await openEnvironment(settings, 1)
      drops.unshift(() => environment.close())
      counts = await countRows(environment.db)
      await seedAtStart([environment], { adminPassword: null, isMailSent: false })
      app = createApp({
        environments: [environment],
        logger: pino({ level: 'silent' }),
        now: () => new Date(former.now),
        checkAnswers: true,
      })
    })
    afterAll(async () => {
      for (const drop of drops) await drop()
    })

    const desks = new Map<string, ReturnType<typeof clientOf>>()
    const deskOf = async (username: string) => {
      const known = desks.get(username)
      if (known) return known
      const login = { username: `${username}@1`, password: passwordOf(username) }
      const { status, body } = await clientOf(app, null).post('/api/login_check', login)
      expect([username, status]).toEqual([username, 200])
      const desk = clientOf(app, body.token as string)
      desks.set(username, desk)
      return desk
    }

    it('has every row that was there', () => {
      expect(counts).toEqual({ ...former.counts, ...(endsSessions ? { sessions: 0 } : {}) })
    })

    it('tells every fact as 0.1.0 told it', async () => {
      const told = await tell(async (username, path) => (await (await deskOf(username)).get(path)).body)
      expect(differences(former.told, told)).toEqual([])
    })

    more({ former: () => former, app: () => app })

    it('is lent and returned from as before, with tallies that are true', async () => {
      await expectTalliesTrue(environment.db)
      await expectCounterGoesOn(await deskOf('biblio'), former.calls)
      await expectTalliesTrue(environment.db)
    })
  })
}
