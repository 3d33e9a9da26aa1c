import { chownSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { getRequestListener } from '@hono/node-server'
import { expect, it } from 'vitest'

import { examine } from '../../src/server/installation/examine.ts'
import { readConfiguration } from '../../src/server/process/configuration.ts'
import { emptyStorage, inCLocale, testEngine } from '../support/databases.ts'
import { describeServer } from '../support/test-server.ts'

describeServer('npm run doctor', (server) => {
  const examined = async (more: Record<string, string>) => {
    const { dataDir, databaseUrl } = server.storage
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', ...more }
    const checks = await examine(readConfiguration(env), new Date())
    return Object.fromEntries(checks.map(({ id, state, fact }) => [id, { state, fact }]))
  }
  /** An address where nobody answers. */
  const nobody = { HOST: '127.0.0.1', PORT: '1' }

  it('asks a server that runs for the embedded base that it holds', async () => {
    const web = createServer(
      (request, response) => void getRequestListener(server.app.fetch)(request, response),
    )
    await new Promise<void>((resolve) => {
      web.listen(0, '127.0.0.1', resolve)
    })
    try {
      const PORT = String((web.address() as AddressInfo).port)
      const found = await examined({ PORT })
      expect([found['server']?.state, found['database']?.state]).toEqual(['fine', 'fine'])
      expect(found['database']?.fact).toMatch(
        testEngine === 'embedded' ? /serveur en marche/ : /^PostgreSQL \d+\.$/,
      )
      // It is the default, where links of mails lead to nobody.
      expect(found['public_url']).toMatchObject({ state: 'look', fact: expect.stringContaining(PORT) })
      const elsewhere = await examined({ PORT, PUBLIC_URL: 'http://127.0.0.2:1/comptoir' })
      expect(elsewhere['public_url']?.state).toBe('look')
    } finally {
      await new Promise((resolve) => web.close(resolve))
    }
  })

  it.runIf(testEngine === 'embedded')('opens no base that another process holds', async () => {
    const found = await examined(nobody)
    expect(found['server']?.state).toBe('look')
    expect(found['database']).toMatchObject({
      state: 'look',
      fact: expect.stringContaining('autre processus'),
    })
  })

  it('opens the base itself where no server runs, and leaves it as it was', async () => {
    await server.environment.close()
    for (let time = 0; time < 2; time += 1) {
      const found = await examined(nobody)
      expect([found['server']?.state, found['database']?.state, found['clock']?.state]).toEqual([
        'look',
        'fine',
        'fine',
      ])
      expect(found['database']?.fact).toMatch(/PostgreSQL \d+/)
    }
  })

  it.runIf(testEngine === 'embedded' && process.getuid?.() === 0)(
    'opens no base of another account, which could not open it any more',
    async () => {
      await server.environment.close()
      const place = join(server.environment.files, 'database', 'postgres')
      chownSync(place, 65_534, 65_534)
      const names = readdirSync(place).toSorted()
      const found = await examined(nobody)
      expect(found['database']).toMatchObject({
        state: 'look',
        fact: expect.stringContaining('autre compte'),
      })
      expect(readdirSync(place).toSorted()).toEqual(names)
      chownSync(place, 0, 0)
    },
  )

  it.runIf(testEngine === 'postgres')('tells of a base that knows no letters but A to Z', async () => {
    const { settings, drop } = await emptyStorage(inCLocale)
    const { database } = await examined({ ...nobody, DATABASE_URL: settings.databaseUrl ?? '' })
    await drop()
    expect(database).toMatchObject({
      state: 'look',
      fact: expect.stringMatching(/^PostgreSQL \d+\. .*LC_CTYPE/),
    })
  })

  it('tells what keeps it from PostgreSQL without the password, and that there is no base yet', async () => {
    const DATABASE_URL = 'postgres://comptoir:mot-de-passe@127.0.0.1:1/comptoir'
    const refused = await examined({ ...nobody, DATABASE_URL })
    expect(refused['database']?.state).toBe('wrong')
    expect(JSON.stringify(refused)).not.toContain('mot-de-passe')
    const empty = await examined({ ...nobody, DATABASE_URL: '', DATA_DIR: '/nowhere' })
    expect([empty['database']?.state, empty['folders']?.state]).toEqual(['unknown', 'look'])
  })
})
