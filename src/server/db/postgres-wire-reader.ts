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
export class WireReader {
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
