import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import { expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import type { Environment } from '../../src/server/db/environments/environment.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { openTwoSites } from '../visibility/two-sites.ts'
import { clientOf, describeServer } from '../support/test-server.ts'

const byCaddy = {
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-host': 'pret.exemple.fr',
  'x-forwarded-proto': 'https',
}

describeServer('the state of the installation', (server) => {
  const set = async (
    settings: { isProxyTrusted?: boolean; smtpUrl?: string; others?: Environment[] } = {},
  ) => {
    const { smtpUrl = null, isProxyTrusted = false, others = [] } = settings
    const app = createApp({
      environments: [server.environment, ...others],
      logger: pino({ level: 'silent' }),
      now: () => server.now,
      publicUrl: 'https://pret.exemple.fr',
      isProxyTrusted,
      installed: { dataDir: server.storage.dataDir, backupDir: null, smtpUrl },
      checkAnswers: true,
    })
    const admin = clientOf(app, (await server.as('admin')).token)
    return async (headers: Record<string, string> = {}) => {
      const { body } = await admin.get('/api/installation', { headers })
      const checks = body.checks as { id: string; state: string; fact: string }[]
      return (id: string) => checks.find((check) => check.id === id)
    }
  }

  it('is told to whoever may change the settings alone', async () => {
    expect((await (await server.as('biblio')).get('/api/installation')).status).toBe(403)
    const { status, body } = await (await server.as('admin')).get('/api/installation')
    expect(status).toBe(200)
    expect(body.checks.map(({ id }: { id: string }) => id)).toEqual([
      'node',
      'memory',
      'disk',
      'folders',
      'database',
      'clock',
      'public_url',
      'proxy',
      'mail',
      'backup',
      'pages',
    ])
  })

  it('tells apart what the nightly backup lacks, to the same alone', async () => {
    const backupDir = await mkdtemp(join(tmpdir(), 'comptoir-nightly-'))
    try {
      await writeFile(join(backupDir, 'comptoir-2026-03-08.sauvegarde'), '')
      const app = createApp({
        environments: [server.environment],
        logger: pino({ level: 'silent' }),
        now: () => server.now,
        installed: { dataDir: server.storage.dataDir, backupDir, smtpUrl: null },
        checkAnswers: true,
      })
      const ask = async (who: string) =>
        clientOf(app, (await server.as(who)).token).get('/api/installation/backup')
      expect((await ask('biblio')).status).toBe(403)
      expect((await ask('admin')).body).toMatchObject({
        '@type': 'Backup',
        trouble: { state: 'wrong', fact: 'La dernière est du 08/03/2026\u202f: 2 jours de retard.' },
      })
      await writeFile(join(backupDir, 'comptoir-2026-03-10.sauvegarde'), '')
      expect((await ask('admin')).body.trouble).toBeNull()
    } finally {
      await rm(backupDir, { recursive: true, force: true })
    }
  })

  it('judges the proxy and the public address by what this very call carried', async () => {
    const [believed, doubted] = [await set({ isProxyTrusted: true }), await set()]
    const through = await believed(byCaddy)
    expect([through('proxy')?.state, through('public_url')?.state]).toEqual(['fine', 'fine'])
    expect((await believed())('proxy')?.state).toBe('look')
    expect((await doubted(byCaddy))('proxy')?.state).toBe('wrong')
    expect((await doubted({ host: '192.168.1.10:3000' }))('public_url')).toMatchObject({
      state: 'look',
      fact: expect.stringContaining('192.168.1.10'),
    })
  })

  it('asks the database its version and its clock, and tells nothing secret', async () => {
    const asked = await set({ smtpUrl: 'smtp://comptoir:mot-de-passe@127.0.0.1:1' })
    const told = await asked()
    expect([told('database')?.state, told('clock')?.state]).toEqual(['fine', 'fine'])
    expect(told('mail')).toMatchObject({ state: 'wrong', fact: expect.not.stringContaining('mot-de-passe') })
  })

  it('tells one of several libraries the same of the machine, but not where its folders are', async () => {
    const [alone, beside] = [
      await set(),
      await set({ others: [{ ...server.environment, id: 2, hosts: ['nord.fr'] }] }),
    ]
    expect((await alone())('folders')?.fact).toContain(server.storage.dataDir)
    const told = await beside()
    expect(told('folders')).toMatchObject({ state: 'fine', fact: 'DATA_DIR' })
    for (const id of ['node', 'memory', 'disk', 'mail', 'backup']) expect(told(id)).toBeDefined()
  })

  it('counts the versions of the pages that spoke in the last half hour', async () => {
    const report = { browser: 'Firefox', waiting: 0, conflicts: 0, quarantined: 0 }
    const tell = async (app_version: string) => {
      const device = randomUUID()
      const page = await server.as('biblio', device)
      const body = { ...report, app_version, oldest_age: null, snapshot_age: null, storage_used: null }
      expect((await page.put(`/api/devices/${device}`, body)).status).toBe(204)
    }
    await tell('0.0.8')
    server.moveTo('2026-03-10T10:00:00Z')
    await tell('0.0.9')
    await tell('0.0.9')
    const pages = (await (await set())())('pages')
    expect(pages).toMatchObject({ state: 'look', fact: expect.stringContaining('2 pages en version 0.0.9') })
    expect(pages?.fact).not.toContain('0.0.8')
  })

  it('lists the codes that name several things, and nothing that is out of sight', async () => {
    const admin = await server.as('admin')
    const path = '/api/installation/shared_codes'
    expect((await (await server.as('biblio')).get(path)).status).toBe(403)
    expect((await admin.get(path)).body).toEqual({ total: 0, codes: [] })
    await sql`update copies set bar_code = case bar_code when '1001' then 'r1' when '1002' then 'Ab-1' else 'AB-1' end
      where bar_code in ('1001', '1002', '1003')`.execute(server.db)
    await sql`update locations set bar_code = 'r2a' where id = (select min(id) from locations)`.execute(
      server.db,
    )
    const whole = (await admin.get(path)).body
    const { rows } = await sql<{ places: number }>`select count(*)::integer as places from locations`.execute(
      server.db,
    )
    expect(whole.total).toBe((rows[0]?.places ?? 0) > 0 ? 3 : 2)
    const holdersOf = (code: string) =>
      whole.codes.find((one: { code: string }) => one.code === code)?.holders
    expect(holdersOf('ab-1')).toMatchObject([{ written: 'Ab-1' }, { written: 'AB-1' }])
    expect(holdersOf('r1')).toEqual([
      { kind: 'copy', written: 'r1', name: 'Livre numéro 1', leads_to: 1 },
      { kind: 'reader', written: 'R1', name: null, leads_to: 1 },
    ])
    const { annexe } = await openTwoSites(server)
    await setParameter(server, 'by_site_beneficiaries', '1')
    const { body } = await annexe.get(path)
    expect(body.codes.map((one: { code: string }) => one.code)).not.toContain('r1')
    // One of the two is theirs to mend; the other is not shown as it is written.
    await sql`update copies set site = 2 where bar_code = 'r1'`.execute(server.db)
    const { codes } = (await annexe.get(path)).body
    expect(codes.find((one: { code: string }) => one.code === 'r1').holders).toEqual([
      { kind: 'copy', written: 'r1', name: 'Livre numéro 1', leads_to: 1 },
      { kind: 'reader', written: 'r1', name: null, leads_to: null },
    ])
  })

  it('lists the first twenty of such codes, and counts them all', async () => {
    await sql`insert into copies (reference, site, bar_code)
      select 1, 1, form || n from generate_series(1, 30) n, unnest(array['Code', 'CODE']) form`.execute(
      server.db,
    )
    const { body } = await (await server.as('chef')).get('/api/installation/shared_codes')
    expect([body.codes.length, body.total]).toEqual([20, expect.any(Number)])
    expect(body.total).toBeGreaterThanOrEqual(32)
  })
})
