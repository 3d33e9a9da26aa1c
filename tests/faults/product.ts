import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

import { testPassword } from '../support/test-library.ts'

/** The product's server as a process of its own, as it is shipped. */
export type Product = {
  address: string
  pid: number
  /** Everything it wrote on its terminal so far. */
  said(): string
  /** Sends a signal and waits for its end; answers the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Its end, whoever brings it about. */
  ended: Promise<number | null>
}

type Spawning = {
  uid?: number
  /** Of another version than today's. */
  cwd?: string
  args?: readonly string[]
  /** With a group of its own, so that its engine's process dies with it. */
  detached?: boolean
}

/** Starts it and waits until it is open; throws with what it said when it ends before. */
export async function startProduct(env: Record<string, string>, as: Spawning = {}): Promise<Product> {
  const port = await freePort()
  const child = spawnProduct({ PORT: String(port), ...env }, as)
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = endOf(child)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => said.includes('Comptoir est ouvert') && resolve())
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${said}`)))
  })
  return {
    address: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    said: () => said,
    ended,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts a server that is expected to end by itself. */
export async function runProduct(
  env: Record<string, string>,
  as: Spawning = {},
): Promise<{ code: number | null; said: string }> {
  const child = spawnProduct({ PORT: '0', ...env }, as)
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { code: await endOf(child), said }
}

function spawnProduct(env: Record<string, string>, { args = [], ...as }: Spawning = {}): ChildProcess {
  return spawn(process.execPath, ['dist/server/main.js', ...args], {
    env: { ...process.env, DATABASE_URL: '', SMTP_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  })
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  server.close()
  await once(server, 'close')
  return port
}

export type Reply = {
  status: number
  body: { id?: number; token?: string; message?: string }
  retryAfter: string | null
  /** The time of the state that a copy of the database answered with. */
  stateAt?: string | null
}

/** Signs in and calls; a call that gets no answer has the status 0. */
export async function deskAt(address: string, username = 'biblio') {
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    try {
      const response = await fetch(address + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = text && response.headers.get('content-type')?.includes('json')
      return {
        status: response.status,
        body: (isJson ? JSON.parse(text) : {}) as Reply['body'],
        retryAfter: response.headers.get('retry-after'),
        stateAt: response.headers.get('x-state-at'),
      }
    } catch {
      return { status: 0, body: {}, retryAfter: null }
    }
  }
  const login = await send('POST', '/api/login_check', { username: `${username}@1`, password: testPassword })
  if (login.status !== 200) throw new Error(`sign-in of ${username}: ${login.status} ${login.body.message}`)
  const authorization = `Bearer ${login.body.token}`
  return {
    get: (path: string) => send('GET', path, undefined, { authorization }),
    giveBack: (key: string, loan: number) =>
      send('POST', `/api/loanings/${loan}/return`, {}, { authorization, 'idempotency-key': key }),
    lend: (key: string, beneficiary: number, copy: number) =>
      send('POST', '/api/loanings', { beneficiary, copy }, { authorization, 'idempotency-key': key }),
  }
}
export type Desk = Awaited<ReturnType<typeof deskAt>>

/** Asks until an answer is as expected: what is waited for is the server's to bring about. */
export async function askUntil(ask: () => Promise<Reply>, holds: (reply: Reply) => boolean): Promise<Reply> {
  for (;;) {
    const reply = await ask()
    if (holds(reply)) return reply
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
