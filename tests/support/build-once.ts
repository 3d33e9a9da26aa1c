import { execFileSync } from 'node:child_process'

import { isBuiltSince } from '../../src/build/built-since.js'

/** Browser tests drive the production build: made here unless there is one of these very sources. */
export default function buildOnce(): void {
  // The client is built first.
  if (isBuiltSince('dist/server/main.js') && isBuiltSince('dist/client/index.html')) return
  build('build')
}

/** The server alone: its commands and its engine's process are tried as they are shipped. */
export function buildServerOnce(): void {
  if (!isBuiltSince('dist/server/main.js')) build('build:server')
}

function build(script: string): void {
  execFileSync('npm', ['run', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Tests run in a mode of their own, which would make a build for developers: no worker, a slow React.
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  })
}
