import { sql } from 'kysely'

import type {
  exportInventory as exportInventoryCall,
  Finding,
  Inventory,
} from '../../contract/inventories.ts'
import { calendarDayOf, frenchDay } from '../../domain/calendar-day.ts'
import {
  type FindingAction,
  type FindingGroup,
  findingActionWords,
  findingGroups,
  findingGroupWords,
} from '../../domain/inventory.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { houseWording } from '../library-facts/house-wording.ts'
import { tableFile } from '../files/table-file.ts'
import type { FileColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { findInventory, noSuchInventory } from './inventory-queries.ts'
import { mayNameBorrowers } from '../visibility/visibility.ts'
import { countGroups, dress, groupPlace, readingIn } from './list-findings.ts'

/** All that an inventory found, group after group: as it is, or as it was when it was applied. */
export async function exportInventory(
  reads: ReadInTurn,
  { params: { id }, query }: VerbInput<typeof exportInventoryCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { parameters, now, visibility } = exchange
  const inventory = await reads((db) => findInventory(db, id, visibility))
  const reading = await reads((db) => readingIn(db, id, exchange))
  if (!inventory || !reading) return noSuchInventory
  const groups = await reads((db) => countGroups(db, reading))
  const type = query.export_type
  const timeZone = parameters.get('timezone')
  const columns = mayNameBorrowers(visibility) ? [...columnsFor(timeZone), borrower] : columnsFor(timeZone)
  return done({
    name: fileName('inventaire', type, now, timeZone),
    type,
    bytes: tableFile(
      {
        title: 'Inventaire',
        about: aboutOf(inventory, groups, timeZone),
        columns,
        rows: everyFinding(reads, id, exchange),
      },
      type,
      await houseWording(reads),
    ),
  })
}

/** In two lines: what it is, and what came of it. */
function aboutOf(
  { name, site_name, who, created_at, expected, seen }: Inventory,
  groups: Record<FindingGroup, number>,
  timeZone: string,
): string {
  const counts = findingGroups.map((group) => `${findingGroupWords[group]}\u202f: ${groups[group]}`)
  const begun = frenchDay(calendarDayOf(new Date(created_at), timeZone))
  const counted = [`${seen} vus sur ${expected} attendus`, ...counts].join(' · ')
  return `${name.slice(0, 60)}, ${site_name}, le ${begun}, ${who}
${counted}`
}

const rowsAtOnce = 500

/** Places are found first, so that no finding is read twice while others still count. */
async function* everyFinding(
  reads: ReadInTurn,
  inventory: number,
  exchange: Exchange,
): AsyncGenerator<Finding[]> {
  const whole = await reads((db) => readingIn(db, inventory, exchange))
  if (!whole) return
  const { rows: stood } = await reads((db) =>
    sql<{ group: FindingGroup; key: string; copy: number | null }>`
      select f."group", f.key, f.copy from ${whole.rows} f
      order by ${groupPlace}, f.call_number nulls last, f.sort_name nulls last, f.bar_code, f.key`.execute(
      db,
    ),
  )
  for (let at = 0; at < stood.length; at += rowsAtOnce) {
    const some = stood.slice(at, at + rowsAtOnce)
    const names = sql`${some.map(({ group, key }) => `${group} ${key}`)}::text[]`
    const among = {
      copies: some.flatMap(({ copy }) => copy ?? []),
      keys: some.flatMap(({ copy, key }) => (copy === null ? [key] : [])),
    }
    yield await reads(async (db) => {
      const reading = await readingIn(db, inventory, exchange, among)
      if (!reading) return []
      const name = sql`f."group" || ' ' || f.key`
      const page = sql`select f.* from ${reading.rows} f where ${name} = any(${names})`
      return dress(db, page, sql`order by array_position(${names}, ${name})`, reading, exchange)
    })
  }
}

type Column = FileColumn<Finding>

const dayIn = (timeZone: string) => (at: string | null) =>
  at === null ? null : calendarDayOf(new Date(at), timeZone)

function columnsFor(timeZone: string): Column[] {
  const dayOf = dayIn(timeZone)
  return [
    {
      title: 'Constat',
      width: 14,
      isPrinted: true,
      kind: 'text',
      value: ({ group }) => findingGroupWords[group],
    },
    { title: 'Code-barres', width: 14, isPrinted: true, kind: 'text', value: 'bar_code' },
    { title: 'Titre', width: 34, isPrinted: true, kind: 'text', value: 'name' },
    { title: 'Cote', width: 12, isPrinted: true, kind: 'text', value: 'call_number' },
    { title: 'Emplacement', width: 16, isPrinted: true, kind: 'text', value: 'location_label' },
    { title: 'Site', width: 12, kind: 'text', value: ({ site_name }) => site_name || null },
    { title: 'Vu à', width: 16, isPrinted: true, kind: 'text', value: 'seen_location_label' },
    { title: 'Vu le', width: 11, kind: 'day', value: ({ scanned_at }) => dayOf(scanned_at) },
    { title: 'Par', width: 14, kind: 'text', value: 'scanned_by' },
    { title: 'Note', width: 20, isPrinted: true, kind: 'text', value: ({ note }) => note || null },
    { title: 'Vu avant le', width: 11, isPrinted: true, kind: 'day', value: 'last_seen_on' },
    { title: 'Dernier prêt', width: 11, isPrinted: true, kind: 'day', value: 'last_loan_on' },
    { title: 'Suite', width: 18, isPrinted: true, kind: 'text', value: sequel },
  ]
}

const borrower: Column = {
  title: 'Dernier emprunteur',
  width: 22,
  isPrinted: true,
  kind: 'text',
  value: 'last_borrower',
}

function sequel({ action, outcome }: Finding): string | null {
  if (action === null) return null
  const words: Record<FindingAction, string> = findingActionWords
  return outcome === 'left' ? `${words[action]} (laissé\u202f: il a changé depuis)` : words[action]
}
