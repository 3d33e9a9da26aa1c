import { readFileSync } from 'node:fs'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Import } from '../../src/contract/imports.ts'
import { hostileFiles } from '../imports/hostile-files.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { signInAt } from './inventory-phone.ts'

const rows = 600
const kills = 4

describe('an import on a server that is ill-treated', () => {
  let server: RunningServer
  let headers: Record<string, string>
  beforeAll(async () => {
    server = await openRunningServer()
    headers = { authorization: `Bearer ${await signInAt(server.address)}` }
  })
  afterAll(async () => server?.drop())

  const ask = async (path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) => {
    const response = await fetch(server.address + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect([path, response.ok]).toEqual([path, true])
    return response.json()
  }
  const send = (name: string, bytes: Uint8Array) => {
    const form = new FormData()
    form.set('file', new File([bytes as BlobPart], name, { type: 'application/octet-stream' }))
    return fetch(`${server.address}/api/imports?subject=references`, { method: 'POST', headers, body: form })
  }
  const get = (id: number): Promise<Import> => ask(`/api/imports/${id}`) as Promise<Import>
  const until = async (id: number, is: (one: Import) => boolean): Promise<Import> => {
    for (;;) {
      const one = await get(id)
      if (is(one)) return one
    }
  }

  it('brings in every row once, however often its process is killed', async () => {
    const lines = Array.from({ length: rows }, (_, at) => `Livre tué ${at};TUE${String(at).padStart(5, '0')}`)
    const sent = await send('livres.csv', Buffer.from(`titre;code-barres\n${lines.join('\n')}\n`))
    expect(sent.status).toBe(201)
    const { id } = (await sent.json()) as Import
    await ask(`/api/imports/${id}`, { method: 'PUT', body: { choices: { site: 1 } } })
    await ask(`/api/imports/${id}/check`, { method: 'POST' })
    await until(id, ({ status }) => status === 'checked')
    await ask(`/api/imports/${id}/run`, { method: 'POST' })
    for (let n = 0; n < kills; n += 1) {
      const from = (rows / (kills + 1)) * n
      await until(id, ({ counts, status }) => counts.added > from || status === 'done')
      await server.stop('SIGKILL')
      await server.start()
    }
    const { counts, act } = await until(id, ({ status }) => status === 'done')
    expect(counts).toMatchObject({ added: rows, copies: rows, unchanged: 0, refused: 0 })
    const found = async () => {
      const { 'hydra:totalItems': works } = await ask('/api/references?searchname|like=livre%20tu%C3%A9')
      const { 'hydra:totalItems': copies } = await ask('/api/copies?bar_code|like=TUE')
      return [works, copies]
    }
    expect(await found()).toEqual([rows, rows])

    await ask(`/api/acts/${act}/undo`, { method: 'POST' })
    await server.stop('SIGKILL')
    await server.start()
    await expect.poll(found).toEqual([0, 0])
  })

  it('refuses files that would fill its memory, which stays as it was', async () => {
    const memory = () => {
      const status = readFileSync(`/proc/${server.pid()}/status`, 'utf8')
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
    }
    const made = Object.values(hostileFiles).map(({ name, make, says }) => ({ name, bytes: make(), says }))
    const sendAll = async () => {
      for (const { name, bytes, says } of made) {
        const refused = await send(name, bytes)
        expect([name, refused.status]).toEqual([name, 422])
        const { 'hydra:description': told } = (await refused.json()) as { 'hydra:description': string }
        expect(told).toMatch(says)
      }
    }
    await sendAll()
    const before = memory()
    for (let n = 0; n < 5; n += 1) await sendAll()
    // Its highest in megabytes: what one of them inflates to is thirty, and all of them are two hundred and more.
    expect(memory() - before).toBeLessThan(60)
    expect((await fetch(`${server.address}/health`)).status).toBe(200)
  })
})
