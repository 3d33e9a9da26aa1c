import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { hostUnknown } from '../../src/domain/host-unknown.ts'
import { servePages } from '../../src/server/serve.ts'

const files = {
  'index.html': '<meta name="csp-nonce" content="" /><style nonce=""></style>page',
  'sw.js': 'worker',
  'assets/app-1.js': 'app',
  'robots.txt': 'robots',
  '.vite/manifest.json': 'secret',
  'assets/.map': 'secret',
  '.env': 'secret',
}

let folder: string
const app = new Hono()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'comptoir-pages-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  await servePages(app, folder, async (context) => context.req.header('host') !== 'ailleurs.fr')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const get = async (path: string) => {
  const response = await app.request(path)
  return [response.status, await response.text()] as const
}

describe('servePages', () => {
  it('serves pages and their files', async () => {
    expect(await get('/assets/app-1.js')).toEqual([200, 'app'])
    expect(await get('/robots.txt')).toEqual([200, 'robots'])
    for (const path of ['/', '/loanings/view/1'])
      expect((await get(path))[1]).toMatch(
        /^<meta name="csp-nonce" content="([\w-]{20,})" \/><style nonce="\1"><\/style>page$/,
      )
  })

  it('goes on with its page and its worker when a build replaces them, and serves the files of both', async () => {
    for (const [name, text] of [
      ['index.html', 'newer page'],
      ['sw.js', 'newer worker'],
      ['assets/app-2.js', 'newer app'],
    ] as const)
      await writeFile(join(folder, name), text)
    expect((await get('/'))[1]).toContain('page')
    expect((await get('/'))[1]).not.toContain('newer')
    const answer = await app.request('/sw.js')
    expect([answer.status, await answer.text()]).toEqual([200, 'worker'])
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(await get('/assets/app-1.js')).toEqual([200, 'app'])
    expect(await get('/assets/app-2.js')).toEqual([200, 'newer app'])
  })

  it('says at a host that is no library’s that it is none, and goes on with the files of open pages', async () => {
    const at = (path: string) => app.request(path, { headers: { host: 'ailleurs.fr' } })
    for (const path of ['/', '/index.html', '/login']) {
      const answer = await at(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([421, 'no-store'])
      const text = await answer.text()
      expect(text).toContain(hostUnknown)
      expect(text).not.toMatch(/<script|<style/)
    }
    expect((await at('/assets/app-1.js')).status).toBe(200)
  })

  it('leads whoever shares a file without a worker to where it can be chosen', async () => {
    const answer = await app.request('/waiting', { method: 'POST', body: new FormData() })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/waiting'])
    expect((await app.request('/home', { method: 'POST' })).status).toBe(404)
  })

  it.each([
    '/.vite/manifest.json',
    '/%2evite/manifest.json',
    '/.vite',
    '/assets/.map',
    '/.env',
    '/.git/config',
    '/.vite/',
  ])('does not serve %s', async (path) => {
    expect(await get(path)).toEqual([404, 'Introuvable.'])
  })
})
