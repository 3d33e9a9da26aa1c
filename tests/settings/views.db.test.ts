import { beforeEach, expect, it } from 'vitest'

import { mostViews } from '../../src/contract/views.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const content = {
  filters: { 'status|in': 'in_progress', 'islate|eq': '1' },
  order: { field: 'end_date', direction: 'asc' },
  hidden_columns: ['category'],
}
const late = { list: 'loanings', name: 'Retards', shared: false, content }

const names = ({ body }: Answer): string[] => body['hydra:member'].map(({ name }: { name: string }) => name)
const list = (client: Client) => client.get('/api/views?list=loanings')

describeServer('views of a list', (server) => {
  let biblio: Client
  let benevole: Client
  let admin: Client
  beforeEach(async () => {
    await emptyTables(server.db, 'views', 'audit_journal')
    biblio = await server.as('biblio')
    benevole = await server.as('benevole')
    admin = await server.as('admin')
  })
  const add = async (client: Client, view: object = {}) => {
    const added = await client.post('/api/views', { ...late, ...view })
    expect(added.status).toBe(201)
    return added.body
  }

  it('are kept as they were set, one’s own alone', async () => {
    const added = await add(biblio)
    expect(added).toMatchObject({ ...late, '@id': `/api/views/${added.id}`, mine: true, may_change: true })
    expect((await list(biblio)).body['hydra:member']).toEqual([added])
    expect(names(await list(admin))).toEqual([])
    const changed = await biblio.put(`/api/views/${added.id}`, { name: 'Très en retard' })
    expect(changed.body).toMatchObject({ name: 'Très en retard', content })
    const other = { filters: {}, order: null, hidden_columns: [] }
    expect((await biblio.put(`/api/views/${added.id}`, { content: other })).body.content).toEqual(other)
    expect((await biblio.delete(`/api/views/${added.id}`)).status).toBe(204)
    expect(names(await list(biblio))).toEqual([])
    expect((await biblio.delete(`/api/views/${added.id}`)).status).toBe(404)
  })

  it('do not exist for another person as long as they are not shared, whatever their rights', async () => {
    const { id } = await add(biblio)
    for (const other of [benevole, admin]) {
      expect((await other.put(`/api/views/${id}`, { name: 'À moi' })).status).toBe(404)
      expect((await other.delete(`/api/views/${id}`)).status).toBe(404)
    }
    expect(names(await list(biblio))).toEqual(['Retards'])
  })

  it('are the team’s once shared: everybody sees them, their owner and who sets the library up change them', async () => {
    const { id } = await add(biblio, { shared: true })
    await add(benevole, { name: 'À moi' })
    const seen = (await list(benevole)).body['hydra:member']
    expect(seen).toMatchObject([
      { name: 'À moi', mine: true, may_change: true },
      { name: 'Retards', mine: false, may_change: false, owner: 'biblio Test' },
    ])
    for (const refused of [
      await benevole.put(`/api/views/${id}`, { name: 'À nous' }),
      await benevole.delete(`/api/views/${id}`),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: { reason: 'RIGHT_MISSING' } })
    }
    expect((await admin.put(`/api/views/${id}`, { name: 'À relancer' })).body).toMatchObject({
      name: 'À relancer',
      mine: false,
      may_change: true,
    })
    expect(names(await list(biblio))).toEqual(['À relancer'])
    // It would leave the sight of whoever did it.
    expect((await admin.put(`/api/views/${id}`, { shared: false })).status).toBe(403)
    await biblio.put(`/api/views/${id}`, { shared: false })
    expect(names(await list(benevole))).toEqual(['À moi'])
    await biblio.put(`/api/views/${id}`, { shared: true })
    expect((await admin.delete(`/api/views/${id}`)).status).toBe(204)
    expect(names(await list(biblio))).toEqual([])
  })

  it('are refused in few words, however much is wrong with them', async () => {
    const refusal = async (change: object) => {
      const { status, body } = await biblio.post('/api/views', { ...late, ...change })
      return { status, messages: (body.violations ?? []).map(({ message }: { message: string }) => message) }
    }
    expect(await refusal({ content: { ...content, hidden_columns: Array(50_000).fill(0) } })).toEqual({
      status: 422,
      messages: ['Le champ «\u00a0content.hidden_columns\u00a0» ne doit pas dépasser 50 colonnes.'],
    })
    const manyFilters = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`id${at}|eq`, at]))
    expect(await refusal({ content: { ...content, filters: manyFilters } })).toEqual({
      status: 422,
      messages: ['Le champ «\u00a0content.filters\u00a0» ne doit pas dépasser 50 filtres.'],
    })
    const wrong = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`id${at}|eq`, at]))
    expect((await refusal({ content: { ...content, filters: wrong } })).messages).toHaveLength(20)
    // What would be lost on the way is refused too.
    const lost = JSON.parse('{"__proto__":"x"}') as object
    expect((await refusal({ content: { ...content, filters: lost } })).status).toBe(422)
    const ids = (count: number) => ({ ...content, filters: { 'id|in': Array(count).fill(7).join(',') } })
    expect((await refusal({ content: ids(501) })).status).toBe(422)
    expect((await refusal({ name: '\u200b' })).messages).toEqual([
      'Le champ «\u00a0name\u00a0» ne doit pas être vide.',
    ])
    expect(names(await list(biblio))).toEqual([])
  })

  it('are for whoever may see the list', async () => {
    await add(biblio, { shared: true })
    const right = await server.db
      .deleteFrom('profile_rights')
      .where('right_code', '=', 'LIST_LOANINGS')
      .where('profile', '=', (select) =>
        select.selectFrom('users').select('profile').where('username', '=', 'benevole'),
      )
      .returningAll()
      .execute()
    expect((await list(benevole)).status).toBe(403)
    expect((await benevole.post('/api/views', late)).status).toBe(403)
    await server.db.insertInto('profile_rights').values(right).execute()
    expect((await list(benevole)).status).toBe(200)
  })

  it('have each a name of their own on their list, whatever its case and accents', async () => {
    const { id } = await add(biblio, { name: 'Été' })
    await add(admin, { name: 'Été', shared: true })
    const twin = await biblio.post('/api/views', { ...late, name: 'ETE' })
    expect(twin).toMatchObject({ status: 422, body: { violations: [{ propertyPath: 'name' }] } })
    const second = await add(biblio)
    const renamed = await biblio.put(`/api/views/${second.id}`, { name: 'été' })
    expect(renamed).toMatchObject({ status: 422, body: { violations: [{ propertyPath: 'name' }] } })
    expect((await biblio.put(`/api/views/${id}`, { name: 'ÉTÉ' })).status).toBe(200)
    for (const name of ['', '  ', 'x'.repeat(41)]) {
      expect((await biblio.post('/api/views', { ...late, name })).status).toBe(422)
    }
  })

  it('do not tell who renames a shared one of those that are not', async () => {
    const mine = await add(biblio, { name: 'Alice Martin' })
    await add(biblio, { name: 'À nous', shared: true })
    const { id } = await add(biblio, { shared: true })
    const rename = (name: string) => admin.put(`/api/views/${id}`, { name })
    expect(await rename('à nous')).toMatchObject({
      status: 422,
      body: { violations: [{ propertyPath: 'name' }] },
    })
    expect(await rename('Alice Martin')).toMatchObject({ status: 200, body: { name: 'Alice Martin' } })
    // Their owner, who sees both, still has each changed, and may not make one kind of them.
    const other = { filters: {}, order: null, hidden_columns: [] }
    expect((await biblio.put(`/api/views/${mine.id}`, { content: other })).status).toBe(200)
    expect((await biblio.put(`/api/views/${id}`, { shared: false })).body.violations).toMatchObject([
      { propertyPath: 'name' },
    ])
    expect((await biblio.put(`/api/views/${mine.id}`, { name: 'à nous' })).status).toBe(422)
  })

  it('are shared by who may change what is listed', async () => {
    const lecture = await server.as('lecture')
    for (const reader of [lecture, benevole]) {
      expect((await reader.post('/api/views', { ...late, shared: true })).status).toBe(403)
      const { id } = await add(reader)
      expect((await reader.put(`/api/views/${id}`, { shared: true })).status).toBe(403)
      expect((await reader.put(`/api/views/${id}`, { name: 'À moi' })).status).toBe(200)
      // What they shared when they might, they may end.
      await server.db.updateTable('views').set({ shared: true }).where('id', '=', id).execute()
      expect((await reader.put(`/api/views/${id}`, { shared: true, name: 'Retards' })).status).toBe(200)
      expect((await reader.put(`/api/views/${id}`, { shared: false })).status).toBe(200)
    }
    expect(names(await list(biblio))).toEqual([])
  })

  it.each([
    ['C0', 'a\u0007b'],
    ['a new line', 'a\nb'],
    ['C1', 'a\u0085b'],
    ['an override of the direction', 'Retards \u202egnol'],
    ['an isolate', 'a\u2066b'],
  ])('have no sign in their names that is not seen: %s', async (_, name) => {
    expect((await biblio.post('/api/views', { ...late, name })).body.violations).toMatchObject([
      { propertyPath: 'name', message: expect.stringContaining('caractère de contrôle') as string },
    ])
    const { id } = await add(biblio)
    expect((await biblio.put(`/api/views/${id}`, { name })).status).toBe(422)
  })

  it(`are ${mostViews} at most, which is said, also of two at once`, async () => {
    for (let count = 1; count < mostViews; count += 1) await add(biblio, { name: `Vue ${count}` })
    const both = await Promise.all(
      ['Une', 'Deux'].map((name) => biblio.post('/api/views', { ...late, name })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      reason: 'TOO_MANY_VIEWS',
      message: 'Vous avez déjà 20 vues sur cette liste\u202f: supprimez-en une pour en ajouter une autre.',
    })
    await add(admin)
  })

  it('take what the list knows, and lose what it knows no longer', async () => {
    for (const unknown of [
      { filters: { 'colour|eq': 'red' } },
      { filters: { 'status|like': 'in_progress' } },
      { filters: { 'status|in': 'lost' } },
      { filters: { 'constructor|eq': '1' } },
      { order: { field: 'colour', direction: 'asc' } },
      { hidden_columns: ['colour'] },
      { hidden_columns: ['reference'] },
    ]) {
      const refused = await biblio.post('/api/views', { ...late, content: { ...content, ...unknown } })
      expect(refused).toMatchObject({ status: 422, body: { violations: [{ propertyPath: 'content' }] } })
    }
    const { id } = await add(biblio)
    const older = {
      filters: { ...content.filters, 'colour|eq': 'red', 'medium|in': 'all' },
      order: { field: 'colour', direction: 'asc' },
      hidden_columns: ['gone', 'category'],
    }
    await server.db
      .updateTable('views')
      .set({ content: JSON.stringify(older) })
      .where('id', '=', id)
      .execute()
    expect((await list(biblio)).body['hydra:member'][0].content).toEqual({
      filters: content.filters,
      order: null,
      hidden_columns: ['category'],
    })
    expect((await biblio.get('/api/views?list=nothing')).status).toBe(400)
  })

  it('are in the journal by their name, without what they look for', async () => {
    const filters = { 'benefsearchname|like': 'Martin' }
    const { id } = await add(biblio, { content: { ...content, filters } })
    await biblio.put(`/api/views/${id}`, { shared: true })
    await biblio.delete(`/api/views/${id}`)
    const lines = await server.db.selectFrom('audit_journal').selectAll().orderBy('id').execute()
    expect(lines).toMatchObject([
      { action: 'views.add', entity: 'views', entity_id: id, before: null, after: { name: 'Retards' } },
      { action: 'views.change', before: { shared: false }, after: { shared: true } },
      { action: 'views.remove', before: { name: 'Retards', shared: true }, after: null },
    ])
    expect(JSON.stringify(lines)).not.toContain('Martin')
  })
})
