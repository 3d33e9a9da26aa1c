import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { openLogger } from '../../src/server/process/logger.ts'
import { openSecurityLog, type SecurityLog } from '../../src/server/security/security-log.ts'
import { testPassword } from '../support/test-library.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

const device = '0b6f9a4e-4a53-4f0e-9d1c-2f8a0c6f1a77'

/** What docs/security.md gives fail2ban to look for, once it has taken the date away. */
const failregex = new RegExp(
  (/^failregex = (.*)$/m.exec(readFileSync('docs/security.md', 'utf8'))?.[1] ?? 'nothing').replace(
    '<ADDR>',
    '(?<address>[0-9a-fA-F.:]+)',
  ),
)

describeServer('the security log', (server) => {
  let folder = ''
  let path = ''
  let lines: string[] = []
  let log: SecurityLog
  let address = '203.0.113.7'
  const logger = openLogger('info', { write: (line: string) => void lines.push(line) })

  const open = (token: string | null = null) =>
    clientOf(
      createApp({
        environments: [server.environment],
        logger,
        now: () => server.now,
        addressOf: () => address,
        securityLog: log,
        checkAnswers: true,
      }),
      token,
    )
  const events = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event !== undefined)
  const fileLines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const guess = (client: Client, username: string, headers = {}) =>
    client.post('/auth', { username, password: 'rien de bon' }, { headers })

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'comptoir-security-'))
    path = join(folder, 'security.log')
    lines = []
    address = '203.0.113.7'
    log = openSecurityLog(logger, path)
    await server.db.deleteFrom('login_failures').execute()
  })
  afterEach(async () => {
    await log.close()
    await rm(folder, { recursive: true })
  })

  it('says who failed to sign in, at both steps, from where, on which device, and when', async () => {
    const answer = await guess(open(), 'biblio', { 'x-device': `${device}.${'s'.repeat(43)}` })
    expect(answer.status).toBe(401)
    const second = await open().post('/api/login_check', { username: 'biblio@1', password: 'non plus' })
    expect(second.status).toBe(401)
    const told = { event: 'security.sign_in_failed', address, msg: 'security' }
    const request = answer.headers.get('x-request-id')
    expect(events()).toMatchObject([
      { ...told, account: 'biblio', device, call: 'auth', request, time: expect.any(Number) },
      { ...told, account: 'biblio@1', device: null, call: 'login_check' },
    ])
    await log.close()
    expect(fileLines()).toEqual([
      `${server.now.toISOString()} security.sign_in_failed address=203.0.113.7 account=biblio device=${device} call=auth reason=- request=${request} times=1`,
      expect.stringContaining(' account=biblio%401 device=- call=login_check '),
    ])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('says that a link or a current password was not the right one', async () => {
    const biblio = open((await server.as('biblio')).token)
    expect((await open().post('/api/login_link', { token: 'a'.repeat(43) })).status).toBe(401)
    const form = {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      rawBody: 'password=Trois-tortues-1987',
    }
    expect((await open().post(`/resetting/reset/${'b'.repeat(43)}`, {}, form)).status).toBe(400)
    const changed = { current_password: 'rien de bon', new_password: 'Trois-tortues-jaunes-1987' }
    expect((await biblio.post('/api/change-password', changed)).status).toBe(422)
    expect(events()).toMatchObject([
      { event: 'security.sign_in_failed', account: null, call: 'login_link', reason: 'LINK_ENDED' },
      { event: 'security.sign_in_failed', account: null, call: 'resetting.reset', reason: 'LINK_ENDED' },
      { event: 'security.sign_in_failed', account: 'biblio', call: 'change_password' },
    ])
  })

  it('says who asked for what is not theirs', async () => {
    const client = open((await server.as('lecture')).token)
    expect((await client.delete('/api/loanings/1')).status).toBe(403)
    expect(events()).toMatchObject([
      {
        event: 'security.forbidden',
        account: 'lecture',
        address,
        call: 'loanings.delete',
        reason: 'RIGHT_MISSING',
      },
    ])
  })

  it('says nothing of those who sign in', async () => {
    expect((await open().post('/auth', { username: 'biblio', password: testPassword })).status).toBe(200)
    expect(events()).toEqual([])
    await log.close()
    expect(fileLines()).toEqual([])
  })

  it('counts what is slowed, and says once a minute how often it was', async () => {
    let slowed = 0
    for (let n = 0; n < 40; n++) if ((await guess(open(), 'admin')).status === 429) slowed += 1
    expect(slowed).toBeGreaterThan(30)
    const throttled = () => events().filter(({ event }) => event === 'security.throttled')
    expect(throttled()).toHaveLength(1)
    log.sumUp(server.now)
    expect(throttled()).toMatchObject([
      { account: 'admin', address },
      { account: 'admin', address, times: slowed - 1 },
    ])
    log.sumUp(server.now)
    expect(throttled()).toHaveLength(2)
    await log.close()
    expect(fileLines().at(-1)).toMatch(new RegExp(` times=${slowed - 1}$`))
  })

  it('stays small under a flood of names and addresses', async () => {
    const event = {
      event: 'security.throttled',
      device: null,
      call: 'auth',
      reason: null,
      request: 'aaaaaaaa',
    } as const
    for (let n = 0; n < 20_000; n++) {
      const from = `198.51.${n % 250}.${Math.floor(n / 250)}`
      log.note({ ...event, account: `nom ${n}`, address: from }, server.now)
    }
    log.sumUp(server.now)
    expect(events().length).toBeLessThan(1000)
    const said = events().reduce((sum, { times = 1 }) => sum + times, 0)
    expect(said).toBe(20_000)
  })

  it('cannot be forged by what is typed as a name', async () => {
    const forged =
      'x\n2026-03-10T09:00:00.000Z security.throttled address=198.51.100.9 \u2028\u202e\u0000\r account="y" '
    const typed: [string, string][] = [
      [forged, '203.0.113.7'],
      [`${'é'.repeat(90)}\ud800`, '203.0.113.7'],
      ['-', '198.51.100.9\nfaux'],
      ['😀'.repeat(120), '::ffff:192.0.2.4'],
    ]
    const event = { event: 'security.sign_in_failed', device: null, call: 'auth', reason: null } as const
    for (const [account, from] of typed) {
      log.note({ ...event, account, address: from, request: 'aaaaaaaa' }, server.now)
    }
    const told = events()
    expect(told).toHaveLength(4)
    for (const { account } of told) {
      expect(account).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      expect(Array.from(account as string).length).toBeLessThanOrEqual(100)
    }
    expect(told.map((one) => one.address)).toEqual(['203.0.113.7', '203.0.113.7', null, '192.0.2.4'])
    await log.close()
    expect(fileLines()).toHaveLength(4)
    for (const line of fileLines()) {
      expect(line).toMatch(
        /^\S+Z security\.sign_in_failed address=(?:[\d.]+|-) account=[\w.!~*'()%-]+ device=- call=auth reason=- request=[0-9a-f]{8} times=1$/,
      )
    }
    expect(fileLines()[2]).toContain(' account=%2D ')
  })

  it('is read by fail2ban, which sees the address of the caller and no other', async () => {
    await guess(open(), 'admin')
    await guess(open(), 'x security.throttled address=198.51.100.9 ')
    await open((await server.as('lecture')).token).delete('/api/loanings/1')
    await log.close()
    const seen = fileLines().map(
      (line) => failregex.exec(line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z/, ''))?.groups?.['address'],
    )
    expect(seen).toEqual(['203.0.113.7', '203.0.113.7', undefined])
  })

  it('goes on in a new file when the old one is taken away', async () => {
    await guess(open(), 'admin')
    await log.close()
    renameSync(path, `${path}.1`)
    await guess(open(), 'biblio')
    await log.close()
    expect(readFileSync(`${path}.1`, 'utf8')).toContain(' account=admin ')
    expect(fileLines()).toEqual([expect.stringContaining(' account=biblio ')])
  })

  it('says at the start that its file cannot be written', () => {
    expect(() => openSecurityLog(logger, join(folder, 'nulle-part', 'security.log'))).toThrow(
      /^SECURITY_LOG .*ENOENT/,
    )
    expect(existsSync(join(folder, 'nulle-part'))).toBe(false)
  })
})
