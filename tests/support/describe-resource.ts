import { beforeAll, expect, it } from 'vitest'

import type { BodyOf } from '../../src/contract/endpoint.ts'
import type { Resource, switchable } from '../../src/contract/resource.ts'
import { type Client, describeServer, type TestServer } from './test-server.ts'

type Samples<R extends Resource> = {
  /** Two items that nothing in the test library is like; the second sorts after the first. */
  one: BodyOf<R['add']>
  other: BodyOf<R['add']>
  /** The field of which no two items have the same value. */
  unique: keyof BodyOf<R['add']> & string
  /** Makes something hold on to an item, `count` times; without it nothing ever does. */
  use?: (server: TestServer, id: number, count: number) => Promise<unknown>
}

/** Tests of what `bindResource` gives every resource, from its list to its journal and replays. */
export function describeResource<R extends Resource | ReturnType<typeof switchable<Resource>>>(
  resource: R,
  { one, other, unique, use }: Samples<R>,
): void {
  const { path, name } = resource
  const text = (body: object) => String((body as Record<string, unknown>)[unique])

  describeServer(name, (server) => {
    let admin: Client
    let reader: Client
    beforeAll(async () => {
      admin = await server.as('admin')
      reader = await server.as('lecture')
    })
    const members = async (query = '') => {
      const { status, body } = await reader.get(`${path}?limit=500&${query}`)
      expect(status).toBe(200)
      return body['hydra:member'] as Record<string, unknown>[]
    }
    const add = async (body: object = one) => {
      const answer = await admin.post(path, body)
      expect(answer.status).toBe(201)
      return answer.body as { '@id': string; id: number } & Record<string, unknown>
    }
    const remove = async ({ id }: { id: number }) =>
      expect((await admin.delete(`${path}/${id}`)).status).toBe(204)
    const lines = (id: number) =>
      server.db
        .selectFrom('audit_journal')
        .select(['action', 'user_id', 'before', 'after'])
        .where('entity_id', '=', id)
        .where('action', 'like', `${name}.%`)
        .orderBy('id')
        .execute()

    it('lists what was added, by name, and finds it by a part of it', async () => {
      const [second, first] = [await add(other), await add(one)]
      expect(first).toMatchObject({ '@id': `${path}/${first.id}`, '@type': resource.type, ...one })
      const ids = (await members()).map(({ id }) => id)
      expect(ids.indexOf(first.id)).toBeLessThan(ids.indexOf(second.id))
      const down = (await members(`order[${unique}]=desc`)).map(({ id }) => id)
      expect(down.indexOf(second.id)).toBeLessThan(down.indexOf(first.id))
      const part = text(one).slice(1, -1).toUpperCase()
      expect(await members(`filters[${unique}|like]=${encodeURIComponent(part)}`)).toEqual([first])
      await remove(first)
      await remove(second)
      expect((await members()).filter(({ id }) => id === first.id || id === second.id)).toEqual([])
    })

    it('changes one, tells the journal who did what, and nothing where nothing changed', async () => {
      const added = await add()
      const changed = await admin.put(`${path}/${added.id}`, { [unique]: text(other) })
      expect(changed).toMatchObject({ status: 200, body: { ...added, [unique]: text(other) } })
      expect((await admin.put(`${path}/${added.id}`, { [unique]: text(other) })).body).toEqual(changed.body)
      expect(await lines(added.id)).toMatchObject([
        { action: `${name}.add`, user_id: 1, before: null, after: { [unique]: text(one) } },
        { action: `${name}.change`, before: { [unique]: text(one) }, after: { [unique]: text(other) } },
      ])
      await remove(added)
      expect((await lines(added.id)).at(-1)).toMatchObject({ action: `${name}.remove`, after: null })
    })

    it('refuses a second one of the same name at its field, and frees the name of one that was removed', async () => {
      const added = await add()
      const twin = { ...one, [unique]: text(one).toUpperCase() }
      const refused = await admin.post(path, twin)
      expect(refused).toMatchObject({ status: 422, body: { violations: [{ propertyPath: unique }] } })
      const second = await add(other)
      const renamed = await admin.put(`${path}/${second.id}`, { [unique]: text(one) })
      expect(renamed).toMatchObject({ status: 422, body: { violations: [{ propertyPath: unique }] } })
      await remove(added)
      await remove(second)
      await remove(await add())
    })

    it('refuses an empty name and what it does not know', async () => {
      for (const body of [
        { ...one, [unique]: '  ' },
        { ...one, unknown: 1 },
      ]) {
        expect((await admin.post(path, body)).status).toBe(422)
      }
    })

    it.runIf(use)('keeps what serves, and says how often', async () => {
      const added = await add({ ...one, [unique]: 'Ce qui sert' })
      await use!(server, added.id, 2)
      const refused = await admin.delete(`${path}/${added.id}`)
      expect(refused).toMatchObject({ status: 409, body: { reason: 'IN_USE', facts: { count: 2 } } })
      expect(refused.body.message).toMatch(/^2 /)
      expect((await members()).some(({ id }) => id === added.id)).toBe(true)
    })

    it('is changed by its right alone, and answers 404 for what is not there', async () => {
      const { id } = await add(other)
      const lecture = await server.as('lecture')
      expect((await lecture.post(path, one)).status).toBe(403)
      expect((await lecture.put(`${path}/${id}`, one)).status).toBe(403)
      expect((await lecture.delete(`${path}/${id}`)).status).toBe(403)
      await remove({ id })
      expect((await admin.put(`${path}/${id}`, one)).status).toBe(404)
      expect((await admin.delete(`${path}/${id}`)).status).toBe(404)
    })

    it('is added once however often the same call comes', async () => {
      const key = crypto.randomUUID()
      const body = { ...one, [unique]: `${text(one)} bis` }
      const first = await admin.post(path, body, { key })
      const again = await admin.post(path, body, { key })
      expect(again).toMatchObject({ status: 201, body: first.body })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      await remove(first.body)
    })

    if (!('toggle' in resource)) return
    it('is switched off and on', async () => {
      const body = { ...one, [unique]: `${text(one)} ter` }
      const { id } = await add(body)
      const off = await admin.post(`${path}/${id}/toggle`)
      expect(off).toMatchObject({ status: 200, body: { id, enabled: false } })
      expect((await members('filters[enabled|eq]=1')).some((member) => member['id'] === id)).toBe(false)
      expect((await admin.post(`${path}/${id}/toggle`)).body).toMatchObject({ enabled: true })
      expect((await lines(id)).map(({ action }) => action)).toEqual([
        `${name}.add`,
        `${name}.toggle`,
        `${name}.toggle`,
      ])
      await remove({ id })
    })
  })
}
