import { gunzipSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { describeServer } from '../support/test-server.ts'

describeServer('answers', (server) => {
  const asked = async (path: string, how: Record<string, string>) => {
    const { token } = await server.as('admin')
    const headers = { authorization: `Bearer ${token}`, ...how }
    return server.app.request(path, { headers })
  }
  const gzip = { 'accept-encoding': 'gzip, br' }

  it('travel packed to who takes them so, and say the same', async () => {
    const plain = await asked('/api/references', {})
    const packed = await asked('/api/references', gzip)
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toContain('Accept-Encoding')
    const text = await plain.text()
    const bytes = Buffer.from(await packed.arrayBuffer())
    expect(gunzipSync(bytes).toString()).toBe(text)
    expect(bytes.length * 2).toBeLessThan(text.length)
  })

  it('travel as they are where they are small, packed already, or never end', async () => {
    const small = await asked('/api/references/1/nulle-part', gzip)
    const file = await asked('/api/export/references?export_type=xlsx', gzip)
    const stream = await asked('/api/events', gzip)
    for (const { body } of [small, file, stream]) await body?.cancel()
    expect([small.status, file.status, stream.status]).toEqual([404, 200, 200])
    for (const { headers } of [small, file, stream]) expect(headers.get('content-encoding')).toBeNull()
  })
})
