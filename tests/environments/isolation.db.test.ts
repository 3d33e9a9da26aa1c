import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { bindings } from '../../src/server/app.ts'
import type { Environment } from '../../src/server/db/environments/environment.ts'
import { adminPassword } from '../support/test-library.ts'
import { describeTwoLibraries, hosts } from './two-libraries.ts'

/** A call with ids that both environments have, under a key that both were given. */
const key = '0b9f5a39-6a3f-4d0e-8c0e-4f2f1f6f3a12'

describeTwoLibraries('the calls of one environment at another’s host', (two) => {
  const asked = bindings
    .map(({ endpoint }) => endpoint)
    .filter(({ access }) => access !== 'public')
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
  type Asked = (typeof asked)[number][1]
  const send = (
    library: 0 | 1,
    { method, path, files }: Pick<Asked, 'method' | 'path' | 'files'>,
    { token = two.tokens[0], id = 1 }: { token?: string; id?: number } = {},
  ) =>
    two.app.request(
      // A file that may be told apart by what it holds.
      path.replaceAll(/\{\w+\}/g, String(id)) + (files?.includes('csv') ? '?export_type=csv' : ''),
      {
        method,
        headers: {
          host: hosts[library],
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
          'content-type': 'application/json',
        },
        ...(method === 'GET' ? {} : { body: '{}' }),
      },
    )
  const rowsOf = async (db: Environment['db']) => ({
    journal: await db
      .selectFrom('audit_journal')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .execute(),
    keys: await db
      .selectFrom('idempotency_keys')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .execute(),
  })

  it('are refused for want of a session, every one of them, and leave nothing behind', async () => {
    expect(asked.length).toBeGreaterThan(150)
    const { db } = two.environments[1]
    const before = await rowsOf(db)
    const heard: [string, number][] = []
    for (const [name, endpoint] of asked) {
      const answer = await send(1, endpoint)
      await answer.body?.cancel()
      heard.push([name, answer.status])
    }
    expect(heard.filter(([, status]) => status !== 401)).toEqual([])
    expect(await rowsOf(db)).toEqual(before)
  })

  it('never read there what only the other one has, by any id, list or file', async () => {
    const markers = ['Marqueur-du-premier', 'Marqueur-du-second'] as const
    const readers: number[] = []
    for (const library of [0, 1] as const) {
      const { db } = two.environments[library]
      const marker = markers[library]
      const { id } = await db
        .insertInto('beneficiaries')
        .values({ matricule: marker, lastname: marker })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.updateTable('users').set({ lastname: marker }).where('id', '=', 1).execute()
      await two.admins[library].post('/api/loanings', { copy: 9, beneficiary: id })
      readers.push(id)
    }
    expect(readers[0]).toBe(readers[1])
    for (const library of [0, 1] as const) {
      const telling = [new Set<string>(), new Set<string>()] as const
      for (const [name, endpoint] of asked.filter(([, { method }]) => method === 'GET')) {
        const answer = await send(library, endpoint, { token: two.tokens[library], id: readers[0]! })
        // A stream has no end to wait for, and is told elsewhere.
        if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
          await answer.body?.cancel()
          continue
        }
        const text = await answer.text()
        for (const of of [0, 1] as const) if (text.includes(markers[of])) telling[of].add(name)
      }
      expect([...telling[library]]).toEqual(
        expect.arrayContaining([
          'GET /api/beneficiaries/{id}',
          'GET /api/loanings',
          'GET /api/export/loanings',
          'GET /api/export/beneficiaries',
          'GET /api/users/me',
        ]),
      )
      expect([...telling[library === 0 ? 1 : 0]]).toEqual([])
    }
  })

  it('sign nobody in there who has an account in the first one alone', async () => {
    await two.environments[0].db
      .updateTable('users')
      .set({ username: 'seule.ici' })
      .where('id', '=', 1)
      .execute()
    const signIn = (library: 0 | 1, username: string) =>
      two.at(library, null).post('/auth', { username, password: adminPassword })
    expect((await signIn(0, 'seule.ici')).body.environment_id).toBe(1)
    expect((await signIn(1, 'seule.ici')).status).toBe(401)
    expect((await signIn(1, 'admin')).body.environment_id).toBe(2)
    await two.environments[0].db.updateTable('users').set({ username: 'admin' }).where('id', '=', 1).execute()
  })

  it('hear nothing of what changes there', async () => {
    const listen = async (library: 0 | 1) => {
      const leaving = new AbortController()
      const { body } = await two.app.request('/api/events', {
        headers: { host: hosts[library], authorization: `Bearer ${two.tokens[library]}` },
        signal: leaving.signal,
      })
      const reader = body!.getReader()
      const heard: string[] = []
      const reading = (async () => {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return
          heard.push(Buffer.from(value).toString())
        }
      })()
      const leave = async () => {
        await reader.cancel()
        await reading
      }
      return { told: (word: string) => heard.some((text) => text.includes(word)), leave }
    }
    const first = await listen(0)
    const second = await listen(1)
    expect((await two.admins[0].post('/api/categories', { name: 'Contes' })).status).toBe(201)
    await expect.poll(() => first.told('categories')).toBe(true)
    // Who hears its own after that would have heard the other’s as well.
    expect((await two.admins[1].post('/api/keywords', { name: 'Hiver' })).status).toBe(201)
    await expect.poll(() => second.told('keywords')).toBe(true)
    expect([first.told('keywords'), second.told('categories')]).toEqual([false, false])
    await first.leave()
    await second.leave()
  })

  it('find no file of another', async () => {
    const { files } = two.environments[0]
    await mkdir(join(files, 'images'), { recursive: true })
    await writeFile(join(files, 'images', 'marque.png'), 'marque')
    for (const path of ['/images/marque.png', '/environments/1/images/marque.png']) {
      expect((await two.admins[1].get(path)).status).toBe(404)
    }
    // What an <img> asks for, before anybody signs in.
    expect((await two.at(1, null).get('/api/image/env/1')).status).toBe(404)
    expect((await two.at(1, null).get('/api/image/env/2')).status).toBe(200)
  })

  it('are another matter at their own host', async () => {
    const me = asked.find(([name]) => name === 'GET /api/users/me')!
    expect((await send(0, me[1])).status).toBe(200)
    expect((await send(1, me[1])).status).toBe(401)
  })
})
