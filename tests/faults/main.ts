// npm run faults [-- file …] runs chance and power cuts a hundred times; FAULT_SEED=n runs one seed again.
import { spawnSync } from 'node:child_process'

const rounds = {
  FAULT_ROUNDS: '100',
  FAULT_QUEUE: '500',
  FAULT_SCANS: '1000',
  WRONG_PASSWORDS: '10000',
  FAILOVERS: '10',
  FORMER_VERSION: '1',
  ...process.env,
}
const files = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'tests/run.ts', 'all', '--project', 'faults', '--testTimeout=1800000', ...files],
  { stdio: 'inherit', env: rounds },
)
process.exit(status ?? 1)
