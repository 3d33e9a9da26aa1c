import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { readConfiguration } from '../../src/server/process/configuration.ts'

const file = (name: string) => readFileSync(`docs/install/${name}`, 'utf8')
const readme = readFileSync('README.md', 'utf8')
/** Of the operating system, of PostgreSQL's image, and of Node.js. */
const ofOthers = ['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD']

describe('docs/install', () => {
  it('names no variable that the product does not read', () => {
    const named = [
      ...Array.from(file('comptoir.service').matchAll(/^Environment=(.+)$/gm), ([, all = '']) =>
        all.split(' '),
      ).flat(),
      ...Array.from(file('Dockerfile').matchAll(/^ENV (.+)$/gm), ([, all = '']) => all.split(' ')).flat(),
      ...Array.from(file('compose.yaml').matchAll(/^ {6}([A-Z_]+): /gm), ([, name = '']) => name),
    ].map((assigned) => assigned.replace(/=.*/, ''))
    expect(named).toContain('DATABASE_URL')
    expect(named.filter((name) => !ofOthers.includes(name) && !readme.includes(`\`${name}\``))).toEqual([])
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
