import type { WorkerAnswer } from './serve-calls.ts'

/** A worker that answers one after the other. */
export interface WorkerCalls<Asked, Read> {
  /** Rejects when the worker is broken for good. */
  ask: (asked: Asked, transfer: Transferable[]) => Promise<Read>
  close: () => void
}

interface Waiting<Read> {
  resolve: (read: Read) => void
  reject: (error: Error) => void
}

/** Rejects where the worker does not run; `whenClosed` answers what was or is asked of a closed one. */
export function openWorkerCalls<Asked extends object, Read>(
  name: string,
  worker: Worker,
  whenClosed: Read,
): Promise<WorkerCalls<Asked, Read>> {
  const waiting = new Map<number, Waiting<Read>>()
  let lastId = 0
  let lost: Error | null = null
  let isClosed = false

  const close = (): void => {
    isClosed = true
    worker.terminate()
    for (const { resolve } of waiting.values()) resolve(whenClosed)
    waiting.clear()
  }

  const ask = (asked: Asked, transfer: Transferable[]): Promise<Read> => {
    // Nobody would answer.
    if (isClosed) return Promise.resolve(whenClosed)
    if (lost !== null) return Promise.reject(lost)
    const id = ++lastId
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.postMessage({ ...asked, id }, transfer)
    })
  }

  return new Promise((resolve, reject) => {
    const fail = (): void => {
      const error = new Error(`${name} does not run here`)
      lost = error
      reject(error)
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
      worker.terminate()
    }
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer<Read>>) => {
      if (data.kind === 'broken') fail()
      else if (data.kind === 'ready') resolve({ ask, close })
      else {
        waiting.get(data.id)?.resolve(data.read)
        waiting.delete(data.id)
      }
    })
  })
}
