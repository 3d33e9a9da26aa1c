import { sql } from 'kysely'
import pino from 'pino'

import { createApp } from '../../../src/server/app.ts'
import { hashToken } from '../../../src/server/session/find-caller.ts'
import { asRatio, inMs, median, quantile, type Section, skipped, type Table } from '../section.ts'
import { type BenchLibrary, type Engine, findPostgres, openBenchLibrary } from './bench-library.ts'
import { openLanes } from './captured-statements.ts'
import { connectionOf } from './compare-with-bare-driver.ts'
import { viaRouter } from './product-calls.ts'

const copies = 50_000
const size = { references: 25_000, copies, beneficiaries: 5000, loans: 100_000 }
const rounds = 20
const warmUp = 3

/** The review of an inventory of 50,000 copies, of which one in twenty is missing. */
export const inventorySection: Section = {
  name: 'inventory',
  async *run() {
    if ((await findPostgres()) === null)
      yield skipped('Inventory on PostgreSQL', 'PostgreSQL is not reachable')
    else yield await measure('PostgreSQL')
    yield await measure('embedded')
  },
}

/** A page, the size of each group and the total in one statement, from plain joins, by hand. */
const byHand = `
  with who as (select user_id from sessions where token_hash = $2 and revoked_at is null),
  scanned as materialized (
    select distinct on (copy) copy, location, scanned_at from inventory_scans
    where inventory = $1 and not taken_back and copy is not null order by copy, scanned_at desc),
  found as materialized (
    select case when s.copy is null then 'missing' when c.status = 'Non Disponible' then 'found_again' else 'misplaced' end as "group",
      c.id, r.reference_data ->> 'book_number' as call_number
    from copies c join "references" r on r.id = c.reference left join scanned s on s.copy = c.id
    where c.site = 1 and c.deleted_at is null and c.status not in ('En Location', 'En transfert')
      and (s.copy is null or c.status = 'Non Disponible' or (s.location is not null and c.location is distinct from s.location))
    union all
    select 'on_shelf', c.id, null from scanned s join copies c on c.id = s.copy and c.status = 'En Location'
      join loanings l on l.copy = c.id and l.status = 'in_progress' and l.lent_at < s.scanned_at
    union all
    select 'unknown', null, null from inventory_scans where inventory = $1 and not taken_back and copy is null)
  select (select json_object_agg("group", n) from (select "group", count(*) as n from found group by 1) counted) as groups,
    (select user_id from who), page.*, r.name, c.bar_code, lo.label, last.start_date, b.lastname,
    (select max(p.scanned_at) from inventory_scans p where p.copy = page.id and p.inventory <> $1) as seen
  from (select * from found order by call_number nulls last, id limit 25) page
  left join copies c on c.id = page.id left join "references" r on r.id = c.reference left join locations lo on lo.id = c.location
  left join lateral (select l.start_date, l.beneficiary from loanings l where l.copy = page.id and l.deleted_at is null
    order by l.start_date desc limit 1) last on true
  left join beneficiaries b on b.id = last.beneficiary`

async function measure(engine: Engine): Promise<Table> {
  const library = await openBenchLibrary(engine, size)
  try {
    const id = await count(library)
    const { environment, token } = library
    const product = viaRouter(
      createApp({ environments: [environment], logger: pino({ level: 'silent' }) }),
      token,
    )
    const get = (rest: string) => () => product({ method: 'GET', path: `/api/inventories/${id}${rest}` })
    const calls: [string, () => Promise<unknown>][] = [
      ['the first page of the review, with the groups', get('/findings')],
      ['the missing by when they were seen last', get('/findings?group=missing&order[last_seen_on]=asc')],
      ['by title, from the middle', get('/findings?order[name]=asc&page=40')],
      ['progress by place and person', get('/progress')],
      ['the inventory with its counts', get('')],
      ['a page of 2,000 copies for a phone', get('/copies?after=20000')],
    ]
    const rows = []
    for (const [name, call] of calls) rows.push({ name, times: await timesOf(call) })
    const lanes = engine === 'PostgreSQL' ? await openLanes(connectionOf(library), 1) : []
    const [lane] = lanes
    const values = [id, hashToken(token)]
    const bare = lane
      ? await timesOf(() => lane.query({ name: 'inventory-by-hand', text: byHand, values }))
      : null
    await Promise.all(lanes.map((one) => one.end()))
    return {
      title: `The review of an inventory of ${copies.toLocaleString('en')} copies, ${engine}`,
      notes: ['By hand: one prepared statement of the same effect.'],
      columns: ['call', 'median', 'p95', 'by hand', 'ratio'],
      rows: rows.map(({ name, times }, at) => [
        name,
        `${inMs(median(times))} ms`,
        `${inMs(quantile(times, 0.95))} ms`,
        at === 0 && bare ? `${inMs(median(bare))} ms` : '',
        at === 0 && bare ? asRatio(median(times) / median(bare)) : '',
      ]),
    }
  } finally {
    await library.drop()
  }
}

async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < rounds + warmUp; n += 1) {
    const from = performance.now()
    await call()
    if (n >= warmUp) times.push(performance.now() - from)
  }
  return times
}

/** All copies stand on fifty shelves of one site; one in twenty was not seen, one in a hundred stands elsewhere. */
async function count({ environment: { db } }: BenchLibrary): Promise<number> {
  await sql`insert into locations (label) select 'Rayon ' || n from generate_series(1, 50) n`.execute(db)
  await sql`
    update copies set site = 1, location = placed.id
    from (select id, row_number() over (order by id) as n from locations where deleted_at is null) placed
    where placed.n = 1 + copies.id % 50`.execute(db)
  await sql`update "references" set reference_data = reference_data || jsonb_build_object('book_number', 'R ' || id % 900)`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`
    insert into inventories (name, site, user_id, created_at) values ('Avant', 1, 1, now()), ('Récolement', 1, 1, now())
    returning id`.execute(db)
  const [before, id] = rows.map((row) => row.id)
  for (const inventory of [before, id]) {
    await sql`
      insert into inventory_scans (inventory, key, bar_code, copy, location, verdict, scanned_at, way, user_id)
      select ${inventory}::int, gen_random_uuid(), bar_code, id, case when id % 100 = 3 then 1 + id % 7 else location end, 'found', now(),
        'scanner', 1 from copies where deleted_at is null and (${inventory === before} or id % 20 <> 0)`.execute(
      db,
    )
  }
  await sql`
    insert into inventory_scans (inventory, key, bar_code, verdict, scanned_at, way, user_id)
    select ${id}::int, gen_random_uuid(), 'INCONNU-' || n, 'unknown', now(), 'scanner', 1 from generate_series(1, 300) n`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  if (id === undefined) throw new Error('no inventory')
  return id
}
