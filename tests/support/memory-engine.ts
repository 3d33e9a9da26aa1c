import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { StartEngine } from '../../src/server/db/engine/embedded-engine.ts'

export type EngineWish = { id: number } & (
  { kind: 'start'; directory: string; template: string } | { kind: 'stop' | 'forget'; directory: string }
)
export type EngineAnswer = { id: number; host: string } | { id: number; error: string }

type Wish = EngineWish extends infer One ? (One extends unknown ? Omit<One, 'id'> : never) : never

// One process for all engines of a worker, which keeps their code warm, and whose clock no test moves.
let child: ChildProcess | undefined
let wishes = 0
const waiting = new Map<number, (answer: EngineAnswer) => void>()

async function ask(wish: Wish): Promise<string> {
  child ??= startProcess()
  const id = (wishes += 1)
  const answered = new Promise<EngineAnswer>((resolve) => {
    waiting.set(id, resolve)
  })
  child.send({ ...wish, id })
  const answer = await answered
  if ('error' in answer) throw new Error(answer.error)
  return answer.host
}

function startProcess(): ChildProcess {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const started = fork(join(import.meta.dirname, 'memory-engine-process.ts'), {
    execArgv: ['--import', loader],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  started.on('message', (answer: EngineAnswer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  // A test that kills it has no engine left; the next one starts another process.
  started.once('exit', (code) => {
    child = undefined
    for (const [id, tell] of waiting) tell({ id, error: `the engine’s process ended with ${code}` })
    waiting.clear()
  })
  return started
}

/**
 * The embedded engine in a process beside the test's, with its files in memory: the same PostgreSQL behind the same wire server,
 * without a disk and without a death. A directory that is new begins as `template`, a database that was closed properly.
 */
export const memoryEngines =
  (template: () => string): StartEngine =>
  async (directory) => {
    const host = await ask({ kind: 'start', directory, template: template() })
    let stopped: Promise<unknown> | undefined
    return {
      connection: { host, port: 5432, user: 'postgres', database: 'postgres' },
      pid: child?.pid ?? process.pid,
      ready: () => Promise.resolve(),
      stop: async () => {
        await (stopped ??= ask({ kind: 'stop', directory }))
      },
    }
  }

/** Frees what engines under a directory left. */
export const forgetEngines = async (directory: string): Promise<void> => {
  if (child) await ask({ kind: 'forget', directory })
}
