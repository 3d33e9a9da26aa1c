import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

import * as v from 'valibot'

import { DataDirectoryBusyError } from './data-directory-lock.ts'
import type { EngineNews } from './embedded-engine-process.ts'

export { DataDirectoryBusyError } from './data-directory-lock.ts'

/**
 * The embedded database in a process of its own, reached with `pg`. All connections share one PostgreSQL
 * session:
 * - a transaction has the engine until it ends, or is cut after 30 silent seconds; use only its handle within
 * it;
 * - settings, temporary tables and session locks are shared: use SET LOCAL and `pg_advisory_xact_lock`;
 * - named statements, LISTEN, COPY … FROM STDIN, cancelling and `statement_timeout` do not work.
 */
export interface EmbeddedEngine {
  /** What `pg.Pool` needs: the directory of a unix socket and a port, or 127.0.0.1 and a port on Windows. */
  readonly connection: { host: string; port: number; user: string; database: string }
  ready(): Promise<void>
  /** Cuts the connections, undoes what was not committed, closes the files and frees the directory. */
  stop(): Promise<void>
  /** The process that owns the files, or undefined until it is restarted. */
  readonly pid: number | undefined
}

interface EngineEvent {
  level: 'info' | 'warn' | 'error'
  message: string
}

const port = 5432
const longestSocketPath = 100
const reopened = 'reopened'
const tlsRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** Answers once the engine of this directory takes connections; a directory that is not there is made. */
export type StartEngine = (
  directory: string,
  options?: { onEvent?: (event: EngineEvent) => void },
) => Promise<EmbeddedEngine>

/** Starts the engine and restarts it when it dies; throws DataDirectoryBusyError, or the engine's words. */
export const startEmbeddedEngine: StartEngine = async (directory, options = {}) => {
  const data = resolve(directory)
  const tell = (level: EngineEvent['level'], message: string) => options.onEvent?.({ level, message })
  const host = process.platform === 'win32' ? '127.0.0.1' : makeSocketDirectory()
  const socketPath = process.platform === 'win32' ? null : socketIn(host)
  const connection = { host, port, user: 'postgres', database: 'postgres' }
  let child: ChildProcess | undefined
  const stopping = new AbortController()
  const pauseAfter = growingPause()
  // What dies again and again is told once, until it has been well.
  const told = new Set<string>()
  const tellOnce = (level: EngineEvent['level'], message: string, as = message) => {
    if (!told.has(as)) tell(level, message)
    told.add(as)
  }
  let restarted: Promise<void> = Promise.resolve()

  async function open(): Promise<string> {
    const started = forkEngine(data, socketPath)
    child = started
    const before = Date.now()
    const news = await firstNews(started)
    if (news.kind !== 'listening') child = undefined
    if (news.kind === 'busy') throw new DataDirectoryBusyError(data)
    if (news.kind !== 'listening')
      throw new Error(`La base embarquée «\u00a0${data}\u00a0» ne s’ouvre pas\u202f: ${words(news)}`)
    if (news.port !== 0) connection.port = news.port
    publishEngineAddress(data, connection)
    const opened = Date.now()
    started.once('exit', (code, signal) => {
      child = undefined
      if (stopping.signal.aborted) return
      const pause = pauseAfter(Date.now() - opened)
      if (pause === 0) told.clear()
      const why = signal ?? code
      tellOnce(
        'error',
        told.has(reopened)
          ? `La base embarquée s’arrête à peine rouverte (${why}) ; elle redémarre, de plus en plus tard, et le journal ne le redit pas.`
          : `La base embarquée s’est arrêtée (${why}) ; elle redémarre.`,
      )
      restarted = reopen(pause)
      restarted.catch(() => undefined)
    })
    return `Base embarquée ouverte en ${opened - before} ms.`
  }

  async function reopen(pause: number): Promise<void> {
    for (let next = pause; ; next = pauseAfter(0)) {
      await delay(next, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) throw new Error('La base embarquée est arrêtée.')
      try {
        tellOnce('info', await open(), reopened)
        return
      } catch (error) {
        tellOnce('error', String(error))
      }
    }
  }

  try {
    tell('info', await open())
  } catch (error) {
    removeSocketDirectory(socketPath, host)
    throw error
  }

  return {
    connection,
    get pid() {
      return child?.pid
    },
    async ready() {
      // The socket is asked, because a broken connection is noticed before the death of the process.
      for (;;) {
        if (stopping.signal.aborted) throw new Error('La base embarquée est arrêtée.')
        await restarted
        if (await answers(socketPath, connection)) return
      }
    },
    async stop() {
      stopping.abort()
      const running = child
      if (running !== undefined && running.exitCode === null && running.signalCode === null) {
        running.on('message', (news: EngineNews) => {
          if (news.kind === 'closed')
            tell('info', `Base embarquée fermée après ${news.syncs} synchronisations du disque.`)
        })
        const ended = new Promise((resolve) => {
          running.once('exit', resolve)
        })
        if (running.connected) running.send('stop')
        await ended
      }
      withdrawEngineAddress(data, connection)
      removeSocketDirectory(socketPath, host)
    },
  }
}

