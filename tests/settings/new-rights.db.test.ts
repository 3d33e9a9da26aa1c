import { expect, it } from 'vitest'

import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { describeServer } from '../support/test-server.ts'

describeServer('a right that a new version brings', (server) => {
  const start = () => seedEnvironment(server.db, null)
  const holders = async (code: string) => {
    const rows = await server.db
      .selectFrom('profile_rights')
      .innerJoin('profiles', 'profiles.id', 'profile_rights.profile')
      .where('right_code', '=', code)
      .select('profiles.name')
      .execute()
    return rows.map(({ name }) => name)
  }
  const takeAway = (code: string) =>
    server.db.deleteFrom('profile_rights').where('right_code', '=', code).execute()

  it('is Admin’s once it is first seen, and nobody else’s', async () => {
    await takeAway('INVENTORY')
    await server.db.deleteFrom('rights').where('code', '=', 'INVENTORY').execute()
    await start()
    expect(await holders('INVENTORY')).toEqual(['Admin'])
  })

  it('stays away where the library takes it away', async () => {
    await takeAway('INVENTORY')
    await start()
    expect(await holders('INVENTORY')).toEqual([])
  })

  it('has the words of this version', async () => {
    await server.db
      .updateTable('rights')
      .set({ label: 'Ancien nom' })
      .where('code', '=', 'INVENTORY')
      .execute()
    await start()
    const { label } = await server.db
      .selectFrom('rights')
      .select('label')
      .where('code', '=', 'INVENTORY')
      .executeTakeFirstOrThrow()
    expect(label).toBe('Faire l’inventaire')
  })
})
