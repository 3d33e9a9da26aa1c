import { sql } from 'kysely'

import type { Answer, Client, TestServer } from '../support/test-server.ts'

const copy = 1
const bar_code = '1001'

type Gesture = (client: Client, loan: number) => Promise<Answer>

/** What two counters may do to one copy, or to its last loan. */
export const gestures = {
  'lend to A': (client) => client.post('/api/loanings', { beneficiary: 1, copy }),
  'lend to B': (client) => client.post('/api/loanings', { beneficiary: 2, copy }),
  'lend fast to A': (client) => client.post('/api/loanings/fast', { beneficiary: 1, copy }),
  'return by bar code': (client) => client.post('/api/loanings/return', { bar_code }),
  'return as unusable': (client) => client.post('/api/loanings/return', { bar_code, state: 'UNUSABLE' }),
  'return the loan': (client, loan) => client.post(`/api/loanings/${loan}/return`, { state: 'GOOD' }),
  extend: (client, loan) => client.post(`/api/loanings/${loan}/extend`, { duration_value: 1 }),
  update: (client, loan) =>
    client.put(`/api/loanings/${loan}`, { duration_value: 2, comment: 'Changé au comptoir' }),
  delay: (client, loan) => client.post(`/api/loanings/${loan}/delay`, { delay_comment: 'Parti en voyage' }),
  cancel: (client, loan) => client.post(`/api/loanings/${loan}/cancel`),
  delete: (client, loan) => client.delete(`/api/loanings/${loan}`),
  undo: (client, loan) => client.post(`/api/loanings/${loan}/undo`),
} satisfies Record<string, Gesture>
export type Name = keyof typeof gestures

const lend = (client: Client) => client.post('/api/loanings', { beneficiary: 1, copy })

export const startingPoints = {
  'never lent': () => Promise.resolve(),
  'on loan': async (client) => {
    await lend(client)
  },
  returned: async (client) => {
    await lend(client)
    await client.post('/api/loanings/return', { bar_code })
  },
  'lent again': async (client) => {
    await lend(client)
    await client.post('/api/loanings/return', { bar_code })
    await client.post('/api/loanings', { beneficiary: 2, copy })
  },
} satisfies Record<string, (client: Client) => Promise<void>>
export type Start = keyof typeof startingPoints

/** Puts the copy where a story starts; answers the loan that gestures on a loan are about. */
export async function startAt(server: TestServer, client: Client, start: Start): Promise<number> {
  await sql`delete from loanings`.execute(server.db)
  await sql`update copies set status = 'Disponible', state = 'VERY_GOOD'`.execute(server.db)
  await startingPoints[start](client)
  const { rows } = await sql<{ id: number }>`
    select id from loanings where copy = ${copy} order by id limit 1`.execute(server.db)
  return rows[0]?.id ?? 999_999
}

/** The copy and its loans as recorded, without what differs between two tellings of one story. */
export async function readState({ db }: TestServer): Promise<unknown> {
  const copies = await sql`
    select status, state, deleted_at is null as present from copies where id = ${copy}`.execute(db)
  const loans = await sql`
    select status, beneficiary, start_date, end_date, return_date, duration_value, duration_type, amount, comment, state,
      state_before_return, delay_comment, returned_by, deleted_at is null as present
    from loanings where copy = ${copy} order by id`.execute(db)
  return { copy: copies.rows[0], loans: loans.rows }
}

/** What must hold whatever happened: a copy is out when, and only when, it has one open loan. */
export async function readFaults({ db }: TestServer): Promise<unknown[]> {
  const { rows } = await sql`
    select c.bar_code, c.status, count(l.id) as open
    from copies c left join loanings l on l.copy = c.id and l.status = 'in_progress' and l.deleted_at is null
    group by c.id having (c.status = 'En Location')::int <> count(l.id)`.execute(db)
  return rows
}

/** An answer as far as two tellings of the same story agree: its status, and why it refuses. */
export const told = ({ status, body }: Answer): string =>
  [status, body?.reason ?? (status >= 400 ? (body?.message ?? body?.['hydra:description'] ?? '') : '')]
    .filter(Boolean)
    .join(' ')
