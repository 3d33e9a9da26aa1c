import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { copiesPerPage } from '../../src/contract/inventories.ts'
import { readChanges } from '../../src/server/events/read-changes.ts'
import { openTwoSites, type TwoSites } from '../visibility/two-sites.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'
import { seedShelves, openInventory, read, scan, scanOf, send } from './counting.ts'

describeServer('inventories', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin', 'appareil-1')
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await seedShelves(server)
  })

  describe('a session', () => {
    it('counts a site, or some of its places, categories and media', async () => {
      await sql`update copies set status = case id when 1 then 'En Location' when 2 then 'En transfert' else 'Non Disponible' end
        where id in (1, 2, 3)`.execute(server.db)
      expect(await openInventory(admin)).toMatchObject({
        site: 1,
        site_name: 'Centre',
        locations: [],
        status: 'open',
        expected: 8,
        seen: 0,
        scans: 0,
        ended_at: null,
        act: null,
        left_alone: null,
      })
      expect(await openInventory(admin, { locations: [1, 2] })).toMatchObject({
        expected: 2,
        locations: [1, 2],
      })
      expect(await openInventory(admin, { media: [2] })).toMatchObject({ expected: 0 })
      expect(await openInventory(admin, { categories: [1], locations: [3, 4] })).toMatchObject({
        expected: 4,
      })
    })

    it('is of a site, of places and of media that are there', async () => {
      for (const [field, of] of Object.entries({
        site: { site: 99 },
        locations: { locations: [1, 99] },
        categories: { categories: [99] },
        media: { media: [99] },
      })) {
        const { status, body } = await admin.post('/api/inventories', { name: 'Récolement', site: 1, ...of })
        expect([status, body.violations[0].propertyPath]).toEqual([422, field])
      }
    })

    it('is paused, taken up, given up, and then no more changed', async () => {
      const { id } = await openInventory(admin)
      await scan(admin, id, ['1001'])
      const set = (status: string) => admin.put(`/api/inventories/${id}/status`, { status })
      expect((await set('paused')).body.status).toBe('paused')
      expect((await set('open')).body.status).toBe('open')
      expect((await admin.put(`/api/inventories/${id}`, { name: 'Rayons' })).body.name).toBe('Rayons')
      expect((await admin.put(`/api/inventories/${id}`, { site: 2 })).status).toBe(422)
      expect((await set('given_up')).body).toMatchObject({ status: 'given_up', ended_at: testNow, seen: 1 })
      expect((await set('open')).status).toBe(409)
      expect((await admin.put(`/api/inventories/${id}`, { name: 'Autre' })).status).toBe(409)
      const { rows } = await sql<{ action: string }>`
        select action from audit_journal where entity = 'inventories' order by id`.execute(server.db)
      expect(rows.map(({ action }) => action)).toEqual([
        'inventories.add',
        'inventories.pause',
        'inventories.resume',
        'inventories.change',
        'inventories.give_up',
      ])
    })

    it('stays as it was once it is over, whatever becomes of the copies', async () => {
      const { id } = await openInventory(admin)
      await scan(admin, id, ['1001', '1002'])
      await admin.put(`/api/inventories/${id}/status`, { status: 'given_up' })
      await sql`update copies set deleted_at = now() where id in (1, 9)`.execute(server.db)
      expect(await read(admin, id)).toMatchObject({ expected: 10, seen: 2 })
    })

    it('is listed, and hidden once it is removed', async () => {
      const { id } = await openInventory(admin, { name: 'Été' })
      await openInventory(admin, { name: 'Hiver' })
      const list = async (query = '') => (await admin.get(`/api/inventories${query}`)).body['hydra:member']
      expect(await list('?name|like=ete')).toMatchObject([{ id }])
      expect((await admin.delete(`/api/inventories/${id}`)).status).toBe(204)
      expect(await list()).toMatchObject([{ name: 'Hiver' }])
      expect((await admin.get(`/api/inventories/${id}`)).status).toBe(404)
    })
  })

  describe('its progress', () => {
    it('is counted by its own choice, however many are under way', async () => {
      const whole = await openInventory(admin)
      const shelf = await openInventory(admin, { locations: [1], categories: [1] })
      const films = await openInventory(admin, { media: [2] })
      const annexe = await openInventory(admin, { site: 2 })
      await scan(admin, whole.id, ['1001', '1003', '1009', '2001', 'SANS'])
      await scan(admin, shelf.id, ['1002', '1003'])
      await scan(admin, annexe.id, ['2001', '2001', '1001'])
      await admin.put(`/api/inventories/${films.id}/status`, { status: 'given_up' })
      const { body } = await admin.get('/api/inventories?order[id]=asc')
      const counts = (body['hydra:member'] as { expected: number; seen: number }[]).map(
        ({ expected, seen }) => [expected, seen],
      )
      expect(counts).toEqual([
        [10, 3],
        [2, 1],
        [0, 0],
        [5, 1],
      ])
      expect(await read(admin, shelf.id)).toMatchObject({ expected: 2, seen: 1 })
    })

    it('is told by place and by person, live', async () => {
      const { id } = await openInventory(admin)
      const phone = '0d1f6f0e-5a44-4a11-9d3c-3f4f0c0b7a10'
      await sql`insert into devices (device_id, name, first_seen, last_seen) values (${phone}, 'Téléphone du prêt', now(), now())`.execute(
        server.db,
      )
      const other = await server.as('admin', phone)
      let { cursor } = await readChanges(server.db, null)
      const told = async () => {
        const changes = await readChanges(server.db, cursor)
        cursor = changes.cursor
        return changes.resources
      }
      await scan(admin, id, ['1001', '1003', '1009'], { location: 1 })
      expect(await told()).toEqual(['inventories', 'inventory_scans'])
      expect(await told()).toEqual([])
      const again = scanOf({ bar_code: '1002', scanned_at: '2026-03-10T08:45:00.000Z' })
      await send(other, id, [again])
      expect(await told()).toEqual(['inventories', 'inventory_scans'])
      await send(other, id, [again])
      expect(await told()).toEqual([])
      const { body } = await admin.get(`/api/inventories/${id}/progress`)
      expect(body.locations).toEqual([
        { location: 1, label: 'Rayon A', expected: 2, seen: 2 },
        { location: 2, label: 'Rayon B', expected: 2, seen: 1 },
        { location: 3, label: 'Rayon C', expected: 2, seen: 0 },
        { location: 4, label: 'Rayon D', expected: 2, seen: 0 },
        { location: null, label: null, expected: 2, seen: 1 },
      ])
      expect(body.people).toMatchObject([
        {
          device_id: phone,
          device: 'Téléphone du prêt',
          scans: 1,
          last_at: '2026-03-10T08:45:00.000Z',
        },
        { device_id: 'appareil-1', device: '', scans: 3 },
      ])
    })

    it('counts a copy that got the label after it was scanned', async () => {
      const { id } = await openInventory(admin)
      await scan(admin, id, ['NEUF'])
      expect(await read(admin, id)).toMatchObject({ expected: 10, seen: 0 })
      await admin.post('/api/copies', { reference: 1, site: 1, bar_code: 'NEUF' })
      expect(await read(admin, id)).toMatchObject({ expected: 11, seen: 1 })
    })
  })

  describe('the copies of a phone', () => {
    it('have the shelf mark that their labels have: their own, or the Dewey one', async () => {
      const marks = {
        1: { book_number: ' R ZOL ', book_number_dewey: '843' },
        2: { book_number: ' ', book_number_dewey: '843.8' },
        3: { book_number: ' ' },
      }
      for (const [id, data] of Object.entries(marks)) {
        await sql`update "references" set reference_data = ${JSON.stringify(data)}::jsonb where id = ${Number(id)}`.execute(
          server.db,
        )
      }
      const { id } = await openInventory(admin)
      const markOf = (rows: { bar_code: string; call_number: string | null }[]) =>
        ['1001', '1002', '1003'].map((code) => rows.find(({ bar_code }) => bar_code === code)?.call_number)
      const { body } = await admin.get(`/api/inventories/${id}/copies`)
      expect(markOf(body.copies)).toEqual(['R ZOL', '843.8', null])
      const { body: findings } = await admin.get(`/api/inventories/${id}/findings?group=missing`)
      expect(markOf(findings['hydra:member'])).toEqual(['R ZOL', '843.8', null])
    })

    it('are those of the site, with the last that had a label', async () => {
      await sql`update copies set deleted_at = now() where id = 4`.execute(server.db)
      await sql`update copies set status = 'En Location' where id = 5`.execute(server.db)
      await sql`update "references" set reference_data = reference_data || '{"book_number":"R ZOL"}' where id = 1`.execute(
        server.db,
      )
      await sql`insert into copies (reference, bar_code, site, deleted_at) values (1, '1001', 1, now())`.execute(
        server.db,
      )
      const { id } = await openInventory(admin, { locations: [1] })
      const { body } = await admin.get(`/api/inventories/${id}/copies`)
      expect([body.total, body.complete]).toEqual([10, true])
      expect(body.copies.map((copy: { id: number }) => copy.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect(body.copies[0]).toEqual({
        id: 1,
        bar_code: '1001',
        name: 'Livre numéro 1',
        call_number: 'R ZOL',
        medium: 'Livre',
        site: 1,
        location: 1,
        status: 'Disponible',
        deleted: false,
        expected: true,
      })
      expect(body.copies[3]).toMatchObject({ deleted: true, expected: false })
      expect(body.copies[4]).toMatchObject({ status: 'En Location', expected: false })
    })

    it('come in pages', async () => {
      await sql`insert into copies (reference, bar_code, site)
        select 1, 'P' || n, 1 from generate_series(1, ${copiesPerPage}) n`.execute(server.db)
      const { id } = await openInventory(admin)
      const first = (await admin.get(`/api/inventories/${id}/copies`)).body
      expect([first.copies.length, first.complete]).toEqual([copiesPerPage, false])
      const second = (await admin.get(`/api/inventories/${id}/copies?after=${first.copies.at(-1).id}`)).body
      expect([second.copies.length, second.complete, second.total]).toEqual([10, true, copiesPerPage + 10])
    })
  })

  describe('the code of a shelf', () => {
    it('is one shelf’s, and no copy’s', async () => {
      const change = (id: number, bar_code: string | null) => admin.put(`/api/locations/${id}`, { bar_code })
      expect((await change(3, '')).body.bar_code).toBeNull()
      expect((await change(3, ' RAYON-C ')).body.bar_code).toBe('RAYON-C')
      expect((await change(4, 'RAYON-A')).body.violations).toEqual([
        {
          propertyPath: 'bar_code',
          message: 'Le code-barres RAYON-A est déjà celui de l’emplacement «\u00a0Rayon A\u00a0».',
        },
      ])
      expect((await change(4, '1001')).body.violations).toEqual([
        { propertyPath: 'bar_code', message: 'Le code-barres 1001 est celui d’un exemplaire.' },
      ])
      const taken = await admin.post('/api/copies', { reference: 1, site: 1, bar_code: 'RAYON-C' })
      expect(taken.body.violations).toEqual([
        {
          propertyPath: 'bar_code',
          message: 'Le code-barres RAYON-C est celui de l’emplacement «\u00a0Rayon C\u00a0».',
        },
      ])
      expect((await admin.get('/api/locations?bar_code=RAYON-C')).body['hydra:member']).toMatchObject([
        { label: 'Rayon C' },
      ])
    })

    it('is no other shelf’s in small letters either, and may be written otherwise on its own', async () => {
      const alike = [
        {
          propertyPath: 'bar_code',
          message:
            'Le code-barres rayon-a ne diffère que par la casse de RAYON-A, qui est déjà celui de l’emplacement «\u00a0Rayon A\u00a0».',
        },
      ]
      const added = await admin.post('/api/locations', { label: 'Rayon Z', bar_code: 'rayon-a' })
      expect(added.body.violations).toEqual(alike)
      expect((await admin.put('/api/locations/4', { bar_code: 'rayon-a' })).body.violations).toEqual(alike)
      const { body: own } = await admin.get('/api/locations?bar_code=RAYON-A')
      const change = await admin.put(own['hydra:member'][0]['@id'], { bar_code: 'Rayon-A' })
      expect(change).toMatchObject({ status: 200, body: { bar_code: 'Rayon-A' } })
      await admin.put(own['hydra:member'][0]['@id'], { bar_code: 'RAYON-A' })
    })
  })
})

