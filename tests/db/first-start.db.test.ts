import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { codesOfCards } from '../../src/server/library-facts/held-codes.ts'
import { openServed } from '../../src/server/open-served.ts'
import { readConfiguration } from '../../src/server/process/configuration.ts'
import { emptyStorage, inCLocale, isEngineReachable, testEngine } from '../support/databases.ts'

const logger = pino({ level: 'silent' })
const password = 'Trois-tortues-jaunes-1987'

describe.skipIf(!isEngineReachable())(`a server on a place where nothing is (${testEngine})`, () => {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })

  async function serveEmpty(template?: string) {
    const { settings, drop } = await emptyStorage(template)
    closing.push(drop)
    const configuration = readConfiguration({
      DATA_DIR: settings.dataDir,
      ADMIN_PASSWORD: password,
      ...(settings.databaseUrl === null ? {} : { DATABASE_URL: settings.databaseUrl }),
    })
    const served = await openServed(configuration, logger)
    closing.push(served.stop)
    return { ...served, app: createApp({ environments: served.environments, logger }) }
  }

  it('makes a first library, which its administrator enters at any host', async () => {
    const { app, environments } = await serveEmpty()
    expect(environments.known.map(({ id }) => id)).toEqual([1])
    expect((await app.request('http://pret.fr/dns')).status).toBe(200)
    const entered = await app.request('http://pret.fr/api/login_check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin@1', password }),
    })
    expect(entered.status).toBe(200)
  })

  it.runIf(testEngine === 'postgres')('says of a base that it knows no letters but A to Z', async () => {
    const told = async (template?: string) =>
      (await serveEmpty(template)).said.filter((line) => line.includes('LC_CTYPE'))
    expect(await told()).toEqual([])
    expect(await told(inCLocale)).toEqual([expect.stringMatching(/npm run backup.*npm run restore/)])
  })

  it.runIf(testEngine === 'postgres')('knows a code of such a base as it is written', async () => {
    const { environments } = await serveEmpty(inCLocale)
    const { db } = (await environments.any())!
    await db.transaction().execute(async (trx) => {
      const reader = { matricule: '1', lastname: 'Un', firstname: '', reader_id: 'ÉTÉ1' }
      await trx.insertInto('beneficiaries').values(reader).execute()
      expect([...(await codesOfCards(trx, ['ÉTÉ1', 'ÉTÉ2']))]).toEqual(['été1'])
    })
  })
})
