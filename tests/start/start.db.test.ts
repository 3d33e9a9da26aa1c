import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type PresetCode, presetCodes, presets } from '../../src/domain/presets/presets.ts'
import type { Preset } from '../../src/domain/presets/preset.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { unseed } from '../support/unseed.ts'

const presetOf = (code: PresetCode): Preset => presets[code]

/** What the screen sends where nobody changed anything. */
const bodyOf = (code: PresetCode) => {
  const { title: _, about: __, profiles, ...laid } = presetOf(code)
  return { preset: code, ...laid, profiles: profiles.map(({ name, rights }) => ({ name, rights })) }
}
const nothing = {
  organisation: false,
  site: false,
  media: false,
  categories: false,
  numbering: false,
  users: false,
  reference: false,
  reader: false,
  loan: false,
  forgetting: false,
}

describeServer('the first start', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  beforeEach(() => unseed(server.db))
  const start = async () => (await admin.get('/api/start')).body
  const named = async (path: string) =>
    (await admin.get(`${path}?limit=500`)).body['hydra:member'].map(({ name }: { name: string }) => name)

  it('has everything left to do in a new environment, and what is done anywhere is done', async () => {
    expect(await start()).toEqual({
      '@type': 'Start',
      dismissed: false,
      steps: { organisation: 'left', preset: 'left', numbering: 'left', users: 'left' },
      tasks: nothing,
      sample: null,
      preset: null,
    })
    await setParameter(server, 'work_council', 'Médiathèque de Sète')
    await admin.put('/api/sites/1', {
      name: 'Centre',
      bar_codes_configuration: { siteCode: 'S', firstValue: '001' },
    })
    const medium = (await admin.post('/api/media', { name: 'Livre' })).body.id
    await admin.post('/api/categories', { name: 'Roman' })
    await admin.post('/api/users', { username: 'anne', role: 'Bénévole', password: 'Une-longue-phrase-7' })
    const reference = (await admin.post('/api/references', { name: 'Germinal', medium })).body.id
    const copy = (await admin.post('/api/copies', { reference, site: 1, bar_code: 'S001' })).body.id
    const reader = (await admin.post('/api/beneficiaries', { lastname: 'Martin', firstname: 'Anne' })).body.id
    expect((await start()).tasks).toMatchObject({ reader: true, loan: false })
    await admin.post('/api/loanings', { beneficiary: reader, copy, duration_value: 1, duration_type: 'DAY' })
    await admin.post('/api/personal_data/agreement')
    const after = await start()
    expect(Object.values(after.tasks)).not.toContain(false)
    expect(Object.values(after.steps)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('is left at a step and taken up again there, and a step that is kept as it was is done', async () => {
    const mark = (step: string, state: string) => admin.post('/api/start/step', { step, state })
    expect((await mark('organisation', 'done')).body).toMatchObject({
      steps: { organisation: 'done', preset: 'left' },
      tasks: { organisation: true, site: true },
    })
    expect((await mark('preset', 'later')).body.steps).toMatchObject({ preset: 'later', numbering: 'left' })
    expect((await start()).steps).toMatchObject({ organisation: 'done', preset: 'later' })
    expect((await mark('preset', 'done')).body.steps.preset).toBe('done')
    expect((await mark('loan', 'done')).status).toBe(422)
  })

  it('is put away and brought back', async () => {
    expect((await admin.post('/api/start/dismiss')).body.dismissed).toBe(true)
    expect((await admin.post('/api/start/dismiss')).body.dismissed).toBe(true)
    expect((await start()).dismissed).toBe(true)
    expect((await admin.post('/api/start/dismiss', { dismissed: false })).body.dismissed).toBe(false)
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from audit_journal where action = 'start.dismiss'`.execute(server.db)
    expect(rows[0]?.count).toBe(2)
    await sql`update environment set demonstration = true`.execute(server.db)
    expect((await start()).dismissed).toBe(true)
    await sql`update environment set demonstration = false`.execute(server.db)
  })

  describe.each(presetCodes)('the preset %s', (code) => {
    it('is laid down whole, once, by the rules of the settings', async () => {
      const { media, categories, profiles } = presetOf(code)
      const reasons = presets[code].delay_reasons.length + presets[code].free_reasons.length
      const laid = await admin.post('/api/start/preset', bodyOf(code))
      expect(laid).toMatchObject({
        status: 200,
        body: {
          added: {
            media: media.length,
            categories: categories.length,
            reasons,
            parameters: presets[code].parameters.length,
          },
        },
      })
      expect(await named('/api/media')).toEqual(expect.arrayContaining(media.map(({ name }) => name)))
      expect((await named('/api/categories')).length).toBe(categories.length)
      expect(await named('/api/profiles')).toEqual(expect.arrayContaining(profiles.map(({ name }) => name)))
      const again = await admin.post('/api/start/preset', bodyOf(code))
      expect(Object.values(again.body.added)).toEqual([0, 0, 0, 0, 0, 0])
      expect((await start()).steps.preset).toBe('done')
      for (const name of presets[code].parameters.map((parameter) => parameter.code)) {
        await server.db
          .updateTable('parameters')
          .set({ value: '0' })
          .where('code', '=', name)
          .where('code', 'not in', ['reservations_without_dates', 'calendar_week_day'])
          .execute()
      }
      await sql`update parameters set value = '1' where code = 'reservations_without_dates'`.execute(
        server.db,
      )
      await sql`update parameters set value = '4' where code = 'calendar_week_day'`.execute(server.db)
      await sql`delete from reasons where id > 5`.execute(server.db)
    })
  })

  it('lays a preset down as it was edited, and leaves what is there as it is', async () => {
    await admin.post('/api/media', { name: 'livre', duration: 9, duration_type: 'DAY' })
    await setParameter(server, 'delay_days_number_before_penalize', '2')
    const { media, ...others } = bodyOf('mediatheque')
    const kept = media.slice(0, 2).map((one) => ({ ...one, duration: 5 }))
    const laid = await admin.post('/api/start/preset', { ...others, media: kept, categories: ['Polar'] })
    expect(laid.body.added).toMatchObject({ media: 1, categories: 1, parameters: 0 })
    const { body } = await admin.get('/api/media')
    expect(body['hydra:member']).toMatchObject([
      { name: 'livre', duration: 9, duration_type: 'DAY', code: null },
      { name: 'Revue', duration: 5, duration_type: 'WEEK', max_loaning: 6 },
    ])
    const { rows } = await sql<{ action: string }>`
      select action from audit_journal where entity in ('media', 'categories', 'start') order by id desc limit 3`.execute(
      server.db,
    )
    expect(rows.map(({ action }) => action)).toEqual(['start.preset', 'categories.add', 'media.add'])
    await setParameter(server, 'delay_days_number_before_penalize', '0')
  })

  it('refuses what the settings refuse, and then lays nothing down', async () => {
    const { media, ...others } = bodyOf('ludotheque')
    const [first, second] = media
    const send = (changed: object) =>
      admin.post('/api/start/preset', { ...others, media: [first, { ...second, ...changed }] })
    for (const [changed, propertyPath] of [
      [{ duration: 0 }, 'media.1.duration'],
      [{ name: ' ' }, 'media.1.name'],
      [
        { loaning_conditions_enabled: true, loaning_conditions_label: null },
        'media.1.loaning_conditions_label',
      ],
    ] as const) {
      expect(await send(changed)).toMatchObject({ status: 422, body: { violations: [{ propertyPath }] } })
    }
    expect(await named('/api/media')).toEqual([])
    expect((await admin.post('/api/start/preset', { preset: 'musée' })).status).toBe(422)
    const mass = [{ code: 'recap_email', value: '1' }]
    expect((await admin.post('/api/start/preset', { preset: 'parc', parameters: mass })).status).toBe(422)
  })

  it('asks of whoever lays it down the rights of all that it lays down', async () => {
    await admin.post('/api/users', { username: 'chef', role: 'Bénévole', password: 'Une-longue-phrase-7' })
    const chef = await server.as('chef')
    expect((await chef.get('/api/start')).status).toBe(403)
    await sql`insert into profile_rights (profile, right_code)
      select id, unnest(array['PARAMETER_GENERAL', 'PARAMETER_CATEGORY']) from profiles where name = 'Bénévole'`.execute(
      server.db,
    )
    expect((await chef.post('/api/start/preset', bodyOf('comite'))).status).toBe(403)
    expect(await named('/api/categories')).toEqual([])
    const less = { preset: 'comite', categories: ['Roman'], contracts: ['Salarié'] }
    expect((await chef.post('/api/start/preset', less)).status).toBe(200)
    await sql`delete from profile_rights where right_code in ('PARAMETER_GENERAL', 'PARAMETER_CATEGORY')
      and profile = (select id from profiles where name = 'Bénévole')`.execute(server.db)
  })

  it('is laid down once when it is sent twice at once', async () => {
    const answers = await Promise.all(
      [1, 2].map(() => admin.post('/api/start/preset', bodyOf('mediatheque'))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await named('/api/media')).length).toBe(presets.mediatheque.media.length)
  })
})
