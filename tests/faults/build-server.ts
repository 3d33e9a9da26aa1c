import { execFileSync } from 'node:child_process'

/** Builds the server that dies when told: as sources it would take seconds to start, each time. */
export default function buildServer(): void {
  execFileSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--ssr', '--mode', 'faults', '--logLevel', 'error'],
    {
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
}
