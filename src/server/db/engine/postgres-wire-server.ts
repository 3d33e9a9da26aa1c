import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

import type { PGlite } from '@electric-sql/pglite'

const sslRequest = 80877103
const gssRequest = 80877104
const version3 = 196608

/** PostgreSQL answers after these messages: Query, Sync, Flush, FunctionCall. */
const asking = new Set(['Q', 'S', 'H', 'F'].map((type) => type.charCodeAt(0)))
const flush = 'H'.charCodeAt(0)
const terminate = 'X'.charCodeAt(0)

interface WireEvents {
  answer(bytes: Buffer): void
  greet(parameters: ReadonlyMap<string, string>): void
  /** A run of whole messages, the last of which asks for an answer. */
  run(batch: Buffer): void
  leave(): void
}

/** Cuts a client's bytes into batches that the engine can run without interruption. */
class WireReader {
  readonly #events: WireEvents
  #chunks: Buffer[] = []
  #held = 0
  #needed = 8
  #batch: Buffer[] = []
  #greeted = false
  #left = false

  constructor(events: WireEvents) {
    this.#events = events
  }

  static endsWithFlush(batch: Buffer): boolean {
    return (
      batch.length >= 5 &&
      batch.readUInt8(batch.length - 5) === flush &&
      batch.readInt32BE(batch.length - 4) === 4
    )
  }

