import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { sources } from '../../src/build/built-since.js'
import { readConfiguration } from '../../src/server/process/configuration.ts'
import { faultOfPassword } from '../../src/server/session/password-rules.ts'

const file = (name: string) => readFileSync(`docs/install/${name}`, 'utf8')
const variables = readFileSync('docs/operate.md', 'utf8')
/** Of the operating system, of PostgreSQL's image, and of Node.js. */
const ofOthers = ['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD']

describe('docs/install', () => {
  it('names no variable that the product does not read', () => {
    const named = [
      ...['comptoir.service', 'comptoir-backup.service'].flatMap((unit) =>
        Array.from(file(unit).matchAll(/^Environment=(.+)$/gm), ([, all = '']) => all.split(' ')).flat(),
      ),
      ...Array.from(file('Dockerfile').matchAll(/^ENV (.+)$/gm), ([, all = '']) => all.split(' ')).flat(),
      ...Array.from(file('compose.yaml').matchAll(/^ {6}([A-Z_]+): /gm), ([, name = '']) => name),
    ].map((assigned) => assigned.replace(/=.*/, ''))
    expect(named).toContain('DATABASE_URL')
    expect(named.filter((name) => !ofOthers.includes(name) && !variables.includes(`\`${name}\``))).toEqual([])
  })

  it('names headings of other documents that they have', () => {
    const named = [
      'docs/install/comptoir.service',
      'src/server/said-at-start.ts',
      '.github/CONTRIBUTING.md',
    ].flatMap((path) =>
      Array.from(
        readFileSync(path, 'utf8')
          .replaceAll(String.raw`\u202f`, ' ')
          .matchAll(/(README|docs\/operate)(?:\.md)?, « ([^»]+) »/g),
        ([, document = '', title = '']) => ({ document: `${document}.md`, title }),
      ),
    )
    expect(named.map(({ title }) => title)).toEqual(['Les variables', 'Les variables', 'Licence'])
    expect(named.filter(({ document, title }) => !headingsOf(document).includes(title))).toEqual([])
  })

  it('backs up and restores as the account that the server runs as', () => {
    for (const setting of ['User=comptoir', 'DynamicUser=yes', 'StateDirectory=comptoir']) {
      for (const unit of ['comptoir.service', 'comptoir-backup.service'])
        expect(file(unit).split('\n')).toContain(setting)
      expect(file('README.md')).toContain(`-p ${setting} `)
    }
  })

  it('shows variables for systemd that the product takes, with what has a space in quotes', () => {
    const [, block = ''] = /^```\n((?:[A-Z_]+=.*\n)+)```$/m.exec(file('README.md')) ?? []
    const lines = block.trim().split('\n')
    expect(lines.filter((line) => !/^[A-Z_]+=(?:\S+|"[^"$]+")$/.test(line))).toEqual([])
    const shown: Record<string, string> = Object.fromEntries(
      lines.map((line) => [line.replace(/=.*/, ''), line.replace(/^[A-Z_]+="?|"$/g, '')]),
    )
    expect(readConfiguration(shown)).toMatchObject({
      port: 3000,
      trustProxy: true,
      mailFrom: 'Médiathèque <pret@example.fr>',
      backupDir: '/var/lib/comptoir/sauvegardes',
    })
    expect(decodeURIComponent(new URL(shown['SMTP_URL'] ?? '').password)).toBe('mot@passe')
    expect(faultOfPassword(shown['BACKUP_PASSPHRASE'] ?? '', '')).toBeNull()
  })

  it('makes the image of the archive, from the sources and nothing else', () => {
    expect(file('Dockerfile').match(/^COPY --from=.*$/gm)).toEqual(['COPY --from=release /comptoir ./'])
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
    expect(ignored).toContain('*')
    const taken = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(taken.filter((path) => !existsSync(path))).toEqual([])
    const { references } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as {
      references: { path: string }[]
    }
    const read = [...sources, ...references.map(({ path }) => join(path, 'tsconfig.json'))]
    const isTaken = (path: string) => taken.some((one) => path === one || path.startsWith(`${one}/`))
    expect(read.filter((path) => !isTaken(path))).toEqual([])
  })

  it('runs on the line of Node that is named once', () => {
    const line = readFileSync('.nvmrc', 'utf8').trim()
    expect(file('Dockerfile').match(/^FROM node:\d+/gm)).toEqual([`FROM node:${line}`, `FROM node:${line}`])
    expect(readFileSync('.github/workflows/release.yml', 'utf8')).toContain('node-version-file: .nvmrc')
  })

  it('sends every proxy to the port where the product listens unless told', () => {
    const { port } = readConfiguration({})
    for (const name of ['Caddyfile', 'nginx.conf', 'compose.yaml'])
      expect(file(name)).toContain(`127.0.0.1:${port}`)
  })

  it('lets as much through a proxy as a file to import may weigh', () => {
    expect(file('nginx.conf')).toMatch(/client_max_body_size 17m;/)
  })

  it('lets no log grow without bound', () => {
    const logged = [...file('compose.yaml').matchAll(/^ {2}\w+:\n(?: {4}.+\n)+/gm)]
      .map(([service]) => service)
      .filter((service) => service.includes('restart:'))
    expect(logged.length).toBe(2)
    expect(logged.filter((service) => !service.includes('logging: *bounded'))).toEqual([])
    expect(file('compose.yaml')).toMatch(/&bounded\n(?: {2}.+\n)* {4}max-size: \d+m\n {4}max-file: '\d+'/)
    expect(file('journald.conf')).toMatch(/^SystemMaxUse=\d+G$/m)
  })

  it('turns the file that SECURITY_LOG names, which the unit has a place for', () => {
    const [path] = /^\/\S+/m.exec(file('logrotate')) ?? []
    expect(readFileSync('docs/security.md', 'utf8')).toContain(`SECURITY_LOG=${path}`)
    const [, directory] = /^LogsDirectory=(\w+)$/m.exec(file('comptoir.service')) ?? []
    expect(path).toBe(`/var/log/${directory}/security.log`)
    // The product makes the next file, closed to others; one that logrotate made would be root's.
    expect(file('logrotate')).toMatch(/^ +nocreate$/m)
    expect(file('logrotate')).toMatch(/^ +delaycompress$/m)
  })
})

const documents = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  ...['docs', 'docs/install', 'docs/decisions', 'docs/guide'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
]

describe('a document', () => {
  it.each(documents)('%s leads to files and headings that are there', (path) => {
    const links = Array.from(
      readFileSync(path, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g),
      ([, target = '', heading]) => ({ target: target === '' ? path : join(path, '..', target), heading }),
    )
    const leadsNowhere = ({ target, heading }: (typeof links)[number]) =>
      !existsSync(target) ||
      (heading !== undefined && !headingsOf(target).some((title) => anchorOf(title) === heading))
    expect(links.filter(leadsNowhere)).toEqual([])
  })

  it('weighs little enough to be read: all but the guide and the installing', () => {
    const weights = documents
      .filter((path) => /^docs\/(?!guide|install)/.test(path))
      .map((path) => statSync(path).size)
    expect(weights.length).toBeGreaterThan(30)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(150 * 1024)
    expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(101)
  })
})

describe('CHANGELOG.md', () => {
  it('says each version in some forty lines: the rest is the history of git', () => {
    const versions = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1)
    expect(versions.length).toBeGreaterThan(1)
    // What is in none yet is brought to forty when its version is.
    const published = versions.filter((version) => /^\d/.test(version))
    const changes = published.map((version) => version.match(/^- /gm)?.length ?? 0)
    expect(changes.filter((count) => count > 45)).toEqual([])
  })
})

const headingsOf = (path: string): string[] =>
  Array.from(readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm), ([, title = '']) => title)

/** As the forge makes them. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(/\s/g, '-')
