import { beforeAll, expect, it } from 'vitest'

import { filterChoices } from '../../src/contract/filters.ts'
import { loanList } from '../../src/contract/loans.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const codes = ({ body }: Answer): string[] => body['hydra:member'].map(({ code }: { code: string }) => code)
const all: string[] = filterChoices.loanings.map(({ code }) => code)

it.each(filterChoices.loanings)('$code filters the list of loans', ({ searchCode }) => {
  const [field = '', operator] = searchCode.split('|')
  const known = (loanList.filters as Record<string, { operators: readonly string[] }>)[field]
  expect(known?.operators).toContain(operator ?? 'gte')
})

describeServer('filters that a person sees', (server) => {
  let biblio: Client
  beforeAll(async () => (biblio = await server.as('biblio')))

  it('are all of them until they choose', async () => {
    const { body } = await biblio.get('/api/filters/all?list=loanings')
    expect(body['hydra:totalItems']).toBe(all.length)
    expect(body['hydra:member'][0]).toEqual({
      '@id': '/api/filters/benefsearchname',
      '@type': 'Filter',
      id: 1,
      code: 'benefsearchname',
      type: 'text',
      searchCode: 'benefsearchname|like',
      isAuthor: false,
    })
    expect(codes(await biblio.get('/api/filters/mine?list=loanings'))).toEqual(all)
  })

  it('are those that were saved last, in their order, each person their own', async () => {
    const filters = ['islate', 'benefsearchname', 'islate']
    const saved = await biblio.post('/api/filters', { list: 'loanings', filters })
    expect(saved.status).toBe(201)
    expect(codes(saved)).toEqual(['islate', 'benefsearchname'])
    expect(codes(await biblio.get('/api/filters/mine?list=loanings'))).toEqual(['islate', 'benefsearchname'])
    expect(codes(await (await server.as('admin')).get('/api/filters/mine?list=loanings'))).toEqual(all)
    await biblio.post('/api/filters', { list: 'loanings', filters: [] })
    expect(codes(await biblio.get('/api/filters/mine?list=loanings'))).toEqual([])
  })

  it('are of that list, and of a list that has some', async () => {
    const unknown = await biblio.post('/api/filters', { list: 'loanings', filters: ['colour'] })
    expect(unknown.status).toBe(422)
    expect(unknown.body.violations[0]).toMatchObject({ propertyPath: 'filters' })
    expect((await biblio.get('/api/filters/all?list=nothing')).status).toBe(400)
  })

  it('are of references where no list is named', async () => {
    expect(codes(await biblio.get('/api/filters/all'))).toEqual(
      codes(await biblio.get('/api/filters/all?list=references')),
    )
    const saved = await biblio.post('/api/filters', { filters: ['medium'] })
    expect(saved.status).toBe(201)
    expect(codes(await biblio.get('/api/filters/mine'))).toEqual(['medium'])
    expect(codes(await biblio.get('/api/filters/mine?list=references'))).toEqual(['medium'])
    expect(codes(await biblio.post('/api/filters', ['code', 'medium']))).toEqual(['code', 'medium'])
    expect(codes(await biblio.get('/api/filters/mine'))).toEqual(['code', 'medium'])
    expect((await biblio.post('/api/filters', [{ code: 'medium' }])).body.violations[0].propertyPath).toBe(
      'filters.0',
    )
    await server.db.deleteFrom('user_filters').execute()
  })

  it('of references are also the fields in use and the functions, none of which is shown unasked', async () => {
    await server.db
      .updateTable('reference_fields')
      .set({ disabled: true })
      .where('code', '=', 'level')
      .execute()
    const { id } = await server.db
      .insertInto('list_types')
      .values({ name: 'Illustrateur', group: 'author' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const offered = await biblio.get('/api/filters/all?list=references')
    expect(codes(offered)).toContain('reference_data.language')
    expect(codes(offered)).not.toContain('reference_data.level')
    expect(offered.body['hydra:member'].at(-1)).toMatchObject({
      code: `list_types.${id}`,
      type: 'text',
      searchCode: `list_types.${id}|like`,
      isAuthor: true,
    })
    expect(codes(await biblio.get('/api/filters/mine?list=references'))).toEqual(
      filterChoices.references.map(({ code }) => code),
    )
    for (const { searchCode, type } of offered.body['hydra:member']) {
      if (type !== 'text') continue
      const { status } = await biblio.get(`/api/references?filters[${searchCode}]=a`)
      expect([searchCode, status]).toEqual([searchCode, 200])
    }
    const saved = await biblio.post('/api/filters', {
      list: 'references',
      filters: [`list_types.${id}`, 'code'],
    })
    expect(codes(saved)).toEqual([`list_types.${id}`, 'code'])
  })

  it('of references ask for ten functions at most', async () => {
    const asking = (count: number) =>
      biblio.get(
        `/api/references?${Array.from({ length: count }, (_, n) => `list_types.${n + 1}|nil=1`).join('&')}`,
      )
    expect((await asking(10)).status).toBe(200)
    expect(await asking(11)).toMatchObject({
      status: 400,
      body: { message: 'Une liste se filtre par 10 listes de valeurs au plus.' },
    })
    expect((await biblio.get('/api/references?list_types.x|like=a')).status).toBe(400)
    expect((await biblio.get('/api/references?list_values.1|like=a')).status).toBe(400)
  })
})
