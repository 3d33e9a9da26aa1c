import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'

import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { type Client, describeServer } from '../support/test-server.ts'

const drawn = (format: 'png' | 'jpeg' | 'gif' | 'tiff' = 'png', width = 600, height = 900) =>
  sharp({ create: { width, height, channels: 3, background: '#0b4f3f' } })
    .withExif({ IFD0: { Artist: 'Quelqu’un' } })
    .toFormat(format)
    .toBuffer()

describeServer('the image of a reference', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  async function send(id: number, bytes: Buffer, as: Client = admin, name = 'couverture.png') {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
    const response = await server.app.request(`/api/references/${id}/image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as.token}` },
      body: form,
    })
    return { status: response.status, body: await response.json() }
  }
  const add = async (name: string) => (await admin.post('/api/references', { name })).body
  const kept = () => readdir(join(server.environment.files, 'covers'))

  it('is shown in two sizes at the address that the reference tells, without a token', async () => {
    const { id } = await add('Le Petit Prince')
    const { status, body } = await send(id, await drawn())
    expect(status).toBe(200)
    expect(body.image_path).toMatch(new RegExp(`^/api/image/references/${id}\\?v=[0-9a-f]{32}$`))
    const large = await server.app.request(body.image_path)
    expect(large.status).toBe(200)
    expect(large.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(await sharp(await large.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width: 533,
      height: 800,
    })
    const small = await server.app.request(`${body.image_path}&size=small`)
    const { exif, ...size } = await sharp(await small.arrayBuffer()).metadata()
    expect({ ...size, exif }).toMatchObject({ width: 80, height: 120, exif: undefined })
    expect((await admin.get('/api/references?filters[id|eq]=' + id)).body['hydra:member'][0].image_path).toBe(
      body.image_path,
    )
  })

  it('asks for a session where the address does not name its version', async () => {
    const { id } = await add('La Peste')
    const { body } = await send(id, await drawn())
    const other = `/api/image/references/${id}?v=${'0'.repeat(32)}`
    for (const path of [`/api/image/references/${id}`, other]) {
      expect((await server.app.request(path)).status).toBe(401)
      const seen = await admin.call('GET', path)
      expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    }
    // The version of one reference opens no other one.
    const foreign = body.image_path.replace(`/${id}?`, `/${(await add('L’Étranger')).id}?`)
    expect((await server.app.request(foreign)).status).toBe(401)
    expect((await admin.call('GET', foreign)).status).toBe(404)
    expect((await server.app.request(`/api/image/references/${id}?v=../../database`)).status).toBe(400)
  })

  it('is taken away by null, stays as it is told, and is no other text', async () => {
    const { id } = await add('Germinal')
    const { image_path } = (await send(id, await drawn())).body
    const put = (image: string | null) => admin.put(`/api/references/${id}`, { image })
    expect((await put(image_path)).body).toMatchObject({ image: image_path, image_path })
    const { status, body } = await put('https://example.org/x.png')
    expect([status, body.violations[0].propertyPath]).toEqual([422, 'image'])
    expect((await put(null)).body).toMatchObject({ image: null, image_path: null })
  })

  it('is no file of another kind, whatever it says it is', async () => {
    const { id } = await add('Nana')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const others = [await drawn('gif'), await drawn('tiff'), svg, (await drawn()).subarray(0, 60)]
    for (const bytes of others) {
      const { status, body } = await send(id, bytes)
      expect([status, body.violations?.[0].message]).toEqual([
        422,
        '«\u00a0couverture.png\u00a0» est invalide ou non pris en charge.',
      ])
    }
  })

  it('is given by who adds references, once, and replaced by who changes them', async () => {
    const rights = ['LIST_REFERENCES', 'COPY_CREATEREF']
    const profile = await admin.post('/api/profiles', { name: 'Ajoute', rights })
    const user = { username: 'ajoute', role: profile.body.id, password: 'un chat gris sur le toit' }
    expect(await admin.post('/api/users', user)).toMatchObject({ status: 201 })
    const adder = await server.as('ajoute')
    const { id } = await add('Thérèse Raquin')
    expect((await send(id, await drawn(), adder)).status).toBe(200)
    expect((await send(id, await drawn(), adder)).status).toBe(403)
    expect((await send(id, await drawn(), await server.as('lecture'))).status).toBe(403)
    expect((await send(id, await drawn())).status).toBe(200)
    expect((await send(999_999, await drawn())).status).toBe(404)
  })

  it('leaves the disk a day after it was replaced, and no sooner', async () => {
    const { id } = await add('L’Assommoir')
    await send(id, await drawn())
    const first = (await kept()).filter((name) => name.startsWith(`${id}-`))
    await send(id, await drawn('jpeg'))
    await sweep(server.environment, new Date())
    expect((await kept()).filter((name) => name.startsWith(`${id}-`))).toHaveLength(4)
    const old = new Date(Date.now() - 2 * 86_400_000)
    for (const name of await kept()) await utimes(join(server.environment.files, 'covers', name), old, old)
    await sweep(server.environment, new Date())
    const left = (await kept()).filter((name) => name.startsWith(`${id}-`))
    expect(left).toHaveLength(2)
    expect(left.some((name) => first.includes(name))).toBe(false)
  })
})
