import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'

import { up } from '../../src/server/db/migrations/0074-no-balance-from-files.ts'
import { describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

describeServer('a file of an older version that gave a balance', (server) => {
  it('leaves the column out, and so does what was kept for the next one', async () => {
    const readers = importing(server, await server.as('admin'), 'readers')
    const { id } = await readers.read('lecteurs.csv', 'nom;solde\nDuval;3,20\n')
    await readers.change(id, { choices: { policies: { lastname: 'keep' } }, keep_as: 'Mairie' })
    for (const table of ['imports', 'import_mappings']) {
      await sql`update ${sql.table(table)} set mapping = '["lastname", "wallet_amount"]',
        choices = jsonb_set(choices, '{policies,wallet_amount}', '"fill"')`.execute(server.db)
    }
    await up(server.db as unknown as Kysely<unknown>)
    const expected = { mapping: ['lastname', null], choices: { policies: { lastname: 'keep' } } }
    expect(await readers.get(id)).toMatchObject(expected)
    const again = await readers.read('suite.csv', 'nom;solde\nDurand;1\n')
    expect(again).toMatchObject(expected)
    expect(again.choices.policies).toEqual({ lastname: 'keep' })
    await readers.change(id, { mapping: again.mapping })
  })
})
