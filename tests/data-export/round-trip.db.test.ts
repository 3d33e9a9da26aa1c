import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { iso2709Rows } from '../../src/server/import-files/iso-2709.ts'
import { bytesInMemory } from '../../src/server/import-files/file-bytes.ts'
import type { NoticeRow } from '../../src/server/import-files/import-file.ts'
import {
  archiveTables,
  archiveTablesOf,
  archiveVersion,
} from '../../src/server/data-export/archive-tables.ts'
import { readArchive } from '../../src/server/data-export/read-archive.ts'
import { isPasswordOf } from '../../src/server/session/password-hash.ts'
import { testPassword } from '../support/test-library.ts'
import { describeServer } from '../support/test-server.ts'
import { archiveOf, openPlaces } from './archiving.ts'
import { seedEverything } from './furnished-library.ts'
import formerArchives from './former-archives.json' with { type: 'json' }
import { entriesOf, zipOf } from './read-zip.ts'

/** The first line of each file of an archive, as that version wrote it. */
const headersOf = (version: number): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries((formerArchives as Record<string, Record<string, string>>)[version]!).map(
      ([file, header]) => [file, header.split(';')],
    ),
  )

/** What says when an archive was made, and nothing else of it. */
const withoutDates = (entries: ReadonlyMap<string, Buffer>) =>
  Object.fromEntries(
    [...entries].map(([name, bytes]) => [
      name,
      /^(?:images|conditions)\//.test(name)
        ? bytes.toString('base64')
        : bytes
            .toString()
            .replace(/"made_at": "[^"]+"/, '')
            .replaceAll(/(archive du|faite le) [^<.]+/gi, ''),
    ]),
  )

