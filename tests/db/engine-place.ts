import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client, Pool, type PoolConfig } from 'pg'

import { type EmbeddedEngine, startEmbeddedEngine } from '../../src/server/db/engine/embedded-engine.ts'

/** An engine on a directory of its own, and as many more directories as a test needs. */
export type EnginePlace = {
  /** Where everything is; emptied by `drop`. */
  root: string
  directory: string
  engine: EmbeddedEngine
  pool: Pool
  /** A directory with a database in it that nothing holds. */
  freshDirectory(): Promise<string>
  /** Kills the engine's process and waits until it is there again. */
  killEngine(): Promise<void>
  drop(): Promise<void>
}

export async function openEnginePlace(): Promise<EnginePlace> {
  const root = await mkdtemp(join(tmpdir(), 'engine-test-'))
  // Longer than a socket's path may be, and left by a first start that was cut.
  const pristine = join(root, 'd'.repeat(120))
  await mkdir(join(pristine, 'postgres-unfinished'), { recursive: true })
  await writeFile(join(pristine, 'postgres-unfinished', 'PG_VERSION'), '18\n')
  await (await startEmbeddedEngine(pristine)).stop()
  const freshDirectory = async () => {
    const copy = await mkdtemp(join(root, 'data-'))
    cpSync(pristine, copy, { recursive: true })
    return copy
  }
  const directory = await freshDirectory()
  const engine = await startEmbeddedEngine(directory)
  const pool = openPool(engine.connection)
  return {
    root,
    directory,
    engine,
    pool,
    freshDirectory,
    killEngine: async () => {
      const before = engine.pid
      process.kill(before ?? 0, 'SIGKILL')
      await until(() => engine.pid !== before)
      await engine.ready()
    },
    drop: async () => {
      await pool.end()
      await engine.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

export function openPool(connection: PoolConfig): Pool {
  const opened = new Pool({ ...connection, max: 10 })
  // A killed engine breaks the idle connections too; the pool drops them by itself.
  opened.on('error', () => undefined)
  opened.on('connect', (client) => client.on('error', () => undefined))
  return opened
}

export async function openClient(connection: PoolConfig): Promise<Client> {
  const client = new Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate)
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Names of the locks in a directory. */
export async function locksIn(path: string): Promise<string[]> {
  return (await readdir(path)).filter((name) => name.includes('lock-'))
}
