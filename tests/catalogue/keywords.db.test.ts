import { expect, it } from 'vitest'

import { describeServer } from '../support/test-server.ts'

describeServer('keywords of references', (server) => {
  it('are told by their present name, in the order of the alphabet, and leave with what is deleted', async () => {
    const admin = await server.as('admin')
    const add = async (name: string) => (await admin.post('/api/keywords', { name })).body.id as number
    const [mine, coal] = [await add('mine'), await add('Charbon')]
    for (const keyword of [mine, coal]) {
      await server.db.insertInto('reference_keywords').values({ reference: 1, keyword }).execute()
    }
    const told = async () => (await admin.get('/api/references/1')).body.keywords as string[]
    expect(await told()).toEqual(['Charbon', 'mine'])
    await admin.put(`/api/keywords/${mine}`, { name: 'Mines' })
    await admin.post(`/api/keywords/${coal}/toggle`)
    expect(await told()).toEqual(['Charbon', 'Mines'])
  })
})
