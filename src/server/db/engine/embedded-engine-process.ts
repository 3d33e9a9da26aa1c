// The embedded engine's own process, started by embedded-engine.ts: one PGlite served on a socket.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { DataDirectoryBusyError, lockDataDirectory } from './data-directory-lock.ts'
import { DurableFileSystem, syncDirectory, syncTree } from './durable-file-system.ts'
import { PostgresWireServer } from './postgres-wire-server.ts'

export type EngineNews =
  | { kind: 'listening'; port: number }
  | { kind: 'busy' }
  | { kind: 'failed'; message: string }
  | { kind: 'closed'; syncs: number }

/** The defaults without -F, which switches fsync off; the default sync method does nothing in WebAssembly. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'max_wal_size=256MB',
]
const checkpointPeriod = 60_000
const closingLimit = 20_000

async function main(directory: string, socketPath: string | null): Promise<void> {
  // While it opens, no commit was acknowledged, so it may leave at once.
  let close = leaveAtOnce
  process.once('message', () => void close().catch(dieAtOnce))
  process.once('disconnect', () => void close().catch(dieAtOnce))
  // Its parent may have ended while this file was read.
  if (process.send !== undefined && !process.connected) process.exit(0)

  const lock = await lockDataDirectory(directory)
  const files = await openFiles(directory)
  const engine = await openEngine(files)
  const server = new PostgresWireServer(engine, dieAtOnce)
  if (socketPath !== null) rmSync(socketPath, { force: true })
  const port = await server.listen(socketPath)

  // A single PostgreSQL process makes no checkpoint by itself, so its journal would grow.
  let syncsAtCheckpoint = files.syncCount
  const checkpoint = async () => {
    await server.exclusively((idle) => idle.exec('CHECKPOINT'))
    syncsAtCheckpoint = files.syncCount
  }
  const checkpoints = setInterval(() => {
    if (files.syncCount === syncsAtCheckpoint) return
    void checkpoint().catch(dieAtOnce)
  }, checkpointPeriod)

  let closing = false
  close = async () => {
    if (closing) return
    closing = true
    clearInterval(checkpoints)
    setTimeout(() => process.exit(1), closingLimit).unref()
    await server.close()
    await engine.close()
    await lock.release()
    if (socketPath !== null) rmSync(dirname(socketPath), { recursive: true, force: true })
    if (process.connected) await tell({ kind: 'closed', syncs: files.syncCount })
    process.exit(0)
  }
  await tell({ kind: 'listening', port })
}

/** A first start is renamed when whole: half-made, it would look like a database and never open. */
async function openFiles(directory: string): Promise<DurableFileSystem> {
  const place = join(directory, 'postgres')
  if (!existsSync(place)) {
    const unfinished = join(directory, 'postgres-unfinished')
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { mode: 0o700 })
    const engine = await openEngine(new DurableFileSystem(unfinished, dieAtOnce))
    await engine.close()
    syncTree(unfinished)
    renameSync(unfinished, place)
    syncDirectory(directory)
  }
  return new DurableFileSystem(place, dieAtOnce)
}

function openEngine(fs: DurableFileSystem): Promise<PGlite> {
  return PGlite.create({
    fs,
    startParams,
    extensions: { btree_gist, citext, pg_trgm, unaccent },
    onStderr: (line) => (line.includes('PANIC:') ? dieAtOnce(line) : false),
  })
}

/** Leaves without closing anything, because the next start replays what was committed. */
function dieAtOnce(reason: unknown): never {
  console.error(reason)
  process.exit(70)
}

async function leaveAtOnce(): Promise<void> {
  process.exit(0)
}

function tell(news: EngineNews): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(news, () => resolve())
  })
}

// A terminal signals the whole group, but only the parent knows when its requests have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const [directory, socketPath] = process.argv.slice(2)
try {
  if (directory === undefined) throw new Error('A directory is expected.')
  await main(directory, socketPath ?? null)
} catch (error) {
  const busy = error instanceof DataDirectoryBusyError
  await tell(busy ? { kind: 'busy' } : { kind: 'failed', message: String(error) })
  process.exit(1)
}
