import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('the matricule that a new reader is given', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
  })
  const inscribe = (more: object = {}) =>
    biblio.post('/api/beneficiaries', { lastname: 'Neuf', firstname: 'Anne', ...more })
  const given = async (more?: object) => {
    const { status, body } = await inscribe(more)
    expect(status).toBe(201)
    return body.matricule as string
  }

  it('is the first where none is a whole number', async () => {
    expect(await given()).toBe('1')
    expect(await given({ matricule: '' })).toBe('2')
  })

  it('follows the highest whole number, as wide as that one, even of somebody who is gone', async () => {
    const { body } = await inscribe({ matricule: '000041' })
    await server.db
      .updateTable('beneficiaries')
      .set({ deleted_at: server.now.toISOString() })
      .where('id', '=', body.id)
      .execute()
    expect(await given()).toBe('000042')
    expect(await given({ matricule: 'A99' })).toBe('A99')
    expect(await given()).toBe('000043')
  })

  it('is never the same twice, for twenty at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => given()))
    expect(all.toSorted()).toEqual(Array.from({ length: 20 }, (_, at) => String(44 + at).padStart(6, '0')))
  })

  it('does not let go a number that somebody types at the same moment', async () => {
    const answers = await Promise.all([inscribe({ matricule: '000064' }), inscribe(), inscribe()])
    const taken = answers.flatMap(({ status, body }) => (status === 201 ? [body.matricule] : []))
    expect(new Set(taken).size).toBe(taken.length)
    expect(taken.length).toBeGreaterThanOrEqual(2)
  })
})
