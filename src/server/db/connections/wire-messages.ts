/** Writes messages of PostgreSQL's « extended query » protocol into one buffer, values as text. */
export class WireMessages {
  #bytes = Buffer.allocUnsafe(2048)
  #end = 0

  parse(name: string, text: string): this {
    return this.#message('P', () => {
      this.#text(name)
      this.#text(text)
      this.#int16(0)
    })
  }

  bind(name: string, values: readonly unknown[]): this {
    const sent = values.map(asSent)
    return this.#message('B', () => {
      this.#text('')
      this.#text(name)
      this.#int16(sent.length)
      for (const value of sent) this.#int16(Buffer.isBuffer(value) ? 1 : 0)
      this.#int16(sent.length)
      for (const value of sent) this.#value(value)
      this.#int16(0)
    })
  }

  describe(): this {
    return this.#message('D', () => this.#text('P'))
  }

  execute(): this {
    return this.#message('E', () => {
      this.#text('')
      this.#int32(0)
    })
  }

  close(name: string): this {
    return this.#message('C', () => this.#text(`S${name}`))
  }

  sync(): this {
    return this.#message('S', () => undefined)
  }

  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.#end)
  }

  #message(type: string, write: () => void): this {
    this.#room(5)
    this.#bytes.write(type, this.#end, 'latin1')
    const begin = this.#end + 1
    this.#end += 5
    write()
    this.#bytes.writeInt32BE(this.#end - begin, begin)
    return this
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text)
    this.#room(length + 1)
    this.#bytes.write(text, this.#end)
    this.#bytes[this.#end + length] = 0
    this.#end += length + 1
  }

  #value(value: string | Buffer | null): void {
    if (value === null) return this.#int32(-1)
    const length = Buffer.byteLength(value)
    this.#int32(length)
    this.#room(length)
    if (typeof value === 'string') this.#bytes.write(value, this.#end)
    else value.copy(this.#bytes, this.#end)
    this.#end += length
  }

  #int16(value: number): void {
    this.#room(2)
    this.#end = this.#bytes.writeUInt16BE(value, this.#end)
  }

  #int32(value: number): void {
    this.#room(4)
    this.#end = this.#bytes.writeInt32BE(value, this.#end)
  }

  #room(length: number): void {
    if (this.#end + length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#end + length))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}

/** A value on the wire: bytes as they are, lists as PostgreSQL writes them, other objects as JSON. */
function asSent(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return listText(value)
  if (value instanceof Date) return value.toISOString()
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return `${value}`
  return JSON.stringify(value)
}

const listText = (values: readonly unknown[]): string =>
  `{${values.map((value) => (Array.isArray(value) ? listText(value) : elementText(value))).join(',')}}`

function elementText(value: unknown): string {
  const sent = asSent(value)
  if (sent === null) return 'NULL'
  if (Buffer.isBuffer(sent)) return `"\\\\x${sent.toString('hex')}"`
  return `"${sent.replaceAll(/["\\]/g, '\\$&')}"`
}
