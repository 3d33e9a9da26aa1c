import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { count, deviceId, id, instant, nothing, text, uuid } from './wire.ts'

/** `bad`: something waits for a person, or for a day; `warn`: something waits for hours. */
const deviceAttentions = ['bad', 'warn', 'none'] as const

export const device = v.object({
  '@id': v.string(),
  '@type': v.literal('Device'),
  device_id: deviceId,
  /** « Appareil 3 » until somebody names it. */
  name: v.string(),
  username: v.nullable(v.string()),
  person: v.nullable(v.string()),
  site: v.nullable(id),
  site_name: v.nullable(v.string()),
  first_seen: instant,
  last_seen: instant,
  /** Null while the device is only known by its actions. */
  reported_at: v.nullable(instant),
  app_version: v.string(),
  browser: v.string(),
  /** As last reported. */
  waiting: v.number(),
  conflicts: v.number(),
  quarantined: v.number(),
  oldest_at: v.nullable(instant),
  snapshot_at: v.nullable(instant),
  /** Bytes; null when the browser does not tell. */
  storage_used: v.nullable(v.number()),
  replays: v.number(),
  refusals: v.number(),
  attention: v.picklist(deviceAttentions),
})
export type Device = v.InferOutput<typeof device>

const deviceList = {
  filters: {
    searchname: filterBy.search,
    site: filterBy.id,
    attention: filterBy.choice(deviceAttentions),
  },
  orders: ['attention', 'name', 'last_seen', 'oldest_at', 'refusals', 'replays'],
  defaultOrder: ['attention', 'desc'],
} as const satisfies ListShape

export const listDevices = endpoint({
  name: 'devices.list',
  method: 'GET',
  path: '/api/devices',
  access: 'PARAMETER_GENERAL',
  summary: 'Les appareils des comptoirs, ceux dont il faut s’occuper d’abord',
  list: deviceList,
  answer: collectionOf(device),
})

/** Only our devices report, under their own UUID; others are known by what they do. */
const reporting = v.strictObject({ device_id: v.pipe(uuid, v.toLowerCase()) })
const held = count(0, 1_000_000)
/** Seconds: a device's clock may be wrong, but not the time it measures. */
const age = v.nullable(count(0, 20 * 366 * 24 * 3600))

export const reportDevice = endpoint({
  name: 'devices.report',
  method: 'PUT',
  path: '/api/devices/{device_id}',
  access: 'signed-in',
  summary: 'Ce que dit de lui-même l’appareil où la session a été ouverte',
  params: reporting,
  body: v.strictObject({
    app_version: text(40),
    browser: text(60),
    waiting: held,
    conflicts: held,
    quarantined: held,
    oldest_age: age,
    snapshot_age: age,
    storage_used: v.nullable(count(0, Number.MAX_SAFE_INTEGER)),
  }),
  status: 204,
  answer: nothing,
})

export const renameDevice = endpoint({
  name: 'devices.rename',
  method: 'PUT',
  path: '/api/devices/{device_id}/name',
  access: 'signed-in',
  summary: 'Nommer l’appareil dont on se sert ; un autre avec PARAMETER_GENERAL',
  params: v.strictObject({ device_id: deviceId }),
  body: v.strictObject({ name: text(60) }),
  answer: device,
})

export const forgetDevice = endpoint({
  name: 'devices.forget',
  method: 'DELETE',
  path: '/api/devices/{device_id}',
  access: 'PARAMETER_GENERAL',
  summary: 'Mettre fin aux sessions d’un appareil et l’oublier',
  params: v.strictObject({ device_id: deviceId }),
  status: 204,
  answer: nothing,
})

export const deviceEndpoints = [listDevices, reportDevice, renameDevice, forgetDevice]
