import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Browser tests drive the production build: made here unless `npm run build` just made it. */
export default function buildOnce(): void {
  if (process.env['COMPTOIR_BUILT'] === '1' && existsSync('dist/server/main.js')) return
  execFileSync('npm', ['run', 'build'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Tests run in a mode of their own, which would make a build for developers: no worker, a slow React.
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  })
}
