// The process that memory-engine.ts starts: engines with their files in memory, each served on a socket.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'

import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'

import { PostgresWireServer } from '../../src/server/db/engine/postgres-wire-server.ts'
import type { EngineAnswer, EngineWish } from './memory-engine.ts'
import { type Pristine, pristineOf, restore } from './pristine.ts'

/** What a database's directory holds, by path from it. */
type DatabaseFiles = { directories: string[]; files: [path: string, bytes: Uint8Array][] }

/** Of Emscripten's file system, whose own types are not at hand. */
type Files = {
  mkdirTree(path: string, mode: number): void
  writeFile(path: string, bytes: Uint8Array): void
}

/** Where the engine has its files, in its own memory. */
const home = '/pglite/data'

/** Databases that no connection opens, which PostgreSQL itself copies when it makes another. */
const neverOpened = /^base\/[14]\//

/** Files in memory that begin as others were. */
class FilesInMemory extends MemoryFS {
  readonly #first: DatabaseFiles

  constructor(first: DatabaseFiles) {
    super()
    this.#first = first
  }

  override async initialSyncFs(): Promise<void> {
    const files = this.#fs()
    files.mkdirTree(home, 0o700)
    for (const name of this.#first.directories) files.mkdirTree(`${home}/${name}`, 0o700)
    for (const [name, bytes] of this.#first.files) files.writeFile(`${home}/${name}`, bytes)
  }

  #fs(): Files {
    if (this.pg === undefined) throw new Error('The engine is not there yet.')
    return this.pg.Module.FS as Files
  }
}

// Compiled once, so that each engine after the first one starts with warm code.
const inPackage = (name: string) =>
  readFileSync(join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), name))
const program = WebAssembly.compile(inPackage('pglite.wasm'))
const bundle = new Blob([inPackage('pglite.data')])

/** A small cache of pages, because clearing the usual 128 MB takes half of a start. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB', '-c', 'max_wal_size=256MB']

const templates = new Map<string, DatabaseFiles>()

/** Files of a database that was closed properly. */
function filesOf(template: string): DatabaseFiles {
  const known = templates.get(template)
  if (known) return known
  const read: DatabaseFiles = { directories: [], files: [] }
  const entries = readdirSync(template, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  for (const { entry, path } of entries) {
    const name = path
      .slice(template.length + 1)
      .split(sep)
      .join('/')
    if (neverOpened.test(name)) continue
    if (entry.isDirectory()) read.directories.push(name)
    // The engine's memory takes a `slice`, which of a Buffer is the same bytes and no copy.
    else read.files.push([name, new Uint8Array(readFileSync(path))])
  }
  templates.set(template, read)
  return read
}

type Engine = { engine: PGlite; template: string; pristine: Pristine; stop?: () => Promise<void> }

/** By directory: one that was stopped keeps what it holds until it is forgotten. */
const engines = new Map<string, Engine>()
/** Emptied to what their template has, by template. */
const spare = new Map<string, Engine[]>()

async function start(directory: string, template: string): Promise<string> {
  const one = engines.get(directory) ?? spare.get(template)?.pop() ?? (await startNew(template))
  engines.set(directory, one)
  const host = mkdtempSync(join(tmpdir(), 'engine-'))
  const server = new PostgresWireServer(one.engine, (reason) => {
    throw reason
  })
  await server.listen(join(host, '.s.PGSQL.5432'))
  one.stop = async () => {
    await server.close()
    await one.engine.exec('discard all')
    rmSync(host, { recursive: true, force: true })
  }
  return host
}

async function startNew(template: string): Promise<Engine> {
  const engine = await PGlite.create({
    fs: new FilesInMemory(filesOf(template)),
    pgliteWasmModule: await program,
    fsBundle: bundle,
    startParams,
    extensions: { btree_gist, citext, pg_trgm, unaccent },
  })
  return { engine, template, pristine: await pristineOf(engine, template) }
}

async function stop(directory: string): Promise<void> {
  const one = engines.get(directory)
  await one?.stop?.()
  delete one?.stop
}

/** Gives the engines under a directory to whoever starts next, or ends them where they cannot be as they were. */
async function forget(place: string): Promise<void> {
  for (const [directory, one] of engines) {
    if (!directory.startsWith(place)) continue
    engines.delete(directory)
    if (await restore(one.engine, one.pristine))
      spare.set(one.template, [...(spare.get(one.template) ?? []), one])
    else await one.engine.close()
  }
}

async function fulfil(wish: EngineWish): Promise<string> {
  if (wish.kind === 'start') return start(wish.directory, wish.template)
  await (wish.kind === 'stop' ? stop(wish.directory) : forget(wish.directory))
  return ''
}

process.on('message', (wish: EngineWish) => {
  const answer = (said: EngineAnswer) => process.send?.(said)
  fulfil(wish).then(
    (host) => answer({ id: wish.id, host }),
    (error: unknown) => answer({ id: wish.id, error: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))
