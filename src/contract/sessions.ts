import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { openSeal } from './seal.ts'
import { byId, count, deviceId, id, instant, item, nothing } from './wire.ts'

export const session = item('Session', {
  user: v.object({ id, username: v.string(), name: v.string() }),
  /** Null when the device did not prove itself. */
  device_id: v.nullable(deviceId),
  device_name: v.nullable(v.string()),
  browser: v.string(),
  created_at: instant,
  last_used_at: instant,
  current: v.boolean(),
})
export type OpenSession = v.InferOutput<typeof session>

const sessionList = {
  filters: { searchname: filterBy.search, user: filterBy.id, device_id: filterBy.code },
  orders: ['last_used_at', 'created_at', 'username', 'id'],
  // By their last use they would change places while they are looked at.
  defaultOrder: ['created_at', 'desc'],
} as const satisfies ListShape

export const listSessions = endpoint({
  name: 'sessions.list',
  method: 'GET',
  path: '/api/sessions',
  access: 'signed-in',
  summary: 'Ses sessions ouvertes ; celles de tous avec USER_EDIT',
  list: sessionList,
  answer: collectionOf(session),
})

export const endSession = endpoint({
  name: 'sessions.end',
  method: 'DELETE',
  path: '/api/sessions/{id}',
  access: 'signed-in',
  summary: 'Mettre fin à une de ses sessions ; à celle d’une autre personne avec USER_EDIT',
  params: byId,
  status: 204,
  answer: nothing,
})

export const endSessions = endpoint({
  name: 'sessions.end_all',
  method: 'POST',
  path: '/api/sessions/end',
  access: 'signed-in',
  summary: 'Mettre fin à ses autres sessions ; à toutes celles d’une autre personne avec USER_EDIT',
  body: v.strictObject({ user: v.optional(id) }),
  answer: v.object({ ended: count(0, 1_000_000) }),
})

export const openSessionEndpoints = [listSessions, endSession, endSessions, openSeal]
