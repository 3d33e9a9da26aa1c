import { execFile, execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { freePort } from './product.ts'

const run = promisify(execFile)

/** A PostgreSQL of the test's own, that it may stop, kill and starve. */
export type OwnPostgres = {
  /** Address of a database on it. */
  addressOf(database: string): string
  /** `fast` cuts the connections, `immediate` is a crash; it recovers when it starts again. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
  /** Its address without account and database. */
  host: string
  /** Ends its first process at once (`kill -9`), and the others with it; it recovers when it starts again. */
  crash(): Promise<void>
  /** Its machine is gone: no process of it lives, and nobody reads its files. */
  kill(): Promise<void>
  /** Stops it in order, and starts it again when the work is done. */
  whileStopped(work: () => Promise<unknown>): Promise<void>
  /** Runs a shell script as who installs it would: under its account, its programs at hand, `DATA` its directory. */
  shell(script: string, env?: Record<string, string>): Promise<string>
  /** A directory beside its data, which goes when it is dropped. */
  beside(name: string): string
  /** What it wrote in its log. */
  log(): Promise<string>
  drop(): Promise<void>
}

export type Standby = OwnPostgres & {
  /** Takes writes from then on. */
  promote(): Promise<void>
}

type Account = { uid?: number; gid?: number }

const binaries = findBinaries()
/** PostgreSQL refuses to run as root: it runs as its own account then. */
const account: Account | null = process.getuid?.() === 0 ? accountOf('postgres') : {}

/** Whether this machine has PostgreSQL's own programs, and an account to run them. */
export const canRunPostgres = binaries !== null && account !== null

/** Whether a library that PostgreSQL loads at its start is there. */
export const hasLibrary = (name: string): boolean =>
  canRunPostgres && binaries !== null && existsSync(join(binaries, '../lib', `${name}.so`))

function findBinaries(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return (
    [...versions.map((version) => join(root, version, 'bin')), '/usr/local/bin', '/usr/bin'].find((folder) =>
      ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name))),
    ) ?? null
  )
}

function accountOf(name: string): { uid: number; gid: number } | null {
  try {
    const read = (flag: string) =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: read('-u'), gid: read('-g') }
  } catch {
    return null
  }
}

export async function openOwnPostgres(settings: Record<string, string>): Promise<OwnPostgres> {
  const { home, port, run: runIn } = await makeHome()
  const data = join(home, 'data')
  await runIn('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  return startIn({ home, port, runIn }, settings)
}

/** A copy of another, that takes in what is written there until it is promoted. */
export async function openStandby(of: OwnPostgres, name: string): Promise<Standby> {
  const place = await makeHome()
  const { home, port, run: runIn } = place
  const data = join(home, 'data')
  const source = `${of.addressOf('postgres')}?application_name=${name}`
  await runIn('pg_basebackup', ['-D', data, '-d', source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  const standby = await startIn({ home, port, runIn }, { hot_standby: 'on' })
  return {
    ...standby,
    promote: async () => {
      await runIn('pg_ctl', ['-D', data, '-w', 'promote'])
    },
  }
}

async function makeHome() {
  if (binaries === null || account === null) throw new Error('PostgreSQL’s programs are not on this machine')
  const home = await mkdtemp(join(tmpdir(), 'comptoir-postgres-'))
  if (account.uid !== undefined && account.gid !== undefined) chownSync(home, account.uid, account.gid)
  // Its own client looks for certificates at home, which is ours otherwise.
  const options = { ...account, cwd: home, env: { ...process.env, HOME: home } }
  const folder = binaries
  return {
    home,
    port: await freePort(),
    run: (program: string, args: readonly string[]) => run(join(folder, program), args, options),
  }
}

type Place = {
  home: string
  port: number
  runIn: (program: string, args: readonly string[]) => Promise<unknown>
}

async function startIn({ home, port, runIn }: Place, settings: Record<string, string>): Promise<OwnPostgres> {
  const data = join(home, 'data')
  const log = join(home, 'log')
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    ...settings,
  }
  const words = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
  const control = (...args: string[]) =>
    // Its children would keep a pipe open for as long as they live: they write to the log.
    runIn('pg_ctl', ['-D', data, '-l', log, '-w', '-o', words.join(' '), ...args])
  let isDead = false
  const crash = async () => {
    const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
  }
  await control('start')
  return {
    addressOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    host: `127.0.0.1:${port}`,
    restart: async (mode) => {
      await control('-m', mode, 'restart')
    },
    stop: async () => {
      await control('-m', 'fast', 'stop')
    },
    start: async () => {
      await control('start')
    },
    crash,
    kill: async () => {
      await crash()
      await chmod(data, 0o000)
      isDead = true
    },
    whileStopped: async (work) => {
      await control('-m', 'fast', 'stop')
      await work()
      await control('start')
    },
    shell: async (script, env = {}) => {
      const place = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres', DATA: data }
      const path = `${binaries}:${process.env['PATH']}`
      const { stdout } = await run('bash', ['-euc', script], {
        ...account,
        cwd: home,
        env: { ...process.env, ...place, PATH: path, ...env },
      })
      return stdout
    },
    beside: (name) => join(home, name),
    log: () => readFile(log, 'utf8'),
    drop: async () => {
      if (!isDead) await control('-m', 'immediate', 'stop')
      await rm(home, { recursive: true, force: true })
    },
  }
}
