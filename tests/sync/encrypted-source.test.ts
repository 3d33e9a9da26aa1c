import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// A certificate that this machine believes cannot be had, so what is asked for encrypted is answered in clear.
vi.mock('node:https', async () => {
  const { request } = await import('node:http')
  const plainly = (address: URL) => new URL(address.href.replace('https:', 'http:'))
  return { request: (address: URL, ...how: never[]) => request(plainly(address), ...how) }
})

// Loaded anew, because an earlier file of this worker has it with the real `request`.
vi.resetModules()
const { fetchSource, UnreadSourceError } = await import('../../src/server/sync/sync-source.ts')

const secret = randomUUID()
let stub: Server
let host: string
const asked: string[] = []
beforeAll(async () => {
  stub = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub')
    asked.push(pathname)
    const to = searchParams.get('to')
    if (to !== null) response.writeHead(302, { location: to }).end()
    else response.end('Matricule;Nom')
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(stub.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => stub.close(resolve)))

describe('an encrypted source', () => {
  it('is had from its host, with a redirect within it, under the name that its address ends with', async () => {
    const { path, name, forget } = await fetchSource(
      `https://${host}/personnes.csv?jeton=${secret}&to=https://${host}/b.csv`,
    )
    expect(name).toBe('personnes.csv')
    expect(await readFile(path, 'utf8')).toBe('Matricule;Nom')
    await forget()
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  it('is not had in clear, nor from another host', async () => {
    for (const to of [`http://${host}/clair.csv`, 'https://localhost:1/ailleurs.csv']) {
      const refused = await fetchSource(`https://${host}/personnes.csv?jeton=${secret}&to=${to}`).catch(
        (error: unknown) => error,
      )
      expect(refused).toBeInstanceOf(UnreadSourceError)
      const { message, cause } = refused as Error
      expect(message).not.toContain(host)
      expect(String(cause)).not.toContain(secret)
      expect(String(cause)).toMatch(/plain HTTP|another host/)
    }
    expect(asked).not.toContain('/clair.csv')
  })
})