describeServer('what leaves with a library', (server) => {
  const places = openPlaces()
  afterAll(() => places.drop())
  let first: Map<string, Buffer>
  let second: Map<string, Buffer>

  beforeAll(async () => {
    await seedEverything(server.environment)
    const directory = await places.directory()
    const path = await archiveOf(server.environment, directory)
    first = await entriesOf(path)
    const installation = await places.installation()
    const read = await readArchive(installation, path)
    expect(read.kept).toEqual([])
    second = await entriesOf(await archiveOf(installation, directory, new Date('2026-05-01T10:00:00Z')))

    // The installation works as before, and numbers go on.
    const { rows } = await sql<{ id: number }>`
      insert into beneficiaries (matricule, lastname) values ('N1', 'Nouvelle') returning id`.execute(
      installation.db,
    )
    expect(rows[0]?.id).toBe(5)
    const users = await installation.db
      .selectFrom('users')
      .select(['username', 'password_chosen', 'password_hash'])
      .orderBy('id')
      .execute()
    expect(users.map(({ username, password_chosen }) => [username, password_chosen])).toEqual([
      ['admin', true],
      ['biblio', false],
      ['benevole', false],
      ['lecture', false],
    ])
    // Of no password that anybody knows.
    for (const { password_hash } of users.slice(1)) {
      expect(password_hash).toMatch(/^\$argon2id\$/)
      expect(await isPasswordOf(password_hash, testPassword)).toBe(false)
    }
    expect(await isPasswordOf(users[0]!.password_hash, 'mot-de-passe-admin')).toBe(true)
  })

  it('is the same again once it was read into an empty installation', () => {
    expect([...second.keys()]).toEqual([...first.keys()])
    expect(withoutDates(second)).toEqual(withoutDates(first))
    const made = (entries: typeof first) => entries.get('archive.json')!.toString()
    expect(made(first)).not.toBe(made(second))
  })

  it('has every table, and something in each file that is asked for', () => {
    const empty = archiveTables.filter(
      ({ file }) => first.get(file)!.toString().trimEnd().split('\r\n').length === 1,
    )
    expect(empty.map(({ file }) => file)).toEqual([])
    expect([...first.keys()]).toContain('images/2.webp')
    expect([...first.keys()].some((name) => name.startsWith('conditions/'))).toBe(true)
  })

  it('tells a spreadsheet that no text is a formula', () => {
    expect(first.get('references.csv')!.toString()).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(first.get('lecteurs.csv')!.toString()).toContain(';-5.00;')
  })

  it('has notices in UNIMARC with their copies and the fields of the notice they came from', async () => {
    const notices = new Map<string, NoticeRow>()
    for await (const row of iso2709Rows(bytesInMemory(first.get('notices.mrc')!), 'utf-8')) {
      if (row.type !== 'notice') throw new Error(row.reason)
      notices.set(row.fields.find(({ tag }) => tag === '001')!.value, row)
    }
    expect(notices.size).toBe(14)
    const said = (id: string, tag: string) =>
      notices
        .get(id)!
        .fields.filter((field) => field.tag === tag)
        .map(({ subfields }) => subfields.map(({ code, value }) => `$${code}${value}`).join(''))
    expect(said('1', '995')).toEqual([
      '$52024-02-29$bCentre$cCentre$eRéserve; au fond$f1001$kR ZOL$oEn Location$qa$ram$uTrès bon état',
    ])
    expect(said('1', '010')).toEqual(['$a9782070409228'])
    expect(said('1', '700')).toEqual(['$aZola$bÉmile$4070'])
    expect(said('1', '702')).toEqual(['$aDoré$bGustave$4440', '$aHetzel$4205'])
    expect(said('1', '610')).toEqual(['$aÉté', '$a=1+1'])
    expect(said('1', '100')[0]!.slice(28, 32)).toBe('50  ')
    expect(said('2', '300')).toEqual(['$aNote que nul champ ne dit, à garder'])
    expect(said('2', '035')).toEqual(['$afrBN00123'])
    expect(said('2', '200')).toEqual(['$aLivre numéro 2$fÉmile Zola'])
    expect(said('3', '801')).toEqual(['$aFR$bBnF'])
    expect(said('2', '995')).toEqual(['$bCentre$cCentre$f1002$oDisponible$ram$uTrès bon état'])
  })

  it('is read as an earlier version made it, without what came since', async () => {
    const earlier = new Map(first)
    for (const { file } of archiveTables) {
      const titles = headersOf(2).get(file)
      if (!titles) {
        earlier.delete(file)
        continue
      }
      const lines = parse(earlier.get(file)!, { delimiter: ';', bom: true, record_delimiter: '\r\n' })
      const kept = lines.map((cells) => cells.filter((_, index) => titles.includes(lines[0]![index]!)))
      earlier.set(file, Buffer.from(stringify(kept, { delimiter: ';', record_delimiter: '\r\n', bom: true })))
    }
    const manifest = JSON.parse(first.get('archive.json')!.toString()) as {
      comptoir: number
      files: Record<string, { sha256: string }>
    }
    manifest.comptoir = 2
    for (const [name, file] of Object.entries(manifest.files)) {
      const bytes = earlier.get(name)
      if (bytes) file.sha256 = createHash('sha256').update(bytes).digest('hex')
    }
    earlier.set('archive.json', Buffer.from(JSON.stringify(manifest)))
    const path = zipOf(join(await places.directory(), 'earlier.zip'), earlier)
    const { rows } = await readArchive(await places.installation(), await path)
    expect(rows.get('prets.csv')).toBe(4)
    expect(rows.has('droits-des-utilisateurs.csv')).toBe(false)
  })

  it.each(Object.keys(formerArchives).map(Number))(
    'asks of an archive of version %i only what it has',
    (version) => {
      const asked = archiveTablesOf(version).flatMap(({ file, columns }) =>
        columns.flatMap((column) => ('column' in column ? [`${file}: ${column.title}`] : [])),
      )
      const there = [...headersOf(version)].flatMap(([file, titles]) =>
        titles.map((title) => `${file}: ${title}`),
      )
      // A column that came later needs a `since` that is one more than the last of these versions.
      expect(asked.filter((one) => !there.includes(one))).toEqual([])
    },
  )

  it('never takes a version back that was given to an archive', () => {
    expect(archiveVersion).toBeGreaterThanOrEqual(Math.max(...Object.keys(formerArchives).map(Number)))
  })

  it('tells no secret', () => {
    const all = [...first].map(([name, bytes]) => `${name} ${bytes.toString()}`).join('\n')
    expect(all).not.toContain('$argon2')
    expect(all).not.toMatch(/mot-de-passe/)
  })

  it('says on its page what every column of every file is, with no script', () => {
    const page = first.get('LISEZ-MOI.html')!.toString()
    for (const { file, columns } of archiveTables) {
      expect(page).toContain(`<h2 id="${file}">`)
      for (const { title } of columns) expect(page).toContain(`<td>${title}</td>`)
    }
    expect(page).not.toContain('<script')
  })

  describe('leaves no column behind', () => {
    it('but those that mean nothing elsewhere', async () => {
      const schema = server.environment.engine ? 'public' : `env_${server.environment.id}`
      const { rows } = await sql<{ table: string; column: string }>`
        select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = ${schema}::regnamespace and c.relkind = 'r' and a.attnum > 0
          and not a.attisdropped and a.attgenerated = '' order by 1, a.attnum`.execute(server.db)
      const told = new Set(
        archiveTables.flatMap(({ table, columns }) =>
          columns.flatMap((column) => ('column' in column ? [`${table}.${column.column}`] : [])),
        ),
      )
      const missing = rows
        .map(({ table, column }) => ({ table, name: `${table}.${column}` }))
        .filter(({ table, name }) => !told.has(name) && !(table in leftTables) && !(name in leftColumns))
      expect(missing.map(({ name }) => name)).toEqual([])
    })
  })
})

