import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { keepFoundImages } from '../../src/server/catalogue/found-images.ts'
import { sweepCovers } from '../../src/server/housekeeping/housekeeping.ts'
import { drawnCover, isbn, type LookUpStub, noNotice, openLookUpStub } from '../support/look-up-stub.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('the images that a medium’s rule finds', (server) => {
  let stub: LookUpStub
  let admin: Client
  let medium: number
  beforeAll(async () => {
    stub = await openLookUpStub()
    admin = await server.as('admin')
    medium = (await admin.post('/api/media', { name: 'Livre à couverture' })).body.id
  })
  afterAll(() => stub.close())
  beforeEach(async () => {
    await stub.reset()
    await server.db.deleteFrom('looked_up_codes').execute()
    await server.db.updateTable('references').set({ deleted_at: 'now' }).where('code', '=', isbn).execute()
  })
  const setRule = (images_sources: string[], as = admin) =>
    as.put(`/api/media/${medium}/images_sources`, { images_sources })
  const removeRule = () => admin.call('DELETE', `/api/media/${medium}/images_sources`)
  const add = async () => {
    const answer = await admin.post('/api/references', { name: 'L’Étranger', code: isbn, medium })
    expect(answer.status).toBe(201)
    return answer.body as { id: number }
  }
  const look = (now = server.now) => keepFoundImages(server.environment, { lookUpSources: stub.sources, now })
  const shown = async (id: number) => {
    const { image_path, image_source } = (await admin.get(`/api/references/${id}`)).body
    return { image_path, image_source }
  }
  const none = { image_path: null, image_source: null }
  const inDays = (days: number) => new Date(server.now.getTime() + days * 86_400_000)

  it('are a rule of the medium: sources in order, or none', async () => {
    const read = async () => (await admin.get(`/api/media?filters[id|eq]=${medium}`)).body['hydra:member'][0]
    expect((await setRule(['own', 'openlibrary', 'bnf', 'none'])).body.images_sources).toEqual([
      'own',
      'openlibrary',
      'bnf',
      'none',
    ])
    expect((await read()).images_sources).toHaveLength(4)
    expect((await removeRule()).status).toBe(204)
    expect((await read()).images_sources).toBeNull()
    for (const wrong of [[], ['google'], ['bnf', 'bnf'], ['bnf', 'own'], ['none', 'bnf']]) {
      expect((await setRule(wrong)).body.violations?.[0].propertyPath).toMatch(/^images_sources/)
    }
    expect((await setRule(['own'], await server.as('biblio'))).status).toBe(403)
    expect((await admin.put('/api/media/999999/images_sources', { images_sources: ['own'] })).status).toBe(
      404,
    )
  })

  it('are found by the code, fetched once, kept in two sizes, and shown as those of their source', async () => {
    await setRule(['own', 'openlibrary', 'bnf', 'none'])
    const { id } = await add()
    // The list itself asks nobody.
    expect(await shown(id)).toEqual(none)
    expect(stub.asked).toEqual([])
    await look()
    const { image_path, image_source } = await shown(id)
    expect(image_source).toBe('openlibrary')
    const small = await server.app.request(`${image_path}&size=small`)
    expect(await sharp(await small.arrayBuffer()).metadata()).toMatchObject({ width: 80, height: 120 })
    expect((await admin.call('GET', `/api/image/references/${id}`)).status).toBe(200)
    const { length } = stub.asked
    await look(inDays(40))
    expect(stub.asked).toHaveLength(length)
    // The housekeeping leaves what is shown.
    const { db, files } = server.environment
    await sweepCovers(db, files, new Date(Date.now() + 3 * 86_400_000))
    expect((await server.app.request(image_path)).status).toBe(200)
  })

  it('are swept by several processes at once, each past what another has swept', async () => {
    const { db, files } = server.environment
    const directory = join(files, 'covers')
    await mkdir(directory, { recursive: true })
    const [gone, old] = [join(directory, '999999-1-small.webp'), join(directory, '999999-2-small.webp')]
    // It has a name in the folder and nothing behind it, as a file has that goes between the two looks.
    await symlink(join(directory, 'nowhere'), gone)
    await writeFile(old, 'a picture that no reference has')
    await sweepCovers(db, files, new Date(Date.now() + 3 * 86_400_000))
    expect(await readdir(directory)).not.toContain('999999-2-small.webp')
    await rm(gone)
  })

  it('leave with the rule, and return with it', async () => {
    await setRule(['own', 'bnf', 'none'])
    const { id } = await add()
    await look()
    const found = await shown(id)
    expect(found.image_source).toBe('bnf')
    await removeRule()
    expect(await shown(id)).toEqual(none)
    await setRule(['own', 'openlibrary'])
    expect(await shown(id)).toEqual(none)
    await setRule(['own', 'bnf'])
    expect(await shown(id)).toEqual(found)
  })

  it('give way to the reference’s own, and are not sought for it', async () => {
    await setRule(['own', 'bnf', 'none'])
    const { id } = await add()
    await look()
    const form = new FormData()
    form.set('file', new File([new Uint8Array(await drawnCover(100, 90))], 'a.jpg', { type: 'image/jpeg' }))
    const sent = await server.app.request(`/api/references/${id}/image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: form,
    })
    expect((await sent.json()).image_source).toBe('own')
    await admin.put(`/api/references/${id}`, { image: null })
    expect((await shown(id)).image_source).toBe('bnf')
  })

  it('are not shown again once somebody took one away, nor under another code', async () => {
    await setRule(['own', 'bnf', 'none'])
    const { id } = await add()
    await look()
    await admin.put(`/api/references/${id}`, { image: null })
    expect(await shown(id)).toEqual(none)
    await look(inDays(400))
    expect(await shown(id)).toEqual(none)
    await admin.put(`/api/references/${id}`, { code: '9782070612758' })
    await look()
    expect((await shown(id)).image_source).toBe('bnf')
    await admin.put(`/api/references/${id}`, { code: 'MAISON-1' })
    expect(await shown(id)).toEqual(none)
  })

  it('that nobody has are sought again after a week, and what was not answered after a day', async () => {
    await setRule(['own', 'bnf', 'openlibrary', 'none'])
    const { id } = await add()
    stub.answers.sru = { body: noNotice }
    stub.answers.books = { body: '{}' }
    await look()
    const { length } = stub.asked
    expect(length).toBe(2)
    await look(inDays(6))
    expect(stub.asked).toHaveLength(length)
    stub.answers.sru = { body: '', isSilent: true }
    await look(inDays(8))
    expect(stub.asked).toHaveLength(length + 2)
    await look(inDays(8.5))
    expect(stub.asked).toHaveLength(length + 2)
    await stub.reset()
    await look(inDays(9.5))
    expect((await shown(id)).image_source).toBe('bnf')
  })

  it('are sought for nobody whose medium has no rule, or whose code is the library’s own', async () => {
    await removeRule()
    await add()
    await look()
    await setRule(['own', 'none'])
    await look()
    await setRule(['own', 'bnf'])
    await sql`update "references" set code = 'MAISON-2' where code = ${isbn}`.execute(server.db)
    await look()
    expect(stub.asked).toEqual([])
  })
})
