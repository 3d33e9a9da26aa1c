import { sql } from 'kysely'

import * as call from '../../contract/devices.ts'
import { type Collection, collection, type ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord, type FilterColumn, type OrderColumn, readPage } from '../db/lists/list-sql.ts'
import { change, changeUnkept, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, forbidden, notFound, type Outcome, refuse } from '../http/outcome.ts'
import { accountName } from '../library-facts/person-names.ts'
import { isAlive } from '../session/find-caller.ts'
import { revokeSessions } from '../session/open-session.ts'
import { type Visibility, visibleDevices, visibleUsers } from '../visibility/visibility.ts'

/** Ends a lost, sold or emptied device's sessions and forgets it until somebody signs in on it. */
async function forgetDevice(
  trx: Trx,
  { params: { device_id } }: VerbInput<typeof call.forgetDevice>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await findDevice(trx, device_id, exchange)
  if (!before) return notFound('Cet appareil n’est pas connu.')
  if (device_id === exchange.caller.device_id) {
    return conflict('OWN_DEVICE', 'C’est l’appareil dont vous vous servez\u202f: déconnectez-vous plutôt.')
  }
  if (await hasOthersOn(trx, device_id, exchange)) {
    return forbidden(
      'Une personne qui travaille aussi à d’autres sites y est connectée\u202f: quelqu’un qui a tous les sites peut oublier cet appareil.',
    )
  }
  await revokeSessions(trx, { device_id }, exchange.now)
  await trx.deleteFrom('devices').where('device_id', '=', device_id).execute()
  await journal(trx, exchange, {
    action: 'device.forget',
    entity: 'devices',
    entity_id: null,
    device_id,
    before,
  })
  return done(null)
}

/** Whether somebody whom the caller may not sign out is signed in on it. */
async function hasOthersOn(trx: Trx, device_id: string, { visibility, now }: Exchange): Promise<boolean> {
  const { rows } = await sql<{ created_at: string; last_used_at: string }>`
    select s.created_at, s.last_used_at from sessions s join users u on u.id = s.user_id
    where s.device_id = ${device_id} and s.revoked_at is null and not (${visibleUsers(visibility)})`.execute(
    trx,
  )
  return rows.some((session) => isAlive(session, now))
}

/** Replaces what a device says of itself, not what the server counts; only its own sessions may. */
async function reportDevice(
  db: Db,
  { params: { device_id }, body }: VerbInput<typeof call.reportDevice>,
  { caller, site, now }: Exchange,
): Promise<Outcome<null>> {
  if (device_id !== caller.device_id) {
    return refuse({
      status: 403,
      reason: 'NOT_ITS_SESSION',
      message: 'Cette session n’a pas été ouverte sur cet appareil.',
    })
  }
  const before = (seconds: number | null) =>
    seconds === null ? null : new Date(now.getTime() - seconds * 1000).toISOString()
  const { oldest_age, snapshot_age, ...held } = body
  const at = now.toISOString()
  await db
    .updateTable('devices')
    .set({
      user_id: caller.user_id,
      site: (eb) => eb.selectFrom('sites').select('id').where('id', '=', site),
      last_seen: sql`greatest(last_seen, ${at}::timestamptz)`,
      reported_at: at,
      ...held,
      oldest_at: before(oldest_age),
      snapshot_at: before(snapshot_age),
    })
    .where('device_id', '=', device_id)
    .execute()
  return done(null)
}

async function renameDevice(
  trx: Trx,
  { params: { device_id }, body: { name } }: VerbInput<typeof call.renameDevice>,
  exchange: Exchange,
): Promise<Outcome<call.Device>> {
  if (device_id !== exchange.caller.device_id && !exchange.caller.rights.has('PARAMETER_GENERAL')) {
    return forbidden('Vous n’avez pas le droit de nommer un autre appareil que le vôtre.')
  }
  const before = await findDevice(trx, device_id, exchange)
  if (!before) return notFound('Cet appareil n’est pas connu.')
  if (before.name === name) return done(before)
  await trx.updateTable('devices').set({ name }).where('device_id', '=', device_id).execute()
  await journal(trx, exchange, {
    action: 'device.rename',
    entity: 'devices',
    entity_id: null,
    device_id,
    before: { name: before.name },
    after: { name },
  })
  return done({ ...before, name })
}

