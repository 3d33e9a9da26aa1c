import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('POST /api/references/upload', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  const upload = async (
    text: string,
    { mapping, query = '' }: { mapping?: object | string; query?: string } = {},
  ) => {
    const form = new FormData()
    if (mapping !== undefined)
      form.set('mapping', typeof mapping === 'string' ? mapping : JSON.stringify(mapping))
    form.set('file', new File([text], 'catalogue.csv', { type: 'text/csv' }))
    const response = await server.app.request(`/api/references/upload${query}`, {
      method: 'POST',
      headers: { host: 'localhost', authorization: `Bearer ${admin.token}` },
      body: form,
    })
    return { status: response.status, body: await response.json() }
  }
  const count = async (search: string) =>
    (await admin.get(`/api/references?searchname=${search}`)).body['hydra:totalItems']

  it('answers the lines that it refuses, and brings in the others', async () => {
    const { status, body } = await upload('intitulé;année\nZazie;1959\n;1960\n', {
      mapping: { intitulé: 'name' },
    })
    expect([status, body]).toEqual([
      200,
      [{ line: 3, field: 'name', reason: '«\u00a0Titre\u00a0» est vide.' }],
    ])
    expect(await count('zazie')).toBe(1)
  })

  it('tells with dry_run the columns it found and what it would do, and does nothing', async () => {
    await upload('titre\nDéjà là\n')
    const { body } = await upload('titre;rien\nDry;x\n;x\nDéjà là;x\n', { query: '?dry_run=1' })
    expect(body).toMatchObject({
      columns: [
        { name: 'titre', field: 'name', values: ['Dry', 'Déjà là'] },
        { name: 'rien', field: null },
      ],
      rows: [
        { line: 2, state: 'added' },
        { line: 3, state: 'refused' },
        { line: 4, state: 'unchanged' },
      ],
      counts: { added: 1, refused: 1, unchanged: 1 },
      errors: [{ line: 3 }],
    })
    expect(await count('dry')).toBe(0)
  })

  it('gives a long file to a job, which is followed', async () => {
    const lines = Array.from({ length: 2001 }, (_, at) => `Longue suite ${at}`).join('\n')
    const { status, body } = await upload(`titre\n${lines}\n`)
    expect([status, body['@type'], body.status]).toEqual([202, 'Import', 'running'])
    await server.doJobs()
    expect((await admin.get(`/api/imports/${body.id}`)).body).toMatchObject({
      status: 'done',
      counts: { added: 2001 },
    })
  })

  it('names the field of a mapping that cannot be', async () => {
    for (const mapping of ['pas du json', { titre: 'inconnu' }, { absente: 'name' }, { titre: null }]) {
      const { status, body } = await upload('titre\nA\n', { mapping })
      expect([status, body.violations?.[0].propertyPath]).toEqual([422, 'mapping'])
    }
  })
})
