import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('media, categories, states and durations: lists', (server) => {
  let lecture: Client
  beforeAll(async () => {
    lecture = await server.as('lecture')
    await server.db.updateTable('media').set({ enabled: false }).where('name', '=', 'Sans limite').execute()
    await server.db
      .updateTable('references')
      .set({ deleted_at: '2026-03-01T00:00:00Z' })
      .where('code', '=', 'F5')
      .execute()
    await server.db.insertInto('categories').values({ name: 'Épopée', deleted_at: null }).execute()
  })

  it('lists media with their rules', async () => {
    const { body } = await lecture.get('/api/media')
    expect(body['hydra:totalItems']).toBe(3)
    expect(body['hydra:member']).toMatchObject([
      { name: 'DVD', duration: 7, duration_type: 'DAY', max_loaning: 2, max_late: 0, penalty_amount: null },
      {
        '@id': '/api/media/1',
        '@type': 'Medium',
        name: 'Livre',
        penalty_enabled: true,
        penalty_amount: '0.50',
        penalty_duration_type: 'WEEK',
        eligibility: { contracts: [], statuses: [], dossiers: [] },
      },
      { name: 'Sans limite', enabled: false },
    ])
    expect((await lecture.get('/api/media?enabled=1')).body['hydra:totalItems']).toBe(2)
    expect((await lecture.get('/api/media?name=livr')).body['hydra:member']).toMatchObject([{ id: 1 }])
  })

  it('lists categories with how many references each has', async () => {
    const { body } = await lecture.get('/api/categories')
    expect(body['hydra:member']).toMatchObject([
      { name: 'Épopée', ref_count: 0 },
      { name: 'Film', ref_count: 4 },
      { '@id': '/api/categories/1', '@type': 'Category', name: 'Roman', ref_count: 10 },
    ])
    expect((await lecture.get('/api/categories?name=epo')).body['hydra:totalItems']).toBe(1)
  })

  it('lists the states of a copy and the units of a duration', async () => {
    const state = (code: string, name: string) => ({
      '@id': `/api/copy_states/${code}`,
      '@type': 'CopyState',
      id: code,
      code,
      name,
    })
    expect((await lecture.get('/api/copy_states')).body).toEqual({
      'hydra:member': [
        state('VERY_GOOD', 'Très bon état'),
        state('GOOD', 'Bon état'),
        state('DAMAGED', 'Endommagé'),
        state('UNUSABLE', 'Inutilisable'),
      ],
      'hydra:totalItems': 4,
    })
    expect((await lecture.get('/api/duration_types')).body['hydra:member'].at(-1)).toEqual({
      '@id': '/api/duration_types/CYCLE',
      '@type': 'DurationType',
      id: 'CYCLE',
      code: 'CYCLE',
      name: 'Cycle(s)',
    })
    const paged = await lecture.get('/api/copy_states?order[name]=desc&limit=2&page=2')
    expect(paged.body).toMatchObject({
      'hydra:member': [{ id: 'DAMAGED' }, { id: 'GOOD' }],
      'hydra:totalItems': 4,
    })
  })
})
