import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openTransport, sweepWrittenMails, tightenWrittenMails } from '../../src/server/mail/transport.ts'

let root: string
let directory: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'comptoir-mail-'))
})
beforeEach(async () => {
  directory = join(await mkdtemp(join(root, 'data-')), 'mail')
})
afterAll(() => rm(root, { recursive: true, force: true }))

const modeOf = async (...path: string[]) => (await stat(join(directory, ...path))).mode & 0o777

const write = async (key: string, holds_link: boolean) => {
  const transport = openTransport({ smtpUrl: null, mailFrom: null, directory })
  const sent = await transport.send({
    key,
    to_address: 'biblio@exemple.fr',
    subject: 'Mot de passe',
    html: '<p>Bonjour</p>',
    created_at: '2026-03-10T09:00:00.000Z',
    holds_link,
  })
  transport.close()
  expect(sent).toEqual({ ok: true, as: 'written' })
}

describe('written mails', () => {
  it.skipIf(process.platform === 'win32')('are their owner’s alone, whatever the umask', async () => {
    const before = process.umask(0)
    await write('a', true).finally(() => process.umask(before))
    expect(await modeOf()).toBe(0o700)
    for (const name of await readdir(directory)) expect(await modeOf(name)).toBe(0o600)
  })

  it.skipIf(process.platform === 'win32')(
    'that were open to others are closed, and nothing else is',
    async () => {
      await mkdir(directory)
      await writeFile(join(directory, 'ancien.eml'), '', { mode: 0o644 })
      await writeFile(join(directory, 'notes.txt'), '', { mode: 0o644 })
      await chmod(directory, 0o755)
      await tightenWrittenMails(directory)
      expect([await modeOf(), await modeOf('ancien.eml'), await modeOf('notes.txt')]).toEqual([
        0o700, 0o600, 0o644,
      ])
      await tightenWrittenMails(join(root, 'absent'))
    },
  )

  it('go after a week, and after an hour when they bring a link', async () => {
    await write('lien', true)
    await write('rappel', false)
    await writeFile(join(directory, 'coupé.lien.eml.part'), '')
    await writeFile(join(directory, 'ancien.eml'), '')
    await writeFile(join(directory, 'notes.txt'), '')
    const written = new Date('2026-03-10T09:00:00Z')
    for (const name of await readdir(directory)) await utimes(join(directory, name), written, written)
    const leftAt = async (now: string) => {
      await sweepWrittenMails(directory, new Date(now))
      return (await readdir(directory)).map((name) => name.replace(/^2026.*Z-/, '')).sort()
    }
    expect(await leftAt('2026-03-10T10:00:00Z')).toHaveLength(5)
    expect(await leftAt('2026-03-10T10:00:01Z')).toEqual(['ancien.eml', 'notes.txt', 'rappel.eml'])
    expect(await leftAt('2026-03-17T09:00:00Z')).toEqual(['ancien.eml', 'notes.txt', 'rappel.eml'])
    expect(await leftAt('2026-03-17T09:00:01Z')).toEqual(['notes.txt'])
    await sweepWrittenMails(join(root, 'absent'), written)
  })
})
