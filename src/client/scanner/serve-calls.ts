export type WorkerAnswer<Read> =
  { kind: 'ready' } | { kind: 'broken' } | { kind: 'read'; id: number; read: Read }

type ReadCall<Asked, Read> = (asked: Asked) => Promise<Read>

/** In a worker: says `broken` where what it needs does not run, now or once it fails. */
export async function serveCalls<Asked, Read>(
  read: ReadCall<Asked, Read>,
  prepare: () => Promise<void>,
): Promise<void> {
  const answer = (message: WorkerAnswer<Read>): void => self.postMessage(message, { transfer: [] })
  try {
    await prepare()
  } catch {
    answer({ kind: 'broken' })
    return
  }
  self.addEventListener('message', ({ data }: MessageEvent<Asked & { id: number }>) => {
    // One that throws at once is answered as well.
    Promise.resolve(data)
      .then(read)
      .then(
        (found) => answer({ kind: 'read', id: data.id, read: found }),
        () => answer({ kind: 'broken' }),
      )
  })
  answer({ kind: 'ready' })
}
