import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { testEngine } from '../support/databases.ts'
import { type Answer, type Client, describeServer, testNow } from '../support/test-server.ts'

// Each verb beside each other, on one reservation, one copy and one queue, both sent at the same moment. Alice (1)
// waits for copy 1 and Éric (2) for any; copy 90 is kept for Jean (4), and M5 (5) has copy 91.

const [alice, jean, loan] = [1, 3, 1]

const verbs: Record<string, (client: Client) => Promise<Answer>> = {
  add: (client) =>
    client.post('/api/reservations', { beneficiary_id: 6, reference_id: 1, copy_id: 1, site: 1 }),
  'confirm with the copy in hand': (client) =>
    client.put(`/api/reservations/${alice}`, { status: 'confirmed', set_aside_copy: 1 }),
  'confirm from the shelf': (client) => client.put('/api/reservations/2', { status: 'confirmed' }),
  'put back in the queue': (client) => client.put(`/api/reservations/${jean}`, { status: 'waiting' }),
  cancel: (client) => client.put(`/api/reservations/${alice}`, { status: 'canceled' }),
  refuse: (client) => client.put(`/api/reservations/${alice}`, { status: 'refused', comment: 'Non' }),
  'wish for another copy': (client) => client.put('/api/reservations/2', { copy_id: 1 }),
  remove: (client) => client.delete(`/api/reservations/${alice}`),
  pass: (client) => client.post(`/api/reservations/${jean}/pass`, {}),
  'lend to who waits': (client) =>
    client.post('/api/loanings', { beneficiary: 1, copy: 1, despite_reservations: false }, { site: 1 }),
  'lend what is kept': (client) =>
    client.post('/api/loanings', { beneficiary: 4, copy: 90, despite_reservations: false }, { site: 1 }),
  return: (client) => client.post(`/api/loanings/${loan}/return`, {}, { site: 1 }),
  extend: (client) =>
    client.post(`/api/loanings/${loan}/extend`, { duration_value: 1, despite_reservations: true }),
  'put up for sale': (client) => client.put('/api/copies/1', { type: 'Vente' }),
  sell: (client) => client.post('/api/sales', { beneficiary: 6, copy: 92 }, { site: 1 }),
  transfer: (client) => client.put('/api/copies/90', { site: 2 }),
  'delete a copy': (client) => client.delete('/api/copies/1'),
  'delete the copy that is kept': (client) => client.delete('/api/copies/90'),
  'delete the title': (client) => client.delete('/api/references/1'),
}
const names = Object.keys(verbs)
const pairs = names.flatMap((one, at) =>
  // Where a database takes one statement after the other, each beside itself is enough.
  (testEngine === 'postgres' ? names.slice(at) : [one]).map((other): [string, string] => [one, other]),
)

describeServer('each verb beside each other', (server) => {
  let clients: [Client, Client]
  beforeAll(async () => {
    server.moveTo(testNow)
    clients = [await server.as('admin'), await server.as('admin')]
    await setParameter(server, 'multiple_reservations', '0')
    await setParameter(server, 'reservations_without_dates', '1')
    await sql`insert into beneficiaries (matricule, lastname) values ('M5', 'Cinq'), ('M6', 'Six')`.execute(
      server.db,
    )
    await sql`insert into copies (id, reference, bar_code, site, type) overriding system value
      values (90, 1, '1990', 1, 'Location'), (91, 1, '1991', 1, 'Location'), (92, 1, '1992', 1, 'Vente')`.execute(
      server.db,
    )
  })
  // What calls add comes after what each pair begins with.
  beforeAll(async () => {
    await sql`alter table loanings alter column id restart with 100`.execute(server.db)
    await sql`alter table reservations alter column id restart with 100`.execute(server.db)
  })
  const clear = async () => {
    const statements = [
      // Sooner done than truncating, some four hundred times.
      sql`delete from mail_outbox`,
      sql`delete from reservations`,
      sql`delete from loanings`,
      sql`delete from sales`,
      sql`update "references" set deleted_at = null where id = 1`,
      sql`update copies set site = 1, sent_from = null, sent_at = null, deleted_at = null, withdrawn_on = null,
        withdrawal_reason = null, type = case when id = 92 then 'Vente' else 'Location' end,
        status = case when id = 91 then 'En Location' else 'Disponible' end where reference = 1`,
      sql`insert into loanings (id, beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
        overriding system value values (1, 5, 91, 1, '2026-03-01', '2026-03-22', 3, 'WEEK', now(), now())`,
      sql`insert into reservations (id, beneficiary_id, reference_id, copy_id, site, status, set_aside_copy, set_aside_at)
        overriding system value values (1, 1, 1, 1, 1, 'waiting', null, null), (2, 2, 1, null, 1, 'waiting', null, null),
          (3, 4, 1, null, 1, 'confirmed', 90, now())`,
    ]
    for (const statement of statements) await statement.execute(server.db)
  }

  const expectSound = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      with open as (
        select * from reservations where status in ('waiting', 'confirmed') and deleted_at is null
          and fulfilled_by is null)
      select
        (select coalesce(array_agg(queue_position order by queue_position), '{}') from open
          where queue_position is not null)
          = (select coalesce(array_agg(n), '{}') from generate_series(1, (
            select count(*)::integer from open where status = 'waiting' and start_date is null)) n) as "places are 1 to n",
        not exists (select from open where set_aside_copy is not null group by set_aside_copy having count(*) > 1)
          as "a copy is kept for one",
        not exists (select from open group by beneficiary_id having count(*) > 1) as "one a reader",
        not exists (select from open o join copies c on c.id in (o.copy_id, o.set_aside_copy)
          where c.deleted_at is not null or c.type = 'Vente') as "nobody waits for what has gone",
        not exists (select from open o join "references" r on r.id = o.reference_id where r.deleted_at is not null)
          as "nor for a title that has gone",
        not exists (select from open o join copies c on c.id = o.set_aside_copy where c.status = 'En Location')
          as "what is kept is not lent",
        not exists (select from loanings where status = 'in_progress' group by copy having count(*) > 1)
          as "a copy is lent once",
        not exists (select from copies c where c.reference = 1 and (c.status = 'En Location') <> exists (
          select from loanings l where l.copy = c.id and l.status = 'in_progress')) as "what is lent is out",
        not exists (select from copies c join loanings l on l.copy = c.id and l.status = 'in_progress'
          where c.deleted_at is not null or exists (select from sales s where s.copy = c.id and s.deleted_at is null))
          as "what has gone is not lent",
        not exists (select from sales where deleted_at is null group by copy having count(*) > 1) as "a copy is sold once",
        not exists (select from reservations v join loanings l on l.id = v.fulfilled_by
          where l.beneficiary <> v.beneficiary_id or l.status = 'cancelled') as "a loan serves its reader"`.execute(
      server.db,
    )
    const [sound = {}] = rows
    expect(Object.entries(sound).filter(([, holds]) => holds !== true)).toEqual([])
  }

  it.each(pairs)('%s, and %s, leave everything sound', async (one, other) => {
    for (const [first, second] of [clients, [clients[1], clients[0]] as const]) {
      await clear()
      const answers = await Promise.all([verbs[one]!(first), verbs[other]!(second)])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      // Whatever is refused is so for what the other did, and is no reason for both to be.
      expect(answers.some(({ status }) => status < 300) || other === 'delete the title').toBe(true)
      await expectSound()
    }
  })
})
