import type { PoolClient } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type EnginePlace, openEnginePlace } from '../db/engine-place.ts'

/** `npm run faults` kills a hundred times; elsewhere a few tell whether the way is still sound. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 5)
const counters = 4
const commitsARound = 25

let place: EnginePlace
beforeAll(async () => {
  place = await openEnginePlace()
  await place.pool.query('create table kept (n int primary key, twin int not null)')
  await place.pool.query('create table pairs (n int primary key references kept)')
})
afterAll(() => place.drop())

it(
  `the embedded engine misses no acknowledged row after ${rounds} kill -9`,
  { timeout: 60_000 + rounds * 20_000 },
  async () => {
    const acknowledged: number[] = []
    let next = 0
    for (let round = 1; round <= rounds; round += 1) {
      const fatal = acknowledged.length + commitsARound
      let killed = false
      await Promise.all(
        Array.from({ length: counters }, async () => {
          for (;;) {
            const n = (next += 1)
            if (!(await commit(n))) return
            acknowledged.push(n)
            if (acknowledged.length < fatal || killed) continue
            killed = true
            // Other counters are at their first row, their second or their commit.
            process.kill(place.engine.pid ?? 0, 'SIGKILL')
          }
        }),
      )
      await place.engine.ready()
      // Looked at after every death: what one restart restores, the next one must not lose.
      const { rows } = await place.pool.query<{ n: number; twin: number; paired: boolean }>(
        'select k.n, k.twin, p.n is not null as paired from kept k left join pairs p using (n)',
      )
      const found = new Set(rows.map(({ n }) => n))
      expect(acknowledged.filter((n) => !found.has(n))).toEqual([])
      expect(rows.filter(({ n, twin, paired }) => twin !== n || !paired)).toEqual([])
    }
    process.stdout.write(`${rounds} kill -9: ${acknowledged.length} acknowledged commits, none missing\n`)
    // Its indexes agree with its rows, and it still takes new ones.
    await place.pool.query('reindex table kept')
    expect(await commit(0)).toBe(true)
  },
)

/** Two rows in one transaction; true once it is acknowledged. */
async function commit(n: number): Promise<boolean> {
  let client: PoolClient | undefined
  try {
    client = await place.pool.connect()
    await client.query('begin')
    await client.query('insert into kept values ($1, $1)', [n])
    await client.query('insert into pairs values ($1)', [n])
    await client.query('commit')
    client.release()
    return true
  } catch {
    client?.release(true)
    return false
  }
}
