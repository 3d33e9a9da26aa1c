import { expect, it } from 'vitest'

import { drain } from '../../src/offline/drain.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { overlayOf } from '../../src/offline/overlay.ts'
import { settleEntry } from '../../src/offline/settle-entry.ts'
import {
  actorOf,
  biblio,
  freshDevice,
  json,
  lending,
  record,
  refusal,
  scriptedServer,
  settingsOf,
  signIn,
} from './device.ts'

freshDevice()

const settlement = (loaning: object | null) =>
  json({ '@type': 'Settlement', '@id': '/api/conflicts/7', id: 7, loaning })

it.each([
  ['made', settlement({ id: 12, end_date: '2026-03-31' }), 1],
  ['did not make, because it was settled elsewhere', settlement(null), 0],
  ['has, and tells nothing of', refusal(409, 'ALREADY_RECORDED'), 1],
])('lends a copy by a choice whose loan the server %s', async (_, answer, lends) => {
  await signIn()
  const { id } = await record(lending(1))
  const { fetch } = scriptedServer((_sent, nth) => (nth === 1 ? refusal(409, 'ALREADY_LENT') : answer))
  await drain(settingsOf(fetch))
  await settleEntry(id, { choice: 'CLOSE_AND_LEND' }, await actorOf(biblio))
  await drain(settingsOf(fetch))
  const overlay = overlayOf(await listEntries())
  expect(overlay.lends).toHaveLength(lends)
  expect(overlay.lastOn({ copy_id: 1, bar_code: '1001' }) !== null).toBe(lends === 1)
})
