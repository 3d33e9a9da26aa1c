import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Environment } from '../../src/server/db/environments/environment.ts'
import { readArchive } from '../../src/server/data-export/read-archive.ts'
import { describeServer } from '../support/test-server.ts'
import { archiveOf, openPlaces } from './archiving.ts'
import { seedEverything } from './furnished-library.ts'
import { cutShort, entriesOf, zipOf } from './read-zip.ts'

type Entries = Map<string, Buffer>

describeServer('an archive that is damaged or means harm', (server) => {
  const places = openPlaces()
  afterAll(() => places.drop())
  let directory: string
  let whole: string
  let entries: Entries
  let installation: Environment
  let made = 0

  beforeAll(async () => {
    await seedEverything(server.environment)
    directory = await places.directory()
    whole = await archiveOf(server.environment, directory)
    entries = await entriesOf(whole)
    installation = await places.installation()
  })

  /** The archive with some of it changed, and its list brought up to date unless said. */
  const changed = (change: (entries: Entries) => void, isListed = true): Promise<string> => {
    const copy = new Map(entries)
    change(copy)
    const manifest = JSON.parse(copy.get('archive.json')!.toString()) as {
      files: Record<string, { sha256: string }>
    }
    for (const [name, file] of Object.entries(manifest.files)) {
      if (copy.has(name)) file.sha256 = createHash('sha256').update(copy.get(name)!).digest('hex')
    }
    if (isListed) copy.set('archive.json', Buffer.from(JSON.stringify(manifest)))
    made += 1
    return zipOf(join(directory, `changed-${made}.zip`), copy)
  }
  const edit =
    (name: string, from: string | RegExp, to: string | ((found: string) => string)) => (copy: Entries) => {
      const before = copy.get(name)!.toString()
      const after = before.replace(from, (found) => (typeof to === 'string' ? to : to(found)))
      expect(after).not.toBe(before)
      copy.set(name, Buffer.from(after))
    }

  const retired = (row: string) => row.replace('fast_input', 'counter_refused_form_seconds')

  const refusals: [what: string, make: () => Promise<string>, sentence: RegExp][] = [
    ['is cut short', () => cutShort(whole, join(directory, 'cut.zip')), /^Cette archive est abîmée?/],
    [
      'is no archive',
      () => zipOf(join(directory, 'other.zip'), new Map([['a.txt', Buffer.from('a')]])),
      /archive\.json n’y est pas/,
    ],
    ['lacks a file', () => changed((copy) => copy.delete('prets.csv')), /^Il manque prets\.csv/],
    [
      'has a name that leads elsewhere',
      () => changed((copy) => copy.set('../../evil.sh', Buffer.from('x'))),
      /n’y a pas sa place.*evil/,
    ],
    [
      'has an absolute name',
      () => changed((copy) => copy.set('/etc/passwd', Buffer.from('x'))),
      /n’y a pas sa place/,
    ],
    [
      'was changed since',
      () => changed(edit('lecteurs.csv', 'Martin', 'Nitram'), false),
      /^lecteurs\.csv est abîmé, ou a été changé/,
    ],
    [
      'lacks a column',
      () => changed(edit('prets.csv', 'Commentaire;', '')),
      /^prets\.csv.*«\u00a0Commentaire\u00a0» manque/,
    ],
    [
      'has a column too many',
      () => changed(edit('sites.csv', 'Nom;', 'Nom;Surnom;')),
      /«\u00a0Surnom\u00a0» est de trop/,
    ],
    [
      'has a day that does not exist',
      () => changed(edit('exemplaires.csv', '2024-02-29', '2023-02-29')),
      /^exemplaires\.csv, ligne 2.*2023-02-29.*Acquis le/,
    ],
    [
      'has an amount that is none',
      () => changed(edit('references.csv', ';1.50;', ';beaucoup;')),
      /^references\.csv.*beaucoup.*Prix/,
    ],
    [
      'names a status that nothing has',
      () => changed(edit('exemplaires.csv', 'En Location', 'Envolé')),
      /^exemplaires\.csv contredit/,
    ],
    [
      'names a reader who is not there',
      () => changed(edit('prets.csv', /\r\n1;2;/, '\r\n1;999;')),
      /^prets\.csv contredit/,
    ],
    [
      'lends a copy twice',
      () =>
        changed((copy) => {
          const loans = copy.get('prets.csv')!.toString()
          copy.set('prets.csv', Buffer.from(`${loans}${loans.split('\r\n')[1]!.replace(/^1;/, '99;')}\r\n`))
        }),
      /^prets\.csv contredit/,
    ],
    [
      'has a parameter out of bounds',
      () => changed(edit('parametres.csv', /fast_input;[01]/, 'fast_input;peut-être')),
      /^parametres\.csv.*fast_input/,
    ],
    [
      'has an image that is none',
      () => changed((copy) => copy.set('images/2.webp', Buffer.from('<svg onload="alert(1)"/>'))),
      /^images\/2\.webp n’est pas une image/,
    ],
    [
      'has an image of nothing',
      () => changed((copy) => copy.set('images/999.webp', copy.get('images/2.webp')!)),
      /^images\/999\.webp n’est l’image d’aucune/,
    ],
    [
      'has conditions of another name',
      () => changed((copy) => copy.set(`conditions/${'0'.repeat(32)}.pdf`, Buffer.from('%PDF-1.4 x'))),
      /n’est pas le document/,
    ],
    [
      'grows without end',
      () => changed((copy) => copy.set('images/2.webp', Buffer.alloc(60_000_000))),
      /grossit beaucoup trop/,
    ],
    [
      'has a notice that is cut',
      () => changed((copy) => copy.set('notices.mrc', copy.get('notices.mrc')!.subarray(0, 300))),
      /^notices\.mrc, notice/,
    ],
    [
      'is of a later version',
      () => changed(edit('archive.json', /"comptoir": \d+/, '"comptoir": 99')),
      /version plus récente/,
    ],
    [
      'has a quotation mark left open',
      () =>
        changed((copy) =>
          copy.set('motifs.csv', Buffer.concat([copy.get('motifs.csv')!, Buffer.from('9;"free')])),
        ),
      /^motifs\.csv, ligne .*pas une ligne/,
    ],
  ]

  it.each(refusals)(
    'is refused with a sentence where it %s, and leaves nothing',
    async (_, make, sentence) => {
      const path = await make()
      const error = await readArchive(installation, path).then(
        () => null,
        (refused: Error) => refused,
      )
      expect(error?.name).toBe('ArchiveRefusal')
      expect(error?.message).toMatch(sentence)
      const { rows } = await sql<{ n: number }>`
      select (select count(*) from "references") + (select count(*) from beneficiaries) + (select count(*) from media) as n`.execute(
        installation.db,
      )
      expect(rows).toEqual([{ n: 0 }])
      const users = await installation.db.selectFrom('users').select(['id', 'username']).execute()
      expect(users).toEqual([{ id: 1, username: 'admin' }])
      for (const room of ['covers', 'conditions']) {
        const left = readdirSync(installation.files).includes(room)
          ? readdirSync(join(installation.files, room))
          : []
        expect(left).toEqual([])
      }
    },
  )

  it('is not read where people work already', async () => {
    await expect(readArchive(server.environment, whole)).rejects.toThrow(
      /a déjà des références ou des lecteurs/,
    )
  })

  it('is not read where people count already', async () => {
    const counting = await places.installation()
    await sql`insert into inventories (name, site, user_id, created_at) values ('Récolement', 1, 1, now())`.execute(
      counting.db,
    )
    await expect(readArchive(counting, whole)).rejects.toThrow(/Rien n’a été changé/)
    const { rows } = await sql`select name from inventories`.execute(counting.db)
    expect(rows).toEqual([{ name: 'Récolement' }])
  })

  it('is read though it is of before a parameter was taken away, which is forgotten', async () => {
    const before = await changed(
      edit('parametres.csv', /(fast_input;[^\r]*\r\n)/, (row) => `${row}${retired(row)}`),
    )
    const elsewhere = await places.installation()
    await readArchive(elsewhere, before)
    const { rows } = await sql<{ code: string }>`
      select code from parameters where code in ('fast_input', 'counter_refused_form_seconds')`.execute(
      elsewhere.db,
    )
    expect(rows).toEqual([{ code: 'fast_input' }])
  })

  it('keeps the account of the installation where the archive has none, or has closed it', async () => {
    const elsewhere = await places.installation()
    await sql`update users set username = 'chef' where id = 1`.execute(elsewhere.db)
    await sql`insert into audit_journal (at, action, entity, user_id) values (now(), 'a', 'b', 1)`.execute(
      elsewhere.db,
    )
    const { kept } = await readArchive(elsewhere, whole)
    expect(kept).toEqual(['chef'])
    const { rows } = await sql<{ username: string; is_own: boolean; profile: string; journal: number }>`
      select u.username::text as username, u.password_chosen as is_own, p.name as profile,
        (select count(*) from audit_journal j where j.user_id = u.id) as journal
      from users u join profiles p on p.id = u.profile where u.username in ('chef', 'admin') order by 1`.execute(
      elsewhere.db,
    )
    expect(rows).toEqual([
      { username: 'admin', is_own: false, profile: 'Admin', journal: 0 },
      { username: 'chef', is_own: true, profile: 'Admin', journal: 1 },
    ])
  })
})