function forkEngine(data: string, socketPath: string | null): ChildProcess {
  // The engine's file is a source under tsx, in development and tests, or bundled in dist/server.
  const fromSources = import.meta.url.endsWith('.ts')
  const entry = new URL(`./embedded-engine-process${fromSources ? '.ts' : '.js'}`, import.meta.url)
  return fork(fileURLToPath(entry), socketPath === null ? [data] : [data, socketPath], {
    execArgv: fromSources ? ['--import', sourceLoader()] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function sourceLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
}

function firstNews(child: ChildProcess): Promise<EngineNews> {
  return new Promise((resolve) => {
    child.once('message', (news: EngineNews) => resolve(news))
    child.once('error', (error) => resolve({ kind: 'failed', message: error.message }))
    child.once('exit', (code, signal) => resolve({ kind: 'failed', message: `${signal ?? code}` }))
  })
}

/** Asks for TLS, which only a live engine answers: the kernel still accepts for a dying process. */
function answers(path: string | null, { host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = path === null ? createConnection({ host, port }) : createConnection({ path })
    socket.once('data', () => {
      resolve(true)
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.write(tlsRequest)
  })
}

function words(news: EngineNews): string {
  return news.kind === 'failed' ? news.message : news.kind
}

/** Makes a directory for this user alone, with a path short enough for a socket. */
function makeSocketDirectory(): string {
  const preferred = join(tmpdir(), 'comptoir-XXXXXX')
  return mkdtempSync(join(socketIn(preferred).length > longestSocketPath ? '/tmp' : tmpdir(), 'comptoir-'))
}

function socketIn(directory: string): string {
  return join(directory, `.s.PGSQL.${port}`)
}

function removeSocketDirectory(socketPath: string | null, host: string): void {
  if (socketPath !== null) rmSync(host, { recursive: true, force: true })
}

const first = 100
const longest = 30_000
/** Who lived that long was well, and what ends it is something else. */
const well = 60_000

/** How long to wait before something that died is started again, by how long it lived: at once where it was well, else twice the time before. */
export function growingPause(): (lived: number) => number {
  let pause = 0
  return (lived) => {
    pause = lived >= well ? 0 : Math.min(longest, Math.max(first, pause * 2))
    return pause
  }
}

const engineAddress = v.object({
  host: v.string(),
  port: v.number(),
  user: v.string(),
  database: v.string(),
})
type EngineAddress = v.InferOutput<typeof engineAddress>

const fileIn = (directory: string) => join(directory, 'address.json')

/** Tells a backup where the engine of a running server listens; no lock, for it outlives a power cut. */
function publishEngineAddress(directory: string, address: EngineAddress): void {
  const unfinished = `${fileIn(directory)}.part`
  writeFileSync(unfinished, JSON.stringify(address), { mode: 0o600 })
  renameSync(unfinished, fileIn(directory))
}

function withdrawEngineAddress(directory: string, { host, port }: EngineAddress): void {
  const published = readEngineAddress(directory)
  if (published?.host === host && published.port === port) rmSync(fileIn(directory), { force: true })
}

/** Where the directory's engine listened last; null when it was closed or never opened. */
export function readEngineAddress(directory: string): EngineAddress | null {
  try {
    return v.parse(engineAddress, JSON.parse(readFileSync(fileIn(directory), 'utf8')))
  } catch {
    return null
  }
}
