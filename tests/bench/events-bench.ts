import { randomBytes } from 'node:crypto'
import { get } from 'node:http'

import type { BenchLibrary } from './scale/bench-library.ts'
import { inMs, median, quantile, type Table } from './section.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const metricsToken = randomBytes(24).toString('hex')

const openStreams = 500
const changes = 20
/** The server ends a session's oldest streams when it opens more than 20. */
const ofOneSession = 20

/** What 500 streams cost the built server, and how long a loan takes to reach the last of them. */
export async function benchEvents(
  library: Pick<BenchLibrary, 'engine' | 'dataDir' | 'databaseUrl'>,
  { username, password }: { username: string; password: string },
): Promise<Table> {
  const server = await startServer(library, { env: { METRICS_TOKEN: metricsToken } })
  try {
    const token = await signIn(server.address, username, password)
    const tokens = await Promise.all(
      Array.from({ length: openStreams / ofOneSession }, () => signIn(server.address, username, password)),
    )
    const before = await measure(server)

    const began = performance.now()
    const streams = await openAll(server.address, (at) => tokens[at % tokens.length] ?? token)
    const openedMs = performance.now() - began
    const open = await measure(server)
    const still = await cpuOver(server, 10_000)

    const reached: number[] = []
    for (let at = 0; at < changes; at += 1) reached.push(await reachAll(server.address, token, streams))
    const after = await measure(server)
    for (const stream of streams) stream.close()

    const perStream = (open.resident - before.resident) / openStreams / 1024
    return {
      title: `${openStreams} open event streams (${library.engine})`,
      notes: [
        'One server process and one client on the same machine. A change is one edit of a parameter, from its sending to the last stream that told it.',
      ],
      columns: ['what', 'measured'],
      rows: [
        ['opening all of them', `${inMs(openedMs)} ms`],
        ['memory of the process before, with all open, after', [before, open, after].map(mib).join(', ')],
        ['memory a stream', `${perStream.toFixed(0)} KiB`],
        ['processor while nothing changes (10 s)', `${(still * 100).toFixed(1)} % of a core`],
        [
          'processor for a change told to all',
          `${inMs(((after.cpu - open.cpu - still * 10) * 1000) / changes)} ms`,
        ],
        [
          'a change reaches all (median, longest)',
          `${inMs(median(reached))} ms, ${inMs(quantile(reached, 1))} ms`,
        ],
      ],
    }
  } finally {
    await server.stop()
  }
}

const mib = ({ resident }: Measure) => `${(resident / 1024 / 1024).toFixed(0)} MiB`

async function signIn(address: string, username: string, password: string): Promise<string> {
  const response = await fetch(`${address}/api/login_check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: `${username}@1`, password }),
  })
  if (!response.ok) throw new Error(`sign-in: ${response.status}`)
  return ((await response.json()) as { token: string }).token
}

/** Seconds of processor and bytes of memory of the server's process, as it says itself. */
type Measure = { cpu: number; resident: number }

async function measure({ address }: ServerProcess): Promise<Measure> {
  const response = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  const text = await response.text()
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return { cpu: valueOf('process_cpu_seconds_total'), resident: valueOf('process_resident_memory_bytes') }
}

/** Part of a core that the process uses while it is left alone. */
async function cpuOver(server: ServerProcess, ms: number): Promise<number> {
  const [first, began] = [await measure(server), performance.now()]
  await new Promise((resolve) => setTimeout(resolve, ms))
  const last = await measure(server)
  return ((last.cpu - first.cpu) * 1000) / (performance.now() - began)
}

type Stream = { told: number; onTold: () => void; close(): void }

/** Opens all streams, and waits until each said its first word. */
async function openAll(address: string, tokenOf: (at: number) => string): Promise<Stream[]> {
  return Promise.all(
    Array.from(
      { length: openStreams },
      (_, at) =>
        new Promise<Stream>((resolve, reject) => {
          const request = get(`${address}/api/events`, {
            agent: false,
            headers: { authorization: `Bearer ${tokenOf(at)}` },
          })
          const stream: Stream = { told: 0, onTold: () => undefined, close: () => request.destroy() }
          request.on('error', reject)
          request.on('response', (response) => {
            if (response.statusCode !== 200) reject(new Error(`stream: ${response.statusCode}`))
            response.on('error', () => undefined)
            response.on('data', (chunk: Buffer) => {
              if (!chunk.includes('data: ')) return
              stream.told += 1
              stream.onTold()
              resolve(stream)
            })
          })
        }),
    ),
  )
}

/** Changes one thing; answers how long it took until the last stream told it, in milliseconds. */
async function reachAll(address: string, token: string, streams: readonly Stream[]): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const listed = await fetch(`${address}/api/parameters`, { headers })
  const { 'hydra:member': parameters } = (await listed.json()) as {
    'hydra:member': { id: number; code: string }[]
  }
  const id = parameters.find(({ code }) => code === 'work_council')?.id
  const allTold = Promise.all(
    streams.map(
      (stream) =>
        new Promise<void>((resolve) => {
          stream.onTold = resolve
        }),
    ),
  )
  const began = performance.now()
  const value = `Maison ${randomBytes(4).toString('hex')}`
  const answer = await fetch(`${address}/api/parameters/${id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ value }),
  })
  if (!answer.ok) throw new Error(`change: ${answer.status}`)
  await allTold
  return performance.now() - began
}
