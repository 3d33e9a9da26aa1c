import pg from 'pg'

import { timelineNow } from '../past.ts'

/** The machines that may hold a database, of which one takes writes at a time. */
type Machines = {
  readonly areSeveral: boolean
  /** Connects the client that is made for an address; throws why none of them would. */
  connect<C extends pg.Client>(make: (target: { connectionString: string }) => C): Promise<C>
  /** The address of the one that takes writes now. */
  writable(): Promise<string>
}

const waitMs = 15_000
/** Where there is another to go to, one that is lost is left sooner. */
const waitForOneMs = 3_000

/** None of the machines takes writes; a caller reads « not now ». */
class NoMachineWritesError extends Error {
  override readonly name = 'NoMachineWritesError'
  /** PostgreSQL's « cannot connect now ». */
  readonly code = '57P03'
}

/**
 * The addresses in one: `postgres://account@first:5432,second/database?target_session_attrs=read-write`.
 * Each is tried until one takes writes, so that setting says what is done anyway.
 */
export function addressesIn(address: string): string[] {
  const [, scheme = '', account = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)((?:[^@/?]*@)?)([^/?]*)(.*)$/i.exec(address) ?? []
  if (!hosts.includes(',')) return [address]
  return hosts.split(',').map((host) => {
    const url = new URL(`${scheme}${account}${host}${rest}`)
    url.searchParams.delete('target_session_attrs')
    return url.href
  })
}

export function openMachines(address: string): Machines {
  const addresses = addressesIn(address)
  const areSeveral = addresses.length > 1
  let last = 0
  /** PostgreSQL's timeline, which each promotion raises: one of before takes writes too, once it comes back, and is not the database any more. */
  let newest = ''

  async function connectTo<C extends pg.Client>(client: C): Promise<C> {
    // Whoever asked listens once it is connected.
    client.on('error', () => undefined)
    try {
      await client.connect()
      if (!areSeveral) return client
      const { rows } = await client.query<{ timeline: string | null }>(askTimeline)
      const timeline = rows[0]?.timeline ?? ''
      if (timeline !== '' && timeline >= newest) {
        newest = timeline
        return client
      }
      throw new NoMachineWritesError('Aucune des machines de DATABASE_URL ne reçoit d’écritures.')
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
  }

  /** Which of them is the newest, before the first is taken. */
  async function lookAtAll(): Promise<void> {
    await Promise.all(
      addresses.map(async (connectionString) => {
        const client = new pg.Client({ connectionString, connectionTimeoutMillis: patience(areSeveral) })
        await connectTo(client).then(
          () => client.end(),
          () => undefined,
        )
      }),
    )
  }

  const connect: Machines['connect'] = async (make) => {
    let refusal: unknown
    if (areSeveral && newest === '') await lookAtAll()
    const first = last
    for (let tried = 0; tried < addresses.length; tried += 1) {
      const at = (first + tried) % addresses.length
      try {
        const client = await connectTo(make({ connectionString: addresses[at] ?? address }))
        last = at
        return client
      } catch (error) {
        refusal ??= error
      }
    }
    throw refusal
  }

  return {
    areSeveral,
    connect,
    async writable() {
      if (!areSeveral) return address
      const client = await connect(
        (target) => new pg.Client({ ...target, connectionTimeoutMillis: patience(areSeveral) }),
      )
      await client.end()
      return addresses[last] ?? address
    },
  }
}

/** Of one that takes writes; null of one that waits for its turn. */
const askTimeline = `select ${timelineNow} as timeline`

/** How long a machine may take to let a connection in, in milliseconds. */
export const patience = (areSeveral: boolean): number => (areSeveral ? waitForOneMs : waitMs)
