import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

import { formerCommit } from './former-version.ts'

const run = promisify(execFile)

/** A shallow clone has not the former version in its history. */
export const hasFormerVersion = spawnSync('git', ['cat-file', '-e', `${formerCommit}^{commit}`]).status === 0

/** The former version as it was installed then, in `dist` until the next run; it takes a registry, and minutes. */
export async function makeFormerVersion(): Promise<string> {
  const directory = resolve('dist', `former-${formerCommit.slice(0, 7)}`)
  if (existsSync(directory)) return directory
  const unfinished = `${directory}-unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  const archive = `${unfinished}.tar`
  await run('git', ['archive', '--output', archive, formerCommit])
  await run('tar', ['-xf', archive, '-C', unfinished])
  await rm(archive)
  const env = { ...process.env, NODE_ENV: 'production' }
  await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: unfinished, env })
  await run('npm', ['run', 'build'], { cwd: unfinished, env, maxBuffer: 64 * 1024 * 1024 })
  await rename(unfinished, directory)
  return directory
}
