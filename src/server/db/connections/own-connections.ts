import pg from 'pg'

import { openMachines, patience } from './machines.ts'

/** Something between the product and PostgreSQL gives a connection to others between two transactions. */
export class SharedConnectionsError extends Error {
  override readonly name = 'SharedConnectionsError'
  constructor() {
    super(
      'DATABASE_URL mène à un répartiteur qui partage les connexions entre les transactions (PgBouncer, «\u202fpool_mode = transaction\u202f» ou ' +
        '«\u202fstatement\u202f»)\u202f: les verrous, l’écoute des autres serveurs et les requêtes préparées de Comptoir n’y tiennent pas. ' +
        'Réglez-le sur «\u202fpool_mode = session\u202f», ou donnez l’adresse de PostgreSQL lui-même. Rien n’a été écrit.',
    )
  }
}

/** A pooler that shares gives the same backend to whoever asks next, or each time another. */
const rounds = 5

/** Asks two connections in turns who answers them: each must have one process of PostgreSQL, and its own; throws SharedConnectionsError. */
export async function requireOwnConnections(address: string): Promise<void> {
  const machines = openMachines(address)
  const settings = {
    application_name: 'comptoir',
    connectionTimeoutMillis: patience(machines.areSeveral),
  }
  const clients: pg.Client[] = []
  try {
    for (let opened = 0; opened < 2; opened += 1)
      clients.push(await machines.connect((target) => new pg.Client({ ...target, ...settings })))
    const answeredBy = clients.map(() => new Set<number>())
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, client] of clients.entries()) {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        answeredBy[at]?.add(rows[0]?.pid ?? 0)
      }
    }
    const all = new Set(answeredBy.flatMap((pids) => [...pids]))
    if (all.size !== clients.length || answeredBy.some(({ size }) => size !== 1))
      throw new SharedConnectionsError()
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}
