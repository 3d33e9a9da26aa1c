import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

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
import { countFormer, environmentOf, type FormerStorage, seedFormer } from '../upgrade/former-version.ts'
import { hasFormerVersion, makeFormerVersion } from '../upgrade/make-former-version.ts'
import { askServer, tell, type Told } from '../upgrade/told.ts'
import { runProduct, startProduct } from './product.ts'

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
      await seedFormer(directory, storage)
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

    it.skipIf(!isReachable())('is taken up with every row', async () => {
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
        expect.stringMatching(
          /La base a été mise à jour par une version plus récente de Comptoir \(0001-baseline/,
        ),
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
