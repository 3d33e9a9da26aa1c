import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
// Whoever else installs something is waited for; a machine without a network is not.
const patience = [
  '-o',
  'DPkg::Lock::Timeout=240',
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=20',
]
const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 64_000_000 }

/** Installs packages on a Debian as root, without asking anybody; throws elsewhere. */
export async function installFromDebian(...packages: string[]): Promise<void> {
  await run('apt-get', [...patience, 'update', '-qq'], options)
  await run('apt-get', [...patience, 'install', '-y', '-qq', '--no-install-recommends', ...packages], options)
}
