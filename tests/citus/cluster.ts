import { on } from '../support/distributed-databases.ts'
import { hasLibrary, openOwnPostgres, type OwnPostgres } from '../faults/own-postgres.ts'

const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '100',
  max_connections: '200',
  'citus.enable_statistics_collection': 'off',
  'citus.enable_unsafe_triggers': 'on',
  fsync: 'off',
}

export const hasCitus = hasLibrary('citus')

export type Cluster = {
  asked: OwnPostgres
  workers: readonly OwnPostgres[]
  version: string
  drop(): Promise<void>
}

/** The machine that is asked and two workers, on ports of their own, with one database that gives its libraries to the workers. */
export async function openCluster(): Promise<Cluster> {
  const [asked, ...workers] = [
    await openOwnPostgres(settings),
    await openOwnPostgres(settings),
    await openOwnPostgres(settings),
  ]
  const all = [asked, ...workers]
  for (const machine of all) await on(machine.addressOf('postgres'), 'postgres', ['create extension citus'])
  const place = ({ host }: OwnPostgres) => {
    const [name, port] = host.split(':')
    return `'${name}', ${port}`
  }
  await on(asked.addressOf('postgres'), 'postgres', [
    `select citus_set_coordinator_host(${place(asked)})`,
    ...workers.map((worker) => `select citus_add_node(${place(worker)})`),
  ])
  const [{ version } = { version: '' }] = await on<{ version: string }>(
    asked.addressOf('postgres'),
    'postgres',
    [`select extversion as version from pg_extension where extname = 'citus'`],
  )
  return {
    asked,
    workers,
    version,
    drop: async () => {
      for (const machine of all) await machine.drop()
    },
  }
}
