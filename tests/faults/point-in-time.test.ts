import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { seedTestLibrary } from '../support/test-library.ts'
import { canRunPostgres, openOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { type Desk, deskAt, startProduct } from './product.ts'

if (!canRunPostgres)
  process.stdout.write('point-in-time: initdb and pg_ctl are not on this machine, its tests are not run\n')

/** The commands of the page, in their order, so that what is tried is what is read. */
async function readCommands(): Promise<{ archive: string; copy: string; goBack: string; forget: string }> {
  const page = await readFile('docs/install/point-in-time.md', 'utf8')
  const blocks = Array.from(page.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, commands = '']) => commands)
  const [archive = '', copy = '', goBack = '', forget = ''] = blocks
  expect(blocks).toHaveLength(4)
  return { archive, copy, goBack, forget }
}

describe.skipIf(!canRunPostgres)('a database that goes back to an instant', () => {
  let postgres: OwnPostgres
  let dataDir: string
  beforeAll(async () => {
    postgres = await openOwnPostgres({})
    dataDir = await mkdtemp(join(tmpdir(), 'comptoir-faults-'))
  })
  afterAll(async () => {
    await postgres?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const ask = async <Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: postgres.addressOf('postgres') })
    await client.connect()
    const { rows } = await client.query<Row>(statement).finally(() => client.end())
    return rows
  }
  const serve = async () => {
    const product = await startProduct({ DATA_DIR: dataDir, DATABASE_URL: postgres.addressOf('postgres') })
    onTestFinished(async () => void (await product.end('SIGKILL')))
    return { product, desk: await deskAt(product.address) }
  }
  /** All pages that a device loads, from a cursor or from nothing. */
  const snapshotOf = async ({ get }: Desk, since?: string) => {
    let copies = 0
    for (let at = since; ;) {
      const { body } = await get(`/api/snapshot${at === undefined ? '' : `?since=${at}`}`)
      const page = body as unknown as { cursor: string; complete: boolean; copies: unknown[] }
      copies += page.copies.length
      at = page.cursor
      if (page.complete) return { cursor: at, copies }
    }
  }
  const openLoans = () =>
    ask<{ copy: number }>('select copy from env_1.loanings where returned_at is null order by copy')

  it('is as it was before a mistake, and the product opens on it', async () => {
    const commands = await readCommands()
    const places = { ARCHIVE: postgres.beside('journaux'), COPIES: postgres.beside('copies') }
    await postgres.shell(commands.archive, places)
    await postgres.restart('fast')

    const environment = await openEnvironment({ dataDir, databaseUrl: postgres.addressOf('postgres') }, 1)
    await seedEnvironment(environment.db, 'mot-de-passe-admin')
    await seedTestLibrary(environment.db)
    await environment.close()

    const { product, desk } = await serve()
    expect((await desk.lend('00000000-0000-4000-8000-000000000001', 1, 1)).status).toBe(201)
    await postgres.shell(commands.copy, places)
    const [day = ''] = await readdir(places.COPIES)
    expect((await desk.lend('00000000-0000-4000-8000-000000000002', 1, 2)).status).toBe(201)
    const [before] = await ask<{ instant: string }>('select clock_timestamp()::text as instant')
    const lost = await desk.lend('00000000-0000-4000-8000-000000000003', 1, 3)
    expect(lost.status).toBe(201)
    await ask(
      `set search_path = env_1, public; update beneficiaries set lastname = 'Erreur'; delete from loanings`,
    )
    const { cursor } = await snapshotOf(desk)
    await product.end('SIGTERM')

    const started = performance.now()
    await postgres.whileStopped(() =>
      postgres.shell(commands.goBack, {
        ...places,
        COPY: join(places.COPIES, day),
        INSTANT: before?.instant ?? '',
      }),
    )
    await expect
      .poll(() => ask('select pg_is_in_recovery() as waits'), { timeout: 120_000 })
      .toEqual([{ waits: false }])
    await postgres.shell(commands.forget)
    const back = await serve()
    process.stdout.write(
      `point-in-time: back in service ${((performance.now() - started) / 1000).toFixed(1)} s after PostgreSQL was stopped\n`,
    )

    expect(await openLoans()).toEqual([{ copy: 1 }, { copy: 2 }])
    expect(await ask(`select from env_1.beneficiaries where lastname = 'Erreur'`)).toEqual([])
    // What came after the instant never was: its key is free, and so is its copy.
    const again = await back.desk.lend('00000000-0000-4000-8000-000000000003', 1, 3)
    expect(again.status).toBe(201)
    // Its number is still that of what a device was told.
    expect(again.body.id).toBeGreaterThan((lost.body.id ?? 0) + 999_000)
    // A device that copied what was undone begins anew.
    expect((await snapshotOf(back.desk, cursor)).copies).toBe(15)
    // The next start goes back to nothing.
    await postgres.restart('fast')
    expect(await openLoans()).toEqual([{ copy: 1 }, { copy: 2 }, { copy: 3 }])
  })
})
