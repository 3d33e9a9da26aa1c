// npm run check:citus [-- file … | figures] tries the product on a distributed engine: libraries at work on two workers, one that moves, a worker
// that is killed, then what the contract says of each call, backups, restores and environments. It starts a cluster of its own where
// Citus is installed beside PostgreSQL.
import { spawnSync } from 'node:child_process'

import { hasCitus, openCluster } from './cluster.ts'
import { compareScans } from './figures.ts'

const usual = [
  'tests/faults/several-machines.test.ts',
  'tests/documentation/distributed-engine.db.test.ts',
  'tests/loans/',
  'tests/reservations/',
  'tests/catalogue/',
  'tests/beneficiaries/',
  'tests/settings/',
  'tests/snapshot/',
  'tests/offline/',
  'tests/events/',
  'tests/backup/',
  'tests/environments/',
]

if (!hasCitus) {
  process.stdout.write(
    '\nNOT RUN: Citus is not installed beside PostgreSQL here, nothing was tried on several machines.\n\n',
  )
  process.exit(0)
}

const cluster = await openCluster()
process.stdout.write(
  `Citus ${cluster.version}: one machine that is asked, ${cluster.workers.length} workers.\n`,
)
const files = process.argv.slice(2)
if (files[0] === 'figures') {
  await compareScans(cluster)
  await cluster.drop()
  process.exit(0)
}
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tests/vitest.config.ts',
    '--project',
    'postgres',
    '--project',
    'faults',
    '--no-file-parallelism',
    ...(files.length > 0 ? files : usual),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_DATABASE_URL: cluster.asked.addressOf('postgres'),
      CITUS_WORKERS: cluster.workers.map((worker) => worker.addressOf('postgres')).join(','),
    },
  },
)
await cluster.drop()
process.exit(status ?? 1)
