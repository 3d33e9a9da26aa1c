import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import { moveEnvironment } from '../../src/server/environments/move-environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { openServed } from '../../src/server/open-served.ts'
import { readConfiguration } from '../../src/server/process/configuration.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'
import { temporaryDirectory, wholeBase } from '../backup/whole-base.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { seedTestLibrary } from '../support/test-library.ts'
import { clientOf } from '../support/test-server.ts'

const logger = pino({ level: 'silent' })
const device = '0b9f5a39-6a3f-4d0e-8c0e-4f2f1f6f3a12'

describe.skipIf(!isEngineReachable())(`a library that moves (${testEngine})`, () => {
  const drops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const drop of drops.splice(0).reverse()) await drop()
  })

  const place = async (isEmbedded = testEngine === 'embedded'): Promise<StorageSettings> => {
    if (isEmbedded) {
      const { path, drop } = await temporaryDirectory()
      drops.push(drop)
      return { dataDir: path, databaseUrl: null }
    }
    const { settings, drop } = await emptyStorage()
    drops.push(drop)
    return settings
  }
  const within = async <T>(
    storage: StorageSettings,
    id: number,
    look: (environment: Environment) => Promise<T>,
  ): Promise<T> => {
    const environment = await openEnvironment(storage, id)
    return look(environment).finally(() => environment.close())
  }

  /** Rows whose text no quoting can take for granted, a session of a device, its key, and an image. */
  async function seed(storage: StorageSettings, id: number): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await within(storage, id, async ({ db, files }) => {
      await seedEnvironment(db, 'mot-de-passe-admin')
      await seedTestLibrary(db)
      await db
        .updateTable('environment')
        .set({ hosts: [`pret${id}.fr`] })
        .execute()
      const readers = Array.from({ length: 2500 }, (_, n) => ({
        matricule: `ALEA-${n}`,
        lastname: `É"\\\n\t{${randomBytes(6).toString('base64')}}`,
      }))
      await db.insertInto('beneficiaries').values(readers).execute()
      const now = new Date().toISOString()
      await db
        .insertInto('devices')
        .values({ device_id: device, user_id: 1, first_seen: now, last_seen: now })
        .execute()
      const token_hash = hashToken(token)
      await db
        .insertInto('sessions')
        .values({ token_hash, user_id: 1, created_at: now, last_used_at: now, device_id: device })
        .execute()
      await db
        .insertInto('session_seals')
        .values({
          id: '7d9f5a39-6a3f-4d0e-8c0e-4f2f1f6f3a12',
          session: token_hash,
          user_id: 1,
          seal_key: randomBytes(32),
          created_at: now,
        })
        .execute()
      await mkdir(join(files, 'images'))
      await writeFile(join(files, 'images', 'logo.png'), randomBytes(300_000))
    })
    return token
  }
  /** All of it, with what a backup leaves at home. */
  const whole = (storage: StorageSettings, id: number) =>
    within(storage, id, async (environment) => {
      const { db } = environment
      const atHome = []
      for (const table of ['sessions', 'session_seals', 'user_factors', 'password_links'])
        atHome.push(
          (await sql<{ t: string }>`select t::text from ${sql.table(table)} t order by 1`.execute(db)).rows,
        )
      return { ...(await wholeBase(environment)), atHome }
    })
  const move = (from: StorageSettings, to: StorageSettings, id: number, cutAt?: 'whole' | 'aside') =>
    moveEnvironment({
      from,
      to,
      id,
      embeddedLimit: 5,
      onPhase: (phase) => {
        if (phase === cutAt) throw new Error('cut')
      },
    })

  const ways: [string, () => Promise<[StorageSettings, StorageSettings]>][] =
    testEngine === 'embedded'
      ? [['to another directory', async () => [await place(), await place()]]]
      : [
          ['to another database', async () => [await place(), await place()]],
          ['from the embedded engine to a database', async () => [await place(true), await place()]],
          ['from a database to the embedded engine', async () => [await place(), await place(true)]],
        ]
  it.skipIf(testEngine === 'embedded')(
    'knows its own database by another address, and another of several machines',
    async () => {
      const [from, to] = [await place(), await place()]
      await seed(from, 1)
      const elsewhere = ({ dataDir, databaseUrl }: StorageSettings) => {
        const url = new URL(databaseUrl ?? '')
        return { dataDir, databaseUrl: url.href.replace(url.host, `${url.host},localhost:1`) }
      }
      await expect(move(from, elsewhere(from), 1)).rejects.toThrow('Cette bibliothèque y est déjà.')
      expect(await move(from, elsewhere(to), 1)).toMatchObject({ id: 1 })
    },
  )

  it.each(ways)('arrives whole %s, and its devices go on', async (_, make) => {
    const [from, to] = await make()
    const token = await seed(from, 1)
    const before = await whole(from, 1)
    const moved = await move(from, to, 1)
    expect(moved).toMatchObject({ id: 1, counted: { files: 1 } })
    expect(moved.counted?.rows).toBeGreaterThan(2500)
    expect(await whole(to, 1)).toEqual(before)
    await within(to, 1, async (environment) => {
      const client = clientOf(createApp({ environments: [environment], logger }), token)
      expect((await client.get('/api/users/me', { headers: { 'x-device': device } })).status).toBe(200)
    })
    await expect(move(from, to, 1)).rejects.toThrow('Il n’y a pas de bibliothèque 1 ici')
    // Nobody starts an empty library in its place.
    if (from.databaseUrl === null)
      await expect(
        openServed(readConfiguration({ DATA_DIR: from.dataDir, DATABASE_URL: '' }), logger),
      ).rejects.toThrow('a été déplacée')
  })

  it('stays whole here and leaves nothing there where it is cut, or arrives by a second try', async () => {
    const [from, to] = [await place(), await place()]
    await seed(from, 1)
    const before = await whole(from, 1)
    await expect(move(from, to, 1, 'whole')).rejects.toThrow('cut')
    expect(await whole(from, 1)).toEqual(before)
    expect(await readdir(to.dataDir)).toEqual(['environments'])
    await expect(move(from, to, 1, 'aside')).rejects.toThrow('cut')
    expect(await move(from, to, 1)).toEqual({ id: 1, kept: null, counted: null })
    expect(await whole(to, 1)).toEqual(before)
  })

  it.skipIf(testEngine === 'embedded')(
    'takes a number that is free there, unless its host is taken',
    async () => {
      const [from, to] = [await place(), await place()]
      await seed(from, 1)
      await seed(to, 1)
      await expect(move(from, to, 1)).rejects.toThrow('est déjà celui de la bibliothèque 1')
      await within(to, 1, ({ db }) =>
        db
          .updateTable('environment')
          .set({ hosts: ['sud.fr'] })
          .execute(),
      )
      expect((await move(from, to, 1)).id).toBe(2)
      expect(await within(to, 2, (environment) => Promise.resolve(environment.hosts))).toEqual(['pret1.fr'])
    },
  )

  it.skipIf(testEngine === 'embedded')(
    'is said to be away, at its former place, and never unknown',
    async () => {
      const [from, to] = [await place(), await place()]
      for (const id of [1, 2]) await seed(from, id)
      const served = await openServed(
        readConfiguration({ DATA_DIR: from.dataDir, DATABASE_URL: from.databaseUrl ?? '' }),
        logger,
      )
      try {
        const client = clientOf(createApp({ environments: served.environments, logger }), null)
        const at = (host: string) => client.get('/dns', { headers: { host } })
        expect((await at('pret2.fr')).status).toBe(200)
        const heard = { other: new Set<number>(), moving: new Set<number>() }
        const work = { isOver: false }
        const moving = move(from, to, 2).finally(() => (work.isOver = true))
        moving.catch(() => undefined)
        while (!work.isOver) {
          // What is remembered is answered at once, and would leave the move no turn.
          await setImmediate()
          heard.other.add((await at('pret1.fr')).status)
          heard.moving.add((await at('pret2.fr')).status)
        }
        await moving
        expect([...heard.other]).toEqual([200])
        expect([...heard.moving].filter((status) => ![200, 503].includes(status))).toEqual([])
        await expect.poll(async () => (await at('pret2.fr')).body.message).toContain('a été déplacée')
        expect((await at('pret9.fr')).status).toBe(200)
      } finally {
        await served.stop()
      }
    },
  )
})
