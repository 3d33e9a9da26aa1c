import { beforeAll, expect, it } from 'vitest'

import { deliveredWords, wordCodes } from '../../src/domain/delivered-words.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('translations', (server) => {
  let admin: Client
  let lecture: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    lecture = await server.as('lecture')
  })
  const all = async () =>
    (await lecture.get('/api/translations?limit=100')).body['hydra:member'] as {
      id: number
      code: string
      translation: string
      gender: string
    }[]
  const word = async (code: string) => (await all()).find((one) => one.code === code)!

  it('delivers every word, to whoever is signed in', async () => {
    expect(new Set((await all()).map(({ code }) => code))).toEqual(new Set(wordCodes))
    const found = await lecture.get('/api/translations?filters[searchname|like]=reference')
    expect(found.body['hydra:member'].map(({ code }: { code: string }) => code)).toEqual([
      'reference',
      'references',
    ])
    expect(await word('reference')).toMatchObject({
      '@type': 'Translation',
      translation: 'référence',
      gender: 'f',
      delivered: 'référence',
    })
  })

  it('changes a word once and writes it in the journal', async () => {
    const { id } = await word('reference')
    const path = `/api/translations/${id}`
    const changed = await admin.put(path, { translation: '  titre ', gender: 'm' })
    expect(changed).toMatchObject({
      status: 200,
      body: { '@id': path, id, code: 'reference', translation: 'titre', gender: 'm' },
    })
    expect((await admin.put(path, { translation: 'titre' })).body).toMatchObject({ gender: 'm' })
    expect(await word('reference')).toMatchObject({ translation: 'titre', gender: 'm' })
    const told = await server.db
      .selectFrom('audit_journal')
      .select(['action', 'entity_id', 'before', 'after'])
      .where('entity', '=', 'translations')
      .execute()
    expect(told).toMatchObject([
      {
        action: 'translations.change',
        entity_id: id,
        before: { translation: 'référence', gender: 'f' },
        after: { translation: 'titre', gender: 'm' },
      },
    ])
  })

  it('refuses a word that is empty, too long or of no gender, at its field', async () => {
    const { id } = await word('copy')
    for (const [body, propertyPath] of [
      [{ translation: '   ' }, 'translation'],
      [{ translation: 'x'.repeat(101) }, 'translation'],
      [{ translation: 'jeu', gender: 'n' }, 'gender'],
      [{}, 'translation'],
    ] as const) {
      const refused = await admin.put(`/api/translations/${id}`, body)
      expect(refused.status).toBe(422)
      expect(refused.body.violations).toMatchObject([{ propertyPath }])
    }
    expect((await admin.put(`/api/translations/${id}`, { translation: 'x'.repeat(100) })).status).toBe(200)
  })

  it('keeps words from those without the right, and knows which exist', async () => {
    const { id } = await word('copy')
    expect((await lecture.put(`/api/translations/${id}`, { translation: 'jeu' })).status).toBe(403)
    expect((await admin.put('/api/translations/9999', { translation: 'jeu' })).status).toBe(404)
  })

  it('brings the words of a new version at its start and keeps those that were chosen', async () => {
    const { id } = await word('beneficiaries')
    await admin.put(`/api/translations/${id}`, { translation: 'adhérents' })
    await server.db.deleteFrom('translations').where('code', '=', 'sales').execute()
    await seedEnvironment(server.db, null)
    await seedEnvironment(server.db, null)
    expect(await word('sales')).toMatchObject({ translation: deliveredWords.sales.word, gender: 'f' })
    expect(await word('beneficiaries')).toMatchObject({ translation: 'adhérents' })
    expect(await all()).toHaveLength(wordCodes.length)
  })

  it('follows a word that a new version says otherwise, unless the library chose its own', async () => {
    const { id } = await word('media')
    await admin.put(`/api/translations/${id}`, { translation: 'types' })
    const before = { delivered: 'matière' }
    await server.db.updateTable('translations').set(before).where('code', '=', 'media').execute()
    await server.db
      .updateTable('translations')
      .set({ ...before, translation: 'matière', gender: 'f' })
      .where('code', '=', 'medium')
      .execute()
    await seedEnvironment(server.db, null)
    expect(await word('media')).toMatchObject({ translation: 'types', delivered: 'supports' })
    expect(await word('medium')).toMatchObject({ translation: 'support', gender: 'm', delivered: 'support' })
  })
})