describeServer('inventories of a person of one site', (server) => {
  let people: TwoSites
  beforeAll(async () => {
    await seedShelves(server)
    people = await openTwoSites(server)
  })

  it('are those of the site', async () => {
    const { annexe, chef } = people
    const { id } = await openInventory(chef)
    await scan(chef, id, ['1001'])
    const foreign = await annexe.post('/api/inventories', { name: 'Récolement', site: 1 })
    expect([foreign.status, foreign.body.violations[0].propertyPath]).toEqual([422, 'site'])
    for (const [method, rest, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'Autre' }],
      ['PUT', '/status', { status: 'given_up' }],
      ['DELETE', ''],
      ['GET', '/copies'],
      ['GET', '/scans'],
      ['POST', '/scans', { scans: [scanOf({ bar_code: '1002' })] }],
      ['GET', '/progress'],
      ['GET', '/findings'],
      ['POST', '/apply', {}],
      ['GET', '/report'],
    ] as const) {
      const { status } = await annexe.call(method, `/api/inventories/${id}${rest}`, body)
      expect([method, rest, status]).toEqual([method, rest, 404])
    }
    expect((await annexe.get('/api/inventories')).body['hydra:totalItems']).toBe(0)
    expect(await read(chef, id)).toMatchObject({ status: 'open', scans: 1, name: 'Récolement' })
  })

  it('tell of a copy of another site only the code that was read', async () => {
    const { annexe, chef } = people
    const { id } = await openInventory(annexe, { site: 2 })
    const [told] = await scan(annexe, id, ['1001'])
    expect(told).toMatchObject({
      verdict: 'elsewhere',
      bar_code: '1001',
      copy: null,
      name: null,
      copy_barcode: null,
    })
    const ticked = await annexe.post(`/api/inventories/${id}/scans`, { scans: [scanOf({ copy: 2 })] })
    expect(ticked.status).toBe(422)
    expect((await chef.get(`/api/inventories/${id}/scans`)).body.scans).toMatchObject([
      { name: 'Livre numéro 1' },
    ])
  })

  it('ask for the right', async () => {
    const reader = await server.as('lecture')
    expect((await reader.get('/api/inventories')).status).toBe(403)
    expect((await reader.post('/api/inventories', { name: 'Récolement', site: 1 })).status).toBe(403)
  })
})
