import type pg from 'pg'

import { WireMessages } from './wire-messages.ts'

export type Outgoing = { text: string; values: readonly unknown[]; prepared: Prepared | null }

/** A named statement; `unsure` while its name may still be another statement’s, or after a failed preparing. */
export type Prepared = {
  name: string
  state: 'ready' | 'unsure'
  /** Known after the first answer; a change of them makes the name worthless. */
  columns: readonly Column[] | null
  uses: number
}
type Column = { name: string; read: (text: string) => unknown }

export type Answered = { command: string; rowCount: number; rows: Record<string, unknown>[] }

type Row = { fields: readonly (string | null)[] }
type RowDescription = { fields: readonly { name: string; dataTypeID: number }[] }

/** Statements of one round trip; after one that fails none is run, so that no commit follows a failure. */
export class StatementBatch implements pg.Submittable {
  readonly statements: readonly Outgoing[]
  readonly answers: Promise<Answered[]>
  readonly #types: Pick<pg.ClientBase, 'getTypeParser'>
  readonly #answered: Answered[] = []
  #rows: Answered['rows'] = []
  #columns: readonly Column[] = []
  #unreadable: { error: unknown } | null = null
  #resolve: (answers: Answered[]) => void = () => undefined
  #reject: (error: unknown) => void = () => undefined

  constructor(statements: readonly Outgoing[], types: Pick<pg.ClientBase, 'getTypeParser'>) {
    this.statements = statements
    this.#types = types
    this.answers = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** How many were answered, which is the place of the one that failed. */
  get done(): number {
    return this.#answered.length
  }

  submit({ stream }: Pick<pg.Connection, 'stream'>): Error | null {
    this.#columns = this.#known()
    try {
      const messages = this.#written()
      if (stream.writable) stream.write(messages)
      return null
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #written(): Buffer {
    const messages = new WireMessages()
    for (const { text, values, prepared } of this.statements) {
      const name = prepared?.name ?? ''
      if (prepared?.state === 'unsure') messages.close(name)
      if (prepared?.state !== 'ready') messages.parse(name, text)
      messages.bind(name, values)
      if (!prepared?.columns) messages.describe()
      messages.execute()
      if (prepared && prepared.state !== 'ready') prepared.state = 'unsure'
    }
    return messages.sync().toBuffer()
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.#types.getTypeParser(dataTypeID, 'text') as Column['read'],
    }))
  }

  handleDataRow({ fields }: Row): void {
    const row: Record<string, unknown> = {}
    try {
      for (const [at, { name, read }] of this.#columns.entries()) {
        const text = fields[at] ?? null
        row[name] = text === null ? null : read(text)
      }
    } catch (error) {
      this.#unreadable = { error }
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { prepared } = this.statements[this.done] ?? {}
    if (prepared) {
      prepared.state = 'ready'
      prepared.columns = this.#columns
    }
    const words = text.split(' ')
    this.#answered.push({ command: words[0] ?? '', rowCount: Number(words.at(-1)) || 0, rows: this.#rows })
    this.#rows = []
    this.#columns = this.#known()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    if (this.#unreadable) this.#reject(this.#unreadable.error)
    else this.#resolve(this.#answered)
  }

  handleError(error: unknown): void {
    this.#reject(error)
  }

  #known(): readonly Column[] {
    return this.statements[this.done]?.prepared?.columns ?? []
  }
}
