import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import type { Db } from '../../src/server/db/handles.ts'
import { copyPostgresTemplate, seedFromTemplate } from './databases.ts'

/** The built product as a process of its own, on a copy of the test library. */
export type RunningServer = {
  address: string
  dataDir: string
  /** Null on the embedded engine. */
  databaseUrl: string | null
  /** Ends the process; the data stay. `SIGKILL` is a power cut. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Tells a server that listens to its parent (see `entry`), and waits until it said that it heard. */
  tell(message: object): Promise<void>
  isRunning(): boolean
  /** Of the process that runs; 0 where none does. */
  pid(): number
  /** Resolves when the process has ended, by itself or not. */
  ended(): Promise<void>
  port: number
  /** Starts again on the same port and the same data. */
  start(): Promise<void>
  /** Ends and forgets everything. */
  drop(): Promise<void>
}

export type RunningServerOptions = {
  env?: Record<string, string>
  /** Changes the test library before the first start. */
  prepare?: (db: Db) => Promise<unknown>
  /** Another way in than the product's own: the same server with what a test needs beside it. */
  entry?: string
  /** Another folder than this one's build to start in. */
  cwd?: string
  /** What it is started with. */
  args?: readonly string[]
  /** On PostgreSQL where there is one, which starts at once: for what the engine has no part in. */
  onPostgres?: boolean
  /** Nothing is there before the first start, which `ADMIN_PASSWORD` goes with. */
  isNew?: boolean
}

export async function openRunningServer({
  env = {},
  prepare,
  entry,
  cwd,
  args = [],
  onPostgres = false,
  isNew = false,
}: RunningServerOptions = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-journey-'))
  const copy = onPostgres ? await copyPostgresTemplate() : null
  const databaseUrl = copy?.databaseUrl ?? null
  if (copy === null && !isNew) seedFromTemplate(dataDir)
  if (prepare) {
    const environment = await openEnvironment({ dataDir, databaseUrl }, 1)
    await prepare(environment.db).finally(() => environment.close())
  }
  const port = await freePort()
  const address = `http://localhost:${port}`
  let child: ChildProcess | undefined

  const start = async () => {
    const started = spawn(process.execPath, [entry ?? 'dist/server/main.js', ...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        PUBLIC_URL: address,
        DATABASE_URL: databaseUrl ?? '',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit', ...(entry ? (['ipc'] as const) : [])],
    })
    child = started
    await new Promise<void>((resolve, reject) => {
      let said = ''
      started.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('Comptoir est ouvert')) resolve()
      })
      started.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
    })
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  await start()
  return {
    address,
    port,
    dataDir,
    databaseUrl,
    tell: async (message) => {
      const told = child
      if (!told || !isRunning()) return
      // It may be dying of what it was told before.
      const heard = Promise.race([once(told, 'message'), once(told, 'exit')])
      if (told.connected) told.send(message, () => undefined)
      await heard
    },
    isRunning,
    pid: () => child?.pid ?? 0,
    ended: async () => {
      if (child && isRunning()) await once(child, 'exit')
    },
    start,
    stop,
    drop: async () => {
      await stop()
      await copy?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  server.close()
  await once(server, 'close')
  return port
}
