import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

function drawn(format: 'png' | 'jpeg' | 'gif', side = 900): Promise<Buffer> {
  const picture = sharp({ create: { width: side, height: side / 2, channels: 3, background: '#0b4f3f' } })
  return picture
    .withExif({ IFD0: { Artist: 'Quelqu’un' } })
    .toFormat(format)
    .toBuffer()
}

const formOf = (...names: string[]) =>
  [
    ...names.map((name) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nabc\r\n`),
    '--x--\r\n',
  ].join('')

describeServer('the organisation’s image', (server) => {
  let admin: Client
  let png: Buffer
  // What is received lies here for as long as the call takes.
  let incoming: string
  const usual = process.env['TMPDIR']
  beforeAll(async () => {
    incoming = await mkdtemp(join(tmpdir(), 'incoming-'))
    process.env['TMPDIR'] = incoming
    admin = await server.as('admin')
    png = await drawn('png')
  })
  afterAll(async () => {
    if (usual === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usual
    await rm(incoming, { recursive: true, force: true })
  })

  const fileOf = (bytes: Buffer | string, type = 'image/png', name = 'logo.png') =>
    new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })
  async function send(
    file: File,
    { key, as = admin, field = 'file' }: { key?: string; as?: Client; field?: string } = {},
  ) {
    const form = new FormData()
    form.set(field, file)
    const response = await server.app.request('/api/image/env', {
      method: 'POST',
      headers: { authorization: `Bearer ${as.token}`, ...(key ? { 'idempotency-key': key } : {}) },
      body: form,
    })
    return { status: response.status, body: await response.json(), headers: response.headers }
  }
  const shown = () => server.app.request('/api/image/env/1')
  const leftBehind = () => readdir(incoming)
  const journalled = async () =>
    (await server.db.selectFrom('audit_journal').selectAll().where('action', '=', 'image.replace').execute())
      .length

  it('is what was sent, drawn anew: smaller, and without what else its file held', async () => {
    expect(await send(fileOf(png))).toMatchObject({ status: 200, body: { image: '/api/image/env/1' } })
    const answer = await shown()
    expect(answer.headers.get('content-type')).toBe('image/webp')
    const { width, height, format, exif } = await sharp(await answer.arrayBuffer()).metadata()
    expect({ width, height, format, exif }).toEqual({
      width: 512,
      height: 256,
      format: 'webp',
      exif: undefined,
    })
    expect(await leftBehind()).toEqual([])
  })

  it('is replaced once by a call that is made twice, and its key serves no other file', async () => {
    const key = randomUUID()
    const jpeg = fileOf(await drawn('jpeg'), 'image/jpeg', 'logo.jpg')
    const before = await journalled()
    expect((await send(jpeg, { key })).status).toBe(200)
    const again = await send(jpeg, { key })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(await journalled()).toBe(before + 1)
    expect(await send(fileOf(png), { key })).toMatchObject({ status: 422, body: { reason: 'KEY_REUSED' } })
  })

  it('is kept for each of several who send the same one at once', async () => {
    const png = await drawn('png', 40)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(fileOf(png))))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const kept = await readdir(join(server.environment.files, 'images'))
    expect(kept.filter((name) => !name.endsWith('.webp'))).toEqual([])
  })

  it.each([
    ['a page', () => Promise.resolve(fileOf('<svg onload="alert(1)"/>')), 'logo.png'],
    ['half a picture', async () => fileOf((await drawn('png')).subarray(0, 60)), 'logo.png'],
    ['another type by its bytes', async () => fileOf(await drawn('gif')), 'logo.png'],
    ['another type by its word', () => Promise.resolve(fileOf(png, 'text/html', 'logo.html')), 'logo.html'],
  ])('refuses %s', async (_, make, name) => {
    const before = await journalled()
    const { status, body } = await send(await make())
    expect(status).toBe(422)
    expect(body.violations).toEqual([
      { propertyPath: 'file', message: `«\u00a0${name}\u00a0» est invalide ou non pris en charge.` },
    ])
    expect(await journalled()).toBe(before)
  })

  it('refuses what is larger than 16Mo, by its word or as it comes', async () => {
    const large = fileOf(Buffer.alloc(16_000_001))
    const { status, body } = await send(large)
    expect(status).toBe(422)
    expect(body['hydra:description']).toBe(
      '«\u00a0logo.png\u00a0» : la taille maximale ne doit pas excéder 16Mo.',
    )
    const said = await server.app.request('/api/image/env', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-length': '99000000',
        'content-type': 'multipart/form-data; boundary=x',
      },
      body: 'x',
    })
    expect(said.status).toBe(413)
  })

  it.each([
    ['no form', 'application/json', '{}', 415],
    [
      'a form that breaks off',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\nabc',
      400,
    ],
    ['an empty form', 'multipart/form-data; boundary=x', '--x--\r\n', 422],
    ['a form of two parts', 'multipart/form-data; boundary=x', formOf('file', 'more'), 400],
    ['a form of parts without a file', 'multipart/form-data; boundary=x', formOf('one', 'two'), 400],
    ['a form without its boundary', 'multipart/form-data;', 'abc', 400],
  ])('refuses %s', async (_, type, body, expected) => {
    const { status } = await admin.call('POST', '/api/image/env', undefined, {
      headers: { 'content-type': type },
      rawBody: body,
    })
    expect(status).toBe(expected)
    expect(await leftBehind()).toEqual([])
  })

  it('refuses a file under another name, and anyone without the right, whose file is not even read', async () => {
    expect((await send(fileOf(png), { field: 'logo' })).status).toBe(400)
    expect((await send(fileOf(png), { as: await server.as('biblio') })).status).toBe(403)
  })

  it('may be the product’s again', async () => {
    expect((await admin.delete('/api/image/env')).status).toBe(204)
    expect((await shown()).headers.get('content-type')).toBe('image/svg+xml')
    const kept = await readdir(join(server.environment.files, 'images'))
    expect(kept.every((name) => name.endsWith('.webp'))).toBe(true)
  })
})
