import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { viewedLists } from '../../src/contract/views.ts'
import { describeServer } from '../support/test-server.ts'

/** What heads a row on each screen, and the other columns that it may show. */
const heads = {
  loanings: 'reference',
  references: 'name',
  beneficiaries: 'lastname',
  reservations: 'reference',
} as const

describeServer('every list as a file', (server) => {
  describe('has each column that its screen may show', () => {
    it.each(Object.entries(heads))('of %s', async (list, head) => {
      const admin = await server.as('admin')
      const keys = [head, ...viewedLists[list as keyof typeof heads].columns]
      const answer = await admin.get(`/api/export/${list}?export_type=csv&columns=${keys.join(',')}`)
      expect(answer.status).toBe(200)
      const [titles = ''] = (answer.body as Buffer).toString().split('\r\n')
      expect(titles.split(';')).toHaveLength(keys.length)
    })

    it('of copies', async () => {
      const admin = await server.as('admin')
      const answer = await admin.get(
        '/api/export/copies?export_type=csv&columns=name,bar_code,status,state,location,site',
      )
      expect((answer.body as Buffer).toString()).toMatch(
        /^\ufeffTitre;Code-barres;Disponibilité;État;Emplacement;Site\r\n/,
      )
    })
  })

  it('is headed by the words of the library, over what people wrote', async () => {
    await sql`update translations set translation = 'rayon' where code = 'location'`.execute(server.db)
    await sql`with place as (insert into locations (label) values ('Emplacement du fond') returning id)
      update copies set location = place.id from place where copies.id = 1`.execute(server.db)
    const admin = await server.as('admin')
    const answer = await admin.get('/api/export/copies?export_type=csv&columns=name,location,site')
    const text = (answer.body as Buffer).toString()
    expect(text).toMatch(/^\ufeffTitre;Rayon;Site\r\n/)
    expect(text).toContain('Emplacement du fond')
    await sql`update translations set translation = delivered`.execute(server.db)
  })
})
