// The embedded engine's own process: one PGlite on one directory, served on a socket. Started by embedded-engine.ts.
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

/** What this process tells its parent. */
export type EngineNews =
  | { kind: 'listening'; port: number }
  | { kind: 'busy' }
  | { kind: 'failed'; message: string }
  | { kind: 'closed'; syncs: number }

/** The default parameters but for -F, which switches fsync off; the default sync method does nothing in WebAssembly. */
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
  // While it opens, nothing is acknowledged yet: leaving at once is as good as a power cut.
  let close = leaveAtOnce
  process.once('message', () => void close().catch(dieAtOnce))
  process.once('disconnect', () => void close().catch(dieAtOnce))

  const lock = await lockDataDirectory(directory)
  const files = await openFiles(directory)
  const engine = await openEngine(files)
  const server = new PostgresWireServer(engine, dieAtOnce)
  if (socketPath !== null) rmSync(socketPath, { force: true })
  const port = await server.listen(socketPath)

  // A lone PostgreSQL process makes no checkpoint by itself: its journal would grow until the next stop.
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

/**
 * A first start is made aside and renamed when it is whole on the disk: cut in its middle, it would leave a directory
 * that looks like a database and never opens again.
 */
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

/** Without closing anything: what was committed is in the journal, which the next start replays. */
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

// A terminal or a service manager signals the whole group. The parent decides when this process closes, after its own
// requests have ended; if the parent is gone, the broken channel says so.
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
