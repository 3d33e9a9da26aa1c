import pg from 'pg'

import { WireMessages } from './wire-messages.ts'

type Outgoing = { text: string; values: readonly unknown[]; prepared: Prepared | null }

/** A named statement; `unsure` while its name may still be another statement’s, or after a failed preparing. */
type Prepared = {
  name: string
  state: 'ready' | 'unsure'
  /** Known after the first answer; a change of them makes the name worthless. */
  columns: readonly Column[] | null
  uses: number
}
type Column = { name: string; read: (text: string) => unknown }

type Answered = { command: string; rowCount: number; rows: Record<string, unknown>[] }

type Row = { fields: readonly (string | null)[] }
type RowDescription = { fields: readonly { name: string; dataTypeID: number }[] }

/** Statements of one round trip; after one that fails none is run, so that no commit follows a failure. */
class StatementBatch implements pg.Submittable {
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

/** Each named statement takes the engine some 70 kB a connection. */
const mostNames = 300
const mostSeen = 1000
/** A statement is planned anew after so many uses. */
const usesOfPlan = 100

const unsure = (name: string): Prepared => ({ name, state: 'unsure', columns: null, uses: 0 })

type Shared = { seen: Set<string>; generation: number }

export type Statement = readonly [text: string, values: readonly unknown[]]

export type BatchingClient = { together(statements: readonly Statement[]): Promise<Answered[]> }

/** A client that serves one schema after another, each with names of its own. */
export type NamingClient = pg.Client &
  BatchingClient & {
    useNamesOf(schema: string): void
    /** When they were last in use, as `performance.now()` tells; -Infinity where the engine knows none of them. */
    usedNamesOf(schema: string): number
  }

export const isBatching = <C extends object>(client: C): client is C & BatchingClient => 'together' in client

/**
 * A client that names repeated statements; on the embedded engine, whose connections share names, for one of them alone.
 * Where the other end says nothing for `silenceMs`, it may be gone and cancel nothing: the connection is given up.
 */
export function namingClient({ silenceMs = null }: { silenceMs?: number | null } = {}): new (
  config?: string | pg.ClientConfig,
) => NamingClient {
  const shared: Shared = { seen: new Set(), generation: 0 }
  return class extends pg.Client implements NamingClient {
    readonly #send = this.query.bind(this) as (...sent: unknown[]) => Promise<pg.QueryResult>
    readonly #names = new Names(shared, () => void this.#send('deallocate all').catch(() => undefined))

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.query = ((...sent: unknown[]) =>
        isWithValues(sent)
          ? this.together([sent]).then(([answer]) => answer)
          : this.#unlessSilent(this.#send(...sent))) as pg.Client['query']
    }

    useNamesOf(schema: string): void {
      this.#names.use(schema)
    }

    usedNamesOf(schema: string): number {
      return this.#names.usedAt(schema)
    }

    /** Sends statements in one round trip; after one that fails, none is run. */
    async together(statements: readonly Statement[]): Promise<Answered[]> {
      const wasOutside = this.getTransactionStatus() !== 'T'
      const { generation } = shared
      const batch = this.#names.batchOf(statements, this)
      try {
        return await this.#sendBatch(batch)
      } catch (error) {
        if (!isStatementForgotten(error)) throw error
        // Each connection has names of that generation; the first that fails begins the next for all.
        if (shared.generation === generation) shared.generation += 1
        // Its transaction is lost with it, so whoever runs it begins anew.
        const isOutside = wasOutside && !statements.slice(0, batch.done).some(([text]) => text === 'begin')
        if (!isOutside) throw error
        return this.#sendBatch(this.#names.batchOf(statements, this))
      }
    }

    #unlessSilent<T>(answers: Promise<T>): Promise<T> {
      if (silenceMs === null) return answers
      const timer = setTimeout(() => this.connection.stream.destroy(), silenceMs).unref()
      return answers.finally(() => clearTimeout(timer))
    }

    async #sendBatch(batch: StatementBatch): Promise<Answered[]> {
      void this.#send(batch)
      try {
        return await this.#unlessSilent(batch.answers)
      } catch (error) {
        // The stack would lead to the socket instead of the statement's sender.
        if (error instanceof Error) Error.captureStackTrace(error)
        throw error
      }
    }
  }
}

const isWithValues = (sent: readonly unknown[]): sent is [string, unknown[]] =>
  sent.length === 2 && typeof sent[0] === 'string' && Array.isArray(sent[1]) && sent[1].length > 0

class Names {
  readonly #shared: Shared
  readonly #forgetAll: () => void
  /** By schema, because a plan is made anew where the path is not the one it was made on; the one in use stands last. */
  readonly #bySchema = new Map<string, Map<string, Prepared>>()
  readonly #usedAt = new Map<string, number>()
  #names = new Map<string, Prepared>()
  #made = 0
  #generation: number

  constructor(shared: Shared, forgetAll: () => void) {
    this.#shared = shared
    this.#forgetAll = forgetAll
    this.#generation = shared.generation
  }

  use(schema: string): void {
    this.#usedAt.set(schema, performance.now())
    this.#names = this.#bySchema.get(schema) ?? new Map<string, Prepared>()
    this.#bySchema.delete(schema)
    this.#bySchema.set(schema, this.#names)
  }

  usedAt(schema: string): number {
    return (this.#bySchema.get(schema)?.size ?? 0) > 0 ? (this.#usedAt.get(schema) ?? -Infinity) : -Infinity
  }

  batchOf(statements: readonly Statement[], client: pg.Client): StatementBatch {
    const outgoing = statements.map(([text, values]) => ({ text, values, prepared: this.#of(text) }))
    return new StatementBatch(outgoing, client)
  }

  #of(text: string): Prepared | null {
    const { seen, generation } = this.#shared
    if (this.#generation !== generation) {
      this.#generation = generation
      for (const names of this.#bySchema.values()) names.clear()
      this.#names.clear()
      this.#made = 0
      this.#forgetAll()
    }
    const known = this.#names.get(text)
    if (known !== undefined) {
      known.uses += 1
      // Tables may have grown since they were small, when the plan that is kept was made.
      if (known.uses % usesOfPlan === 0) known.state = 'unsure'
      // Behind the others, so that the first is the one used longest ago.
      this.#names.delete(text)
      this.#names.set(text, known)
      return known
    }
    if (!seen.has(text)) {
      if (seen.size >= mostSeen) seen.clear()
      seen.add(text)
      return null
    }
    // The name may be that of an earlier connection's statement, where connections share them.
    const prepared = this.#freed() ?? unsure(`c${generation}_${this.#made++}`)
    this.#names.set(text, prepared)
    return prepared
  }

  /** The name used longest ago, so that lists asked for in hundreds of ways leave a lend its own. */
  #freed(): Prepared | null {
    if (this.#made < mostNames) return null
    for (const names of [...this.#bySchema.values(), this.#names]) {
      for (const [text, { name }] of names) {
        names.delete(text)
        return unsure(name)
      }
    }
    return null
  }
}

/** The engine lost a named statement (changed table, DEALLOCATE) and did nothing: it may be sent again. */
export const isStatementForgotten = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '26000' ||
    // The routine tells « cached plan must not change result type » from other errors of this code.
    (error.code === '0A000' && 'routine' in error && error.routine === 'RevalidateCachedQuery'))
