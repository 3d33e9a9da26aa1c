import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { demonstrationAccounts } from '../../src/server/session/demonstration-accounts.ts'
import { lookInto } from '../backup/whole-base.ts'
import { apiOf } from '../support/api-of.ts'
import { addressOfDatabase, makeDatabase, onPostgres } from '../support/databases.ts'
import { expectTalliesTrue } from '../support/loan-tallies.ts'
import { testPassword } from '../support/test-library.ts'
import { differences } from '../upgrade/compare.ts'
import { countRows } from '../upgrade/count-rows.ts'
import { expectCounterGoesOn } from '../upgrade/counter-goes-on.ts'
import { fillFormer, type KeptCall } from '../upgrade/fill-former.ts'
import { countFormer, environmentOf, type FormerStorage, furnishFormer } from '../upgrade/former-version.ts'
import { hasFormerVersion, makeFormerVersion } from '../upgrade/make-former-version.ts'
import { askServer, tell, type Told } from '../upgrade/told.ts'
import { killProductWhen, runProduct, startProduct } from './product.ts'

const run = promisify(execFile)

/** `npm run faults` asks for it: the former version is fetched and built for it. */
const isAsked = process.env['FORMER_VERSION'] === '1'
if (isAsked && !hasFormerVersion)
  process.stdout.write('upgrade: this clone’s history has not the former version, its tests are not run\n')

/** The commands of README.md, « Mettre à jour », in their order. */
async function readCommands(): Promise<{ backup: string; goBack: string }> {
  const [, section = ''] =
    /^## Mettre à jour\n([\s\S]*?)^## /m.exec(await readFile('README.md', 'utf8')) ?? []
  const blocks = Array.from(section.matchAll(/^```\n([\s\S]*?)^```$/gm), ([, commands = '']) => commands)
  const [backup = '', install = '', goBack = ''] = blocks
  expect([blocks.length, install]).toEqual([3, expect.stringMatching(/^npm start$/m)])
  return { backup, goBack }
}

