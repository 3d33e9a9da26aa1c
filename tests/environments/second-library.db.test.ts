import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { drain } from '../../src/offline/drain.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { createApp } from '../../src/server/app.ts'
import { openEnvironment, openEnvironments } from '../../src/server/db/environments/environment.ts'
import { openManager } from '../../src/server/environments/manage-environments.ts'
import type { NewEnvironment } from '../../src/server/environments/managed-environments.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import {
  biblio,
  freshDevice,
  lending,
  record,
  returning,
  settingsOf,
  signInWith,
  stillClock,
} from '../offline/device.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { openSession } from '../support/open-session.ts'
import { adminPassword, seedTestLibrary } from '../support/test-library.ts'
import { clientOf, testNow } from '../support/test-server.ts'

const now = new Date(testNow)

describe.skipIf(!isEngineReachable())(`a second library beside the first (${testEngine})`, () => {
  freshDevice()
  let storage: Awaited<ReturnType<typeof emptyStorage>>
  let token: string

  beforeAll(async () => {
    storage = await emptyStorage()
    const { db, close } = await openEnvironment(storage.settings, 1)
    await seedEnvironment(db, adminPassword)
    await seedTestLibrary(db)
    token = await openSession(db, { user_id: biblio.user_id, at: now })
    await close()
  })
  afterAll(() => storage.drop())

  /** The embedded engine is served or managed, one after the other. */
  const served = async () => {
    const environments = await openEnvironments(storage.settings)
    onTestFinished(async () => {
      for (const environment of environments) await environment.close()
    })
    return createApp({ environments, logger: pino({ level: 'silent' }), now: () => now, checkAnswers: true })
  }
  const managed = async <T>(work: (manager: ReturnType<typeof openManager>) => Promise<T>): Promise<T> => {
    const manager = openManager({ ...storage.settings, embeddedLimit: 3, publicUrl: 'https://pret.fr' })
    return work(manager).finally(() => manager.close())
  }
  const north: NewEnvironment = {
    name: 'Nord',
    hosts: ['nord.fr'],
    firstHosts: [],
    preset: null,
    administrator: null,
  }

  it('is not added while nothing tells the first from it', async () => {
    await managed(async (manager) => {
      await expect(manager.add(north)).rejects.toThrow(
        'La bibliothèque 1 («\u202fComptoir\u202f») n’a pas d’hôte, et répond à toute adresse\u202f: dites par laquelle on y vient, --first-hosts=pret.exemple.fr.',
      )
      await expect(manager.add({ ...north, firstHosts: ['NORD.fr'] })).rejects.toThrow(
        'est déjà celui de la bibliothèque 1',
      )
      expect((await manager.list()).map(({ id, hosts }) => [id, ...hosts])).toEqual([[1]])
    })
  })

  it('leaves the first at work, and what a device has at another address waits until it is served', async () => {
    const added = await managed((manager) => manager.add({ ...north, firstHosts: ['pret.fr'] }))
    expect(added.wasAlone).toMatchObject({ id: 1, hosts: ['pret.fr'] })
    const app = await served()
    const at =
      (host: string): DeviceFetch =>
      (path, init) => {
        const headers = new Headers(init.headers)
        headers.set('host', host)
        return app.request(path, { ...init, headers })
      }
    const dns = async (host: string) => (await clientOf(app, null, host).get('/dns')).body
    expect(await dns('pret.fr')).toEqual({ id: 1, name: 'Comptoir' })
    expect(await dns('nord.fr')).toEqual({ id: 2, name: 'Nord' })

    await signInWith(clientOf(app, token, 'pret.fr'), biblio)
    const clock = stillClock()
    const lend = await record(lending(1), biblio, now)
    expect(await drain(settingsOf(at('192.168.1.10'), clock))).toMatchObject({
      refused: 0,
      stopped: 'network',
    })
    expect(await getEntry(lend.id)).toMatchObject({ state: 'queued', problem: null })
    await record(returning(1, lend), biblio, now)
    expect(await drain({ ...settingsOf(at('pret.fr'), clock), hurry: true })).toMatchObject({
      done: 2,
      refused: 0,
    })
  })

  it('leaves one that has no host, of an earlier version, what no other takes', async () => {
    const { db, close } = await openEnvironment(storage.settings, 1)
    await db.updateTable('environment').set({ hosts: [] }).execute()
    await close()
    const app = await served()
    const dns = async (host: string) => (await clientOf(app, null, host).get('/dns')).body.id
    expect([await dns('nord.fr'), await dns('pret.fr'), await dns('192.168.1.10')]).toEqual([2, 1, 1])
  })

  it('is not made of what was left of it, nor is another beside a first without host', async () => {
    await managed(async (manager) => {
      await expect(manager.add({ ...north, name: 'Sud', hosts: ['sud.fr'] })).rejects.toThrow('--first-hosts')
      expect(await manager.add({ ...north, firstHosts: ['pret.fr'] })).toMatchObject({
        id: 2,
        wasThere: true,
        wasAlone: null,
      })
      await expect(manager.add({ ...north, firstHosts: ['autre.fr'] })).rejects.toThrow('a déjà ses hôtes')
    })
  })
})
