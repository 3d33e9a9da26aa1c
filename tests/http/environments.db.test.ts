import type { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { hostUnknown } from '../../src/domain/host-unknown.ts'
import { createApp } from '../../src/server/app.ts'
import {
  type Environment,
  openEnvironment,
  openEnvironments,
} from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { clientOf, testNow } from '../support/test-server.ts'
import { openSession } from '../support/open-session.ts'

const now = new Date(testNow)
const key = '0b9f5a39-6a3f-4d0e-8c0e-4f2f1f6f3a11'
const hostsOf = { 1: ['pret.nord.fr', 'NORD.example'], 2: ['pret.sud.fr'] } as const

describe.skipIf(!isEngineReachable())(`environments by host (${testEngine})`, () => {
  let environments: Environment[] = []
  let app: Hono
  let drop: () => Promise<void>

  beforeAll(async () => {
    const storage = await emptyStorage()
    drop = storage.drop
    for (const id of [2, 1] as const) {
      const environment = await openEnvironment(storage.settings, id)
      const { db } = environment
      await seedEnvironment(db, `mot-de-passe-${id}`)
      await db
        .updateTable('environment')
        .set({ hosts: [...hostsOf[id]] })
        .execute()
      await db
        .updateTable('parameters')
        .set({ value: `Organisation ${id}` })
        .where('code', '=', 'work_council')
        .execute()
      await db
        .insertInto('beneficiaries')
        .values({ matricule: 'M1', lastname: `Lectrice-${id}` })
        .execute()
      await environment.close()
    }
    environments = await openEnvironments(storage.settings)
    app = createApp({ environments, logger: pino({ level: 'silent' }), now: () => now, checkAnswers: true })
  })
  afterAll(async () => {
    await Promise.all(environments.map((environment) => environment.close()))
    await drop()
  })

  const at = (host: string) => ({ headers: { host } })
  const signIn = async (id: 1 | 2) => {
    return clientOf(app, await openSession(environments[id - 1]!.db, { at: now }))
  }

  it('finds them all, in order, with their hosts', () => {
    expect(environments.map(({ id, name, hosts }) => ({ id, name, hosts }))).toEqual([
      { id: 1, name: 'Organisation 1', hosts: hostsOf[1] },
      { id: 2, name: 'Organisation 2', hosts: hostsOf[2] },
    ])
  })

  it.each([
    ['pret.nord.fr', 1],
    ['PRET.nord.fr:3000', 1],
    ['nord.example', 1],
    ['pret.sud.fr:443', 2],
  ])('answers %s with environment %i', async (host, id) => {
    const answer = await clientOf(app, null).get('/dns', at(host))
    expect([answer.status, answer.body]).toEqual([200, { id, name: `Organisation ${id}` }])
    const image = await clientOf(app, null).get(`/api/image/env/${3 - id}`, at(host))
    expect(image.status).toBe(404)
  })

  it.each(['localhost', 'pret.nord.fr.pirate.example', 'sud.fr', ''])(
    'knows no environment at « %s »',
    async (host) => {
      const client = clientOf(app, 'un jeton')
      const answers = [
        ...(await Promise.all(
          ['/dns', '/api/users/me', '/api/image/env/1', '/api/events', '/api/nulle-part'].map((path) =>
            client.get(path, at(host)),
          ),
        )),
        await client.post('/auth', { username: 'admin', password: 'mot-de-passe-1' }, at(host)),
        await client.post('/api/login_check', { username: 'admin@1', password: 'mot-de-passe-1' }, at(host)),
        await client.post('/api/loanings', { beneficiary: 1, copy: 1 }, { key, ...at(host) }),
      ]
      for (const { status, body } of answers)
        expect([status, body]).toEqual([421, { code: 421, reason: 'HOST_UNKNOWN', message: hostUnknown }])
      const health = await client.get('/health', at(host))
      expect([health.status, health.body]).toEqual([200, { status: 'ok', library: false }])
    },
  )

  it('believes the host that a request was forwarded for where the proxy is trusted', async () => {
    const settings = { environments, logger: pino({ level: 'silent' }), checkAnswers: true }
    const forwarded = {
      headers: { host: '127.0.0.1:3000', 'x-forwarded-host': 'pirate.example, pret.sud.fr' },
    }
    const environmentAt = async (isProxyTrusted: boolean) =>
      (await clientOf(createApp({ ...settings, isProxyTrusted }), null).get('/dns', forwarded)).body.id
    expect(await environmentAt(true)).toBe(2)
    expect(await environmentAt(false)).toBeUndefined()
  })

  it('keeps the data of one from the other', async () => {
    const [north, south] = [await signIn(1), await signIn(2)]
    const names = async (client: typeof north, host: string) => {
      const { body } = await client.get('/api/beneficiaries', at(host))
      return body['hydra:member'].map(({ lastname }: { lastname: string }) => lastname)
    }
    expect(await names(north, 'pret.nord.fr')).toEqual(['Lectrice-1'])
    expect(await names(south, 'pret.sud.fr')).toEqual(['Lectrice-2'])
    const renamed = await north.put('/api/beneficiaries/1', { lastname: 'Renommée' }, at('pret.nord.fr'))
    expect(renamed.status).toBe(200)
    expect(await names(south, 'pret.sud.fr')).toEqual(['Lectrice-2'])
  })

  it('knows neither the token nor the password of another', async () => {
    const north = await signIn(1)
    expect((await north.get('/api/users/me', at('pret.nord.fr'))).status).toBe(200)
    expect((await north.get('/api/users/me', at('pret.sud.fr'))).status).toBe(401)
    const logIn = async (host: string, username: string, password: string) =>
      (await clientOf(app, null).post('/api/login_check', { username, password }, at(host))).status
    expect(await logIn('pret.sud.fr', 'admin@2', 'mot-de-passe-2')).toBe(200)
    expect(await logIn('pret.sud.fr', 'admin@2', 'mot-de-passe-1')).toBe(401)
    expect(await logIn('pret.sud.fr', 'admin@1', 'mot-de-passe-1')).toBe(401)
  })

  it('replays a key only where it was used', async () => {
    const [north, south] = [await signIn(1), await signIn(2)]
    const message = { message: 'Deux fois la même clé' }
    for (const [client, host] of [
      [north, 'pret.nord.fr'],
      [south, 'pret.sud.fr'],
    ] as const) {
      const answer = await client.put('/api/beneficiaries/1', message, { key, ...at(host) })
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null])
    }
  })
})
