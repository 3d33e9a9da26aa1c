import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { listSchemas } from '../../src/server/db/environments/list-environments.ts'
import { openPool } from '../../src/server/db/connections/pool.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { on } from '../support/distributed-databases.ts'

describe.skipIf(testEngine === 'embedded' || !isEngineReachable())('the libraries of a database', () => {
  let storage: Awaited<ReturnType<typeof emptyStorage>>
  beforeAll(async () => {
    storage = await emptyStorage()
  })
  afterAll(() => storage.drop())

  it('are told though one does not answer, which is told as well; where none does, that is an error', async () => {
    const address = storage.settings.databaseUrl ?? ''
    const database = new URL(address).pathname.slice(1)
    const schema = (id: number, hosts: string) => [
      `create schema env_${id}`,
      `create table env_${id}.environment (name text, ${hosts})`,
      `create table env_${id}.parameters (code text, value text)`,
      `insert into env_${id}.environment values ('Nord ${id}', '{nord${id}.fr}')`,
    ]
    await on(address, database, [
      ...schema(1, 'hosts text[]'),
      ...schema(2, 'hosts text[]'),
      ...schema(3, 'lost text[]'),
    ])
    const { pool, db } = openPool({ connectionString: address, max: 1 })
    const answering = (id: number) => ({ id, name: `Nord ${id}`, hosts: [`nord${id}.fr`] })
    const silent = { id: 3, name: 'Comptoir', hosts: [], isSilent: true }
    expect(await listSchemas(db, [1, 2, 3])).toEqual([answering(1), answering(2), silent])
    expect(await listSchemas(db, [1, 2])).toEqual([answering(1), answering(2)])
    await expect(listSchemas(db, [3])).rejects.toThrow('hosts')
    await pool.end()
  })
})
