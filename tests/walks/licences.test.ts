import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openRunningServer, type RunningServer } from '../support/running-server.ts'

type Notice = { name: string; body: string }

const noticesIn = (text: string): Notice[] =>
  text
    .split(/^={78}\n\n/m)
    .slice(1)
    .map((block) => {
      const [, name = '', body = ''] = /^(\S+) [^\n]+\nLicence\u00a0: [^\n]+\n\n([^]*)$/.exec(block) ?? []
      return { name, body: body.trim() }
    })

/** Packages that the files under some folders import by name. */
function importedUnder(folders: readonly string[], files: RegExp): string[] {
  const names = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => files.test(file))
      .flatMap((file) => {
        const source = readFileSync(join(folder, file), 'utf8').replaceAll(
          /^(?:import|export) type [^'"]*['"][^'"]+['"]/gm,
          '',
        )
        const imports = source.matchAll(
          /^(?:import|export)[^'"`]*\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
        )
        return [...imports].flatMap(([, ...found]) => found.filter((name) => name !== undefined))
      }),
  )
  const packages = names.flatMap((name) => /^(?:@[^/]+\/)?[\w-][^/]*/.exec(name)?.[0] ?? [])
  return [...new Set(packages)].filter((name) => !/^(node:|virtual:)/.test(name)).sort()
}

describe('the licences of what ships', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
  })
  afterAll(async () => {
    await server?.drop()
  })

  it('are served as text, for all that the pages, their workers and the service worker are made of', async () => {
    const answer = await fetch(`${server.address}/licences.txt`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; ?charset=utf-8/i)
    const notices = noticesIn(await answer.text())
    const names = notices.map(({ name }) => name)
    const imported = importedUnder(
      ['src/client', 'src/offline', 'src/contract', 'src/domain', 'sw'],
      /\.tsx?$/,
    )
    expect(imported).toEqual(expect.arrayContaining(['react', 'zxing-wasm', 'workbox-precaching']))
    expect(imported.filter((name) => !names.includes(name))).toEqual([])
    // What those bring with them: in the page, in a worker, in the service worker, in a binary.
    expect(names).toEqual(
      expect.arrayContaining(['scheduler', 'ts-custom-error', 'workbox-core', 'zxing-cpp']),
    )
    expect(notices.filter(({ name, body }) => name === '' || body.length < 20)).toEqual([])
  })

  it('lie beside the server, for all that it runs with', () => {
    const notices = noticesIn(readFileSync('dist/server/licences.txt', 'utf8'))
    const names = notices.map(({ name }) => name)
    const imported = importedUnder(['src/server', 'src/contract', 'src/domain'], /\.ts$/).filter(
      (name) => name !== 'vite',
    )
    expect(imported).toEqual(expect.arrayContaining(['hono', 'pg', '@electric-sql/pglite']))
    expect(imported.filter((name) => !names.includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['postgres-bytea', 'PostgreSQL']))
    expect(notices.filter(({ name, body }) => name === '' || body.length < 20)).toEqual([])
  })

  it('are not kept on devices: whoever wants them asks for them', () => {
    expect(readFileSync('dist/client/sw.js', 'utf8')).not.toMatch(/url['"]?: ?['"][^'"]*licences\.txt/)
  })
})
