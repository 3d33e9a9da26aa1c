import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { parameterSections } from '../../src/client/settings/parameter-sections.ts'
import { deliveredParameters, parameterCodes } from '../../src/domain/parameters.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('global parameters', (server) => {
  let admin: Client
  let lecture: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    lecture = await server.as('lecture')
  })
  const valueOf = async (code: string) =>
    (await lecture.get(`/api/parameters?code=${code}`)).body['hydra:member'][0].value as string
  const save = (...body: object[]) => admin.post('/api/parameters/update', body)
  const lines = async () =>
    (
      await server.db
        .selectFrom('audit_journal')
        .select('before')
        .where('action', '=', 'parameter.update')
        .orderBy('id')
        .execute()
    ).map(({ before }) => (before as { code: string } | null)?.code)

  it('are all on the screen, each once', () => {
    expect(parameterSections.flatMap(({ codes }) => codes).toSorted()).toEqual([...parameterCodes].toSorted())
  })

  it('are saved together, each with its line of the journal where it changed', async () => {
    const [whole] = (await lecture.get('/api/parameters?code=multiple_reservations')).body['hydra:member']
    const saved = await save(
      { code: 'fast_input', value: '0' },
      { ...whole, value: '1' },
      { code: 'work_council', value: 'Comptoir' },
    )
    expect(saved.status).toBe(200)
    expect(saved.body['hydra:member']).toMatchObject([
      { code: 'fast_input', value: '0' },
      { code: 'multiple_reservations', value: '1' },
      { code: 'work_council', value: 'Comptoir' },
    ])
    expect([await valueOf('fast_input'), await valueOf('multiple_reservations')]).toEqual(['0', '1'])
    expect(await lines()).toEqual(['fast_input', 'multiple_reservations'])
  })

  it('are named by their code or their id, and refused where neither is a parameter', async () => {
    const [{ id }] = (await lecture.get('/api/parameters?code=calendar_week_day')).body['hydra:member']
    const saved = await save(
      { id, value: '3' },
      { id: `/api/parameters/${id + 1}`, value: 'x', code: 'work_council' },
    )
    expect(saved.body['hydra:member']).toMatchObject([
      { id, value: '3' },
      { code: 'work_council', value: 'x' },
    ])
    const faults = async (...body: object[]) => (await save(...body)).body.violations
    expect(await faults({ id: 9999, value: '1' })).toEqual([
      { propertyPath: '9999', message: 'Le paramètre «\u00a09999\u00a0» n’existe pas.' },
    ])
    expect(await faults({ id, value: '4' }, { code: 'calendar_week_day', value: '5' })).toMatchObject([
      { propertyPath: 'calendar_week_day' },
    ])
    expect(await faults({ value: '1' })).toMatchObject([{ propertyPath: '0' }])
  })

  it('that reach into other sites are changed by who has them all', async () => {
    await sql`insert into user_sites (user_id, site) select id, 1 from users where username = 'admin'`.execute(
      server.db,
    )
    const { body } = await lecture.get('/api/parameters?limit=500')
    const others = { retention_months: '3', journal_months: '12', by_site_beneficiaries: '1' }
    for (const [code, other] of Object.entries(others)) {
      const { id, value } = body['hydra:member'].find((one: { code: string }) => one.code === code)
      const message = 'Ce réglage touche tous les sites\u202f: il faut les avoir tous pour le changer.'
      const alone = await admin.put(`/api/parameters/${id}`, { value: other })
      expect([alone.status, alone.body.violations]).toEqual([422, [{ propertyPath: 'value', message }]])
      const among = await save({ code: 'fast_input', value: '1' }, { code, value: other })
      expect(among.body.violations).toEqual([{ propertyPath: code, message }])
      // A page that saves all of them may say it again.
      expect((await save({ code, value })).status).toBe(200)
      expect(await valueOf(code)).toBe(value)
    }
    expect(await valueOf('fast_input')).toBe('0')
    await sql`delete from user_sites`.execute(server.db)
  })

  it('say each what it is about', async () => {
    const { body } = await lecture.get('/api/parameters?limit=500')
    const told = Object.fromEntries(
      body['hydra:member'].map(({ code, info }: { code: string; info: string }) => [code, info]),
    )
    expect(told).toEqual(
      Object.fromEntries(Object.entries(deliveredParameters).map(([code, { label }]) => [code, label])),
    )
  })

  it.each([
    'online_booking_enabled',
    'enable_reservations_amount',
    'relative_search',
    'by_site_beneficiaries',
    'cms_show_all_sites_copies',
    'reservations_without_dates',
  ])('let « %s » be switched on and off again', async (code) => {
    const before = await valueOf(code)
    for (const value of [before === '1' ? '0' : '1', before]) {
      expect((await save({ code, value })).body['hydra:member']).toMatchObject([{ code, value }])
      expect(await valueOf(code)).toBe(value)
    }
  })

  it('are all refused when one is, each fault under its code', async () => {
    const before = await lines()
    const refused = await save(
      { code: 'fast_input', value: '1' },
      { code: 'multisite', value: '0' },
      { code: 'calendar_week_day', value: '9' },
      { code: 'unknown', value: '1' },
      { code: 'fast_input', value: '0' },
    )
    expect(refused.status).toBe(422)
    expect(refused.body.violations).toEqual([
      {
        propertyPath: 'multisite',
        message: 'Plusieurs sites sont en service\u202f: désactivez les autres d’abord.',
      },
      { propertyPath: 'calendar_week_day', message: 'Cette valeur doit être 1, 2, 3, 4, 5, 6 ou 7.' },
      { propertyPath: 'unknown', message: 'Le paramètre «\u00a0unknown\u00a0» n’existe pas.' },
      { propertyPath: 'fast_input', message: 'Le paramètre «\u00a0fast_input\u00a0» est donné deux fois.' },
    ])
    expect(await valueOf('fast_input')).toBe('0')
    expect(await lines()).toEqual(before)
  })

  it('ask for the recap, which is then off again', async () => {
    await admin.post('/api/loanings', { copy: 1, beneficiary: 1 })
    const asked = await save({ code: 'recap_email', value: '1' }, { code: 'sync_relatives', value: '1' })
    expect(asked).toMatchObject({ status: 200, body: { 'hydra:member': [{ value: '0' }, { value: '1' }] } })
    const jobs = () => server.db.selectFrom('jobs').select(['kind', 'total']).execute()
    expect(await jobs()).toEqual([{ kind: 'mail.recap', total: 1 }])
    const { id } = (await lecture.get('/api/parameters?code=recap_email')).body['hydra:member'][0]
    // One at a time: the mails of the first are not written yet.
    const again = () => admin.put(`/api/parameters/${id}`, { value: '1' })
    expect(await again()).toMatchObject({ status: 409, body: { reason: 'WORK_UNDER_WAY' } })
    expect(await jobs()).toHaveLength(1)
    await server.db.updateTable('jobs').set({ status: 'done', ended_at: new Date().toISOString() }).execute()
    expect((await again()).body.value).toBe('0')
    expect(await jobs()).toHaveLength(2)
    await save({ code: 'recap_email', value: '0' })
    expect(await jobs()).toHaveLength(2)
  })

  it('are changed by their right alone', async () => {
    expect((await lecture.post('/api/parameters/update', [{ code: 'fast_input', value: '1' }])).status).toBe(
      403,
    )
    expect((await save({ code: 'fast_input', value: 1 })).status).toBe(422)
    expect((await admin.post('/api/parameters/update', { fast_input: '1' })).status).toBe(422)
  })
})
