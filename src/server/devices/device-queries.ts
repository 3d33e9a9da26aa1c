import { sql } from 'kysely'

import type { Device } from '../../contract/devices.ts'
import { collection, type Collection, type ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord, type FilterColumn, type OrderColumn, readPage } from '../db/lists/list-sql.ts'
import { accountName } from '../library-facts/person-names.ts'
import type { Exchange } from '../http/exchange.ts'
import { visibleDevices, type Visibility } from '../visibility/visibility.ts'

type DeviceRow = Omit<Device, '@id' | '@type'>

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

const deviceOf = (row: DeviceRow): Device => ({
  '@id': `/api/devices/${row.device_id}`,
  '@type': 'Device',
  ...row,
})

type Looking = { visibility: Visibility; now: Date }

export async function listDevices(
  db: Db,
  list: ListQuery,
  { visibility, now }: Looking,
): Promise<Collection<Device>> {
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

export async function findDevice(
  trx: Trx,
  device_id: string,
  { visibility, now, caller }: Looking & Pick<Exchange, 'caller'>,
): Promise<Device | null> {
  // The one at hand may not have said yet where it is.
  const seen = device_id === caller.device_id ? sql`true` : visibleDevices(visibility)
  const { rows } = await sql<DeviceRow>`
    select ${columns(now)} from ${from} where d.device_id = ${device_id} and ${seen}`.execute(trx)
  return rows[0] ? deviceOf(rows[0]) : null
}
