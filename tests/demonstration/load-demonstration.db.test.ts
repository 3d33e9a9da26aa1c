import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { weekdayOf } from '../../src/domain/calendar-day.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { busyReader, knownCopies, knownReader } from '../../src/server/demonstration/known-codes.ts'
import { loadDemonstration } from '../../src/server/demonstration/load-demonstration.ts'
import { refusalsFor } from '../../src/server/loans/eligibility.ts'
import { isPasswordOf } from '../../src/server/session/password-hash.ts'
import { addressOfDatabase, isEngineReachable, onPostgres, testEngine } from '../support/databases.ts'

// A Tuesday on one engine and a closed Sunday in summer on the other, where only dates may differ.
const today = testEngine === 'embedded' ? '2026-03-10' : '2026-08-16'

/** Of what does not move with the day; it changes with the inventions and their seed, and on nothing else. */
const fingerprint = '040b8e3b1e25049560e26597dce03d21'

describe.skipIf(!isEngineReachable())(`the demonstration library (${testEngine})`, () => {
  let environment: Environment
  let dataDir: string
  const database = `comptoir_demo_${process.pid}_${Date.now()}`
  let death: unknown
  let leftByDeath: number | undefined
  const progress: [done: number, total: number, label: string][] = []

  const rowsOf = async <Row>(query: string) => (await sql.raw<Row>(query).execute(environment.db)).rows
  const count = async (query: string) => {
    const [row] = await rowsOf<{ count: number }>(`select count(*) from ${query}`)
    return row?.count
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'comptoir-demo-'))
    if (testEngine === 'postgres') await onPostgres(`create database ${database}`)
    const databaseUrl = testEngine === 'postgres' ? addressOfDatabase(database) : null
    environment = await openEnvironment({ dataDir, databaseUrl }, 1)
    await seedEnvironment(environment.db, 'mot-de-passe-admin')

    const die = () => {
      throw new Error('died on the way')
    }
    death = await loadDemonstration(environment, { today, onProgress: (done) => done > 0 && die() }).catch(
      String,
    )
    leftByDeath = await count('"references"')
    await loadDemonstration(environment, { today, onProgress: (...step) => progress.push(step) })
  }, 300_000)
  afterAll(async () => {
    await environment?.close()
    if (testEngine === 'postgres') await onPostgres(`drop database if exists ${database} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  })

  it('leaves nothing behind when it dies on its way, and begins anew', () => {
    expect([death, leftByDeath]).toEqual(['Error: died on the way', 0])
  })

  it('holds what a library holds', async () => {
    expect(environment).toMatchObject({ demonstration: true, name: 'Médiathèque de démonstration' })
    expect(await count('"references"')).toBe(8400)
    expect(await count('copies')).toBe(10_000)
    expect(await count('beneficiaries')).toBe(600)
    expect(await count('beneficiaries b where exists (select from relatives where beneficiary = b.id)')).toBe(
      120,
    )
    expect(await count(`beneficiaries where exit_date <= '${today}'`)).toBe(40)
    expect(
      await count("reservations where status in ('waiting', 'confirmed') and fulfilled_by is null"),
    ).toBe(30)
    expect(await count('loanings')).toBeGreaterThan(30_000)
    expect(await count(`loanings where status = 'in_progress' and end_date = '${today}'`)).toBe(25)
    expect(await count(`loanings where status = 'in_progress' and end_date < '${today}'`)).toBe(40)
    expect(await count("loanings where status = 'in_progress' and delay_comment <> ''")).toBeGreaterThan(4)
    expect(await count('loanings where penalty_amount > 0')).toBeGreaterThan(100)
    expect(await count('loanings where free_reason is not null')).toBeGreaterThan(100)
    expect(await count("loanings where status = 'cancelled'")).toBe(40)
    expect(await rowsOf('select name from media order by id')).toEqual([
      { name: 'Livre' },
      { name: 'DVD' },
      { name: 'CD' },
    ])
    expect(await rowsOf('select name from sites order by id')).toEqual([
      { name: 'Médiathèque Cabanis' },
      { name: 'Annexe Saint-Cyprien' },
    ])
  })

  it('tells how far it is', () => {
    const [, total] = progress.at(-1) ?? []
    expect(progress.at(-1)).toEqual([total, total, 'Réservations'])
    expect(progress.map(([done]) => done)).toEqual(progress.map(([done]) => done).toSorted((a, b) => a - b))
    expect(progress.length).toBeGreaterThan(30)
  })

  it('is in a state that the counter could have made', async () => {
    const lentButFree = `copies c where (status = 'En Location')
      <> exists (select from loanings where copy = c.id and status = 'in_progress')`
    expect(await count(lentButFree)).toBe(0)
    const overlapping = `(
      select start_date, lag(coalesce(return_date, 'infinity')) over (partition by copy order by id) as before
      from loanings where status <> 'cancelled') pairs where before > start_date`
    expect(await count(overlapping)).toBe(0)
    expect(await count(`loanings where start_date >= '${today}' or return_date >= '${today}'`)).toBe(0)
    expect(await count('loanings where returned_at < lent_at')).toBe(0)
    expect(await count('loanings l join copies c on c.id = l.copy where c.created_at > l.lent_at')).toBe(0)
    const days = await rowsOf<{ day: string }>(
      'select start_date as day from loanings union select return_date from loanings',
    )
    expect(days.filter(({ day }) => day !== null && [1, 7].includes(weekdayOf(day)))).toEqual([])
    const hours = `loanings where extract(hour from lent_at at time zone 'Europe/Paris') not between 9 and 17`
    expect(await count(hours)).toBe(0)
  })

  it('is open from Tuesday to Saturday, and today, and closes a week ahead of all that is due', async () => {
    const weeks = await rowsOf<{ open_weekdays: number[] }>('select distinct open_weekdays from sites')
    expect(weeks).toEqual([
      { open_weekdays: testEngine === 'embedded' ? [2, 3, 4, 5, 6] : [2, 3, 4, 5, 6, 7] },
    ])
    const [closure, ...others] = await rowsOf<{ first_day: string; last_day: string }>(
      'select first_day, last_day from closures where site is null',
    )
    expect(others).toEqual([])
    expect([weekdayOf(closure!.first_day), weekdayOf(closure!.last_day)]).toEqual([1, 7])
    const due = await rowsOf<{ day: string }>(
      `select distinct end_date as day from loanings where status = 'in_progress' and end_date >= '${today}'`,
    )
    expect(due.length).toBeGreaterThan(5)
    const open = weeks[0]!.open_weekdays
    expect(due.filter(({ day }) => !open.includes(weekdayOf(day)) || day >= closure!.first_day)).toEqual([])
  })

  it('goes on numbering where it ended', async () => {
    const { id } = await environment.db
      .insertInto('categories')
      .values({ name: 'Nouvelle', deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(id).toBe(await count('categories'))
    await sql`insert into locations (label) values ('Nouvelle')`.execute(environment.db)
    await sql`insert into beneficiaries (matricule, lastname) values ('N', 'Nouveau')`.execute(environment.db)
    await sql`insert into copies (reference, bar_code, site) values (1, 'N', 1)`.execute(environment.db)
  })

  it('lets a known reader borrow known copies, and has a busy one', async () => {
    const { db } = environment
    const reader = await db
      .selectFrom('beneficiaries')
      .selectAll()
      .where('reader_id', '=', knownReader.reader_id)
      .executeTakeFirstOrThrow()
    expect(reader).toMatchObject(knownReader)
    expect(await count(`loanings where beneficiary = ${reader.id}`)).toBe(0)
    const copies = await db
      .selectFrom('copies')
      .innerJoin('references', 'references.id', 'copies.reference')
      .innerJoin('media', 'media.id', 'references.medium')
      .select([
        'bar_code',
        'status',
        'site',
        'copies.reference',
        'references.medium',
        'media.name as medium_name',
      ])
      .where('bar_code', 'in', knownCopies)
      .orderBy('bar_code')
      .execute()
    expect(copies.map(({ bar_code }) => bar_code)).toEqual(knownCopies)
    expect(copies.map(({ medium_name }) => medium_name).join(' ')).toBe(
      'Livre Livre Livre Livre Livre Livre Livre Livre DVD DVD CD CD',
    )
    for (const { status, site, reference, medium } of copies) {
      expect([status, site]).toEqual(['Disponible', 1])
      expect(await count(`reservations where reference_id = ${reference} and fulfilled_by is null`)).toBe(0)
      expect(await refusalsFor(db, { beneficiary: reader.id, medium, start_date: today }, today)).toEqual([])
    }
    const busy = `loanings l join beneficiaries b on b.id = l.beneficiary
      where b.reader_id = '${busyReader.reader_id}' and l.status = 'in_progress'`
    expect(await count(busy)).toBe(12)
  })

  it('warns of someone who waits for a copy on its shelf, and for copies that come back', async () => {
    const waiting =
      "reservations v join copies c on c.id = v.copy_id where v.status in ('waiting', 'confirmed') and v.fulfilled_by is null"
    expect(await count(`${waiting} and c.status = 'Disponible'`)).toBe(1)
    expect(await count(`${waiting} and c.status = 'En Location'`)).toBeGreaterThan(4)
  })

  it('opens to one user of each profile', async () => {
    const users = await environment.db
      .selectFrom('users')
      .innerJoin('profiles', 'profiles.id', 'users.profile')
      .select(['username', 'profiles.name', 'password_hash'])
      .orderBy('users.id')
      .execute()
    expect(users.map(({ username, name }) => `${username} ${name}`)).toEqual([
      'admin Admin',
      'biblio Bibliothécaire',
      'benevole Bénévole',
      'lecture Consultation',
    ])
    for (const { password_hash } of users)
      expect(await isPasswordOf(password_hash, 'comptoir-demo')).toBe(true)
  })

  it('is the same on every engine and on every day', async () => {
    const [row] = await rowsOf<{ fingerprint: string }>(`select md5(
      (select string_agg(concat_ws(':', c.id, bar_code, r.name, c.site, c.state, c.status), ',' order by c.id)
         from copies c join "references" r on r.id = c.reference where c.id <= 10000)
      || (select string_agg(concat_ws(':', id, lastname, firstname, email, contract_type), ',' order by id)
         from beneficiaries where id <= 600)
      || (select string_agg(concat_ws(':', id, copy, beneficiary, relative, status, free, lent_by), ',' order by id) from loanings)
      || (select string_agg(concat_ws(':', id, reference_id, beneficiary_id, queue_position), ',' order by id) from reservations)
    ) as fingerprint`)
    expect(row?.fingerprint).toBe(fingerprint)
  })

  it('is not loaded twice, nor over a library that is in use', async () => {
    await loadDemonstration(environment, { today })
    expect(await count('"references"')).toBe(8400)
    await environment.db.updateTable('environment').set({ demonstration: false }).execute()
    await expect(loadDemonstration(environment, { today })).rejects.toThrow('base vide')
    expect(await count('"references"')).toBe(8400)
  })
})
