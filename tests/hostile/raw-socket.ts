import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that says what no proper client would; it is never an error that the server hangs up. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, 'localhost')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Sends bytes until the server answers, and gives the first answer's status; null where it hung up. */
export async function statusOf(port: number, pieces: Iterable<string | Buffer>): Promise<number | null> {
  const socket = await openSocket(port)
  let said = ''
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
      if (said.includes('\r\n\r\n')) resolve()
    })
    socket.on('close', () => resolve())
  })
  const send = async () => {
    for (const piece of pieces) {
      if (socket.destroyed || said !== '') return
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), answered]).catch(() => undefined)
    }
  }
  await Promise.all([send(), answered])
  socket.destroy()
  const status = /^HTTP\/1\.1 (\d{3})/.exec(said)?.[1]
  return status === undefined ? null : Number(status)
}

/** The head of a request, its lines as they are given. */
export const head = (first: string, ...lines: string[]): string =>
  `${[first, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`
