import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { emptyStorage } from '../support/databases.ts'
import { describeServer } from '../support/test-server.ts'
import { lookInto, temporaryDirectory } from './whole-base.ts'

type Storage = { dataDir: string; databaseUrl: string | null }

/** Runs a command as npm does, from what is shipped. */
function run(
  command: 'backup' | 'restore',
  args: string[],
  { dataDir, databaseUrl }: Storage,
  more: Record<string, string> = {},
): Promise<{ code: number; said: string; blamed: string }> {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl ?? '',
    BACKUP_PASSPHRASE: '',
    ...more,
  }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`dist/server/${command}.js`, ...args],
      { env },
      (_error, said, blamed) => {
        resolve({ code: child.exitCode ?? -1, said, blamed })
      },
    )
  })
}

describeServer('the commands', (server) => {
  let folder: string
  let target: Storage
  const drops: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const made = await temporaryDirectory()
    const storage = await emptyStorage()
    folder = made.path
    target = storage.settings
    drops.push(storage.drop, made.drop)
  })
  afterAll(async () => {
    for (const drop of drops) await drop()
  })

  it('say in a sentence how they are used, and what they refuse', async () => {
    expect(await run('backup', [], server.storage)).toEqual({
      code: 1,
      said: '',
      blamed: 'Usage\u202f: npm run backup FICHIER [-- --encrypt --environment=NUMÉRO]\n',
    })
    const nothing = await run('backup', [join(folder, 'b')], target)
    expect([nothing.code, nothing.blamed]).toEqual([
      1,
      expect.stringMatching(/^Il n’y a rien à sauvegarder dans «.*»\.\n$/),
    ])
    const nowhere = await run('backup', [join(folder, 'absent', 'b')], server.storage)
    expect([nowhere.code, nowhere.blamed]).toEqual([1, expect.stringMatching(/^Ce répertoire n’existe pas/)])
    const absent = await run('restore', [join(folder, 'absent')], target)
    expect([absent.code, absent.blamed]).toEqual([1, expect.stringContaining('n’existe pas')])
    expect(await readdir(folder)).toEqual([])
  })

  it('leave a file alone that has the name of the backup', async () => {
    const file = join(folder, 'former.backup')
    await writeFile(file, 'précédente')
    expect(await run('backup', [file], server.storage)).toEqual({
      code: 1,
      said: '',
      blamed: `«\u202f${file}\u202f» existe déjà\u202f: donnez un autre nom.\n`,
    })
    expect(await readFile(file, 'utf8')).toBe('précédente')
  })

  it('save what a server serves and restore it elsewhere, once', async () => {
    const file = join(folder, 'comptoir.backup')
    const saved = await run('backup', [file], server.storage)
    expect(saved).toEqual({
      code: 0,
      said: expect.stringMatching(
        /^Sauvegarde faite\u202f: .*comptoir\.backup \((\d,\d|\d+)\u202f[kM]o\)\.\n$/,
      ) as string,
      blamed: '',
    })
    const served = await run('restore', [file, '--replace'], server.storage)
    expect([served.code, served.blamed]).toEqual([
      1,
      expect.stringMatching(/déjà utilisé|est relié à cette base/),
    ])
    const restored = await run('restore', [file], target)
    expect([restored.code, restored.said, restored.blamed]).toEqual([
      0,
      expect.stringMatching(/^Sauvegarde du .* restaurée\. Tout le monde devra se reconnecter\.\n$/),
      '',
    ])
    const again = await run('restore', [file], target)
    expect([again.code, again.blamed]).toEqual([1, expect.stringContaining('ajoutez --replace')])
    const users = await lookInto(target, ({ db }) => db.selectFrom('users').select('id').execute())
    expect(users).toHaveLength(4)
  })

  it('seal with BACKUP_PASSPHRASE, never with an argument, and open with nothing else', async () => {
    const file = join(folder, 'sealed.backup')
    const { settings: elsewhere, drop } = await emptyStorage()
    drops.unshift(drop)
    const refusals = [
      [['--passphrase=un-été-à-Noirmoutier'], {}, /^Usage/],
      [['--encrypt'], {}, /donnez la phrase secrète par BACKUP_PASSPHRASE, ou sur un terminal/],
      [
        [],
        { BACKUP_PASSPHRASE: 'Password123' },
        /^La phrase secrète ne convient pas\. Ce mot de passe est trop courant/,
      ],
    ] as const
    for (const [flags, env, sentence] of refusals) {
      const refused = await run('backup', [file, ...flags], server.storage, env)
      expect([refused.code, refused.blamed]).toEqual([1, expect.stringMatching(sentence)])
    }
    expect(await readdir(folder)).not.toContain('sealed.backup')

    const sealed = await run('backup', [file], server.storage, { BACKUP_PASSPHRASE: 'un été à Noirmoutier' })
    expect([sealed.code, sealed.said, sealed.blamed]).toEqual([
      0,
      expect.stringMatching(/^Sauvegarde chiffrée faite\u202f: .*sealed\.backup/),
      '',
    ])
    const asked = await run('restore', [file], elsewhere)
    expect([asked.code, asked.blamed]).toEqual([
      1,
      expect.stringMatching(/est chiffrée\u202f: donnez sa phrase secrète par BACKUP_PASSPHRASE\.\n$/),
    ])
    const opened = await run('restore', [file], elsewhere, { BACKUP_PASSPHRASE: 'un été à Noirmoutier' })
    expect([opened.code, opened.blamed]).toEqual([0, ''])
  })
})
