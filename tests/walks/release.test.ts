import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { leadsNowhere } from '../build/leads-nowhere.ts'
import { apiOf } from '../support/api-of.ts'
import { openRunningServer } from '../support/running-server.ts'

type Manifest = { version: string; scripts: Record<string, string> }

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest

describe('npm run release', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'comptoir-release-'))
    execFileSync('npm', ['run', 'release'], { stdio: ['ignore', 'ignore', 'inherit'] })
    execFileSync('tar', ['-xzf', `release/comptoir-${version}.tar.gz`, '-C', folder, '--strip-components=1'])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('packs what runs, and nothing that builds, tries or already is in the pages', () => {
    expect(readdirSync(folder).toSorted()).toEqual(
      [
        'CHANGELOG.md',
        'README.md',
        'dist',
        'docs',
        'node_modules',
        'package-lock.json',
        'package.json',
        'src',
      ].toSorted(),
    )
    for (const name of [
      'vite',
      'vitest',
      'typescript',
      'react',
      '@mantine/core',
      'workbox-window',
      'zxing-wasm',
    ])
      expect([name, existsSync(join(folder, 'node_modules', name))]).toEqual([name, false])
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    expect(scripts).toMatchObject({ start: 'node dist/server/main.js', backup: 'node dist/server/backup.js' })
    expect(Object.keys(scripts).filter((name) => /build|test|pre/.test(name))).toEqual([])
  })

  it('has documents whose every link leads to something that it has', () => {
    const documents = [
      'README.md',
      ...readdirSync(join(folder, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => join('docs', name)),
    ]
    expect(documents.length).toBeGreaterThan(4)
    const isThere = (target: string) => existsSync(join(folder, target))
    expect(
      documents.flatMap((path) => leadsNowhere(path, readFileSync(join(folder, path), 'utf8'), isThere)),
    ).toEqual([])
  })

  it('starts where it is unpacked, serves its pages, draws its images and saves its data', async () => {
    const server = await openRunningServer({
      cwd: folder,
      isNew: true,
      env: { ADMIN_PASSWORD: 'une première clé' },
    })
    try {
      const page = await (await fetch(server.address)).text()
      const [script = ''] = /\/assets\/[^"]+\.js/.exec(page) ?? []
      for (const path of [script, '/sw.js', '/guide/index.html', '/licences.txt', '/health'])
        expect([path, (await fetch(`${server.address}${path}`)).status]).toEqual([path, 200])
      const { token } = await apiOf(server.address, 'admin', 'une première clé')
      const headers = { authorization: `Bearer ${token}` }
      const pdf = await fetch(`${server.address}/api/export/loanings?export_type=pdf`, { headers })
      expect([pdf.status, (await pdf.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
      execFileSync(process.execPath, ['--eval', "await import('sharp')", '--input-type=module'], {
        cwd: folder,
      })
      const said = execFileSync('npm', ['run', 'backup', join(folder, 'comptoir.sauvegarde')], {
        cwd: folder,
        env: { ...process.env, DATA_DIR: server.dataDir, DATABASE_URL: '' },
        encoding: 'utf8',
      })
      expect(said).toContain('Sauvegarde faite')
      const state = execFileSync('npm', ['run', 'doctor'], {
        cwd: folder,
        env: { ...process.env, DATA_DIR: server.dataDir, DATABASE_URL: '', PORT: String(server.port) },
        encoding: 'utf8',
      })
      expect(state).toMatch(/^Bon +Base de données +Base embarquée, tenue par le serveur en marche/m)
    } finally {
      await server.drop()
    }
  })
})
