import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { sendScans as sendScansCall } from '../../contract/inventories.ts'
import { cleanScan } from '../../domain/bar-code.ts'
import { type CountedCopy, judgeScan, type ScanVerdict } from '../../domain/inventory.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, type Refused, violations } from '../http/outcome.ts'
import { isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import { isOver, type Locked, lockInventory, noSuchInventory } from './inventory-queries.ts'
import { scansByKeys } from './scan-queries.ts'

type Sent = VerbInput<typeof sendScansCall>['body']['scans'][number]

const furthestAheadMs = 5 * 60_000
const dayMs = 24 * 3600_000

/** Each key is counted once, however often and by whichever way it comes; a later note and a withdrawal follow it. */
export async function receiveScans(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof sendScansCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof sendScansCall>>> {
  // Phones take turns here: of two that count one copy at once, the second is told so.
  const inventory = await lockInventory(trx, id, exchange.visibility)
  if (!inventory) return noSuchInventory
  const scans = eachKeyOnce(body.scans)
  const found = await findScanned(trx, id, scans)
  const refused = whyStrange(body.scans, found, exchange.visibility)
  if (refused) return refused
  const judged = judge(scans, found, inventory)
  const written = await write(trx, inventory, judged, exchange)
  if (written > 0) {
    // Open pages are told by this row (events/read-changes.ts), for scans are not journalled.
    await trx
      .updateTable('inventories')
      .set({ date_update: exchange.now.toISOString() })
      .where('id', '=', id)
      .execute()
  }
  const stored = await scansByKeys(
    trx,
    id,
    scans.map(({ key }) => key),
    exchange.visibility,
  )
  return done({ scans: stored })
}

/** Of a key, what was said last is meant. */
function eachKeyOnce(scans: readonly Sent[]): Sent[] {
  const byKey = new Map<string, Sent>()
  for (const scan of scans) {
    const key = scan.key.toLowerCase()
    if ((byKey.get(key)?.revision ?? 0) <= scan.revision) byKey.set(key, { ...scan, key })
  }
  return [...byKey.values()]
}

type Found = {
  /** What was answered to this key before. */
  verdict: ScanVerdict | null
  id: number | null
  site: number
  location: number | null
  status: CountedCopy['status']
  deleted: boolean
  is_counted: boolean
  is_shelf_known: boolean
}

/** What each of them is about, in their order. */
async function findScanned(trx: Trx, inventory: number, scans: readonly Sent[]): Promise<Map<string, Found>> {
  const codes = scans.map(({ bar_code }) => bar_code)
  const { rows } = await sql<Found & { key: string }>`
    select sent.key, s.verdict, c.id, c.site, c.location, c.status, c.deleted_at is not null as deleted,
      exists (select from inventory_scans k
        where k.inventory = ${inventory} and k.copy = c.id and not k.taken_back and k.key <> sent.key) as is_counted,
      (sent.location is null or exists (select from locations lo where lo.id = sent.location)) as is_shelf_known
    from unnest(${scans.map(({ key }) => key)}::uuid[], ${codes}::text[],
      ${codes.map((code) => code && cleanScan(code))}::text[], ${scans.map(({ copy }) => copy)}::int[],
      ${scans.map(({ location }) => location)}::int[]) sent(key, bar_code, cleaned, copy, location)
    left join inventory_scans s on s.inventory = ${inventory} and s.key = sent.key
    left join copies c on c.id = case when sent.bar_code is null then sent.copy else (
      select b.id from copies b where b.bar_code in (sent.bar_code, sent.cleaned)
      order by b.deleted_at desc nulls first, b.bar_code = sent.bar_code desc, b.id desc limit 1) end`.execute(
    trx,
  )
  return new Map(rows.map(({ key, ...found }) => [key, found]))
}

/** A label may be anybody's; what is named by its number must be there, and open to the caller. */
function whyStrange(
  scans: readonly Sent[],
  found: ReadonlyMap<string, Found>,
  visibility: Visibility,
): Refused | null {
  const wrong = scans.flatMap(({ key, bar_code, copy }, at) => {
    const is = found.get(key.toLowerCase())
    const isKnown = is !== undefined && is.id !== null && isSiteOpen(visibility, is.site)
    return [
      ...(bar_code === null && (copy === null || !isKnown)
        ? [{ propertyPath: `scans.${at}.copy`, message: 'Cet exemplaire n’existe pas.' }]
        : []),
      ...(is?.is_shelf_known === false
        ? [{ propertyPath: `scans.${at}.location`, message: 'Cet emplacement n’existe pas.' }]
        : []),
    ]
  })
  return wrong.length > 0 ? violations(wrong) : null
}

type Judged = Sent & { found: number | null; verdict: ScanVerdict }

function judge(scans: readonly Sent[], found: ReadonlyMap<string, Found>, inventory: Locked): Judged[] {
  const counted = new Set<number>()
  return scans.map((scan) => {
    const is = found.get(scan.key)
    const copy = is && is.id !== null ? is : null
    const isCounted = copy !== null && (copy.is_counted || counted.has(copy.id ?? 0))
    const verdict = is?.verdict ?? judgeScan({ copy, isCounted, shelf: scan.location }, inventory)
    if (copy?.id && !scan.taken_back) counted.add(copy.id)
    return { ...scan, found: copy?.id ?? null, verdict }
  })
}

async function write(
  trx: Trx,
  inventory: Locked,
  judged: readonly Judged[],
  { now, caller, device_id }: Exchange,
): Promise<number> {
  const latest = now.getTime() + furthestAheadMs
  // A phone with a wrong clock counts all the same, and not a day before the inventory was opened.
  const earliest = Date.parse(inventory.created_at) - dayMs
  const at = (instant: string) => {
    const told = Date.parse(instant)
    return (told > latest || told < earliest ? now : new Date(told)).toISOString()
  }
  const column = <T>(of: (scan: Judged) => T) => judged.map(of)
  const { rows } = await sql`
    insert into inventory_scans (inventory, key, bar_code, copy, location, verdict, scanned_at, received_at, way, note,
      taken_back, revision, is_late, user_id, device_id)
    select ${inventory.id}, sent.key, sent.bar_code, sent.copy, sent.location, sent.verdict, sent.scanned_at,
      ${now.toISOString()}, sent.way, sent.note, sent.taken_back, sent.revision, ${isOver(inventory)}, ${caller.user_id}::int, ${device_id}::text
    from unnest(${column(({ key }) => key)}::uuid[], ${column(({ bar_code }) => bar_code)}::text[],
      ${column((scan) => scan.found)}::int[], ${column(({ location }) => location)}::int[],
      ${column(({ verdict }) => verdict)}::text[], ${column(({ scanned_at }) => at(scanned_at))}::timestamptz[],
      ${column(({ way }) => way)}::text[], ${column(({ note }) => note)}::text[],
      ${column(({ taken_back }) => taken_back)}::boolean[], ${column(({ revision }) => revision)}::int[])
      sent(key, bar_code, copy, location, verdict, scanned_at, way, note, taken_back, revision)
    on conflict (inventory, key) do update set note = excluded.note, taken_back = excluded.taken_back, revision = excluded.revision
      where excluded.revision >= inventory_scans.revision
        and (inventory_scans.note, inventory_scans.taken_back) is distinct from (excluded.note, excluded.taken_back)
    returning 1`.execute(trx)
  return rows.length
}
