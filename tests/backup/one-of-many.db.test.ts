import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import {
  finishDirectorySwap,
  restoredDirectoryOf,
  restoredFiles,
} from '../../src/server/db/environments/restored-files.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { openServed } from '../../src/server/open-served.ts'
import { readConfiguration } from '../../src/server/process/configuration.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { seedTestLibrary } from '../support/test-library.ts'
import { clientOf } from '../support/test-server.ts'
import { expectRestored, temporaryDirectory, type WholeBase, wholeBase } from './whole-base.ts'

const embeddedLimit = 3

describe.skipIf(!isEngineReachable())(`the backup of one library of several (${testEngine})`, () => {
  let storage: StorageSettings
  let folder: string
  let file: string
  let saved: WholeBase
  const drops: (() => Promise<void>)[] = []

  const within = async <T>(id: number, look: (environment: Environment) => Promise<T>): Promise<T> => {
    const environment = await openEnvironment(storage, id)
    return look(environment).finally(() => environment.close())
  }
  const whole = (id: number): Promise<WholeBase> => within(id, wholeBase)
  /** Without what says where a library is here, which is not of the library. */
  const contents = ({ rows, ...rest }: WholeBase) => ({
    ...rest,
    rows: Object.fromEntries(Object.entries(rows).filter(([name]) => name !== 'environment')),
  })
  const spoil = (id: number) =>
    within(id, ({ db }) => db.updateTable('beneficiaries').set({ lastname: 'Abîmé' }).execute())

  beforeAll(async () => {
    const [empty, made] = [await emptyStorage(), await temporaryDirectory()]
    storage = empty.settings
    folder = made.path
    file = join(folder, 'two')
    drops.push(empty.drop, made.drop)
    for (const id of [1, 2]) {
      await within(id, async ({ db, files }) => {
        await seedEnvironment(db, 'mot-de-passe-admin')
        await seedTestLibrary(db)
        await db
          .updateTable('environment')
          .set({ name: `Bibliothèque ${id}`, hosts: [`pret${id}.fr`] })
          .execute()
        await mkdir(join(files, 'images'))
        await writeFile(join(files, 'images', 'logo.png'), `logo ${id}`)
      })
    }
    await makeBackup(file, storage, null, 2)
    saved = await whole(2)
  })
  afterAll(async () => {
    for (const drop of drops) await drop()
  })

  const restore = (
    path: string,
    {
      replace = false,
      id = null,
      hosts = null,
    }: { replace?: boolean; id?: number | null; hosts?: string[] | null },
  ) => restoreBackup(path, storage, { replace, one: { id, hosts, embeddedLimit } })

  it('refuses what would take others away, another’s file, a number nobody has, and a host that is taken', async () => {
    await expect(restoreBackup(file, storage, { replace: true })).rejects.toThrow(
      /ne contient pas la bibliothèque 1, qui est ici.*--environment=2/,
    )
    await expect(restore(file, { id: 1, replace: true })).rejects.toThrow(
      'ne contient pas la bibliothèque 1, mais 2',
    )
    await expect(restore(file, { id: 2 })).rejects.toThrow('ajoutez --replace')
    await expect(restore(file, { hosts: ['pret1.fr'] })).rejects.toThrow(
      'est déjà celui de la bibliothèque 1',
    )
    await expect(makeBackup(join(folder, 'none'), storage, null, 9)).rejects.toThrow(
      'Il n’y a pas de bibliothèque 9 ici',
    )
    const both = join(folder, 'both')
    await makeBackup(both, storage)
    await expect(restore(both, { hosts: ['pret3.fr'] })).rejects.toThrow(/contient les bibliothèques 1 et 2/)
  })

  it('brings one back in its place and at its address of today, and leaves the other as it was', async () => {
    const other = await whole(1)
    await spoil(2)
    await within(2, ({ db }) =>
      db
        .updateTable('environment')
        .set({ hosts: ['midi.fr'] })
        .execute(),
    )
    const { kept } = await restore(file, { id: 2, replace: true })
    expect(kept).toMatch(/before.*2$/)
    expectRestored(contents(await whole(2)), contents(saved))
    expect(await within(2, (environment) => Promise.resolve(environment.hosts))).toEqual(['midi.fr'])
    expect(await whole(1)).toEqual(other)
  })

  it.skipIf(testEngine === 'embedded')(
    'has its rows and its files of one day, wherever it is cut between the two',
    async () => {
      const [dataDir, logo] = [storage.dataDir, join('environments', '2', 'images', 'logo.png')]
      const logoOf2 = () => within(2, ({ files }) => readFile(join(files, 'images', 'logo.png'), 'utf8'))
      const now = new Date('2026-03-10T09:00:00Z')
      const kept = join(dataDir, 'environments-before-2026-03-10-09-00-00-000')
      await writeFile(join(dataDir, logo), 'logo d’après')
      await spoil(2)
      // The schema has taken its place, and the former files cannot leave theirs.
      await writeFile(kept, '')
      const one = { id: 2, hosts: null, embeddedLimit }
      await expect(restoreBackup(file, storage, { replace: true, now, one })).rejects.toThrow('EEXIST')
      await rm(kept)
      expect(await logoOf2()).toBe('logo 2')
      expectRestored(contents(await whole(2)), contents(saved))
      expect(await readFile(join(kept, '2', 'images', 'logo.png'), 'utf8')).toBe('logo d’après')

      // The schema has not: what was built is nobody's.
      const left = join(dataDir, restoredFiles(2, 1, '2026-03-10-10-00-00-000'))
      await mkdir(left)
      expect(await logoOf2()).toBe('logo 2')
      expect(existsSync(left)).toBe(false)
    },
  )

  it('makes no new one beside one that has no host, and still brings back one that is there', async () => {
    const give = (hosts: string[]) =>
      within(1, ({ db }) => db.updateTable('environment').set({ hosts }).execute())
    await give([])
    await expect(restore(file, { hosts: ['pret3.fr'] })).rejects.toThrow('npm run environment -- hosts 1')
    expect((await restore(file, { id: 2, replace: true })).environments).toEqual([2])
    await give(['pret1.fr'])
  })

  it('makes a new one of it beside the one that is there', async () => {
    const { environments } = await restore(file, { hosts: ['pret3.fr'] })
    const [id = 0] = environments
    expect(id).toBeGreaterThan(2)
    expectRestored(contents(await whole(id)), contents(saved))
    expect(
      await within(id, (environment) => Promise.resolve([environment.id, ...environment.hosts])),
    ).toEqual([id, 'pret3.fr'])
  })

  it('serves the others all the while, and this one again once it is there', async () => {
    // The embedded engine is one process for each, and is refused while a server has it.
    const configuration = readConfiguration({
      DATA_DIR: storage.dataDir,
      DATABASE_URL: storage.databaseUrl ?? '',
    })
    const served = await openServed(configuration, pino({ level: 'silent' }))
    const { environments } = served
    const client = clientOf(createApp({ environments, logger: pino({ level: 'silent' }) }), null)
    const at = (host: string) => client.get('/dns', { headers: { host } })
    try {
      expect((await at('midi.fr')).status).toBe(200)
      if (testEngine === 'embedded') {
        await expect(restore(file, { id: 2, replace: true })).rejects.toThrow('déjà utilisé')
        return
      }
      const heard = { other: new Set<number>(), this: new Set<number>() }
      const work = { isOver: false }
      const restored = restore(file, { id: 2, replace: true }).finally(() => (work.isOver = true))
      restored.catch(() => undefined)
      while (!work.isOver) {
        // What is remembered is answered at once, and would leave the restore no turn.
        await setImmediate()
        heard.other.add((await at('pret1.fr')).status)
        heard.this.add((await at('midi.fr')).status)
      }
      await restored
      expect([...heard.other]).toEqual([200])
      expect([...heard.this].filter((status) => ![200, 503].includes(status))).toEqual([])
      await expect.poll(async () => (await at('midi.fr')).status, { timeout: 20_000 }).toBe(200)
    } finally {
      await served.stop()
    }
  })

  it('is finished by the next start where it was cut between its two renamings', async () => {
    const cut = await temporaryDirectory()
    drops.unshift(cut.drop)
    await mkdir(join(cut.path, 'environments', '1'), { recursive: true })
    await mkdir(join(cut.path, restoredDirectoryOf(2)))
    await writeFile(join(cut.path, restoredDirectoryOf(2), 'whole'), '')
    finishDirectorySwap(cut.path)
    expect(existsSync(join(cut.path, 'environments', '2', 'whole'))).toBe(true)
  })
})
