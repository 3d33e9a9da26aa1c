import { closeSync, fdatasyncSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Init = NodeFS['init']

/** What Emscripten hands to a file system's operations: only an open file has `nfd`. */
interface OpenStream {
  nfd?: number
  node: unknown
}

interface NodeFileSystem {
  stream_ops: { fsync?: (stream: OpenStream) => number }
  realPath(node: unknown): string
}

/** A real fsync, which PGlite lacks; `onFailure` must not return, because only a restart is sound then. */
export class DurableFileSystem extends NodeFS {
  syncCount = 0
  readonly #onFailure: (error: unknown) => never

  constructor(directory: string, onFailure: (error: unknown) => never) {
    super(directory)
    this.#onFailure = onFailure
  }

  override async init(...[engine, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(engine, options)
    const hook = (module: { NODEFS: unknown }) => {
      const files = module.NODEFS as NodeFileSystem
      files.stream_ops.fsync = (stream) => this.#sync(stream, files)
    }
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        // The engine's loop swallows an abort and would go on with a broken memory.
        onAbort: (reason: unknown) => this.#onFailure(reason),
        preRun: [...(emscriptenOpts.preRun ?? []), hook],
      },
    }
  }

  #sync(stream: OpenStream, files: NodeFileSystem): number {
    try {
      if (stream.nfd === undefined) syncDirectory(files.realPath(stream.node))
      else fdatasyncSync(stream.nfd)
      this.syncCount += 1
      return 0
    } catch (error) {
      return this.#onFailure(error)
    }
  }
}

/** Makes the names inside a directory durable; Windows has no such call and needs none. */
export function syncDirectory(path: string): void {
  if (process.platform !== 'win32') syncPath(path, 'r')
}

export function syncTree(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) syncTree(child)
    else if (entry.isFile()) syncPath(child, 'r+')
  }
  syncDirectory(path)
}

function syncPath(path: string, flags: string): void {
  const file = openSync(path, flags)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