describe.skipIf(!isAsked || !hasFormerVersion)('0.1.0', () => {
  let directory: string
  const drops: (() => Promise<unknown>)[] = []
  const place = async (databaseUrl: string | null): Promise<FormerStorage> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-upgrade-'))
    drops.unshift(() => rm(dataDir, { recursive: true, force: true }))
    return { dataDir, databaseUrl }
  }
  beforeAll(async () => {
    directory = await makeFormerVersion()
  }, 1_200_000)
  afterAll(async () => {
    for (const drop of drops) await drop()
  })

  describe.each(['embedded', 'postgres'])('left in place (%s)', (engine) => {
    const isEmbedded = engine === 'embedded'
    const isReachable = () => isEmbedded || inject('postgresTemplate') !== null
    let storage: FormerStorage
    let former: { token: string; calls: KeptCall[]; told: Told; counts: Record<string, number> }

    beforeAll(async () => {
      if (!isReachable()) return
      const name = `comptoir_upgrade_${process.pid}`
      if (!isEmbedded) {
        await makeDatabase(name)
        drops.unshift(() => onPostgres(`drop database ${name} with (force)`))
      }
      storage = await place(isEmbedded ? null : addressOfDatabase(name))
      await furnishFormer(directory, storage)
      const server = await startProduct(environmentOf(storage), { cwd: directory })
      const { calls } = await fillFormer(server.address)
      const { token } = await apiOf(server.address, 'biblio', testPassword)
      const told = await tell(askServer(server.address))
      await rm(join(directory, 'avant.sauvegarde'), { force: true })
      await inShell((await readCommands()).backup)
      await server.end('SIGTERM')
      former = { token, calls, told, counts: await countFormer(directory, storage) }
    }, 600_000)

    /** As who keeps the former version's server would. */
    const inShell = (commands: string) =>
      run('sh', ['-euc', commands], { cwd: directory, env: { ...process.env, ...environmentOf(storage) } })

    it.skipIf(!isReachable())('is whole when its upgrade was cut by a kill -9, twice', async () => {
      const cut = async (migration: Moment) => {
        const middle = await (isEmbedded ? filesMade(storage, migration) : tableWaitedFor(storage, migration))
        await killProductWhen(environmentOf(storage), middle.isReached).finally(() => middle.leave())
      }
      await cut('late')
      // The former version would refuse what was upgraded by half.
      expect(await countFormer(directory, storage)).toEqual(former.counts)
      await cut('early')
      const started = performance.now()
      const server = await startProduct(environmentOf(storage))
      process.stdout.write(`upgrade (${engine}): open after ${Math.round(performance.now() - started)} ms\n`)
      await server.end('SIGTERM')
      await lookInto(storage, async ({ db }) => {
        expect(await countRows(db)).toEqual(former.counts)
        await expectTalliesTrue(db)
      })
    })

    it.skipIf(!isReachable())('tells every fact as 0.1.0 told it, and goes on', async () => {
      const server = await startProduct(environmentOf(storage))
      try {
        expect(differences(former.told, await tell(askServer(server.address)))).toEqual([])
        const headers = { authorization: `Bearer ${former.token}` }
        expect((await fetch(`${server.address}/api/users/me`, { headers })).status).toBe(200)
        await expectCounterGoesOn(await apiOf(server.address, 'biblio', testPassword), former.calls)
      } finally {
        await server.end('SIGTERM')
      }
      await lookInto(storage, ({ db }) => expectTalliesTrue(db))
    })

    it.skipIf(!isReachable())('is refused to the former version, in a sentence', async () => {
      const { code, said } = await runProduct(environmentOf(storage), { cwd: directory })
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/La base a été mise à jour par une version plus récente de Comptoir \(0007-/),
      ])
    })

    it.skipIf(!isReachable())('goes back to what it was by the backup made before', async () => {
      await inShell((await readCommands()).goBack)
      const server = await startProduct(environmentOf(storage), { cwd: directory })
      const told = await tell(askServer(server.address)).finally(() => server.end('SIGTERM'))
      expect(differences(former.told, told)).toEqual([])
    })
  })

  it('brings the demonstration’s two years of loans along', async () => {
    const storage = await place(null)
    const passwordOf = () => demonstrationAccounts.password
    const demo = { env: { DATA_DIR: storage.dataDir }, args: ['--demo'] }
    const server = await startProduct(demo.env, { cwd: directory, args: demo.args })
    const before = await tell(askServer(server.address, passwordOf)).finally(() => server.end('SIGTERM'))
    const started = performance.now()
    const upgraded = await startProduct(demo.env, { args: demo.args })
    const { 'hydra:totalItems': loans } = before['admin /api/loanings?limit=500'] as {
      'hydra:totalItems': number
    }
    const took = Math.round(performance.now() - started)
    process.stdout.write(`upgrade of the demonstration: open after ${took} ms, ${loans} loans\n`)
    const after = await tell(askServer(upgraded.address, passwordOf)).finally(() => upgraded.end('SIGTERM'))
    expect(differences(before, after)).toEqual([])
    await lookInto(storage, ({ db }) => expectTalliesTrue(db))
  })
})

type Moment = 'early' | 'late'
type Middle = { isReached(): Promise<boolean>; leave(): Promise<unknown> }

/** On the embedded engine, nobody else can look: the upgrade is in its middle once it made so many files. */
async function filesMade({ dataDir }: FormerStorage, migration: Moment): Promise<Middle> {
  const files = async () =>
    (await readdir(join(dataDir, 'environments', '1', 'database', 'postgres', 'base'), { recursive: true }))
      .length
  const before = await files()
  const more = migration === 'early' ? 5 : 60
  return { isReached: async () => (await files()) > before + more, leave: () => Promise.resolve() }
}

/** On PostgreSQL, it waits for a table that is held, which an early or a late migration changes. */
async function tableWaitedFor({ databaseUrl }: FormerStorage, migration: Moment): Promise<Middle> {
  const table = migration === 'early' ? 'env_1.devices' : 'env_1.translations'
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return {
    isReached: async () => {
      const { rowCount } = await client.query(
        'select from pg_locks where relation = $1::regclass and not granted',
        [table],
      )
      return rowCount !== 0
    },
    leave: () => client.end(),
  }
}
