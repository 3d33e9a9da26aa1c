import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { runProduct, startProduct } from './product.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'comptoir-first-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

describe('a server', () => {
  it.each(['admin', 'comptoir-demo'])(
    'does not start with ADMIN_PASSWORD=%s, and furnishes nothing',
    async (password) => {
      const { code, said } = await runProduct({ DATA_DIR: dataDir, ADMIN_PASSWORD: password })
      expect(code).toBe(1)
      expect(said).toMatch(/\nADMIN_PASSWORD\u202f: (Ce|Le) mot de passe [^\n]*\n$/)
      const environment = await openEnvironment({ dataDir, databaseUrl: null }, 1)
      try {
        for (const table of ['users', 'profiles', 'parameters', 'sites', 'mail_templates'] as const)
          expect(await environment.db.selectFrom(table).selectAll().execute()).toEqual([])
      } finally {
        await environment.close()
      }
    },
  )

  it('looks at ADMIN_PASSWORD at the first start alone, and serves what is its owner’s', async () => {
    const first = await startProduct({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'Trois-tortues-jaunes-1987' })
    const logIn = (address: string, password: string) =>
      fetch(`${address}/api/login_check`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin@1', password }),
      }).then(({ status }) => status)
    expect(await logIn(first.address, 'Trois-tortues-jaunes-1987')).toBe(200)
    expect((await fetch(`${first.address}/.vite/manifest.json`)).status).toBe(404)
    if (process.platform !== 'win32') {
      const modeOf = async (path: string) => (await stat(join(dataDir, path))).mode & 0o777
      expect([await modeOf('environments'), await modeOf('environments/1/database')]).toEqual([0o700, 0o700])
    }
    expect(await first.end('SIGTERM')).toBe(0)
    const again = await startProduct({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'admin' })
    expect(await logIn(again.address, 'Trois-tortues-jaunes-1987')).toBe(200)
    expect(await logIn(again.address, 'admin')).toBe(401)
    expect(await again.end('SIGTERM')).toBe(0)
  })
})
