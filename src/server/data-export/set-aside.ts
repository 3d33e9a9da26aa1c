import { sql } from 'kysely'

import { keeperRights } from '../../domain/rights.ts'
import type { Trx } from '../db/handles.ts'
import { heldRights } from '../library-facts/held-rights.ts'

/** An installation's own rows lie beyond these numbers while those of the archive take theirs. */
const beyond = 2_000_000_000

type Aside = { id: number; name: string }
type Table = 'users' | 'profiles' | 'sites'

const nameOf = { users: 'username', profiles: 'name', sites: 'name' } as const

/** What the installation cannot do without while its rows are replaced. */
type SetAside = Record<Table, Aside[]>

export async function setAside(trx: Trx): Promise<SetAside> {
  return {
    profiles: await moveBeyond(trx, 'profiles'),
    sites: await moveBeyond(trx, 'sites'),
    users: await moveBeyond(trx, 'users'),
  }
}

async function moveBeyond(trx: Trx, table: Table): Promise<Aside[]> {
  const { rows } = await sql<Aside>`
    select id, ${sql.ref(nameOf[table])}::text as name from ${sql.table(table)} order by id`.execute(trx)
  for (const { id } of rows) await moveRow(trx, table, { from: id, to: beyond + id, name: `aside ${id}` })
  return rows
}

type Move = { from: number; to: number; name: string }

/** Gives a row another number and name, also wherever it is named; a number is never changed in place. */
async function moveRow(trx: Trx, table: Table, { from, to, name }: Move): Promise<void> {
  const column = nameOf[table]
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    trx,
  )
  // The number that another software gives a site is there once.
  const left = ['id', column, 'gestit_id']
  const copied = sql.join(rows.flatMap((row) => (left.includes(row.name) ? [] : [sql.ref(row.name)])))
  await sql`insert into ${sql.table(table)} (id, ${sql.ref(column)}, ${copied}) overriding system value
    select ${to}, ${name}, ${copied} from ${sql.table(table)} where id = ${from}`.execute(trx)
  await moveLinks(trx, table, { from, to })
  await sql`delete from ${sql.table(table)} where id = ${from}`.execute(trx)
}

/** Everything that names a row names another one. */
async function moveLinks(trx: Trx, table: Table, { from, to }: { from: number; to: number }): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select f.conrelid::regclass::text as table, a.attname as column
    from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    where f.contype = 'f' and f.confrelid = ${table}::regclass and cardinality(f.conkey) = 1`.execute(trx)
  for (const link of rows) {
    await sql`update ${sql.raw(link.table)} set ${sql.ref(link.column)} = ${to}
      where ${sql.ref(link.column)} = ${from}`.execute(trx)
  }
}

/** The installation's accounts keep their passwords; answers those that the archive does not know, or has closed. */
export async function bringBack(trx: Trx, aside: SetAside): Promise<string[]> {
  for (const site of aside.sites) await siteGivesWay(trx, site)
  const kept: string[] = []
  for (const { id, name } of aside.users) {
    const known = await keeperCalled(trx, name)
    if (known !== null) {
      await sql`update users u set password_hash = own.password_hash, password_chosen = own.password_chosen
        from users own where u.id = ${known} and own.id = ${beyond + id}`.execute(trx)
      await moveLinks(trx, 'users', { from: beyond + id, to: known })
      await sql`delete from users where id = ${beyond + id}`.execute(trx)
    } else {
      kept.push(await keepAccount(trx, { id, name }))
    }
  }
  for (const profile of aside.profiles) await profileGivesWay(trx, profile)
  return kept
}

/** The account of that name, where it may still look after accounts and rights. */
async function keeperCalled(trx: Trx, username: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u where u.username = ${username} and u.id < ${beyond} and u.enabled and u.deleted_at is null
      and (select count(*) from ${heldRights(sql`u.id`, sql`u.profile`)} held
        where held.right_code = any(${[...keeperRights]})) = ${keeperRights.length}`.execute(trx)
  return rows[0]?.id ?? null
}

async function keepAccount(trx: Trx, { id, name }: Aside): Promise<string> {
  const { rows } = await sql<{ isTaken: boolean }>`
    select exists (select from users where username = ${name}) as "isTaken"`.execute(trx)
  const username = rows[0]?.isTaken ? `${name}-installation` : name
  await moveRow(trx, 'users', { from: beyond + id, to: await nextNumber(trx, 'users'), name: username })
  return username
}

async function nextNumber(trx: Trx, table: Table): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(id), 0) + 1 as next from ${sql.table(table)} where id < ${beyond}`.execute(trx)
  return rows[0]!.next
}

/** What named a site names its namesake of the archive, else the first one. */
async function siteGivesWay(trx: Trx, { id, name }: Aside): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from sites where id < ${beyond}
    order by search_text(name) <> search_text(${name}), id limit 1`.execute(trx)
  const [other] = rows
  if (!other) return
  await moveLinks(trx, 'sites', { from: beyond + id, to: other.id })
  await sql`delete from sites where id = ${beyond + id}`.execute(trx)
}

/** An account that stays has its namesake of the archive, where that one still looks after accounts, else its own beside. */
async function profileGivesWay(trx: Trx, { id, name }: Aside): Promise<void> {
  const { rows: held } = await sql`select from users where profile = ${beyond + id} limit 1`.execute(trx)
  if (held.length > 0) {
    const { rows } = await sql<{ id: number; isKeeper: boolean }>`
      select p.id, (select count(*) from profile_rights held
        where held.profile = p.id and held.right_code = any(${[...keeperRights]})) = ${keeperRights.length} as "isKeeper"
      from profiles p where p.id < ${beyond} and search_text(p.name) = search_text(${name})`.execute(trx)
    const [namesake] = rows
    if (!namesake?.isKeeper) {
      const to = await nextNumber(trx, 'profiles')
      await moveRow(trx, 'profiles', {
        from: beyond + id,
        to,
        name: namesake ? `${name} (installation)` : name,
      })
      return
    }
    await sql`update users set profile = ${namesake.id} where profile = ${beyond + id}`.execute(trx)
  }
  await sql`delete from profiles where id = ${beyond + id}`.execute(trx)
}
