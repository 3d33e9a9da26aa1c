import { sql } from 'kysely'
import { beforeAll, beforeEach, expect } from 'vitest'

import type { SettleChoice } from '../../src/domain/settle-choice-codes.ts'
import { drain } from '../../src/offline/drain.ts'
import type { Entry, NewAction } from '../../src/offline/entry.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { type Settling, settleEntry } from '../../src/offline/settle-entry.ts'
import { actorOf, biblio, freshDevice, record, settingsOf, signInWith } from '../offline/device.ts'
import type { Client, TestServer } from '../support/test-server.ts'

export const at = (time: string) => new Date(`2026-03-10T${time}Z`)

/** A device with conflicts on a real store and server, where nothing is lent at the start of a test. */
export function conflictDesk(server: TestServer) {
  freshDevice()
  const clients: Record<string, Client> = {}
  beforeAll(async () => {
    for (const name of ['biblio', 'benevole', 'admin']) clients[name] = await server.as(name)
  })
  beforeEach(async () => {
    await sql`truncate loanings, reservations, settlements, audit_journal restart identity cascade`.execute(
      server.db,
    )
    await sql`update copies set status = 'Disponible', deleted_at = null`.execute(server.db)
    await signInAs(biblio)
  })

  const network: DeviceFetch = (path, init) => server.app.request(path, init)
  const signInAs = async (person: typeof biblio) => {
    const client = clients[person.username]
    if (client) await signInWith(client, person)
  }
  const send = (fetch = network) => drain({ ...settingsOf(fetch), hurry: true })

  /** Records an action, has it refused, and answers it. */
  async function refused(
    action: NewAction,
    reason: string | null,
    when = at('08:00:00'),
    person = biblio,
  ): Promise<Entry> {
    const { id } = await record(action, person, when)
    await send()
    const entry = await getEntry(id)
    expect(entry).toMatchObject({ state: 'conflict', problem: { reason } })
    return entry as Entry
  }
  async function settle(
    entry: Entry,
    choice: SettleChoice,
    more: Omit<Settling, 'choice'> = {},
    person = biblio,
  ): Promise<Entry> {
    const made = await settleEntry(entry.id, { choice, ...more }, await actorOf(person), at('08:59:00'))
    await send()
    expect(await getEntry(entry.id)).toMatchObject({
      state: 'set_aside',
      decision: { username: person.username },
    })
    return (await getEntry(made?.id ?? '')) as Entry
  }
  const loansOf = async (copy: number) =>
    (
      await sql<{
        beneficiary: number
        status: string
        lent_at: string
        returned_at: string | null
        end_date: string
      }>`
      select beneficiary, status, lent_at, returned_at, end_date from loanings where copy = ${copy} order by lent_at`.execute(
        server.db,
      )
    ).rows
  const lendOnLine = (n: number, beneficiary: number, occurred_at: string) =>
    clients['biblio']?.post('/api/loanings', { beneficiary, copy: n, occurred_at }, { site: 1 })
  const settled = async () =>
    (await sql<{ n: number }>`select count(*) as n from settlements`.execute(server.db)).rows[0]?.n
  const reserve = (n: number, beneficiary: number) =>
    sql`insert into reservations (beneficiary_id, reference_id, queue_position, status) values (${beneficiary}, ${n}, 1, 'waiting')`.execute(
      server.db,
    )
  return { clients, network, signInAs, send, refused, settle, loansOf, lendOnLine, settled, reserve }
}
