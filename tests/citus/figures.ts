import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'

import { createApp } from '../../src/server/app.ts'
import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { openOwnPostgres } from '../faults/own-postgres.ts'
import { addCopiesToLend } from '../faults/steady-desk.ts'
import { seedTemplate } from '../support/seed-template.ts'
import { testPassword } from '../support/test-library.ts'
import { clientOf } from '../support/test-server.ts'
import type { Cluster } from './cluster.ts'

const scans = 300

/** Medians of a lend and of a return, one after the other, on one machine and on a cluster, in milliseconds. */
export async function compareScans({ asked }: Cluster): Promise<void> {
  const alone = await openOwnPostgres({ fsync: 'off' })
  const medians = { 'one PostgreSQL': await medianScans(alone.addressOf('postgres')) }
  await alone.drop()
  const all = { ...medians, 'a cluster': await medianScans(asked.addressOf('postgres')) }
  for (const [where, { lend, giveBack }] of Object.entries(all))
    process.stdout.write(
      `${where}: lend ${lend.toFixed(1)} ms, return ${giveBack.toFixed(1)} ms (medians of ${scans})\n`,
    )
}

async function medianScans(databaseUrl: string): Promise<{ lend: number; giveBack: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-figures-'))
  await seedTemplate(await openEnvironment({ dataDir, databaseUrl }, 1))
  const environment = await openEnvironment({ dataDir, databaseUrl }, 1)
  const first = await addCopiesToLend(environment.db)
  const app = createApp({ environments: [environment], logger: pino({ level: 'silent' }) })
  const { body } = await clientOf(app, null).post('/api/login_check', {
    username: 'biblio@1',
    password: testPassword,
  })
  const desk = clientOf(app, body.token as string)
  const lends: number[] = []
  const returns: number[] = []
  const timed = async <T>(into: number[], work: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    const done = await work()
    into.push(performance.now() - began)
    return done
  }
  for (let copy = first; copy < first + scans; copy += 1) {
    const lent = await timed(lends, () =>
      desk.post('/api/loanings', { beneficiary: 1, copy }, { key: randomUUID() }),
    )
    if (lent.status !== 201) throw new Error(`lent: ${lent.status} ${JSON.stringify(lent.body)}`)
    const back = await timed(returns, () =>
      desk.post(`/api/loanings/${lent.body.id}/return`, {}, { key: randomUUID() }),
    )
    if (back.status !== 200) throw new Error(`returned: ${back.status}`)
  }
  await environment.close()
  await rm(dataDir, { recursive: true, force: true })
  return { lend: median(lends), giveBack: median(returns) }
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