  read(bytes: Buffer): void {
    if (this.#left) return
    this.#chunks.push(bytes)
    this.#held += bytes.length
    // Pieces are joined only when the message is whole, because a large one arrives in hundreds.
    if (this.#held < this.#needed) return
    let rest: Buffer = Buffer.concat(this.#chunks)
    for (;;) {
      const length = this.#lengthOfNext(rest)
      if (length === null || this.#left) return
      this.#needed = length
      if (rest.length < length) break
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (this.#greeted) this.#take(message)
      else this.#greet(message)
      this.#needed = this.#greeted ? 5 : 8
      if (rest.length < this.#needed) break
    }
    this.#chunks = [rest]
    this.#held = rest.length
  }

  /** Null when the client does not speak the protocol and was sent away. */
  #lengthOfNext(bytes: Buffer): number | null {
    const length = this.#greeted ? bytes.readInt32BE(1) + 1 : bytes.readInt32BE(0)
    if (length >= (this.#greeted ? 5 : 8)) return length
    this.#leave()
    return null
  }

  /** Sends away a request to cancel, which is unsupported, and an unknown version. */
  #greet(message: Buffer): void {
    const code = message.readInt32BE(4)
    if (code === sslRequest || code === gssRequest) this.#events.answer(Buffer.from('N'))
    else if (code === version3) {
      this.#greeted = true
      this.#events.greet(startupParameters(message))
    } else this.#leave()
  }

  #take(message: Buffer): void {
    const type = message.readUInt8(0)
    if (type === terminate) return this.#leave()
    this.#batch.push(message)
    if (!asking.has(type)) return
    this.#events.run(Buffer.concat(this.#batch))
    this.#batch = []
  }

  #leave(): void {
    this.#left = true
    this.#events.leave()
  }
}

function startupParameters(message: Buffer): Map<string, string> {
  const texts = message.toString('utf8', 8).split('\0')
  const parameters = new Map<string, string>()
  for (let at = 0; at + 1 < texts.length && texts[at]; at += 2)
    parameters.set(texts[at] ?? '', texts[at + 1] ?? '')
  return parameters
}

/** A client silent for so long in a transaction is cut, because everybody waits for it. */
const idleInTransactionLimit = 30_000

const sync = Buffer.from([0x53, 0, 0, 0, 4])

/** Clients of this application name give way to all others. */
export const patientName = 'comptoir-reads'

/** For so many ms after a hasty client's statement no patient one goes, because its call has more. */
const courtesy = 10

/** A patient client is served after so many others at the latest. */
const mostOvertakings = 20

interface Session {
  socket: Socket
  batches: Buffer[]
  isPatient: boolean
}

/**
 * Serves one PGlite to several connections. A client's messages wait until one asks for an answer, because
 * another's Parse must not slip before a Bind. `onBroken` must not return.
 */
export class PostgresWireServer {
  readonly #engine: PGlite
  readonly #onBroken: (reason: unknown) => never
  readonly #server: Server
  readonly #sessions = new Set<Session>()
  readonly #idleLimit: number
  #waiting: (() => Promise<void>)[] = []
  #turns: Session[] = []
  #overtakings = 0
  #courtesyUntil = 0
  #courtesyTimer: NodeJS.Timeout | undefined
  #owner: Session | null = null
  #running: Promise<void> | null = null
  #idleTimer: NodeJS.Timeout | undefined
  #greeting: Buffer = Buffer.alloc(0)

  constructor(engine: PGlite, onBroken: (reason: unknown) => never, idleLimit = idleInTransactionLimit) {
    this.#engine = engine
    this.#onBroken = onBroken
    this.#idleLimit = idleLimit
    this.#server = createServer((socket) => this.#accept(socket))
  }

  async listen(path: string | null): Promise<number> {
    this.#greeting = Buffer.from(await this.#engine.execProtocolRaw(startupMessage()))
    if (path === null) this.#server.listen(0, '127.0.0.1')
    else this.#server.listen(path)
    await once(this.#server, 'listening')
    const address = this.#server.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  }

  /** Runs a task on the engine while no client is in the middle of anything. */
  exclusively(task: (engine: PGlite) => Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => task(this.#engine).then(() => resolve(), reject))
      this.#wake()
    })
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const { socket } of this.#sessions) socket.destroy()
    this.#sessions.clear()
    this.#turns = []
    await this.#running
    if (this.#owner !== null) await this.#rollBack(this.#owner)
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#courtesyTimer)
  }

  #accept(socket: Socket): void {
    const session: Session = { socket, batches: [], isPatient: false }
    this.#sessions.add(session)
    socket.setNoDelay(true)
    const reader = new WireReader({
      answer: (bytes) => socket.write(bytes),
      greet: (parameters) => {
        session.isPatient = parameters.get('application_name') === patientName
        socket.write(this.#greeting)
      },
      run: (batch) => {
        session.batches.push(batch)
        this.#turns.push(session)
        this.#wake()
      },
      leave: () => socket.end(),
    })
    socket.on('data', (bytes) => reader.read(bytes))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#forget(session))
  }

  #forget(session: Session): void {
    this.#sessions.delete(session)
    this.#turns = this.#turns.filter((turn) => turn !== session)
    if (this.#owner !== session) return
    this.#waiting.unshift(() => this.#rollBack(session))
    this.#wake()
  }

  #wake(): void {
    this.#running ??= this.#runAll()
  }

  async #runAll(): Promise<void> {
    for (;;) {
      // Sockets are read and written between two turns; #running must be set before the first.
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      const turn = this.#nextTurn()
      if (turn === null) break
      clearTimeout(this.#idleTimer)
      await turn()
    }
    // No await stands between this and the last look at the queues, so that no turn is forgotten.
    this.#running = null
    if (this.#owner !== null) this.#watchIdle(this.#owner)
  }

  #nextTurn(): (() => Promise<void>) | null {
    const owner = this.#owner
    if (owner !== null && !this.#sessions.has(owner)) return this.#waiting.shift() ?? null
    if (owner === null && this.#waiting.length > 0) return this.#waiting.shift() ?? null
    const index = owner === null ? this.#mostUrgent() : this.#turns.indexOf(owner)
    const [session] = index < 0 ? [] : this.#turns.splice(index, 1)
    return session === undefined ? null : () => this.#runBatch(session)
  }

  /** The next of those that wait, oldest first; -1 where nobody does, or nobody may yet. */
  #mostUrgent(): number {
    const patient = this.#turns.findIndex(({ isPatient }) => isPatient)
    const hasty = this.#turns.findIndex(({ isPatient }) => !isPatient)
    if (patient < 0) return hasty
    const courtesyLeft = this.#courtesyUntil - performance.now()
    if (this.#overtakings >= mostOvertakings || (hasty < 0 && courtesyLeft <= 0)) {
      this.#overtakings = 0
      return patient
    }
    if (hasty >= 0) this.#overtakings += 1
    else {
      clearTimeout(this.#courtesyTimer)
      this.#courtesyTimer = setTimeout(() => this.#wake(), courtesyLeft)
    }
    return hasty
  }

  async #runBatch(session: Session): Promise<void> {
    const batch = session.batches.shift()
    if (batch === undefined) return
    const status = await this.#execute(batch, (bytes) => {
      if (session.socket.writable) session.socket.write(bytes)
    })
    this.#owner = status === 'I' ? null : session
    if (!session.isPatient) this.#courtesyUntil = performance.now() + courtesy
    if (this.#owner !== null && !this.#sessions.has(session)) await this.#rollBack(session)
  }

  async #rollBack(session: Session): Promise<void> {
    if (this.#owner !== session) return
    await this.#execute(Buffer.concat([sync, queryMessage('ROLLBACK')]), () => undefined)
    this.#owner = null
  }

  /** Answers PostgreSQL's state: idle, in a transaction, in a failed one, or null within a pipeline. */
  async #execute(batch: Buffer, send: (bytes: Buffer) => void): Promise<'I' | 'T' | 'E' | null> {
    let tail: Buffer = Buffer.alloc(0)
    try {
      await this.#engine.execProtocolRawStream(batch, {
        onRawData: (bytes) => {
          // The bytes are a window on the engine's memory, which the next call overwrites.
          const copy = Buffer.from(bytes)
          tail = Buffer.concat([tail, copy.subarray(-6)]).subarray(-6)
          send(copy)
        },
      })
    } catch (error) {
      return this.#onBroken(error)
    }
    if (tail.length === 6 && tail.readUInt8(0) === 0x5a && tail.readInt32BE(1) === 5)
      return tail.toString('latin1', 5) as 'I' | 'T' | 'E'
    if (WireReader.endsWithFlush(batch)) return null
    // The engine's loop swallows a WebAssembly trap, after which its memory cannot be trusted.
    return this.#onBroken(new Error('The engine ended a query without saying that it is ready.'))
  }

  #watchIdle(session: Session): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => {
      if (this.#owner !== session || this.#running !== null) return
      session.socket.end(errorMessage('25P03', 'terminating connection due to idle-in-transaction timeout'))
      session.socket.destroySoon()
    }, this.#idleLimit)
    this.#idleTimer.unref()
  }
}

function startupMessage(): Buffer {
  const body = Buffer.from('user\0postgres\0database\0postgres\0\0', 'latin1')
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.length + 8, 0)
  head.writeInt32BE(196608, 4)
  return Buffer.concat([head, body])
}

function queryMessage(sql: string): Buffer {
  return message('Q', `${sql}\0`)
}

function errorMessage(code: string, text: string): Buffer {
  return message('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}0000${body}`)
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}
