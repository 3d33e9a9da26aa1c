import { connect, type Socket } from 'node:net'

import { type Call, checked, headersOf, type Send } from './product-calls.ts'

type Waiting = { resolve: (answer: { status: number; text: string }) => void; reject: (error: Error) => void }

/** The server closes a connection that rests for five seconds, perhaps as a call is on its way. */
const restMs = 3000

/** HTTP on an open socket, one call at a time, with little work because it shares the processors. */
export function viaSocket(port: number, token: string, host?: string): Send {
  let socket: Socket | null = null
  let waiting: Waiting | null = null
  let received = Buffer.alloc(0)
  let usedAt = performance.now()

  const open = (): Socket => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true })
    opened.on('data', (bytes) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
      const answer = answerIn(received)
      if (!answer) return
      received = Buffer.alloc(0)
      waiting?.resolve(answer)
    })
    const fail = (error?: Error) => {
      if (socket !== opened) return
      socket = null
      waiting?.reject(error ?? new Error('the server closed the connection'))
    }
    opened.on('error', fail)
    opened.on('close', () => fail())
    return opened
  }

  return async (call) => {
    if (performance.now() - usedAt > restMs) {
      const rested = socket
      socket = null
      rested?.destroy()
    }
    socket ??= open()
    const to = socket
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      waiting = { resolve, reject }
      to.write(requestOf(call, token, host))
    })
    usedAt = performance.now()
    return checked(call, status, text)
  }
}

function requestOf(call: Call, token: string, host?: string): string {
  const body = call.body ? JSON.stringify(call.body) : ''
  const headers = {
    ...headersOf(call, token, host),
    ...(body ? { 'content-length': Buffer.byteLength(body) } : {}),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${call.method} ${call.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Null while it is not whole; the server says of each answer how long it is. */
function answerIn(bytes: Buffer): { status: number; text: string } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer of no known length: ${head}`)
  const from = end + 4
  if (bytes.length < from + Number(length)) return null
  return { status: Number(head.slice(9, 12)), text: bytes.toString('utf8', from, from + Number(length)) }
}
