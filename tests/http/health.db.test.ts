import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { doesDatabaseAnswer } from '../../src/server/app.ts'
import { testEngine } from '../support/databases.ts'
import { describeServer } from '../support/test-server.ts'

describeServer('/health', (server) => {
  const health = async () => (await server.anonymous.get('/health')).status

  it('says that all is well, to anybody', async () => {
    const answer = await server.anonymous.get('/health')
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
    expect((await server.anonymous.get('/health?verbose=1')).status).toBe(400)
  })

  it('does not wait for statements that hold every connection', async () => {
    let running = 0
    // On PostgreSQL as many as the pool has; on the embedded engine one already keeps all others waiting.
    const connections = testEngine === 'embedded' ? 1 : 10
    const long = Array.from({ length: connections }, async () => {
      running += 1
      await sql`select count(*) from generate_series(1, 3000000) n where n % 7 = 3`.execute(server.db)
      running -= 1
    })
    for (let n = 0; n < 3; n += 1) {
      expect(await health()).toBe(200)
      expect(running).toBe(connections)
    }
    await Promise.all(long)
    expect(await health()).toBe(200)
  })

  it.runIf(testEngine === 'embedded')('believes a silent engine for a while only', async () => {
    const pid = server.environment.engine?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    try {
      expect(await doesDatabaseAnswer(server.environment)).toBe(true)
      expect(await doesDatabaseAnswer(server.environment, 0)).toBe(false)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await sql`select 1`.execute(server.db)
    expect(await doesDatabaseAnswer(server.environment, 0)).toBe(true)
  })

  it.runIf(testEngine === 'embedded')(
    'says 503 as long as the engine is dead, even amid a statement',
    async () => {
      const { engine } = server.environment
      if (!engine) throw new Error('the embedded engine has a process')
      const cut = sql`select count(*) from generate_series(1, 50000000)`.execute(server.db).then(
        () => 'finished',
        () => 'cut',
      )
      expect(await health()).toBe(200)
      const victim = engine.pid ?? 0
      process.kill(victim, 'SIGKILL')
      expect(await cut).toBe('cut')
      expect(await health()).toBe(503)
      await engine.ready()
      expect(engine.pid).not.toBe(victim)
      expect(await health()).toBe(200)
    },
  )

  it('says 503 once the database is closed to it', async () => {
    await server.environment.close()
    expect(await health()).toBe(503)
    // What drops the test's storage closes again.
    server.storage.environment.close = () => Promise.resolve()
  })
})
