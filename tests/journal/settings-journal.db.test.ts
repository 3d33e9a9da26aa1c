import { expect, it } from 'vitest'

import { settingsLists } from '../../src/contract/settings-lists.ts'
import { rightSentences } from '../../src/domain/right-sentences.ts'
import { sampleOfList } from '../support/sample-of-list.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('the journal of what is settled', (server) => {
  const read = async (client: Client, entity: string, id: number) =>
    client.get(`/api/journal?entity=${entity}&id=${id}`)
  const told = async (client: Client, entity: string, id: number) =>
    (await read(client, entity, id)).body['hydra:member'].map(
      ({ action, changes }: { action: string; changes: object[] }) => ({ action, changes }),
    )

  it.each([
    ...settingsLists.map((list) => {
      const [field, { label }] = Object.entries(list.description.fields)[0]!
      return [
        list.name,
        sampleOfList(list, 'Neige'),
        { [field]: 'Tempête' },
        label,
        'Neige',
        'Tempête',
      ] as const
    }),
    [
      'list_types',
      { name: 'Public', group: 'list', isMainAuthor: false },
      { name: 'Public visé' },
      'Nom',
      'Public',
      'Public visé',
    ] as const,
  ])(
    'tells of %s what was added and changed, to whoever may',
    async (entity, added, changed, field, was, is) => {
      const admin = await server.as('admin')
      const { body } = await admin.post(`/api/${entity}`, added)
      await admin.put(`/api/${entity}/${body.id}`, changed)
      expect(await told(admin, entity, body.id)).toMatchObject([
        { action: 'Modification', changes: [{ field, before: was, after: is }] },
        { action: 'Ajout', changes: expect.arrayContaining([{ field, before: null, after: was }]) },
      ])
      expect((await read(await server.as('lecture'), entity, body.id)).status).toBe(403)
      await admin.delete(`/api/${entity}/${body.id}`)
      expect((await read(admin, entity, body.id)).status).toBe(404)
    },
  )

  it('tells of a profile the rights that it lost and won, and no others', async () => {
    const admin = await server.as('admin')
    const { body: profile } = await admin.post('/api/profiles', {
      name: 'Atelier',
      rights: ['LIST_LOANINGS', 'LIST_REFERENCES'],
    })
    await admin.put(`/api/profiles/${profile.id}`, { rights: ['LIST_REFERENCES', 'LOANING_ADD'] })
    expect((await told(admin, 'profiles', profile.id))[0]).toEqual({
      action: 'Modification',
      changes: [{ field: 'Droits', before: rightSentences.LIST_LOANINGS, after: rightSentences.LOANING_ADD }],
    })
    expect((await read(await server.as('biblio'), 'profiles', profile.id)).status).toBe(403)
  })
})