type DeviceRow = Omit<call.Device, '@id' | '@type'>

// 2, 1, 0 for bad, warn, none: refusals need a person now, other actions may wait for the network a while.
const attention = (now: Date) => sql`case
  when d.conflicts + d.quarantined > 0 then 2
  when d.waiting > 0 and d.oldest_at < ${now.toISOString()}::timestamptz - interval '24 hours' then 2
  when d.waiting > 0 and d.oldest_at < ${now.toISOString()}::timestamptz - interval '4 hours' then 1
  else 0 end`
const attentionWord = (now: Date) => sql`(array['none', 'warn', 'bad'])[1 + (${attention(now)})]`

const columns = (
  now: Date,
) => sql<DeviceRow>`d.device_id, d.name, u.username, case when u.id is not null then ${accountName('u')} end as person, d.site, s.name as site_name, d.first_seen, d.last_seen,
  d.reported_at, d.app_version, d.browser, d.waiting, d.conflicts, d.quarantined, d.oldest_at, d.snapshot_at, d.storage_used,
  d.replays, d.refusals, ${attentionWord(now)} as attention`

const from = sql`devices d left join users u on u.id = d.user_id left join sites s on s.id = d.site`

const filters = (now: Date): Record<string, FilterColumn> => ({
  searchname: {
    test: ({ value }) =>
      everyWord(
        sql`search_text(concat_ws(' ', d.name, d.device_id::text, d.browser, u.username, u.firstname, u.lastname, s.name))`,
        value,
      ),
  },
  site: { column: sql`d.site` },
  attention: { column: attentionWord(now) },
})

const orders = (now: Date): Record<string, OrderColumn> => ({
  attention: attention(now),
  name: sql`search_text(d.name)`,
  last_seen: sql`d.last_seen`,
  oldest_at: { nullable: sql`d.oldest_at` },
  refusals: sql`d.refusals`,
  replays: sql`d.replays`,
})

const deviceOf = (row: DeviceRow): call.Device => ({
  '@id': `/api/devices/${row.device_id}`,
  '@type': 'Device',
  ...row,
})

type Looking = { visibility: Visibility; now: Date }

async function listDevices(
  db: Db,
  list: ListQuery,
  { visibility, now }: Looking,
): Promise<Collection<call.Device>> {
  const order = list.order.some(({ field }) => field === 'last_seen')
    ? list.order
    : [...list.order, { field: 'last_seen', direction: 'desc' as const }]
  const { rows, total } = await readPage(
    db,
    { ...list, order },
    {
      columns: columns(now),
      from,
      where: sql`true`,
      seen: visibleDevices(visibility),
      filters: filters(now),
      orders: orders(now),
      id: sql`d.device_id`,
    },
  )
  return collection(rows.map(deviceOf), total)
}

async function findDevice(
  trx: Trx,
  device_id: string,
  { visibility, now, caller }: Looking & Pick<Exchange, 'caller'>,
): Promise<call.Device | null> {
  // The one at hand may not have said yet where it is.
  const seen = device_id === caller.device_id ? sql`true` : visibleDevices(visibility)
  const { rows } = await sql<DeviceRow>`
    select ${columns(now)} from ${from} where d.device_id = ${device_id} and ${seen}`.execute(trx)
  return rows[0] ? deviceOf(rows[0]) : null
}

export const deviceRoutes = [
  read(call.listDevices, async (db, { list }, exchange) => done(await listDevices(db, list, exchange))),
  // A report is the same however often it comes, so its key is not kept: reports would fill that table.
  changeUnkept(call.reportDevice, reportDevice),
  change(call.renameDevice, renameDevice),
  change(call.forgetDevice, forgetDevice),
]
