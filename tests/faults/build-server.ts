import { execFileSync } from 'node:child_process'

import { isBuiltSince } from '../../src/build/built-since.js'

/** Builds the server that dies when told: as sources it would take seconds to start, each time. */
export default function buildServer(): void {
  if (isBuiltSince('dist/faults/fail-point-server.js', ['tests/faults/fail-point-server.ts'])) return
  execFileSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--ssr', '--mode', 'faults', '--logLevel', 'error'],
    {
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
}
