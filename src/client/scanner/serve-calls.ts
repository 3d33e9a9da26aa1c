import { pixelsOf } from './frame-canvas.ts'

export type WorkerAnswer<Read> =
  { kind: 'ready' } | { kind: 'broken' } | { kind: 'read'; id: number; read: Read }

type ReadCall<Asked, Read> = (asked: Asked) => Promise<Read>

/** In a worker: says `broken` where no canvas or engine runs, now or once it fails. */
export async function serveCalls<Asked, Read>(
  read: ReadCall<Asked, Read>,
  prepare: () => Promise<void>,
): Promise<void> {
  const answer = (message: WorkerAnswer<Read>): void => self.postMessage(message, { transfer: [] })
  try {
    await prepare()
    pixelsOf(new OffscreenCanvas(8, 8))
  } catch {
    answer({ kind: 'broken' })
    return
  }
  self.addEventListener('message', ({ data }: MessageEvent<Asked & { id: number }>) => {
    read(data).then(
      (found) => answer({ kind: 'read', id: data.id, read: found }),
      () => answer({ kind: 'broken' }),
    )
  })
  answer({ kind: 'ready' })
}
