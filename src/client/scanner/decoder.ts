import { openWorkerEngine } from './worker-engine.ts'
import type { Engine } from './worker-engine.ts'

/** Uses the best engine that runs here, and the next one when it breaks. */
export interface Decoder {
  readonly engine: Engine['name']
  /** Null when there is no code, or when an engine was just replaced. */
  read: Engine['read']
  close: () => void
}

const openers: (() => Promise<Engine>)[] = [
  () =>
    openWorkerEngine(
      'zxing-wasm',
      new Worker(new URL('./decoder-worker.ts', import.meta.url), { type: 'module' }),
    ),
  () =>
    openWorkerEngine(
      'zxing-js',
      new Worker(new URL('./decoder-js-worker.ts', import.meta.url), { type: 'module' }),
    ),
]

/** Rejects when no engine runs in this browser. */
export async function openDecoder(): Promise<Decoder> {
  let { engine, next } = await openFrom(0)
  let closed = false
  let replacing: Promise<void> | null = null

  const replace = async (broken: Engine): Promise<void> => {
    ;({ engine, next } = await openFrom(next))
    broken.close()
    if (closed) engine.close()
    replacing = null
  }
  return {
    get engine() {
      return engine.name
    },
    read: async (source, mode) => {
      const used = engine
      try {
        return await used.read(source, mode)
      } catch (error) {
        if (closed || (engine === used && next >= openers.length)) throw error
        // A photograph and a frame may meet the same broken engine, which is replaced once.
        if (engine === used) await (replacing ??= replace(used))
        return null
      }
    },
    close: () => {
      closed = true
      engine.close()
    },
  }
}

async function openFrom(place: number): Promise<{ engine: Engine; next: number }> {
  for (let next = place; next < openers.length; next++) {
    try {
      const engine = await openers[next]?.()
      if (engine !== undefined) return { engine, next: next + 1 }
    } catch {
      // It does not run here: try the next.
    }
  }
  throw new Error('no bar code engine runs in this browser')
}
