import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { sql } from 'kysely'
import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { type Connections, mostConnections, openConnections } from '../../../src/server/db/connections.ts'
import { openEnvironment } from '../../../src/server/db/environment.ts'
import { listHere } from '../../../src/server/db/list-environments.ts'
import { openEnvironmentsOnDemand } from '../../../src/server/db/environments.ts'
import { furnishEnvironment } from '../../../src/server/furnish-environment.ts'
import { asRatio, inMs, median, quantile, type Section, skipped, type Table } from '../section.ts'
import {
  administratorPassword,
  dropPostgres,
  findPostgres,
  makePostgres,
  openSession,
} from './bench-library.ts'
import { fillLibrary } from './fill-library.ts'
import { lookUp } from './product-calls.ts'

/** BENCH_ENVIRONMENTS=1000 makes a thousand, in minutes. */
const known = Number(process.env['BENCH_ENVIRONMENTS'] ?? 60)
const awake = Math.min(50, known)
/** The rest have every table and index, without a row and without what ties them: nobody calls them. */
const whole = Math.min(awake + 10, known)
const size = { references: 500, copies: 1000, beneficiaries: 300, loans: 2000 }
const name = `comptoir_bench_environments_${process.pid}`

/** Many environments on the connections of one process. */
export const environmentsSection: Section = {
  name: 'environments',
  async *run() {
    if ((await findPostgres()) === null) {
      yield skipped('Many environments', 'PostgreSQL is not reachable (TEST_DATABASE_URL)')
      return
    }
    const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-bench-'))
    const databaseUrl = await makePostgres(name)
    const connections = openConnections(databaseUrl)
    try {
      const token = await makeEnvironments({ dataDir, databaseUrl, connections })
      yield await measure({ dataDir, databaseUrl, connections, token })
    } finally {
      await connections.end()
      await dropPostgres(name)
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

type Place = { dataDir: string; databaseUrl: string; connections: Connections }

/** The first is made by the product, and copied; answers the token of its administrator, who is in all of them. */
async function makeEnvironments({ dataDir, databaseUrl, connections }: Place): Promise<string> {
  const first = await openEnvironment({ dataDir, databaseUrl, connections }, 1)
  await furnishEnvironment(first.db, administratorPassword)
  await fillLibrary(first.pool, size)
  const token = await openSession(first)
  await sql`update environment set hosts = '{pret1.fr}'`.execute(first.db)
  await first.close()
  const run = promisify(execFile)
  const copy = (from: number, to: number) =>
    run('bash', [
      '-c',
      `for id in $(seq ${from} ${to}); do sed "s/env_1\\b/env_$id/g" ${join(dataDir, 'one.sql')} | psql -q -v ON_ERROR_STOP=1 ${databaseUrl} > /dev/null; done`,
    ])
  await run('bash', ['-c', `pg_dump --no-owner -n env_1 ${databaseUrl} > ${join(dataDir, 'one.sql')}`])
  await copy(2, whole)
  for (let id = whole + 1; id <= known; id += 1) await makeSleeper(connections, id)
  for (let id = 2; id <= known; id += 1) {
    const table = sql.table(`env_${id}.environment`)
    await sql`update ${table} set id = ${id}, name = ${`env ${id}`}, hosts = ${[`pret${id}.fr`]}`.execute(
      connections.ground,
    )
  }
  return token
}

/** A schema that is known, with the tables, columns and indexes of the first one. */
async function makeSleeper({ ground }: Connections, id: number): Promise<void> {
  const schema = sql.lit(`env_${id}`)
  await sql`do $$ declare made record; begin
    execute format('create schema %I', ${schema});
    for made in select relname as name from pg_class where relnamespace = 'env_1'::regnamespace and relkind = 'r' loop
      execute format('create table %I.%I (like env_1.%I including all)', ${schema}, made.name, made.name);
    end loop;
    execute format('insert into %I.kysely_migration select * from env_1.kysely_migration', ${schema});
    execute format('insert into %I.environment select * from env_1.environment', ${schema});
  end $$`.execute(ground)
}

async function measure({
  dataDir,
  databaseUrl,
  connections,
  token,
}: Place & { token: string }): Promise<Table> {
  const from = performance.now()
  const environments = await openEnvironmentsOnDemand({
    list: () => listHere(connections.ground),
    open: (id) => openEnvironment({ dataDir, databaseUrl, connections }, id),
    isBusy: () => Promise.resolve(false),
    onEvent: ({ message }) => console.error(message),
  })
  const listed = performance.now() - from
  const app = createApp({ environments, logger: pino({ level: 'silent' }) })
  const scan = async (id: number): Promise<number> => {
    const before = performance.now()
    const answer = await app.request(lookUp(1 + Math.floor(Math.random() * size.copies)).path, {
      headers: { host: `pret${id}.fr`, authorization: `Bearer ${token}` },
    })
    await answer.text()
    if (!answer.ok) throw new Error(`env ${id} answered ${answer.status}`)
    return performance.now() - before
  }
  const scans = async (count: number, idOf: () => number) => {
    const times: number[] = []
    for (let n = 0; n < count; n += 1) times.push(await scan(idOf()))
    return times
  }
  await scans(200, () => 1)
  const alone = await scans(500, () => 1)
  const rssBefore = process.memoryUsage().rss
  const first: number[] = []
  for (let id = 2; id <= awake; id += 1) first.push(await scan(id))
  const anyone = () => 1 + Math.floor(Math.random() * awake)
  await scans(awake * 20, anyone)
  const among = await scans(1000, anyone)
  const together = (await Promise.all(Array.from({ length: 10 }, () => scans(100, anyone)))).flat()
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database()`.execute(
    connections.ground,
  )
  await environments.close()
  const row = (what: string, times: readonly number[]) => [
    what,
    inMs(median(times)),
    inMs(quantile(times, 0.95)),
  ]
  return {
    title: `Many environments: ${known} known, ${awake} awake, PostgreSQL`,
    notes: [
      ...(known > whole
        ? [`${whole} of them are whole; the others have every table and index, and no row but their name.`]
        : []),
      `${rows[0]?.n ?? 0} connections of ${mostConnections} allowed; which there are was read in ${inMs(listed)} ms. ` +
        `Memory of the whole bench process ${(rssBefore / 1e6).toFixed(0)} MB with one awake, ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB with ${awake}. ` +
        `A scan among the awake ones, one after the other: ${asRatio(median(among) / median(alone))} of one alone.`,
    ],
    columns: ['what', 'median, ms', 'p95, ms'],
    rows: [
      row('a scan in the only one awake', alone),
      row('the first call to a sleeping one', first),
      row(`a scan in one of ${awake} awake, at random`, among),
      row('the same, ten at once', together),
    ],
  }
}
