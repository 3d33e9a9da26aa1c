import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { type FilterField, limitsOf } from '../../src/contract/list.ts'
import {
  clearCounter,
  expectNobodyNamed,
  namesOfCentre,
  openTwoSites,
  type TwoSites,
} from '../visibility/two-sites.ts'
import { testEngine } from '../support/databases.ts'
import { type Answer, type Client, describeServer, testNow } from '../support/test-server.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { idFieldsOf, namedByCalls, type Named } from './ids-of-calls.ts'

// Centre has loans 1 (Alice's, open), 2 (returned today), 3 (last year) and sold copy 7 today, Annexe 4 (Jean's) and 5
// (Alice's). Copy 5 of Centre is on its shelf, 6 was withdrawn.
const ofCentre: Record<Exclude<Named, 'none'>, (number | string)[]> = {
  loan: [1, 2, 3],
  sale: [1],
  copy: [1, 5, 6],
  'bar code': ['1001', '1005', '1006'],
  beneficiary: [1, 2],
  card: ['R1', 'R2A', 'M2'],
  relative: [1],
  site: [1],
  device: [],
  reservation: [1, 2],
  mail: [1, 2],
  letter: [1],
}

/** What a call is sent as when it speaks of Annexe: the foreign id then takes one place of it. */
const resolves = '2f1e4a52-6d0d-4a3c-9b59-0f7a4a1f9c11'
const settled = (choice: string, endpoint: string, action: object, more: object = {}) => ({
  body: { resolves, choice, action: { endpoint, ...action }, ...more },
})
const lending = { body: { beneficiary: 4, copy: 13 } }
const lendingByCode = { body: { beneficiary_code: 'R4', copy_code: '2003' } }
const scanned = {
  key: resolves,
  bar_code: null,
  copy: null,
  location: null,
  scanned_at: testNow,
  way: 'hand',
  note: '',
  taken_back: false,
}
const messages: Record<string, object[]> = {
  'reservations.picking': [{ query: { site: 2 } }],
  ...Object.fromEntries(
    [
      'stats.activity',
      'stats.references',
      'stats_references.export',
      'stats.beneficiaries',
      'stats.beneficiaries_rows',
      'stats.loanings',
      'stats.active',
    ].map((name) => [name, [{ query: { site: 2 } }]]),
  ),
  'reservations.add': [{ body: { beneficiary_id: 4, reference_id: 11, copy_id: 11, site: 2 } }],
  'reservations.change': [
    { body: { comment: 'lu' } },
    { body: { status: 'refused' } },
    {
      params: { id: 3 },
      body: { beneficiary_id: 4, copy_id: 15, site: 2, status: 'confirmed', set_aside_copy: 15 },
    },
  ],
  'inventories.add': [{ body: { name: 'Récolement', site: 2 } }],
  'inventories.change': [{ params: { id: 1 }, body: { site: 2 } }],
  'inventories.scan': [{ params: { id: 1 }, body: { scans: [scanned] } }],
  'imports.change': [{ params: { id: 1 }, body: { choices: { site: 1 } } }],
  'closures.add': [{ body: { site: 2, first_day: '2026-05-01', last_day: '2026-05-01', label: 'Mai' } }],
  'closures.change': [{ params: { id: 1 }, body: { site: 2 } }],
  'closures.preview': [{ body: { site: 2, closures: [] } }],
  'closures.close': [{ body: { site: 2, closures: [] } }],
  'copies.add': [{ body: { reference: 11, site: 2, bar_code: 'NEUF' } }],
  'copies.add_several': [{ body: { reference: 11, site: 2, bar_codes: ['NEUF-A', 'NEUF-B'] } }],
  'copies.change': [{}, { params: { id: 13 }, body: { site: 1 } }, { body: { status: 'Disponible' } }],
  'weeding.put': [{ body: { copies: [12] } }],
  'weeding.scan': [{ body: { codes: ['2001'] } }],
  'weeding.change': [{ body: { reason: 'given' } }],
  'weeding.withdraw': [{ body: { reason: 'given', copies: [12] } }],
  'bar_codes.printed': [{ body: { copies: [12] } }],
  'bar_codes.want': [{ body: { copies: [12] } }],
  'loanings.lend': [
    lending,
    { body: { ...lending.body, free: true, despite_reservations: false } },
    lendingByCode,
  ],
  'loanings.fast': [lending],
  'calendar.read': [
    { query: { bar_code: '2001' } },
    { query: { bar_code: '2001', date: '2026-03-10', weeks: -4 } },
  ],
  'sales.sell': [{ body: { beneficiary: 4, copy: 15 } }, { body: { beneficiary: 4, copy: 15, free: true } }],
  'loanings.return_copy': [
    { body: { bar_code: '2002' } },
    { body: { bar_code: '2002', penalty: false } },
    { body: { bar_code: '2002', loan_key: resolves } },
  ],
  'loanings.return': [{ body: {} }, { body: { penalty: false, state: 'DAMAGED' } }],
  'loanings.undo': [{ body: {} }, { body: { expects: 'lend' } }, { body: { expects: 'return' } }],
  'loanings.update': [{ body: {} }, { body: { comment: 'lu', start_date: '2026-03-01' } }],
  'loanings.extend': [{ body: { duration_value: 1 } }],
  'loanings.undo_extension': [{ body: { end_date: '2025-03-01' } }],
  'loanings.delay': [{ body: {} }, { body: { delay_comment: 'lu' } }],
  'eligibility.get': [
    { query: { beneficiary: 4, copy: 13 } },
    { query: { beneficiary: 4, copy: 13, explain: 1 } },
  ],
  'conflicts.settle': [
    settled('CLOSE_AND_LEND', 'loanings.lend', lending, { seen_loaning: 4 }),
    settled('LINK_LEND', 'loanings.lend', lending, { bar_code: '2003' }),
    settled('LEND_DESPITE_RESERVATION', 'loanings.lend', lendingByCode),
    settled('RECALL', 'loanings.lend', lending),
    settled('OVERRIDE', 'loanings.lend', lending, { motive: 'vu' }),
    settled('LEND_DESPITE_RESERVATION', 'loanings.lend', lending, {
      earlier: [{ choice: 'CLOSE_AND_LEND', seen_loaning: 4 }],
    }),
    settled('RETURN_FOR_HOLDER', 'loanings.return_copy', { body: { bar_code: '2002' } }, { seen_loaning: 4 }),
    settled('LINK_RETURN', 'loanings.return_copy', { body: { bar_code: '2002' } }, { bar_code: '2002' }),
    settled('RETURN_FOR_HOLDER', 'loanings.return', { loaning: 4, body: {} }),
    settled('ALREADY_RECORDED', 'loanings.return', { loaning: 4, body: {} }),
  ],
  'beneficiaries.add': [{ body: { matricule: 'M99', lastname: 'Neuf', firstname: 'Anne', agency_id: 2 } }],
  'beneficiaries.update': [
    { body: {} },
    { body: { message: 'lu' } },
    { params: { id: 4 }, body: { agency_id: 2 } },
  ],
  'inactive_readers.erase': [{ body: { beneficiaries: [4] } }],
  'relatives.add': [{ params: { id: 4 }, body: { firstname: 'Anne' } }],
  'relatives.remove': [{ params: { id: 4, relative: 1 } }, { params: { id: 2, relative: 1 } }],
  'journal.list': [{ query: { entity: 'beneficiaries', id: 4 } }],
  'relatives.update': [{ body: { number: 'R9' } }, { body: { number: null } }],
  'mail.send': [
    { body: { loaning: 4, template: 'loaning_creation' } },
    { body: { reservation: 1, template: 'reservation_confirmed' } },
    { body: { reservation: 1, object: 'lu', body: 'lu' } },
    { body: { beneficiary: 4, object: 'lu', body: 'lu' } },
    { body: { beneficiaries: [4], object: 'lu', body: 'lu' } },
  ],
  'letters.printed': [{ body: { letters: [1] } }],
  'snapshot.get': [{ query: {} }],
  'snapshot.lost_receipts': [{ query: { keys: '00000000-0000-4000-8000-000000000000' } }],
}
/** Fields that only note something seen: an id there opens nothing and is not refused. */
const onlySeen = /seen_loaning$/

