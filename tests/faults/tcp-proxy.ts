import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A whole HTTP request; `nth` is its number on its connection, from 1. */
export type PassingRequest = {
  method: string
  path: string
  head: string
  body: string
  nth: number
  bytes: Buffer
}

/**
 * What becomes of a request: `cut-request` ends before the server has all of it, `cut-answer` before the
 * device hears anything, `cut-body` after half of the answer. `blackhole` swallows the request,
 * `swallow-answer` its answer; `trickle` sends byte by byte; `answer` is somebody else's.
 */
export type Fate =
  | 'pass'
  /** The connection ends before anything went on. */
  | 'drop'
  | 'cut-request'
  | 'cut-answer'
  | 'cut-body'
  | 'blackhole'
  | 'swallow-answer'
  | 'trickle'
  | { hold: Promise<unknown> }
  | { duplicate: number }
  | { answer: string }

export type TcpProxy = {
  port: number
  address: string
  /** Decides for each request; passes everything until told. */
  fateOf: (request: PassingRequest) => Fate
  /** Every request that came, in order, with its fate. */
  seen: { request: PassingRequest; fate: Fate }[]
  /** While true, connections end at once, as without a network. */
  isDown: boolean
  /** Ends every connection. */
  cutAll(): void
  /** Ends the device's side; what is held goes on to the server when it is let go. */
  cutDevice(): void
  /** Answers of the server to which nobody listened any more. */
  lateAnswers: number
  close(): Promise<void>
}

const headEnd = Buffer.from('\r\n\r\n')

/** A proxy between a device and its server, at the level of TCP: it does to connections what networks do. */
export async function openTcpProxy(upstreamPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    track(client)
    if (proxy.isDown) {
      client.destroy()
      return
    }
    clients.add(client)
    client.once('close', () => clients.delete(client))
    serveConnection(client, () => track(connect(upstreamPort, '127.0.0.1')), proxy)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy: TcpProxy = {
    port,
    address: `http://localhost:${port}`,
    fateOf: () => 'pass',
    seen: [],
    isDown: false,
    lateAnswers: 0,
    cutDevice: () => clients.forEach((socket) => socket.destroy()),
    cutAll: () => sockets.forEach((socket) => socket.destroy()),
    close: async () => {
      proxy.cutAll()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

/** One of the device's connections and its own to the server; browsers do not pipeline requests. */
function serveConnection(client: Socket, open: () => Socket, proxy: TcpProxy): void {
  const upstream = open()
  let fate: Fate = 'pass'
  let nth = 0
  let waiting: Buffer = Buffer.alloc(0)
  let isHeld = false

  upstream.on('data', (chunk: Buffer) => {
    if (client.destroyed) proxy.lateAnswers += 1
    relayAnswer(client, upstream, chunk, fate)
  })
  upstream.once('close', () => {
    if (fate !== 'swallow-answer' && fate !== 'blackhole' && fate !== 'trickle') client.destroy()
  })
  client.once('close', () => {
    if (!isHeld) upstream.destroy()
  })
  client.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let request = takeRequest(waiting); request; request = takeRequest(waiting)) {
      waiting = waiting.subarray(request.bytes.length)
      const passing = { ...request, nth: ++nth }
      fate = proxy.isDown ? 'cut-request' : proxy.fateOf(passing)
      isHeld ||= typeof fate === 'object' && 'hold' in fate
      proxy.seen.push({ request: passing, fate })
      forward(client, upstream, passing, fate, open)
    }
  })
}

/** The first whole request of what came so far; null until all of it is there. */
function takeRequest(bytes: Buffer): Omit<PassingRequest, 'nth'> | null {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return null
  const head = bytes.subarray(0, end).toString('latin1')
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  const total = end + headEnd.length + length
  if (bytes.length < total) return null
  const [method = '', path = ''] = head.split(' ')
  const body = bytes.subarray(end + headEnd.length, total).toString()
  return { method, path, head, body, bytes: bytes.subarray(0, total) }
}

function forward(
  client: Socket,
  upstream: Socket,
  { bytes }: PassingRequest,
  fate: Fate,
  open: () => Socket,
): void {
  if (fate === 'blackhole') return
  if (fate === 'drop') {
    client.destroy()
  } else if (fate === 'cut-request') {
    upstream.write(bytes.subarray(0, Math.max(1, bytes.length - 10)))
    setImmediate(() => client.destroy())
  } else if (typeof fate === 'object' && 'hold' in fate) {
    void fate.hold.then(() => upstream.writable && upstream.write(bytes))
  } else if (typeof fate === 'object' && 'duplicate' in fate) {
    for (let copy = 1; copy < fate.duplicate; copy += 1) open().write(bytes)
    upstream.write(bytes)
  } else if (typeof fate === 'object' && 'answer' in fate) {
    client.write(fate.answer)
  } else {
    upstream.write(bytes)
  }
}

function relayAnswer(client: Socket, upstream: Socket, chunk: Buffer, fate: Fate): void {
  if (fate === 'swallow-answer') return
  if (fate === 'cut-answer') {
    client.destroy()
  } else if (fate === 'cut-body') {
    const head = chunk.indexOf(headEnd)
    const kept = head < 0 ? chunk.length : head + headEnd.length + Math.floor((chunk.length - head) / 2)
    client.write(chunk.subarray(0, kept), () => client.destroy())
  } else if (fate === 'trickle') {
    upstream.pause()
    trickle(client, chunk, () => upstream.resume())
  } else {
    client.write(chunk)
  }
}

/** A byte at a time, each once the one before has left. */
function trickle(client: Socket, chunk: Buffer, done: () => void): void {
  let at = 0
  const next = () => {
    if (client.destroyed || at >= chunk.length) {
      done()
      return
    }
    client.write(chunk.subarray(at, at + 1), () => setTimeout(next, 2))
    at += 1
  }
  client.setNoDelay(true)
  next()
}

/** A whole answer, as somebody else on the way would give it. */
export const httpAnswer = (status: number, body: string, headers: Record<string, string> = {}): Fate => ({
  answer: [
    `HTTP/1.1 ${status} Quoi`,
    ...Object.entries({
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n'),
})

export const isLend = ({ method, path }: PassingRequest): boolean =>
  method === 'POST' && path === '/api/loanings'
export const isReturn = ({ method, path }: PassingRequest): boolean =>
  method === 'POST' && path === '/api/loanings/return'
/** The Idempotency-Key that a request carries. */
export const keyOf = ({ head }: PassingRequest): string | undefined =>
  /^idempotency-key: *(\S+)/im.exec(head)?.[1]
