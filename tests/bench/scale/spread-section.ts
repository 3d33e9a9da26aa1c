import { randomUUID } from 'node:crypto'

import { type Environment, openEnvironment } from '../../../src/server/db/environments/environment.ts'
import { benchScale, type Section, skipped } from '../section.ts'
import { isBuilt, startServer } from '../server-process.ts'
import { findPostgres } from './bench-library.ts'
import { columns, mix, rowOf, shared } from './devices-load.ts'
import { hostOf, makeManyLibraries, type ManyLibraries } from './many-libraries.ts'
import { type DeviceOrder, runOrder, takeCopies } from './run-devices.ts'

const libraries = 50
const devicesOfEach = 4
const library = { references: 2000, copies: 4000, beneficiaries: 300, loans: 4000 }
const seconds = benchScale === 'full' ? 60 : 10

/** Two hundred devices, four in each of fifty libraries, on one server. */
export const spreadSection: Section = {
  name: 'spread',
  async *run() {
    if ((await findPostgres()) === null) {
      yield skipped('Devices of many libraries', 'PostgreSQL is not reachable (TEST_DATABASE_URL)')
      return
    }
    if (!isBuilt()) {
      yield skipped('Devices of many libraries', 'dist/server is not built (npm run build:server)')
      return
    }
    const many = await makeManyLibraries(`comptoir_bench_spread_${process.pid}`, {
      known: libraries,
      whole: libraries,
      library,
    })
    const opened: Environment[] = []
    const server = await startServer(many)
    try {
      for (let id = 1; id <= libraries; id += 1) opened.push(await openEnvironment(many, id))
      const scan = async (perSecond: number, during: number) =>
        runOrder(await orderOf(many, opened, server.port, { perSecond, seconds: during }), [server], opened)
      await scan(1, 5)
      const rows: string[][] = []
      for (const perSecond of [3, 1, 0.5]) {
        const run = await scan(perSecond, perSecond === 3 ? seconds : Math.min(seconds, 30))
        const count = libraries * devicesOfEach
        rows.push(rowOf(String(count), String(count * perSecond), run))
      }
      yield {
        title: `${libraries * devicesOfEach} devices in ${libraries} libraries, one server process, PostgreSQL`,
        notes: [mix, shared],
        columns,
        rows,
      }
    } finally {
      await server.stop()
      for (const environment of opened) await environment.close()
      await many.drop()
    }
  },
}

type How = Pick<DeviceOrder, 'seconds' | 'perSecond'>

async function orderOf(
  { token }: ManyLibraries,
  opened: readonly Environment[],
  port: number,
  how: How,
): Promise<DeviceOrder> {
  // Each copy is scanned three times.
  const needed = Math.ceil((how.seconds * (how.perSecond ?? 3)) / 3) + 1
  const devices: DeviceOrder['devices'] = []
  for (const { id, db } of opened) {
    const copies = await takeCopies(db, needed * devicesOfEach, used.get(id) ?? 0)
    used.set(id, copies.at(-1) ?? 0)
    const readers = Array.from({ length: devicesOfEach }, (_, n) => 100 + n)
    await db.updateTable('beneficiaries').set({ exit_date: null }).where('id', 'in', readers).execute()
    for (const [n, reader] of readers.entries()) {
      devices.push({
        port,
        token,
        host: hostOf(id),
        reader,
        device_id: randomUUID(),
        copies: copies.slice(n * needed, (n + 1) * needed),
      })
    }
  }
  return { ...how, devices }
}

/** The last copy that was given out in each, because a stopped device may have kept its own. */
const used = new Map<number, number>()
