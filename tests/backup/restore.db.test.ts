import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import { nextMatricules } from '../../src/server/beneficiaries/reader-number.ts'
import { takeNextBarCodes } from '../../src/server/catalogue/next-bar-code.ts'
import { openEnvironments, type StorageSettings } from '../../src/server/db/environments/environment.ts'
import { lastReplaced, migrations } from '../../src/server/db/migrations/migrations.ts'
import { emptyStorage, testEngine } from '../support/databases.ts'
import { describeServer } from '../support/test-server.ts'
import { expectRestored, lookInto, temporaryDirectory, wholeBase } from './whole-base.ts'

const keep = { replace: false }

/** A backup whose text was changed by somebody who knows how to seal one. */
async function altered(file: string, change: (lines: string[]) => string[]): Promise<string> {
  const lines = gunzipSync(await readFile(file))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  const body = change(lines.slice(0, -1))
  const text = body.map((line) => `${line}\n`).join('')
  const end = JSON.stringify({ end: body.length, sha256: createHash('sha256').update(text).digest('hex') })
  await writeFile(`${file}.altered`, gzipSync(`${text}${end}\n`))
  return `${file}.altered`
}

// A restore makes a new embedded base: seconds, and more on a machine that is busy.
describeServer('a restore', (server) => {
  let folder: string
  let file: string
  let target: StorageSettings
  const drops: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const made = await temporaryDirectory()
    const storage = await emptyStorage()
    drops.push(storage.drop, made.drop)
    ;({ settings: target } = storage)
    folder = made.path
    file = join(folder, 'b')
    await mkdir(join(server.environment.files, 'images'))
    await writeFile(join(server.environment.files, 'images', 'logo.png'), 'logo')
    await (await server.as('biblio')).post('/api/loanings', { beneficiary: 1, copy: 1 })
    await makeBackup(file, { dataDir: server.storage.dataDir, databaseUrl: server.storage.databaseUrl })
  })
  afterAll(async () => {
    for (const drop of drops) await drop()
  })

  /** What a place without environments looks like, to be found again after every refusal. */
  const untouched = async () => {
    expect((await readdir(target.dataDir)).filter((name) => name.startsWith('environments'))).toEqual([])
  }

  it('refuses a file that is cut, wherever it is cut', async () => {
    const whole = await readFile(file)
    for (const length of [1, 12, Math.floor(whole.length / 2), whole.length - 9, whole.length - 1]) {
      const cut = join(folder, `cut-${length}`)
      await writeFile(cut, whole.subarray(0, length))
      await expect(restoreBackup(cut, target, keep)).rejects.toThrow(
        /est coupée ou abîmée|n’est pas une sauvegarde/,
      )
    }
    await untouched()
  })

  it('refuses a file with one bit changed, or a line less', async () => {
    const bytes = Buffer.from(await readFile(file))
    const middle = Math.floor(bytes.length / 2)
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
    await writeFile(join(folder, 'bit'), bytes)
    await expect(restoreBackup(join(folder, 'bit'), target, keep)).rejects.toThrow('coupée ou abîmée')

    const lines = gunzipSync(await readFile(file))
      .toString('utf8')
      .split('\n')
    await writeFile(join(folder, 'less'), gzipSync(lines.toSpliced(40, 1).join('\n')))
    await expect(restoreBackup(join(folder, 'less'), target, keep)).rejects.toThrow('coupée ou abîmée')
    await writeFile(join(folder, 'unsealed'), gzipSync(lines.slice(0, -2).join('\n')))
    await expect(restoreBackup(join(folder, 'unsealed'), target, keep)).rejects.toThrow('coupée ou abîmée')
    await untouched()
  })

  it('refuses what is no backup', async () => {
    const images = { text: Buffer.from('bonjour'), empty: Buffer.alloc(0), zipped: gzipSync('{"a":1}\n') }
    for (const [name, bytes] of Object.entries(images)) {
      await writeFile(join(folder, name), bytes)
      await expect(restoreBackup(join(folder, name), target, keep)).rejects.toThrow(
        'n’est pas une sauvegarde de Comptoir',
      )
    }
    await expect(restoreBackup(join(folder, 'absent'), target, keep)).rejects.toThrow('n’existe pas')
    await untouched()
  })

  it('refuses a newer version’s, and a file that would leave its directory', async () => {
    const ahead = await altered(file, ([head = '', opening = '', ...rest]) => [
      head,
      opening.replace('"migrations":[', '"migrations":["9999-avenir",'),
      ...rest,
    ])
    await expect(restoreBackup(ahead, target, keep)).rejects.toThrow(
      /version plus récente de Comptoir \(9999-avenir\)/,
    )
    const format = await altered(file, ([, ...rest]) => ['{"comptoir":2,"made_at":"2030-01-01"}', ...rest])
    await expect(restoreBackup(format, target, keep)).rejects.toThrow('version plus récente de Comptoir')
    const escaping = await altered(file, (lines) => [
      ...lines,
      '{"file":"images/../../../passwd"}',
      '["YQ=="]',
    ])
    await expect(restoreBackup(escaping, target, keep)).rejects.toThrow('coupée ou abîmée')
    await untouched()
  })

  it('refuses a backup of nothing, and one where nobody could sign in', async () => {
    const onlyHead = await altered(file, (lines) => lines.slice(0, 2))
    await expect(restoreBackup(onlyHead, target, keep)).rejects.toThrow('est vide')
    const nobody = await altered(file, (lines) => {
      let inUsers = false
      return lines.filter((line) => {
        if (line.startsWith('{')) inUsers = line.startsWith('{"table":"users"')
        return line.startsWith('{') || !inUsers
      })
    })
    await expect(restoreBackup(nobody, target, keep)).rejects.toThrow('aucun utilisateur ne s’y trouve')
    await untouched()
  })

  it('refuses a sealed backup without its passphrase, with another, or altered; takes it with its own', async () => {
    const sealed = join(folder, 'sealed')
    const storage = { dataDir: server.storage.dataDir, databaseUrl: server.storage.databaseUrl }
    await makeBackup(sealed, storage, 'un été à Noirmoutier')
    const asWith = (passphrase: string | null) => ({ ...keep, ask: () => Promise.resolve(passphrase) })
    await expect(restoreBackup(sealed, target, asWith(null))).rejects.toThrow('est chiffrée')
    await expect(restoreBackup(sealed, target, asWith('un hiver'))).rejects.toThrow(
      'La phrase secrète n’est pas celle de',
    )
    const bytes = await readFile(sealed)
    expect(bytes.includes('Martin')).toBe(false)
    for (const length of [30, bytes.length - 1]) {
      await writeFile(join(folder, 'cut'), bytes.subarray(0, length))
      await expect(
        restoreBackup(join(folder, 'cut'), target, asWith('un été à Noirmoutier')),
      ).rejects.toThrow('coupée ou abîmée')
    }
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 40) ^ 1, bytes.length - 40)
    await writeFile(join(folder, 'bit'), bytes)
    await expect(restoreBackup(join(folder, 'bit'), target, asWith('un été à Noirmoutier'))).rejects.toThrow(
      'coupée ou abîmée',
    )
    await untouched()

    const { settings, drop } = await emptyStorage()
    drops.unshift(drop)
    await restoreBackup(sealed, settings, asWith('un été à Noirmoutier'))
    expectRestored(await lookInto(settings, wholeBase), await wholeBase(server.environment))
  })

  it('leaves nothing behind when its rows are refused by the base', async () => {
    const orphan = await altered(file, (lines) =>
      lines.map((line) => line.replace('"Livre numéro 1"', 'null').replace(/^\["2001"/, '["2001"')),
    )
    await expect(restoreBackup(orphan, target, keep)).rejects.toThrow('null')
    await untouched()
  })

  it('takes what the steps before the baseline had made, and no backup of a trial that stopped among them', async () => {
    const named = (...names: string[]) =>
      altered(file, (lines) =>
        lines.map((line) => line.replace(/"migrations":\[.*?\]/, `"migrations":${JSON.stringify(names)}`)),
      )
    const { settings, drop } = await emptyStorage()
    drops.unshift(drop)
    await expect(restoreBackup(await named('0001-circulation'), settings, keep)).rejects.toThrow(
      'vient d’une version d’essai trop ancienne',
    )
    const [, ...later] = Object.keys(migrations)
    await restoreBackup(await named('0001-circulation', ...lastReplaced, ...later), settings, keep)
    await lookInto(settings, async (environment) => {
      expect(Object.keys((await wholeBase(environment)).rows)).toEqual(
        Object.keys((await wholeBase(server.environment)).rows),
      )
    })
  })

  it('takes a backup of before, which told the transactions of its journal', async () => {
    const numbered = await altered(file, (lines) => {
      let inJournal = false
      return lines.map((line) => {
        if (line.startsWith('{')) inJournal = line.startsWith('{"table":"audit_journal"')
        if (!inJournal) return line
        return line.startsWith('{')
          ? line.replace('"columns":[', '"columns":["written_xid",')
          : line.replace('[', '["999999999999",')
      })
    })
    const { settings, drop } = await emptyStorage()
    drops.unshift(drop)
    await restoreBackup(numbered, settings, keep)
    const written = await lookInto(settings, ({ db }) =>
      db.selectFrom('audit_journal').select(['action', 'written_xid']).execute(),
    )
    expect(written.map(({ action }) => action)).toContain('loan.lend')
    expect(written.filter(({ written_xid }) => written_xid === 999_999_999_999)).toEqual([])
  })

  it('is put on a new machine, whose directory is not there yet', async () => {
    const { settings, drop } = await emptyStorage()
    drops.unshift(drop)
    await rm(settings.dataDir, { recursive: true })
    await restoreBackup(file, settings, keep)
    const logo = await lookInto(settings, ({ files }) => readFile(join(files, 'images', 'logo.png'), 'utf8'))
    expect(logo).toBe('logo')
  })

  it('refuses a base that is there, unless it is to be replaced; then keeps it aside', async () => {
    await restoreBackup(file, target, keep)
    await lookInto(target, ({ db }) => sql`update sites set name = 'Après ' || id`.execute(db))
    await expect(restoreBackup(file, target, keep)).rejects.toThrow('--replace')
    expect(await lookInto(target, siteNames)).toEqual(['Après 1', 'Après 2'])

    const { kept } = await restoreBackup(file, target, { replace: true })
    expect(await lookInto(target, siteNames)).toEqual(['Centre', 'Annexe'])
    if (testEngine === 'embedded') {
      const former = join(folder, 'former')
      await mkdir(former)
      await rename(kept ?? '', join(former, 'environments'))
      expect(await lookInto({ dataDir: former, databaseUrl: null }, siteNames)).toEqual([
        'Après 1',
        'Après 2',
      ])
    } else {
      await lookInto(target, async ({ db }) => {
        const { rows } = await sql<{ name: string }>`select name from ${sql.table(`${kept}.sites`)}`.execute(
          db,
        )
        expect(rows).toEqual([{ name: 'Après 1' }, { name: 'Après 2' }])
      })
    }
    expect((await openEnvironmentsOf(target)).map(({ id }) => id)).toEqual([1])
  })

  it('tells devices of the time before it to begin anew', async () => {
    await restoreBackup(file, target, { replace: true })
    const told = await lookInto(target, ({ db }) =>
      sql`select subject, row_id, changed_xid > (select max(xmin::text::bigint) from copies) as "isAfter" from row_changes`
        .execute(db)
        .then(({ rows }) => rows),
    )
    expect(told).toEqual([{ subject: '', row_id: 0, isAfter: true }])
  })

  it('gives nobody a number that was given since the backup, nor since it was brought back before', async () => {
    const add = (matricule: string) =>
      lookInto(target, async ({ db }) => {
        const { id } = await db
          .insertInto('beneficiaries')
          .values({ matricule, lastname: 'Nouvelle' })
          .returning('id')
          .executeTakeFirstOrThrow()
        return id
      })
    const before = [await add('APRES-1'), await add('APRES-2')]
    // It is opened again, and goes on from where it was.
    expect(before[1]).toBe((before[0] ?? 0) + 1)
    await restoreBackup(file, target, { replace: true })
    const after = await add('APRES-3')
    expect(before).not.toContain(after)
    const { rows } = await sql<{ last: number }>`select last_value as last from beneficiaries_id_seq`.execute(
      server.db,
    )
    expect(after).toBeGreaterThan((rows[0]?.last ?? 0) + 1_000_000)
  })

  it('gives no reader the matricule that is on the card of one registered since the backup', async () => {
    const register = () =>
      lookInto(target, ({ db }) =>
        db.transaction().execute(async (trx) => {
          const [matricule = ''] = await nextMatricules(trx, 1)
          await trx.insertInto('beneficiaries').values({ matricule, lastname: 'Nouvelle' }).execute()
          return matricule
        }),
      )
    const registered = join(folder, 'registered')
    await makeBackup(registered, target)
    const lost = await register()
    await restoreBackup(registered, target, { replace: true })
    const after = await register()
    expect(Number(after)).toBeGreaterThanOrEqual(Number(lost) + 100)
    expect(after).toHaveLength(lost.length)
    expect(Number(await register())).toBe(Number(after) + 1)
  })

  it('gives no copy the bar code that another was labelled with since the backup', async () => {
    const next = () =>
      lookInto(target, ({ db }) => db.transaction().execute((trx) => takeNextBarCodes(trx, 1, 2)))
    const codes = async () => {
      const taken = await next()
      return taken.ok ? taken.answer.map((code) => Number(code.slice(-7))) : []
    }
    await codes()
    const numbered = join(folder, 'numbered')
    await makeBackup(numbered, target)
    const [, before = 0] = await codes()
    await restoreBackup(numbered, target, { replace: true })
    const [after = 0, another = 0] = await codes()
    expect(after).toBeGreaterThanOrEqual(before + 1000 - 2)
    expect(another).toBe(after + 1)
    // In EAN-13 there is no further than the end.
    await lookInto(target, ({ db }) =>
      db
        .updateTable('sites')
        .set({
          bar_codes_configuration: { siteCode: '0000000000', firstValue: '01', symbology: 'EAN13' },
          last_number: 49,
        })
        .where('id', '=', 1)
        .execute(),
    )
    await makeBackup(numbered, target)
    await restoreBackup(numbered, target, { replace: true })
    const last = await lookInto(target, ({ db }) =>
      db.selectFrom('sites').select('last_number').where('id', '=', 1).executeTakeFirst(),
    )
    expect(last).toEqual({ last_number: 54 })
  })

  it('does not replace what a server serves', async () => {
    const served = { dataDir: server.storage.dataDir, databaseUrl: server.storage.databaseUrl }
    const before = await wholeBase(server.environment)
    await expect(restoreBackup(file, served, { replace: true })).rejects.toThrow(
      /déjà utilisé|est relié à cette base/,
    )
    expect(await wholeBase(server.environment)).toEqual(before)
  })

  it('is ended by the next start when it was cut between its two renamings', async () => {
    await rename(join(target.dataDir, 'environments'), join(target.dataDir, 'environments-restored'))
    const [environment] = await openEnvironmentsOf(target)
    expect(environment?.names).toEqual(['Centre', 'Annexe'])
    expect(await readFile(join(target.dataDir, 'environments', '1', 'images', 'logo.png'), 'utf8')).toBe(
      'logo',
    )
  })

  it.skipIf(testEngine === 'embedded')('goes from one engine to the other and back', async () => {
    const made = await temporaryDirectory()
    const again = await emptyStorage()
    drops.unshift(made.drop, again.drop)
    const embedded = { dataDir: join(made.path, 'data'), databaseUrl: null }
    const before = await wholeBase(server.environment)
    await restoreBackup(file, embedded, keep)
    expectRestored(await lookInto(embedded, wholeBase), before)
    // No server runs on it: the backup opens the base itself.
    await makeBackup(join(folder, 'back'), embedded)
    await rm(embedded.dataDir, { recursive: true })
    await restoreBackup(join(folder, 'back'), again.settings, keep)
    expectRestored(await lookInto(again.settings, wholeBase), before)
  })
})

const siteNames = async ({ db }: { db: Parameters<Parameters<typeof lookInto>[1]>[0]['db'] }) =>
  (await db.selectFrom('sites').select('name').orderBy('id').execute()).map(({ name }) => name)

async function openEnvironmentsOf(storage: StorageSettings): Promise<{ id: number; names: string[] }[]> {
  const opened = await openEnvironments(storage)
  try {
    return await Promise.all(opened.map(async (one) => ({ id: one.id, names: await siteNames(one) })))
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
}
