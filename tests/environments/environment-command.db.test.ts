import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openEnvironment, type StorageSettings } from '../../src/server/db/environments/environment.ts'
import { temporaryDirectory } from '../backup/whole-base.ts'
import { entriesOf, zipOf } from '../data-export/read-zip.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'

type Said = { code: number; said: string; blamed: string }

describe.skipIf(!isEngineReachable())(`the command of environments (${testEngine})`, () => {
  let storage: StorageSettings
  let folder: string
  const drops: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const [empty, made] = [await emptyStorage(), await temporaryDirectory()]
    storage = empty.settings
    folder = made.path
    drops.push(empty.drop, made.drop)
  })
  afterAll(async () => {
    for (const drop of drops) await drop()
  })

  /** Runs it as npm does, from what is shipped. */
  const run = (...args: string[]): Promise<Said> => runOf('environment', args)
  const runOf = (command: string, args: string[]): Promise<Said> =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        DATA_DIR: storage.dataDir,
        DATABASE_URL: storage.databaseUrl ?? '',
        EMBEDDED_LIMIT: '2',
        PUBLIC_URL: 'https://pret.nord.fr',
      }
      const child = execFile(
        process.execPath,
        [`dist/server/${command}.js`, ...args],
        { env },
        (_, said, blamed) => resolve({ code: child.exitCode ?? -1, said, blamed }),
      )
    })
  const refused = async (...args: string[]) => {
    const { code, said, blamed } = await run(...args)
    expect([code, said]).toEqual([1, ''])
    return blamed
  }
  const done = async (...args: string[]) => {
    const { code, said, blamed } = await run(...args)
    expect([code, blamed]).toEqual([0, ''])
    return said
  }
  const within = async <T>(
    id: number,
    read: (db: Awaited<ReturnType<typeof openEnvironment>>['db']) => Promise<T>,
  ) => {
    const environment = await openEnvironment(storage, id)
    return read(environment.db).finally(() => environment.close())
  }

  it('says how it is used, and what it does not understand', async () => {
    for (const args of [[], ['ajouter'], ['rename', '1'], ['rename', 'un', 'Nord']])
      expect(await refused(...args)).toContain('npm run environment -- add NOM')
    expect(await refused('add', 'Nord', '--preset=usine')).toBe(
      'Il n’y a pas de modèle «\u202fusine\u202f»\u202f: mediatheque, ludotheque, parc, comite.\n',
    )
  })

  it('adds one with its hosts and preset, and answers its first password', async () => {
    const said = await done(
      'add',
      'Médiathèque du Nord',
      '--hosts=pret.nord.fr,NORD.example',
      '--preset=mediatheque',
    )
    expect(said).toMatch(/^Bibliothèque 1 .*ajoutée\. .*mot de passe \S{16}\n$/)
    expect(await done('list')).toBe('1\tMédiathèque du Nord\tpret.nord.fr, nord.example\n1 bibliothèque.\n')
    expect(await within(1, (db) => db.selectFrom('media').select('id').execute())).not.toHaveLength(0)
  })

  it('goes on with one that was begun, and does nothing twice', async () => {
    const media = () => within(1, (db) => db.selectFrom('media').select('name').execute())
    const before = await media()
    const said = await done(
      'add',
      'Médiathèque du Nord',
      '--hosts=nord.example,pret.nord.fr',
      '--preset=mediatheque',
    )
    expect(said).toContain('déjà là')
    expect(await media()).toEqual(before)
    expect(await done('list')).toContain('1 bibliothèque.')
  })

  it('invites an administrator by a mail whose link leads to the library’s own host', async () => {
    const said = await done('add', 'Ludothèque du Sud', '--hosts=pret.sud.fr', '--administrator=chef@sud.fr')
    // No server runs here.
    expect(said).toContain(
      `L’invitation pour chef@sud.fr attend le serveur\u202f: il l’envoie dès qu’il tourne ou, sans SMTP_URL, l’écrit dans un fichier de «\u202f${join(storage.dataDir, 'mail')}\u202f».`,
    )
    expect(said).toMatch(/^Son lien mène à https:\/\/pret\.sud\.fr\.$/m)
    expect(said).not.toContain('PUBLIC_URL')
    expect(said).not.toContain('mot de passe')
    const mails = await within(2, (db) =>
      db.selectFrom('mail_outbox').select(['to_address', 'html']).execute(),
    )
    expect(mails).toHaveLength(1)
    expect(mails[0]?.to_address).toBe('chef@sud.fr')
    expect(mails[0]?.html).toContain('https://pret.sud.fr/login?token=')
  })

  it('goes on with it on an installation that is full', async () => {
    expect(
      await done('add', 'Ludothèque du Sud', '--hosts=pret.sud.fr', '--administrator=chef@sud.fr'),
    ).toContain('déjà là')
  })

  it('gives no host twice, and knows what a host is', async () => {
    expect(await refused('add', 'Ouest', '--hosts=pret.sud.fr')).toContain(
      'est déjà celui de la bibliothèque 2',
    )
    expect(await refused('hosts', '2', 'pret.nord.fr')).toContain('est déjà celui de la bibliothèque 1')
    expect(await refused('hosts', '2', 'https://pret.sud.fr')).toContain('n’est pas un nom d’hôte')
    expect(await refused('add', 'Ouest')).toMatch(/chacune a son hôte|2 bibliothèques au plus/)
    expect(await refused('rename', '9', 'Personne')).toContain('Il n’y a pas de bibliothèque 9 ici')
  })

  it('asks which one a file to import is for where there are several, once there is a file', async () => {
    const file = join(folder, 'lecteurs.csv')
    const missing = await runOf('import', [file, '--user=admin'])
    expect([missing.code, missing.blamed]).toEqual([1, `Le fichier «\u202f${file}\u202f» n’existe pas.\n`])
    writeFileSync(file, 'matricule;nom\n')
    const asked = await runOf('import', [file, '--user=admin'])
    expect([asked.code, asked.blamed]).toEqual([
      1,
      expect.stringContaining('dites laquelle par --environment=NUMÉRO (npm run environment -- list)'),
    ])
    const wrong = await runOf('import', [file, '--user=admin', '--environment=9'])
    expect(wrong.blamed).toContain('Il n’y a pas de bibliothèque')
  })

  it('names one as it names itself today', async () => {
    const rename = (name: string) =>
      within(2, (db) =>
        db.updateTable('parameters').set({ value: name }).where('code', '=', 'work_council').execute(),
      )
    await rename('Ludothèque d’ici')
    expect(await done('list')).toContain('2\tLudothèque d’ici\tpret.sud.fr\n')
    await rename('Ludothèque du Sud')
  })

  it('tells the first from a second that comes, or refuses it', async () => {
    await within(1, (db) => db.updateTable('environment').set({ hosts: [] }).execute())
    expect(await done('list')).toContain(
      '1\tMédiathèque du Nord\ttoute adresse qui n’est pas celle d’une autre\n',
    )
    const sud = ['add', 'Ludothèque du Sud', '--hosts=pret.sud.fr']
    expect(await refused(...sud)).toContain('--first-hosts=')
    expect(await done(...sud, '--first-hosts=pret.nord.fr,nord.example')).toContain('déjà là')
    expect(await done('list')).toContain('1\tMédiathèque du Nord\tpret.nord.fr, nord.example\n')
  })

  it('renames, and gives other hosts', async () => {
    await done('rename', '2', 'Ludothèque du Midi')
    expect(await done('hosts', '2', 'pret.midi.fr')).toContain('répond à pret.midi.fr')
    expect(await done('list')).toContain('2\tLudothèque du Midi\tpret.midi.fr\n')
  })

  it('keeps the embedded engine to its limit', async () => {
    if (testEngine === 'postgres') return
    expect(await refused('add', 'Est', '--hosts=pret.est.fr')).toMatch(
      /2 bibliothèques au plus \(EMBEDDED_LIMIT\).*PostgreSQL/,
    )
  })

  it('takes no password on its command line, where other accounts read it', async () => {
    const written = [
      'postgres://compte:secret@ailleurs/base',
      'postgres://ailleurs/base?user=a&password=secret',
    ]
    for (const to of written) {
      const blamed = await refused('move', '1', `--to=${to}`)
      expect(blamed).toContain('MOVE_TO_URL')
      expect(blamed).not.toContain('secret')
    }
    expect(await refused('move', '1')).toContain('MOVE_TO_URL=')
  })

  it('removes one once its archive is written, and brings it back from there', async () => {
    await within(2, (db) =>
      db.insertInto('beneficiaries').values({ matricule: 'M1', lastname: 'Dupont-Éluard' }).execute(),
    )
    const file = join(folder, 'midi.zip')
    expect(await refused('remove', '2')).toContain('Usage')
    const said = await done('remove', '2', `--archive=${file}`)
    expect(said).toMatch(/Archive de la bibliothèque 2.*La bibliothèque 2 est retirée, avec ses fichiers\./)
    expect(existsSync(file)).toBe(true)
    expect(existsSync(join(storage.dataDir, 'environments', '2'))).toBe(false)
    expect(await done('list')).toContain('1 bibliothèque.')
    expect(await refused('archive', '1', file)).toContain('existe déjà')

    expect(await refused('restore', file, '--hosts=nord.example,pret.nord.fr')).toContain(
      'est déjà celui de la bibliothèque 1 («\u202fMédiathèque du Nord\u202f»)',
    )
    const damaged = await entriesOf(file)
    damaged.set(
      'lecteurs.csv',
      Buffer.from(damaged.get('lecteurs.csv')!.toString().replace('Dupont', 'Durand')),
    )
    const broken = await zipOf(join(folder, 'abimee.zip'), damaged)
    await within(1, (db) => db.updateTable('environment').set({ hosts: [] }).execute())
    const hosts = ['--hosts=pret.midi.fr', '--first-hosts=pret.nord.fr']
    expect(await refused('restore', broken, ...hosts)).toContain('lecteurs.csv est abîmé')
    expect(await done('list')).toBe(
      '1\tMédiathèque du Nord\ttoute adresse qui n’est pas celle d’une autre\n1 bibliothèque.\n',
    )
    expect(existsSync(join(storage.dataDir, 'environments', '2'))).toBe(false)
    expect(await done('restore', file, ...hosts)).toContain('Bibliothèque 2 reprise.')
    expect(await done('list')).toContain('2\tLudothèque du Midi\tpret.midi.fr\n')
    const names = await within(2, (db) => db.selectFrom('beneficiaries').select('lastname').execute())
    expect(names).toEqual([{ lastname: 'Dupont-Éluard' }])
  })
})
