import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { mailCodes } from '../../src/domain/mail-occasions.ts'
import { inventedVariables } from '../../src/server/mail/invented-variables.ts'
import { faultsOfParts } from '../../src/server/writing/render-template.ts'
import { readParts } from '../../src/server/mail/template-rows.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { type Client, describeServer } from '../support/test-server.ts'

type Piece = {
  id: number
  code: string
  period: string
  type: string
  content: string
  enabled: boolean
  days: number | null
}

describeServer('mail templates', (server) => {
  let admin: Client
  let reader: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    reader = await server.as('lecture')
  })
  beforeEach(async () => {
    await sql`delete from mail_templates`.execute(server.db)
    await seedEnvironment(server.db, null)
    await sql`delete from mail_outbox`.execute(server.db)
  })
  const pieces = async (query = ''): Promise<Piece[]> =>
    (await reader.get(`/api/mail_templates?limit=100&${query}`)).body['hydra:member']
  const piece = async (code: string, type: string): Promise<Piece> =>
    (await pieces(`code=${code}&type=${type}`))[0]!

  it('are told to everybody, by period, each with its four pieces', async () => {
    const all = await pieces()
    expect(all).toHaveLength(4 * mailCodes.length)
    expect([...new Set(all.map(({ period }) => period))]).toEqual([
      'creation',
      'before_due',
      'due',
      'late_1',
      'late_2',
      'late_3',
      'reminder',
      'recap',
      'reservation',
      'closing',
      'account',
    ])
    expect(all.slice(0, 4).map(({ type }) => type)).toEqual(['object', 'body', 'details', 'signing'])
    expect((await pieces('period=late_2')).map(({ code, days }) => [code, days])).toEqual(
      Array.from({ length: 4 }, () => ['late_2', 7]),
    )
    expect(await piece('reservation_refused', 'details')).toMatchObject({
      '@type': 'MailTemplate',
      content: '{% if comment %}<p>Motif : {{ comment }}</p>{% endif %}',
      enabled: true,
      days: null,
    })
  })

  it('are delivered on where they were sent before, and off where they go by time', async () => {
    const on = new Set((await pieces('enabled=1')).map(({ code }) => code))
    expect(mailCodes.filter((code) => !on.has(code))).toEqual([
      'before_due',
      'due',
      'late_1',
      'late_2',
      'late_3',
    ])
  })

  it('all say what can be sent, as they are delivered', async () => {
    for (const code of mailCodes) {
      const variables = {
        work_council: 'Comptoir',
        ...inventedVariables(code, '2026-03-10', 'https://ici.fr'),
      }
      expect([code, faultsOfParts(await readParts(server.db, code), variables)]).toEqual([code, []])
    }
  })

  it('change piece by piece, while what is sent and when is one for all', async () => {
    const { id } = await piece('late_1', 'body')
    const changed = await admin.put(`/api/mail_templates/${id}`, {
      content: '<p>Bonjour {{ beneficiary.firstname }}</p>',
      enabled: true,
      days: 5,
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { id, content: '<p>Bonjour {{ beneficiary.firstname }}</p>', enabled: true, days: 5 },
    })
    expect((await pieces('code=late_1')).map(({ enabled, days }) => [enabled, days])).toEqual(
      Array.from({ length: 4 }, () => [true, 5]),
    )
    expect((await admin.put(`/api/mail_templates/${id}`, { enabled: false })).body.enabled).toBe(false)
    expect((await admin.put('/api/mail_templates/9999', {})).status).toBe(404)
    const { rows } = await sql<{ action: string }>`
      select action from audit_journal where entity = 'mail_templates' and entity_id = ${id}`.execute(
      server.db,
    )
    // Each piece by itself, since each tells whether the mail is sent.
    expect(rows).toHaveLength(2)
  })

  it.each([
    ['a brace that is left open', 'body', '{{ beneficiary.firstname', /not closed/],
    ['a variable that does not exist', 'body', '{{ beneficiary.surname }}', /undefined variable/],
    ['a loop without an end', 'details', '{% for loan in loans %}x', /not closed/],
    ['a tag that no mail may have', 'body', '<script>alert(1)</script>', /«\u00a0script\u00a0»/],
    ['a tag that is not closed', 'signing', '<p>À bientôt', /«\u00a0p\u00a0» n’est pas fermée/],
    ['tags that cross', 'body', '<b><i>non</b></i>', /ne ferme pas la dernière/],
    ['an object that says nothing', 'object', '  ', /ne dit rien/],
  ])('refuse %s, at its field', async (_, type, content, message) => {
    const { id, content: before } = await piece('loaning_reminder', type)
    const refused = await admin.put(`/api/mail_templates/${id}`, { content })
    expect(refused).toMatchObject({ status: 422, body: { violations: [{ propertyPath: 'content' }] } })
    expect(refused.body.violations[0].message).toMatch(message)
    expect((await piece('loaning_reminder', type)).content).toBe(before)
    const previewed = await admin.post('/api/mail_templates/preview', {
      code: 'loaning_reminder',
      [type]: content,
    })
    expect(previewed).toMatchObject({ status: 422, body: { violations: [{ propertyPath: type }] } })
  })

  it('are saved whole, or not at all', async () => {
    const refused = await admin.put('/api/mail_templates/code/late_1', {
      object: 'Un rappel',
      body: '<p>oups',
      signing: '{{ nobody }}',
      days: 9,
    })
    expect(refused.status).toBe(422)
    expect(refused.body.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath)).toEqual(
      ['body', 'signing'],
    )
    expect(await piece('late_1', 'object')).toMatchObject({ days: 3, enabled: false })
    const saved = await admin.put('/api/mail_templates/code/late_1', {
      object: 'Un rappel',
      body: '<p>Bonjour</p>',
      enabled: true,
      days: 9,
    })
    expect(saved).toMatchObject({ status: 200, body: { 'hydra:totalItems': 4 } })
    expect((await pieces('code=late_1')).map(({ content, days }) => [content, days]).slice(0, 2)).toEqual([
      ['Un rappel', 9],
      ['<p>Bonjour</p>', 9],
    ])
    expect((await admin.put('/api/mail_templates/code/nothing', {})).status).toBe(404)
  })

  it('have days only where they wait', async () => {
    const { id } = await piece('due', 'object')
    expect(await admin.put(`/api/mail_templates/${id}`, { days: 2 })).toMatchObject({
      status: 422,
      body: { violations: [{ propertyPath: 'days' }] },
    })
    const late = await piece('late_1', 'object')
    for (const days of [0, 366, 1.5]) {
      expect((await admin.put(`/api/mail_templates/${late.id}`, { days })).status).toBe(422)
    }
  })

  it('are not switched on while one of their pieces is broken', async () => {
    await sql`update mail_templates set content = '{{ oups' where code = 'late_3' and type = 'signing'`.execute(
      server.db,
    )
    const { id } = await piece('late_3', 'object')
    expect(await admin.put(`/api/mail_templates/${id}`, { enabled: true })).toMatchObject({
      status: 422,
      body: { violations: [{ propertyPath: 'signing' }] },
    })
  })

  it('are changed by who may, and by nobody else', async () => {
    const { id } = await piece('due', 'object')
    const biblio = await server.as('biblio')
    expect((await biblio.put(`/api/mail_templates/${id}`, { enabled: true })).status).toBe(403)
    expect((await biblio.post('/api/mail_templates/test', { code: 'due' })).status).toBe(403)
  })

  it('are shown as they will be read, with invented people, also before they are saved', async () => {
    const shown = await reader.post('/api/mail_templates/preview', { code: 'late_2' })
    expect(shown.status).toBe(200)
    expect(shown.body.subject).toBe('Deuxième rappel : des retours sont attendus à Comptoir')
    expect(shown.body.html).toContain('Bonjour Alice Martin')
    expect(shown.body.html).toContain('(14 jours de retard)')
    const unsaved = await admin.post('/api/mail_templates/preview', {
      code: 'late_2',
      object: 'Objet {{ work_council }}',
      body: '<p>Un <b>autre</b> texte</p>',
    })
    expect(unsaved.body.subject).toBe('Objet Comptoir')
    expect(unsaved.body.html).toContain('<p>Un <b>autre</b> texte</p>')
    expect((await piece('late_2', 'body')).content).not.toContain('<b>autre')
    // Texts of one's own are for who may change templates.
    expect((await reader.post('/api/mail_templates/preview', { code: 'late_2', body: 'x' })).status).toBe(403)
  })

  it('are sent to oneself, as an invented reader would get them', async () => {
    await sql`update users set email = 'moi@exemple.fr' where username = 'admin'`.execute(server.db)
    const sent = await admin.post('/api/mail_templates/test', { code: 'due', object: 'Bonjour' })
    expect(sent).toMatchObject({ status: 202, body: { to: 'moi@exemple.fr' } })
    const [mail, ...others] = await server.db.selectFrom('mail_outbox').selectAll().execute()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to_address: 'moi@exemple.fr',
      subject: '[Essai] Bonjour',
      beneficiary: null,
      template: 'due',
    })
    expect(mail?.html).toContain('Bonjour Alice Martin')
    await sql`update users set email = null where username = 'admin'`.execute(server.db)
    expect(await admin.post('/api/mail_templates/test', { code: 'due' })).toMatchObject({
      status: 422,
      body: { violations: [{ propertyPath: 'email' }] },
    })
  })

  it('reach an environment that had only the old ones, whose own texts stay', async () => {
    await sql`delete from mail_templates where code like 'reservation%' or code like 'late%'`.execute(
      server.db,
    )
    await sql`update mail_templates set content = 'Le nôtre' where code = 'loaning_recap' and type = 'object'`.execute(
      server.db,
    )
    await seedEnvironment(server.db, null)
    expect(await pieces()).toHaveLength(4 * mailCodes.length)
    expect((await piece('loaning_recap', 'object')).content).toBe('Le nôtre')
  })
})