type Message = { params?: Record<string, string | number>; query?: Record<string, unknown>; body?: object }

/** The message with another value at a place; null where it has no such place. */
function withAt(message: Message, place: string, value: unknown): Message | null {
  const copy = structuredClone(message) as Record<string, unknown>
  const path = place.split('.')
  const last = path.pop() ?? ''
  let at: Record<string, unknown> = copy
  for (const name of path) {
    if (name === 'params' || name === 'query') at[name] ??= {}
    const next = at[name]
    const inner = (Array.isArray(next) ? next[0] : next) as Record<string, unknown> | undefined
    if (inner === undefined) return null
    at = inner
  }
  if (path[0] === 'body' && !(last in at) && last !== 'relative') return null
  at[last] = Array.isArray(at[last]) ? [value] : value
  return copy
}

function send(client: Client, { method, path }: Endpoint, { params = {}, query = {}, body }: Message) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? 999_999))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return client.call(method, `${address}?${search}`, method === 'GET' ? undefined : (body ?? {}))
}

const guarded = endpoints.filter(({ access }) => access !== 'public')

describeServer('a person of one site and what is of the other', (server) => {
  let people: TwoSites
  beforeAll(async () => {
    people = await openTwoSites(server)
  })
  const seed = async (bySite: boolean) => {
    server.moveTo(testNow)
    await clearCounter(server, bySite)
    await sql`insert into loanings (beneficiary, relative, copy, site, start_date, end_date, return_date, returned_at, returned_by, status, comment,
        duration_value, duration_type, lent_at, lent_received_at, lent_by)
      select beneficiary, relative, copy, site, '2025-02-01', '2025-03-01', return_date::date, return_date::timestamptz, lent_by, status,
        comment, 1, 'DAY', '2025-02-01T09:00:00Z', '2026-03-10T08:59:00Z', lent_by
      from (values (1, null, 1, 1, null, 'in_progress', 'secret de Centre', 1), (2, 1, 2, 1, '2026-03-10', 'finished', 'secret de Centre', 1),
        (2, 1, 3, 1, '2025-03-01', 'finished', 'secret de Centre', 1), (4, null, 12, 2, null, 'in_progress', '', 1), (1, null, 14, 2, null, 'in_progress', '', 1))
        l (beneficiary, relative, copy, site, return_date, status, comment, lent_by)`.execute(server.db)
    await sql`update copies set status = 'En Location' where id in (1, 12, 14)`.execute(server.db)
    await sql`update copies set deleted_at = now() where id = 6`.execute(server.db)
    await sql`update copies set type = 'Vente' where id in (7, 15)`.execute(server.db)
    await sql`insert into sales (beneficiary, relative, copy, site, date, price, comment, sold_by, sold_at, sold_received_at)
      values (2, 1, 7, 1, '2026-03-10', 3, 'secret de Centre', 1, ${testNow}, ${testNow})`.execute(server.db)
    await sql`update copies set status = 'Non Disponible', withdrawn_on = '2026-03-10' where id = 7`.execute(
      server.db,
    )
    await sql`insert into reservations (beneficiary_id, reference_id, queue_position, site) values (1, 13, 1, 1), (2, 5, 1, 1), (4, 15, 1, 2)`.execute(
      server.db,
    )
    await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, loaning, sites, next_attempt_at, created_at)
      values ('alice@exemple.fr', 'secret de Centre', 'secret de Centre', 'loaning_creation', 1, 1, '{1}', now(), now()),
        ('alice@exemple.fr', 'secret de Centre', 'secret de Centre', 'loaning_recap', 1, null, '{1,2}', now(), now())`.execute(
      server.db,
    )
    await sql`truncate letters restart identity cascade`.execute(server.db)
    await sql`insert into letters (beneficiary, template, why, sites, made_on) values (1, 'late_1', 'no_address', '{1}', '2026-03-10'),
      (4, 'late_1', 'no_address', '{2}', '2026-03-10')`.execute(server.db)
    // Of Annexe, where somebody of both sites found what is Centre's.
    await sql`truncate inventory_findings, inventory_scans, inventories restart identity`.execute(server.db)
    await sql`insert into inventories (name, site, user_id, created_at) values ('Récolement', 2, 1, now())`.execute(
      server.db,
    )
    await sql`insert into inventory_scans (inventory, key, bar_code, copy, verdict, scanned_at, way, user_id)
      select 1, gen_random_uuid(), bar_code, id, 'elsewhere', ${testNow}::timestamptz, 'scanner', 1 from copies where id in (1, 3, 12)`.execute(
      server.db,
    )
  }
  /** Of copies of both sites, at no site in particular. */
  const anAct = async (): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      with begun as (
        insert into acts (kind, name, user_id, begun_at, ended_at) values ('copies.change', '2 exemplaires', 1, now(), now()) returning id)
      insert into audit_journal (at, user_id, action, entity, entity_id, before, after, act)
      select now(), 1, 'copies.change', 'copies', c.id, jsonb_build_object('state', 'GOOD', 'name', r.name, 'bar_code', c.bar_code),
        jsonb_build_object('state', 'DAMAGED', 'name', r.name, 'bar_code', c.bar_code), begun.id
      from copies c join "references" r on r.id = c.reference, begun where c.id in (2, 11) returning act as id`.execute(
      server.db,
    )
    return rows[0]!.id
  }
  /** Of a person of the other site, who sees no import but their own. */
  const anImport = async (): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      insert into imports (subject, name, size, place, rows_file, opened, rows, damaged, mapping, choices, status, user_id, created_at)
      values ('readers', 'lecteurs.csv', 1, 'x', 'x', '{"kind":"csv","charset":null,"delimiter":";","sheets":[],"sheet":null,"has_header":true,"columns":[]}',
        1, 0, '[]', '{"policies":{},"sites":{},"site":null,"numbers_copies":false,"makes_words":true}', 'read',
        (select id from users where username = 'admin'), now()) returning id`.execute(server.db)
    return rows[0]!.id
  }
  /** Whatever of Centre might be changed: its loans, its readers, its mails. */
  const centre = async () => {
    const { rows } = await sql<{ whole: string }>`select json_build_object(
      'loans', (select json_agg(l order by l.id) from loanings l where l.site = 1),
      'reservations', (select json_agg(v order by v.id) from reservations v where v.site = 1),
      'sales', (select json_agg(s order by s.id) from sales s where s.site = 1),
      'readers', (select json_agg(b order by b.id) from beneficiaries b where b.agency_id = 1),
      'relatives', (select json_agg(rel order by rel.id) from relatives rel),
      'letters', (select json_agg(t order by t.id) from letters t where t.sites = '{1}'),
      'mails', (select json_agg(m order by m.id) from mail_outbox m))::text as whole`.execute(server.db)
    return rows[0]?.whole
  }

  it('is asked of every field of every call that takes an id', () => {
    const missing = guarded.flatMap((endpoint) =>
      idFieldsOf(endpoint)
        .filter((place) => namedByCalls[endpoint.name]?.[place] === undefined)
        .map((place) => `${endpoint.name} ${place}`),
    )
    expect(missing).toEqual([])
    const gone = Object.keys(namedByCalls).filter(
      (name) => !guarded.some((endpoint) => endpoint.name === name),
    )
    expect(gone).toEqual([])
  })

  const fields = guarded.flatMap((endpoint) =>
    Object.entries(namedByCalls[endpoint.name] ?? {}).flatMap(([place, named]) =>
      named === 'none' || named === 'device' ? [] : [{ name: endpoint.name, place, named, endpoint }],
    ),
  )
  it.each(fields)('learns and changes nothing by $place of $name', async ({ place, named, endpoint }) => {
    // Readers of every site are everybody's: a loan is Centre's all the same.
    const isReader = named === 'beneficiary' || named === 'relative' || named === 'card'
    let tried = 0
    for (const bySite of isReader ? [true] : [true, false]) {
      await seed(bySite)
      let before = await centre()
      for (const id of ofCentre[named]) {
        for (const message of messages[endpoint.name] ?? [{}]) {
          const foreign = withAt(message, place, id)
          if (foreign === null) continue
          for (const client of [people.annexe, people.volunteer]) {
            const answer = await send(client, endpoint, foreign)
            tried += 1
            expectNobodyNamed(answer, { title: named === 'copy' || named === 'bar code' })
            expect(answer.status).toBeLessThan(500)
            if (named === 'loan' || named === 'sale' || isReader) {
              if (!onlySeen.test(place)) expectClosed(answer)
              expect(await centre()).toBe(before)
            } else if (named !== 'bar code') expect(await centre()).toBe(before)
            // Undoes what was done to Annexe's own; a copy's code is enough to return it from anywhere.
            if (answer.status >= 300) continue
            await seed(bySite)
            before = await centre()
          }
        }
      }
    }
    expect(tried).toBeGreaterThan(0)
  })
  const noted = ['ALREADY_RECORDED']
  const expectClosed = ({ status, body }: Answer) => {
    // What is only noted, or answered with the sentence of a refusal, names nothing.
    if (noted.includes(body?.choice)) return expect(body.loaning).toBeNull()
    if (status === 200 && typeof body?.error === 'string') return undefined
    return expect(status).toBeGreaterThanOrEqual(400)
  }

  it('closes two hundred ids to a sweep', async () => {
    await seed(true)
    const before = await centre()
    const { volunteer } = people
    for (let id = 1; id <= 200; id += 1) {
      if (id === 4 || id === 5) continue
      for (const answer of [
        await volunteer.post(`/api/loanings/${id}/return`, { penalty: false }),
        await volunteer.post(`/api/loanings/${id}/undo`),
        await volunteer.get(`/api/loanings/${id}`),
      ]) {
        expect([answer.status, answer.body.message]).toEqual([404, 'Ce prêt n’existe pas.'])
      }
    }
    expect(await centre()).toBe(before)
  })

  const lists = guarded.flatMap((endpoint) => (endpoint.list ? [{ ...endpoint, endpoint }] : []))
  it.each(lists)('finds nothing of it by the filters and orders of $name', async ({ endpoint }) => {
    await seed(true)
    const shape = endpoint.list
    if (!shape) throw new Error('no list')
    const limit = limitsOf(shape).largest
    const takesSearch = Object.hasOwn(
      (endpoint.query as { entries?: object } | undefined)?.entries ?? {},
      'searchname',
    )
    const searches = takesSearch ? words : ['']
    const asked = [
      ...shape.orders.flatMap((field) => [`order[${field}]=asc`, `order[${field}]=desc`]),
      ...Object.entries(shape.filters).flatMap(([field, known]) => queriesOf(field, known)),
    ]
    const ids: Record<string, () => Promise<number>> = {
      imports: anImport,
      inventories: () => Promise.resolve(1),
    }
    const id = ids[endpoint.name.split('.')[0] ?? ''] ?? anAct
    const path = endpoint.path.replace('{kind}', 'CONTRACT').replace('{id}', String(await id()))
    // Every type of file holds the same rows; this one can be read.
    const isPrinted = endpoint.files?.includes('csv') === false
    const asText = endpoint.files && !isPrinted ? '&export_type=csv' : ''
    const of = endpoint.name === 'journal.list' ? '&entity=beneficiaries&id=4' : ''
    for (const query of ['', ...asked]) {
      // What a filter and a search let through together, each does alone: one word is enough beside a filter.
      for (const search of query === '' ? searches : searches.slice(0, 1)) {
        const typed = search === '' ? '' : `&with_inactive=1&searchname=${encodeURIComponent(search)}`
        const answer = await people.annexe.get(`${path}?limit=${limit}&${query}${typed}${asText}${of}`)
        expect([query, answer.status]).toEqual([query, 200])
        if (endpoint.files) {
          const file = answer.body as Buffer
          const written = isPrinted
            ? readPdf(file)
                .map(({ text }) => text)
                .join('\n')
            : file.toString()
          expectNobodyNamed({ ...answer, body: written }, { title: endpoint.name === 'references.export' })
          continue
        }
        expectNobodyNamed(answer, { title: endpoint.name === 'references.list' })
        // It answers how many, and no rows.
        if (endpoint.name === 'bar_codes.count') continue
        const { 'hydra:totalItems': total, 'hydra:member': members } = answer.body
        expect([query, total]).toEqual([query, members.length])
      }
    }
  })
  beforeEach(() => server.moveTo(testNow))
})

const words = [...namesOfCentre, 'mart', 'm1 - martin alice', '1001', 'livre']

/** Every way in which a filter may name what is Centre's. */
function queriesOf(field: string, known: FilterField): string[] {
  const values = {
    id: ['1', '2', '3', '5', '6'],
    day: ['2020-01-01', '2026-03-10', '2030-01-01'],
    text: words,
    flag: ['0', '1'],
    choice: known.type === 'choice' ? [...known.values] : [],
  }[known.type]
  // On one engine every value, on the other the first of each kind.
  const tried = (all: string[]) => (testEngine === 'postgres' ? all : all.slice(0, 1))
  return known.operators.flatMap((operator) =>
    tried(
      operator === 'nil' ? ['0', '1'] : [...values, ...(operator === 'in' ? [values.join(',')] : [])],
    ).map((value) => `filters[${field}|${operator}]=${encodeURIComponent(value)}`),
  )
}
