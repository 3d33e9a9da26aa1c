import { existsSync } from 'node:fs'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

import { backUpTonight } from '../../src/server/backup/nightly-backup.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import { emptyStorage } from '../support/databases.ts'
import { describeServer } from '../support/test-server.ts'
import { lookInto, temporaryDirectory } from './whole-base.ts'

describeServer('the backup of each night', (server) => {
  let directory: string
  const drops: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const made = await temporaryDirectory()
    drops.push(made.drop)
    directory = join(made.path, 'sauvegardes')
  })
  afterAll(async () => {
    for (const drop of drops) await drop()
  })
  const at = (day: number, hour: number) =>
    backUpTonight({ directory, keepDays: 2, storage: server.storage }, new Date(2026, 2, day, hour, 30))

  it('is made once a day, from two o’clock on, in a folder of its own that its owner alone reads', async () => {
    expect([await at(10, 1), existsSync(directory)]).toEqual([false, false])
    expect(await at(10, 2)).toBe(true)
    expect(await at(10, 23)).toBe(false)
    expect((await readdir(directory)).toSorted()).toEqual([
      'comptoir-2026-03-10.sauvegarde',
      'installation.txt',
    ])
    const modes = [directory, join(directory, 'comptoir-2026-03-10.sauvegarde')].map(
      async (path) => (await stat(path)).mode & 0o777,
    )
    expect(await Promise.all(modes)).toEqual([0o700, 0o600])
  })

  it('is one that restores', async () => {
    const { settings, drop } = await emptyStorage()
    drops.unshift(drop)
    await restoreBackup(join(directory, 'comptoir-2026-03-10.sauvegarde'), settings, { replace: false })
    const users = await lookInto(settings, ({ db }) => db.selectFrom('users').select('id').execute())
    expect(users).toHaveLength(4)
  })

  it('is made although a server was stopped while it wrote, and takes the place of the oldest alone', async () => {
    await writeFile(join(directory, 'comptoir-2026-03-12.sauvegarde.a.part'), 'half')
    await utimes(join(directory, 'comptoir-2026-03-12.sauvegarde.a.part'), 0, 0)
    for (const name of ['comptoir-2026-03-08.sauvegarde', 'avant.sauvegarde'])
      await writeFile(join(directory, name), '')
    expect(await at(12, 3)).toBe(true)
    expect((await readdir(directory)).toSorted()).toEqual([
      'avant.sauvegarde',
      'comptoir-2026-03-10.sauvegarde',
      'comptoir-2026-03-12.sauvegarde',
      'installation.txt',
    ])
  })

  it('is made where the writing of the folder’s owner was cut', async () => {
    await writeFile(join(directory, 'installation.txt'), '')
    expect(await at(11, 3)).toBe(true)
    expect(await readFile(join(directory, 'installation.txt'), 'utf8')).toBe(
      await readFile(join(server.storage.dataDir, 'installation.txt'), 'utf8'),
    )
  })

  it('is refused in the folder of another installation, and with a secret that is soon guessed', async () => {
    // Two containers have the same path.
    const elsewhere = await temporaryDirectory()
    drops.push(elsewhere.drop)
    const other = { ...server.storage, dataDir: elsewhere.path }
    await expect(
      backUpTonight({ directory, keepDays: 2, storage: other }, new Date(2026, 2, 13, 3)),
    ).rejects.toThrow(/donnez à celle-ci un dossier à elle/)
    vi.stubEnv('BACKUP_PASSPHRASE', 'secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(at(13, 3)).rejects.toThrow(/La phrase secrète ne convient pas/)
    expect(existsSync(join(directory, 'comptoir-2026-03-13.sauvegarde'))).toBe(false)
  })
})
