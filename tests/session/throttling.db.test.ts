import { beforeAll, beforeEach, expect, it } from 'vitest'

import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { hashPassword } from '../../src/server/session/password-hash.ts'
import { testPassword } from '../support/test-library.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'
import { clientAt, moveClock, signIn } from './client-at.ts'

const wrong = 'pas-le-bon-mot'

async function fail(client: Client, username: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    expect((await client.post('/auth', { username, password: wrong })).status).toBe(401)
  }
}

describeServer('slowing guesses', (server) => {
  let clock = Date.parse(testNow)
  const wait = (seconds: number) => {
    clock += seconds * 1000
    moveClock(server, clock)
  }

  // The process remembers passwords for seconds, and other files use the template's hash.
  beforeAll(async () => {
    const password_hash = await hashPassword(testPassword)
    await server.db.updateTable('users').set({ password_hash }).where('username', '!=', 'admin').execute()
  })
  beforeEach(() => server.db.deleteFrom('login_failures').execute())

  it('doubles the wait after five failures on an account, even for the right password', async () => {
    const client = clientAt(server, '192.0.2.1')
    await fail(client, 'biblio', 5)
    const slowed = await client.post('/auth', { username: 'biblio', password: testPassword })
    expect(slowed.status).toBe(429)
    expect(slowed.headers.get('retry-after')).toBe('1')
    expect(slowed.body).toEqual({
      code: 429,
      reason: 'TOO_MANY_ATTEMPTS',
      message: 'Trop d’essais. Réessayez dans 1 seconde.',
    })
    for (const seconds of [1, 2, 4, 8]) {
      wait(seconds - 0.5)
      const again = await client.post('/auth', { username: 'biblio', password: wrong })
      expect(again.status).toBe(429)
      wait(0.5)
      await fail(client, 'biblio')
    }
    const long = await client.post('/api/login_check', { username: 'biblio@1', password: testPassword })
    expect(long.headers.get('retry-after')).toBe('16')
    wait(16)
    expect((await signIn(client, 'biblio', testPassword)).status).toBe(200)
    await fail(client, 'biblio', 5)
  })

  it('never waits longer than a quarter of an hour, and forgets', async () => {
    const client = clientAt(server, '192.0.2.1')
    for (let time = 0; time < 20; time += 1) {
      await fail(client, 'biblio')
      wait(900)
    }
    await fail(client, 'biblio')
    const slowed = await client.post('/auth', { username: 'biblio', password: wrong })
    expect(slowed.headers.get('retry-after')).toBe('900')
    expect(slowed.body.message).toBe('Trop d’essais. Réessayez dans 15 minutes.')
    wait(24 * 3600)
    await fail(client, 'biblio', 5)
  })

  it('counts both calls of a sign-in, and a name in any case, as the same account', async () => {
    const client = clientAt(server, '192.0.2.1')
    await fail(client, 'biblio', 2)
    await fail(client, 'BIBLIO', 1)
    for (let time = 0; time < 2; time += 1) {
      expect((await client.post('/api/login_check', { username: 'Biblio@1', password: wrong })).status).toBe(
        401,
      )
    }
    expect((await signIn(client, 'biblio', testPassword)).status).toBe(429)
  })

  it('slows names that nobody has in the same way', async () => {
    const client = clientAt(server, '192.0.2.1')
    await fail(client, 'personne', 5)
    const slowed = await client.post('/auth', { username: 'personne', password: wrong })
    expect(slowed.status).toBe(429)
    expect(slowed.headers.get('retry-after')).toBe('1')
  })

  it('counts attempts that are made at once', async () => {
    const client = clientAt(server, '192.0.2.1')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => client.post('/auth', { username: 'biblio', password: wrong })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  it('slows an address that tries many accounts, and not the others', async () => {
    const client = clientAt(server, '192.0.2.1')
    for (let time = 0; time < 20; time += 1) await fail(client, `personne-${time}`)
    expect((await signIn(client, 'biblio', testPassword)).status).toBe(429)
    expect((await signIn(clientAt(server, '192.0.2.2'), 'biblio', testPassword)).status).toBe(200)
  })

  it('slows a guess on one account that is spread over many addresses, but not its owner at home', async () => {
    const home = clientAt(server, '192.0.2.100')
    expect((await signIn(home, 'biblio', testPassword)).status).toBe(200)
    for (let time = 0; time < 5; time += 1) await fail(clientAt(server, `198.51.100.${time}`), 'biblio')
    const elsewhere = await clientAt(server, '198.51.100.9').post('/auth', {
      username: 'biblio',
      password: wrong,
    })
    expect(elsewhere.status).toBe(429)
    await fail(home, 'biblio', 5)
    expect((await home.post('/auth', { username: 'biblio', password: wrong })).status).toBe(429)
    wait(1)
    expect((await signIn(home, 'biblio', testPassword)).status).toBe(200)
  })

  it('leaves an owner at home through the housekeeping, for 30 days', async () => {
    const home = clientAt(server, '192.0.2.100')
    const guessed = async () => {
      for (let time = 0; time < 5; time += 1) await fail(clientAt(server, `198.51.100.${time}`), 'biblio')
    }
    expect((await signIn(home, 'biblio', testPassword)).status).toBe(200)
    wait(29 * 24 * 3600)
    await sweep(server.environment, server.now)
    await guessed()
    expect((await signIn(home, 'biblio', testPassword)).status).toBe(200)
    wait(31 * 24 * 3600)
    await sweep(server.environment, server.now)
    expect(await server.db.selectFrom('login_failures').select('key').execute()).toEqual([])
  })

  it('slows a guess that is spread over addresses and accounts, for a minute at most', async () => {
    const home = clientAt(server, '192.0.2.100')
    expect((await signIn(home, 'lecture', testPassword)).status).toBe(200)
    await server.db
      .updateTable('login_failures')
      .set({ failures: 99, last_failure_at: server.now.toISOString() })
      .where('key', '=', 'everyone')
      .execute()
    const guess = (n: number) =>
      clientAt(server, `203.0.113.${n}`).post('/auth', { username: `nom-${n}`, password: wrong })
    expect((await guess(1)).status).toBe(401)
    const slowed = await guess(2)
    expect(slowed.status).toBe(429)
    expect(slowed.headers.get('retry-after')).toBe('1')
    expect((await signIn(home, 'lecture', testPassword)).status).toBe(200)
    for (let n = 3; n < 16; n += 1) {
      wait(60)
      expect((await guess(n)).status).toBe(401)
    }
    expect(Number((await guess(20)).headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })

  it('lets a success leave no trace on the address', async () => {
    const client = clientAt(server, '192.0.2.1')
    for (let time = 0; time < 25; time += 1) {
      expect((await signIn(client, 'biblio', testPassword)).status).toBe(200)
    }
    const { failures } = await server.db
      .selectFrom('login_failures')
      .select((eb) => eb.fn.sum<string>('failures').as('failures'))
      .executeTakeFirstOrThrow()
    expect(Number(failures)).toBe(0)
  })

  it('keeps nothing of guesses that it refuses, however many names they try', async () => {
    const client = clientAt(server, '192.0.2.1')
    const countRows = async () =>
      (await server.db.selectFrom('login_failures').select('key').execute()).length
    for (let time = 0; time < 20; time += 1) await fail(client, `personne-${time}`)
    const rows = await countRows()
    for (let time = 0; time < 30; time += 1) {
      expect((await client.post('/auth', { username: `autre-${time}`, password: wrong })).status).toBe(429)
    }
    expect(await countRows()).toBe(rows)
  })

  it('refuses at once an address that has too many guesses under way', async () => {
    const client = clientAt(server, '192.0.2.1')
    const guess = () => client.post('/auth', { username: 'biblio', password: wrong })
    const answers = await Promise.all(Array.from({ length: 100 }, guess))
    const atOnce = answers.filter(
      ({ body }) => body.message === 'Trop d’essais à la fois. Réessayez dans 1 seconde.',
    )
    expect(atOnce).toHaveLength(70)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    // None of them is remembered once it was answered.
    expect((await signIn(clientAt(server, '192.0.2.2'), 'lecture', testPassword)).status).toBe(200)
    wait(60)
    expect((await guess()).status).toBe(401)
  })

  it('keeps no name and no address', async () => {
    await fail(clientAt(server, '192.0.2.77'), 'biblio')
    const rows = await server.db.selectFrom('login_failures').select('key').execute()
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toMatch(/biblio|192\.0\.2/)
  })
})
