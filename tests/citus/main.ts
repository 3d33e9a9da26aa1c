// npm run check:citus [-- file …] tries the product on the database of CITUS_URL: libraries in distributed schemas, one of which
// moves under load, then the calls of the contract. Without the extension the same is run on plain PostgreSQL.
import { spawnSync } from 'node:child_process'

import { citusAt } from '../environments/distributed-database.ts'
import { postgresAddress } from '../support/postgres-address.ts'

/** Libraries at work, then what the contract says of each call, and what two processes or devices tell each other. */
const usual = [
  'tests/environments/distributed.db.test.ts',
  'tests/documentation/calls.db.test.ts',
  'tests/documentation/distributed-engine.db.test.ts',
  'tests/loans/at-the-same-instant.db.test.ts',
  'tests/loans/lend-and-return.db.test.ts',
  'tests/reservations/at-once.db.test.ts',
  'tests/events/several-servers.db.test.ts',
  'tests/offline/snapshot.db.test.ts',
]

const address = process.env['CITUS_URL'] ?? postgresAddress
const template = new URL(address)
template.pathname = '/template1'
const [citus, ofTemplate] = [await citusAt(address), await citusAt(template.href)]
console.log(
  citus === null
    ? `No Citus in the database of ${process.env['CITUS_URL'] ? 'CITUS_URL' : 'TEST_DATABASE_URL'}: run on plain PostgreSQL, nothing is distributed and nothing moves.`
    : `Citus ${citus}. Tests of the contract make databases from template1, which ${
        ofTemplate === null
          ? 'is without the extension: they run on the machine that is asked, undistributed.'
          : 'has it: what they make is distributed where the server’s own settings say so (citus.enable_schema_based_sharding).'
      }`,
)

const files = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'postgres', ...(files.length > 0 ? files : usual)],
  { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: address } },
)
process.exit(status ?? 1)
