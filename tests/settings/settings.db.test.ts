import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('settings', (server) => {
  let admin: Client
  let lecture: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    lecture = await server.as('lecture')
  })
  const parameter = async (code: string) =>
    (await lecture.get(`/api/parameters?filters[code|eq]=${code}`)).body['hydra:member'][0]

  it('lists parameters, by code or by name', async () => {
    const all = await lecture.get('/api/parameters?limit=100')
    expect(all.body['hydra:totalItems']).toBe(all.body['hydra:member'].length)
    expect(await parameter('multisite')).toMatchObject({
      '@type': 'Parameter',
      code: 'multisite',
      name: 'multisite',
      value: '1',
    })
    const byName = await lecture.get('/api/parameters?name|in=fast_input,timezone')
    expect(byName.body['hydra:member'].map(({ code }: { code: string }) => code)).toEqual([
      'fast_input',
      'timezone',
    ])
  })

  it('changes a parameter at once, and writes the journal', async () => {
    const { id } = await parameter('work_council')
    const { status, body } = await admin.put(`/api/parameters/${id}`, { value: 'Médiathèque de Foix' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ value: 'Médiathèque de Foix', date_update: server.now.toISOString() })
    expect((await parameter('work_council')).value).toBe('Médiathèque de Foix')
    const line = await server.db
      .selectFrom('audit_journal')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({ action: 'parameter.update', entity_id: id, before: { value: 'Comptoir' } })
  })

  it('follows the time zone from the next call', async () => {
    server.moveTo('2026-03-10T20:30:00Z')
    const { id } = await parameter('timezone')
    await admin.put(`/api/parameters/${id}`, { value: 'Indian/Reunion' })
    const loan = await admin.post('/api/loanings', { beneficiary: 1, copy: 1 })
    expect(loan.body.start_date).toBe('2026-03-11')
    await admin.put(`/api/parameters/${id}`, { value: 'Europe/Paris' })
    server.moveTo(testNow)
  })

  it.each([
    ['multisite', 'oui', '1'],
    // A call trims what it is given.
    ['work_council', ' ', 'Comptoir'],
    // Intl knows the zone, but PostgreSQL, which computes days too, has no such name.
    ['timezone', 'Europe/PARIS', 'Europe/Paris'],
  ])('takes for %s not « %s » but « %s »', async (code, bad, good) => {
    const { id } = await parameter(code)
    const refused = await admin.put(`/api/parameters/${id}`, { value: bad })
    expect(refused.status).toBe(422)
    expect(refused.body.violations[0].propertyPath).toBe('value')
    expect((await admin.put(`/api/parameters/${id}`, { value: good })).body.value).toBe(good)
  })

  it('has several sites as long as several are in service', async () => {
    const { id } = await parameter('multisite')
    const close = (enabled: boolean) =>
      server.db.updateTable('sites').set({ enabled }).where('id', '=', 2).execute()
    const refused = await admin.put(`/api/parameters/${id}`, { value: '0' })
    expect(refused.body.violations).toEqual([
      {
        propertyPath: 'value',
        message: 'Plusieurs sites sont en service\u202f: désactivez les autres d’abord.',
      },
    ])
    await close(false)
    expect((await admin.put(`/api/parameters/${id}`, { value: '0' })).status).toBe(200)
    await close(true)
    await admin.put(`/api/parameters/${id}`, { value: '1' })
  })

  it('keeps parameters from those without the right, and knows which exist', async () => {
    const { id } = await parameter('multisite')
    expect((await lecture.put(`/api/parameters/${id}`, { value: '1' })).status).toBe(403)
    expect((await admin.put('/api/parameters/9999', { value: '1' })).status).toBe(404)
  })

  it('lists sites and tells one', async () => {
    const { body } = await lecture.get('/api/sites')
    expect(body['hydra:member']).toMatchObject([{ name: 'Annexe' }, { name: 'Centre' }])
    expect((await lecture.get('/api/sites/2')).body).toEqual({
      '@id': '/api/sites/2',
      '@type': 'Site',
      id: 2,
      name: 'Annexe',
      enabled: true,
      gestit_id: null,
      bar_codes_configuration: { siteCode: '', firstValue: '1', symbology: 'CODE128' },
      last_reference: null,
      open_weekdays: [1, 2, 3, 4, 5, 6, 7],
      weekly_minutes: null,
    })
    expect((await lecture.get('/api/sites/99')).status).toBe(404)
  })

  it('lists reasons by type, and translations', async () => {
    const free = await lecture.get('/api/reasons?type=free')
    expect(free.body['hydra:member'].map(({ name }: { name: string }) => name)).toEqual([
      'Animation',
      'Geste commercial',
    ])
    await server.db.updateTable('reasons').set({ enabled: false }).where('name', '=', 'Animation').execute()
    expect((await lecture.get('/api/reasons?type=free&enabled=1')).body['hydra:totalItems']).toBe(1)
    const copies = await lecture.get('/api/translations?code=copies&limit=5')
    expect(copies.body).toMatchObject({
      'hydra:totalItems': 1,
      'hydra:member': [{ '@type': 'Translation', code: 'copies', translation: 'exemplaires', gender: 'm' }],
    })
    expect((await lecture.get('/api/translations?code=nothing&limit=5')).body['hydra:member']).toEqual([])
  })
})
