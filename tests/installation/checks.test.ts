import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import {
  type Check,
  clockCheck,
  databaseCheck,
  type HealthAnswer,
  inOrder,
  pagesCheck,
  proxyCheck,
  publicUrlCheck,
  serverCheck,
  textOfChecks,
} from '../../src/domain/installation-checks.ts'
import {
  backupCheck,
  backupTrouble,
  diskCheck,
  foldersCheck,
  mailCheck,
  memoryCheck,
  nodeCheck,
} from '../../src/domain/machine-checks.ts'

const today = '2026-11-28'
const gigabyte = 1e9
/** In a word each. */
const states = (checks: readonly Check[]) => checks.map(({ state }) => state).join(' ')

describe('what is checked of an installation', () => {
  it('is the line of Node: old enough is wrong, no longer kept up is to be looked at', () => {
    const versions = ['v18.20.4', 'v20.18.3', 'v20.19.0', 'v23.1.0', 'v22.9.0', 'v24.1.0', 'v28.0.0']
    const checks = versions.map((version) => nodeCheck({ version, today }))
    expect(states(checks)).toBe('wrong wrong look look fine fine fine')
    const line = readFileSync('.nvmrc', 'utf8').trim()
    expect(checks[0]?.advice).toBe(`Installez Node ${line}.`)
    expect(nodeCheck({ version: `v${line}.0.0`, today }).state).toBe('fine')
  })

  it('is the memory and the disk, by what docs/install asks for', () => {
    const memory = [[2, 1] as const, [2, 0.05] as const, [0.5, 0.4] as const, [2, null] as const]
    const inBytes = memory.map(([total, free]) => ({
      total: total * gigabyte,
      free: free && free * gigabyte,
    }))
    expect(states(inBytes.map(memoryCheck))).toBe('fine look look fine')
    const disk = [50, 0.5, 0.1].map((free) => diskCheck({ free: free * gigabyte, total: 100 * gigabyte }))
    expect(states([...disk, diskCheck(null)])).toBe('fine look wrong unknown')
    expect(disk[1]?.fact).toBe('500\u202fMo libres sur 100\u202fGo.')
  })

  it('is the folders: one that cannot be written is wrong, and is named', () => {
    const folder = { name: 'DATA_DIR', path: '/srv/data', trouble: null, isOpenToOthers: false }
    const backups = { ...folder, name: 'BACKUP_DIR', path: '/srv/sauvegardes' }
    const refused = foldersCheck([folder, { ...backups, trouble: 'EACCES' }])
    expect(refused).toMatchObject({ state: 'wrong', advice: expect.stringContaining('BACKUP_DIR') })
    expect(
      states([
        foldersCheck([folder, backups]),
        foldersCheck([{ ...folder, trouble: 'ENOENT' }]),
        foldersCheck([{ ...folder, isOpenToOthers: true }]),
      ]),
    ).toBe('fine look look')
  })

  it('is the server and its database: one that is stopped is no fault, an old PostgreSQL is', () => {
    const address = 'http://127.0.0.1:3000'
    const healths = ['ok', 'no-library', 'unwell', 'silent'] as const
    expect(states(healths.map((health) => serverCheck({ address, health })))).toBe('fine fine wrong look')
    const database = (version: number | null, trouble: string | null = null) =>
      databaseCheck({ kind: 'postgres', version, trouble })
    expect(
      states([database(170_004), database(140_011), database(null), database(null, 'ECONNREFUSED')]),
    ).toBe('fine wrong fine wrong')
    const ofLetters = (knowsCapitals: boolean) =>
      databaseCheck({ kind: 'postgres', version: 170_004, trouble: null, knowsCapitals })
    expect(states([ofLetters(true), ofLetters(false)])).toBe('fine look')
    expect(ofLetters(false).advice).toContain('npm run restore')
  })

  it('is a clock, by how far it is from the server’s', () => {
    expect(states([20_000, -120_000, 3 * 3600_000].map((ahead) => clockCheck('clock', ahead)))).toBe(
      'fine look wrong',
    )
    expect(clockCheck('browser_clock', -120_000).fact).toBe('2\u202fmin de retard sur le serveur.')
  })

  it('is the public address: where this page came by, whether it leads here, HTTPS', () => {
    const at = (publicUrl: string, cameBy: string | null, health: HealthAnswer | null = null) =>
      publicUrlCheck({ publicUrl, cameBy, health })
    const [secure, local] = ['https://pret.exemple.fr', 'http://localhost:3000']
    expect(states([at(secure, 'pret.exemple.fr'), at(secure, 'PRET.exemple.fr:443')])).toBe('fine fine')
    expect(states([at(secure, '192.168.1.10:3000'), at('http://pret.exemple.fr', 'pret.exemple.fr')])).toBe(
      'look look',
    )
    expect(states([at(local, 'localhost:3000'), at(local, '192.168.1.10:3000'), at(local, null)])).toBe(
      'fine wrong look',
    )
    expect(states([at(secure, null, 'ok'), at(secure, null, 'silent'), at(secure, null, 'no-library')])).toBe(
      'fine look look',
    )
  })

  it('is the proxy: one that is not believed, one that is missing, one that says HTTP', () => {
    const by = (isProxyTrusted: boolean, proto: string | null, forwardedFor = proto !== null) =>
      proxyCheck({
        way: { host: 'pret.exemple.fr', forwardedHost: null, forwardedProto: proto, forwardedFor },
        isProxyTrusted,
        publicUrl: 'https://pret.exemple.fr',
      })
    expect(states([by(true, 'https'), by(true, null, true), by(true, 'http'), by(true, null)])).toBe(
      'fine fine wrong look',
    )
    expect(states([by(false, 'https'), by(false, null)])).toBe('wrong look')
    const way = { host: 'localhost:3000', forwardedHost: null, forwardedProto: null, forwardedFor: false }
    expect(proxyCheck({ way, isProxyTrusted: false, publicUrl: 'http://localhost:3000' }).state).toBe('fine')
  })

  it('is the mail server, which is to be looked at where there is none', () => {
    const server = 'smtp.exemple.fr:465'
    const checks = [
      { server: null, trouble: null },
      { server, trouble: null },
      { server, trouble: 'ETIMEDOUT' },
    ]
    expect(states(checks.map(mailCheck))).toBe('look fine wrong')
  })

  it('is the last backup: today’s from four o’clock on, late by a day, late by several', () => {
    const at = (last: string | null, hour: number, isOfAnother = false) =>
      backupCheck({ directory: '/srv/sauvegardes', isOfAnother, passphraseFault: null, last, today, hour })
    expect(states([at('2026-11-28', 9), at('2026-11-27', 3), at('2026-11-27', 9)])).toBe('fine fine look')
    expect(states([at('2026-11-25', 3), at(null, 9), at('2026-11-28', 9, true)])).toBe('wrong look wrong')
    const none = { directory: null, isOfAnother: false, passphraseFault: null, last: null, today, hour: 9 }
    expect(backupCheck(none).state).toBe('look')
    const weak = { ...none, directory: '/srv/sauvegardes', passphraseFault: 'Trop court.' }
    expect(backupCheck(weak)).toMatchObject({
      state: 'wrong',
      fact: expect.stringContaining('BACKUP_PASSPHRASE'),
    })
    expect(at('2026-11-25', 9).fact).toBe('La dernière est du 25/11/2026\u202f: 3 jours de retard.')
  })

  it('is a trouble of the morning where last night’s backup should be there, and is not', () => {
    const facts = { isOfAnother: false, passphraseFault: null, today, hour: 9 }
    const told = (last: string | null, more: object = {}) =>
      backupTrouble({ directory: '/srv/sauvegardes', last, ...facts, ...more })?.fact ?? null
    expect(told('2026-11-27')).toBe('La dernière est du 27/11/2026\u202f: un jour de retard.')
    expect(told('2026-11-28')).toBeNull()
    expect(told('2026-11-27', { hour: 3 })).toBeNull()
    // The first is still to come, or something else makes them.
    expect(told(null)).toBeNull()
    expect(told(null, { directory: null })).toBeNull()
    expect(told(null, { passphraseFault: 'Trop court.' })).toContain('BACKUP_PASSPHRASE')
    expect(told('2026-11-28', { isOfAnother: true })).toContain('autre installation')
  })

  it('is the versions of open pages', () => {
    const open = [{ version: '0.2.0', count: 3 }]
    const older = [...open, { version: '0.1.0', count: 1 }]
    expect(states([open, older, []].map((pages) => pagesCheck({ version: '0.2.0', open: pages })))).toBe(
      'fine look fine',
    )
    expect(pagesCheck({ version: '0.2.0', open: older }).fact).toContain('1 page en version 0.1.0')
  })

  it('is told as a text, in one order, each with what to do', () => {
    const checks = inOrder([
      mailCheck({ server: null, trouble: null }),
      nodeCheck({ version: 'v24.1.0', today }),
    ])
    expect(textOfChecks(checks, { version: '0.1.0', at: '2026-11-28' }).split('\n')).toEqual([
      'Comptoir 0.1.0, état de l’installation le 2026-11-28',
      '',
      'Bon         Node      v24.1.0',
      'À regarder  Courrier  Aucun serveur de messagerie n’est branché\u202f: chaque courriel devient un fichier du serveur.',
      '                      → Donnez SMTP_URL et MAIL_FROM (le guide, «\u00a0Brancher le courrier\u00a0»).',
    ])
  })
})