/** Tables that do not leave, each with its reason. */
const leftTables: Record<string, string> = {
  acts: 'the history of changes',
  acts_kept: 'the history of changes',
  archives: 'archives themselves',
  audit_journal: 'the history of changes',
  code_ranges: 'which person printed the codes of bar_codes_given',
  devices: 'of this installation',
  environment: 'of this installation',
  forgetting_agreements: 'asked for again at each installation',
  forgetting_days: 'of this installation',
  found_images: 'found again outside',
  idempotency_keys: 'of this installation',
  import_mappings: 'of this software',
  import_refusals: 'of this installation',
  import_seen: 'of this installation',
  imports: 'of this installation',
  inventories: 'counts: what they changed is in the copies',
  inventory_findings: 'counts: what they changed is in the copies',
  inventory_scans: 'counts: what they changed is in the copies',
  weedings: 'what was withdrawn at once: when and why is in the copies',
  weeding_lines: 'what was withdrawn at once: when and why is in the copies',
  jobs: 'of this installation',
  kysely_migration: 'of this software',
  kysely_migration_lock: 'of this software',
  label_basket: 'what is still to be printed here',
  lending_tallies: 'counted again from the loans',
  loan_tallies: 'counted again from the loans',
  login_failures: 'of this installation',
  looked_up_codes: 'found again outside',
  mail_outbox: 'letters that have left',
  password_links: 'secret',
  public_tallies: 'counted again from the loans',
  reference_notices: 'in notices.mrc',
  reminder_days: 'of this installation',
  return_tallies: 'counted again from the loans',
  rights: 'of this software',
  row_changes: 'of this database',
  session_seals: 'secret',
  sessions: 'secret',
  settlements: 'of this installation',
  start_progress: 'of this installation',
  start_sample: 'of this installation',
  user_factors: 'secret',
  user_filters: 'what a person shows on a screen of this software',
  user_recovery_codes: 'secret',
  views: 'what a person shows on a screen of this software',
}

const leftColumns: Record<string, string> = {
  'closures.act': 'the history of changes',
  'users.password_hash': 'secret',
  'users.password_chosen': 'secret',
  'users.last_used_at': 'of sessions',
  'parameters.id': 'named by its code',
  'mail_templates.id': 'named by its code',
  'references.image_version': 'the image itself leaves',
  'references.changed_xid': 'of this database',
  'beneficiaries.changed_xid': 'of this database',
  'letters.mail': 'of letters that have left',
  'loan_reminders.mail': 'of letters that have left',
  'loanings.loan_key': 'of a device’s outbox',
  'loanings.lent_device': 'of this installation',
  'loanings.returned_device': 'of this installation',
  'loan_renewals.device_id': 'of this installation',
  'sales.device_id': 'of this installation',
}
