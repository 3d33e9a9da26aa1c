import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { checkMachine } from '../../src/server/installation/check-machine.ts'
import { type MailServer, startMailServer } from '../mail/mail-server.ts'

const now = new Date(2026, 10, 28, 9, 30)

describe('the machine', () => {
  let dataDir: string
  let mails: MailServer
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'comptoir-machine-'))
    mails = await startMailServer()
  })
  afterAll(async () => {
    await mails.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const look = async (id: string, settings: { backupDir?: string; smtpUrl?: string } = {}) =>
    (await checkMachine({ dataDir, backupDir: null, smtpUrl: null, ...settings }, now)).find(
      (check) => check.id === id,
    )

  it('tells the day of the last nightly backup by its name, and none that is still to come', async () => {
    const backupDir = join(dataDir, 'sauvegardes')
    await mkdir(backupDir)
    expect(await look('backup', { backupDir })).toMatchObject({ state: 'look' })
    for (const name of [
      'comptoir-2026-11-26',
      'comptoir-2027-01-01',
      'comptoir-2026-11-28.sauvegarde.a',
      'avant',
    ])
      await writeFile(join(backupDir, `${name}.sauvegarde`), '')
    expect(await look('backup', { backupDir })).toMatchObject({
      state: 'wrong',
      fact: expect.stringContaining('26/11/2026'),
    })
    await writeFile(join(backupDir, 'comptoir-2026-11-28.sauvegarde'), '')
    expect(await look('backup', { backupDir })).toMatchObject({ state: 'fine' })
    for (const directory of [dataDir, backupDir])
      await writeFile(join(directory, 'installation.txt'), `une\n${dataDir}\n`)
    expect(await look('backup', { backupDir })).toMatchObject({ state: 'fine' })
    // In another container, with the same path.
    await writeFile(join(backupDir, 'installation.txt'), `autre\n${dataDir}\n`)
    expect(await look('backup', { backupDir })).toMatchObject({
      state: 'wrong',
      fact: expect.stringContaining('autre installation'),
    })
  })

  it('greets the mail server without sending, and tells nothing of the account', async () => {
    const smtpUrl = mails.url.replace('//', '//comptoir:mot-de-passe@')
    const greeted = await look('mail', { smtpUrl })
    expect(greeted).toMatchObject({
      state: 'fine',
      fact: expect.stringContaining(`${new URL(mails.url).host} répond.`),
    })
    expect(mails.received).toEqual([])
    await mails.stop()
    const silent = await look('mail', { smtpUrl })
    expect(silent).toMatchObject({ state: 'wrong', fact: expect.stringContaining('ECONNREFUSED') })
    expect(JSON.stringify(silent)).not.toMatch(/mot-de-passe/)
  })

  it('tells of a folder that is not there, and of one that others may read', async () => {
    expect(await look('folders', { backupDir: join(dataDir, 'absent') })).toMatchObject({
      state: 'look',
      fact: expect.stringContaining('n’existe pas'),
    })
    await mkdir(join(dataDir, 'environments'), { mode: 0o700 })
    expect(await look('folders')).toMatchObject({ state: 'fine' })
    await chmod(join(dataDir, 'environments'), 0o755)
    expect(await look('folders')).toMatchObject({ state: process.platform === 'win32' ? 'fine' : 'look' })
  })

  it('tells its disk and memory in figures', async () => {
    expect(await look('disk')).toMatchObject({ fact: expect.stringMatching(/libres sur/) })
    expect(await look('memory')).toMatchObject({ fact: expect.stringMatching(/\d\u202f[MG]o\.$/) })
  })
})
