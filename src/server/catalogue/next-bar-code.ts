import { type RawBuilder, sql } from 'kysely'

import {
  barCodeParts,
  type BarCodesConfiguration,
  type SiteCodePosition,
} from '../../domain/site-bar-code.ts'
import type { Db, Trx } from '../db/handles.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'

export const noSuchSite = 'Ce site n’existe pas.'

const byHand = conflict(
  'NUMBERED_BY_HAND',
  'La numérotation des codes-barres est désactivée\u202f: écrivez le code à la main.',
)

const usedUp = conflict(
  'NUMBERED_BY_HAND',
  'Ce site n’a plus de numéro libre en EAN-13\u202f: changez son code, son premier numéro ou sa symbologie, ou écrivez le code à la main.',
)

type Numbering = {
  configuration: BarCodesConfiguration
  position: SiteCodePosition
  isOn: boolean
  last: number | null
}
type Free = { value: number; bar_code: string }

/** The next free code of a site, which stays free: whoever adds a copy takes it by `takeNextBarCodes`. */
export async function nextBarCode(db: Db, site: number): Promise<Outcome<{ bar_code: string }>> {
  const numbering = await readNumbering(db, site)
  if (!numbering) return notFound(noSuchSite)
  if (!numbering.isOn) return byHand
  const [next] = await freeFrom(db, numbering, startOf(numbering), 1)
  return next ? done({ bar_code: next.bar_code }) : usedUp
}

/** The next codes of a numbering that need not be saved; `site` is the one it is, or would be, of. */
export async function sampleOf(
  db: Db,
  configuration: BarCodesConfiguration,
  site: number | null,
): Promise<string[]> {
  const saved = site === null ? null : await readNumbering(db, site)
  const position = saved?.position ?? (await readPosition(db)).position
  const isSame =
    saved?.configuration.siteCode === configuration.siteCode &&
    saved.configuration.firstValue === configuration.firstValue
  const numbering = { configuration, position, isOn: true, last: isSame ? saved.last : null }
  const free = await freeFrom(db, numbering, startOf(numbering), 3)
  return free.map(({ bar_code }) => bar_code)
}

/** Takes codes for new copies of a site: none is ever given twice, however many ask at once. */
export async function takeNextBarCodes(trx: Trx, site: number, count: number): Promise<Outcome<string[]>> {
  await sql`select from sites where id = ${site} for no key update`.execute(trx)
  const numbering = await readNumbering(trx, site)
  if (!numbering) return notFound(noSuchSite)
  if (!numbering.isOn) return byHand
  const taken: Free[] = []
  for (let from = startOf(numbering); taken.length < count;) {
    const free = await freeFrom(trx, numbering, from, count - taken.length)
    if (free.length === 0) return usedUp
    const rows = free.map(({ bar_code }) => ({ bar_code, site }))
    // Another site that numbers alike may have given one meanwhile: its lock is not ours.
    const kept = await trx
      .insertInto('bar_codes_given')
      .values(rows)
      .onConflict((conflicting) => conflicting.doNothing())
      .returning('bar_code')
      .execute()
    const ours = new Set(kept.map(({ bar_code }) => bar_code))
    taken.push(...free.filter(({ bar_code }) => ours.has(bar_code)))
    from = (free.at(-1)?.value ?? from) + 1
  }
  const last = taken.at(-1)
  if (last) {
    await trx
      .updateTable('sites')
      .set({ last_number: last.value, last_reference: last.bar_code })
      .where('id', '=', site)
      .execute()
  }
  return done(taken.map(({ bar_code }) => bar_code))
}

const startOf = ({ configuration, last }: Numbering): number =>
  Math.max(Number(configuration.firstValue), (last ?? -1) + 1)

async function readNumbering(db: Db | Trx, site: number): Promise<Numbering | null> {
  const found = await db
    .selectFrom('sites')
    .select(['bar_codes_configuration', 'last_number'])
    .where('id', '=', site)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) return null
  const { bar_codes_configuration: configuration, last_number: last } = found
  return { configuration, last, ...(await readPosition(db)) }
}

/** Read here, not from the exchange, because it must be as it is under the lock. */
async function readPosition(db: Db | Trx): Promise<Pick<Numbering, 'position' | 'isOn'>> {
  const rows = await db
    .selectFrom('parameters')
    .select(['code', 'value'])
    .where('code', 'in', ['barCodesSiteCodePosition', 'barCodesIncrement'])
    .execute()
  const valueOf = (wanted: string) => rows.find(({ code }) => code === wanted)?.value
  return {
    position: valueOf('barCodesSiteCodePosition') === 'END' ? 'END' : 'START',
    isOn: valueOf('barCodesIncrement') !== '0',
  }
}

const fewest = 100
const most = 100_000

/** The first codes from a number on that no copy has in any case, not even a withdrawn one, no shelf and no card, and nobody was given; fewer at the end of EAN-13. */
async function freeFrom(
  db: Db | Trx,
  { configuration, position }: Numbering,
  start: number,
  count: number,
): Promise<Free[]> {
  const { before, after, width } = barCodeParts(configuration, position)
  const base = sql`${before}::text
          || lpad(value::text, greatest(${width}::int, length(value::text)), '0') || ${after}::text`
  const { symbology } = configuration
  const code = symbology === 'EAN13' ? withKey(base) : base
  const free: Free[] = []
  let from = start
  const last = symbology === 'EAN13' ? 10 ** (12 - before.length - after.length) - 1 : Number.MAX_SAFE_INTEGER
  for (let size = fewest; free.length < count && from <= last; size = Math.min(size * 10, most)) {
    const { rows } = await sql<Free>`
      select value, bar_code from (
        select value, ${code} as bar_code
        from generate_series(${from}::bigint, ${Math.min(from + size - 1, last)}::bigint) value) numbered
      where not exists (select from copies c where lower(c.bar_code) = lower(numbered.bar_code))
        and not exists (select from bar_codes_given g where g.bar_code = numbered.bar_code)
        and not exists (
          select from locations lo where lo.bar_code = numbered.bar_code and lo.deleted_at is null)
        and not exists (
          select from beneficiaries b where b.reader_id = numbered.bar_code and b.deleted_at is null)
        and not exists (
          select from relatives rel where rel.reader_id = numbered.bar_code and rel.deleted_at is null)
      order by value limit ${count - free.length}`.execute(db)
    free.push(...rows)
    from += size
  }
  return free
}

/** Twelve digits and their check digit (GS1 General Specifications, 7.9). */
const withKey = (digits: RawBuilder<unknown>) => sql`${digits} || (
  select ((10 - sum(digit::int * case when place % 2 = 1 then 1 else 3 end) % 10) % 10)::text
  from regexp_split_to_table(${digits}, '') with ordinality as of_code (digit, place))`
