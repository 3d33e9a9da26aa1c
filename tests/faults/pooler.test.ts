import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { openConnections } from '../../src/server/db/connections/connections.ts'
import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { seedTestLibrary } from '../support/test-library.ts'
import { canRunPostgres, openOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { deskAt, freePort, runProduct, startProduct } from './product.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
const canRun = canRunPostgres && program !== undefined

if (!canRun)
  process.stdout.write(
    'pooler: pgbouncer, initdb and pg_ctl are not all on this machine, its tests are not run\n',
  )

describe.skipIf(!canRun)('a PostgreSQL behind PgBouncer', () => {
  let postgres: OwnPostgres
  let dataDir: string
  beforeAll(async () => {
    postgres = await openOwnPostgres({ fsync: 'off' })
    dataDir = await mkdtemp(join(tmpdir(), 'comptoir-faults-'))
    const environment = await openEnvironment({ dataDir, databaseUrl: postgres.addressOf('postgres') }, 1)
    await seedEnvironment(environment.db, 'mot-de-passe-admin')
    await seedTestLibrary(environment.db)
    await environment.close()
  })
  afterAll(async () => {
    await postgres?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Starts one for the test; answers the variables of a product behind it. */
  const pooledBy = async (settings: Record<string, string>) => {
    const port = await freePort()
    const { port: behind } = new URL(postgres.addressOf('postgres'))
    const place = postgres.beside(`pooler-${port}`)
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      unix_socket_dir: '',
      auth_type: 'any',
      logfile: `${place}.log`,
      pidfile: `${place}.pid`,
      ...settings,
    }
    const lines = [
      '[databases]',
      `* = host=127.0.0.1 port=${behind} user=postgres`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    ]
    await postgres.shell(`printf '%s\\n' "$LINES_OF_IT" > "${place}.ini"; ${program} -d -q "${place}.ini"`, {
      LINES_OF_IT: lines.join('\n'),
    })
    onTestFinished(async () => {
      await postgres.shell(`kill "$(cat "${place}.pid")"`)
    })
    return { DATA_DIR: dataDir, DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres` }
  }

  it('is served where it keeps a connection for whoever opened it', async () => {
    const env = await pooledBy({ pool_mode: 'session' })
    const product = await startProduct(env)
    onTestFinished(async () => void (await product.end('SIGKILL')))
    const { lend } = await deskAt(product.address)
    const lent = await Promise.all(
      [1, 2, 3, 4, 5].map((copy) => lend(`00000000-0000-4000-8000-00000000000${copy}`, 1, copy)),
    )
    expect(lent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])

    const [one, other] = [openConnections(env.DATABASE_URL), openConnections(env.DATABASE_URL)]
    onTestFinished(async () => void (await Promise.all([one.end(), other.end()])))
    const heard: (string | null)[] = []
    one.listener.listen('comptoir_essai', (payload) => heard.push(payload))
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    await sql`select pg_notify('comptoir_essai', 'entendu')`.execute(other.ground)
    await expect.poll(() => heard).toContain('entendu')
  })

  it.each([
    { pool_mode: 'transaction' },
    { pool_mode: 'transaction', server_round_robin: '1' },
    { pool_mode: 'transaction', default_pool_size: '1' },
    { pool_mode: 'statement' },
  ])('is refused at the start where it shares them: %o', async (settings) => {
    const env = await pooledBy(settings)
    const { code, said } = await runProduct(env)
    expect(code).toBe(1)
    expect(said).toContain('pool_mode = session')
    // Nobody is told where the product went wrong, only what to change.
    expect(said).not.toContain(' at ')
  })
})
