import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'
import { clearCounter, expectNobodyNamed, openTwoSites } from './two-sites.ts'

describeServer('an answer that is kept by key', (server) => {
  let chef: Client
  let chefId: number
  beforeAll(async () => {
    ;({ chef } = await openTwoSites(server))
    chefId = (await chef.get('/api/users/me')).body.id
    await server.db.insertInto('sites').values({ name: 'Sud', gestit_id: null, deleted_at: null }).execute()
  })
  afterEach(async () => {
    await worksAt('chef', [])
    await sql`insert into profile_rights (profile, right_code) select p.id, r.code from profiles p, rights r where p.name = 'Admin'
      on conflict do nothing`.execute(server.db)
    await clearCounter(server, false)
  })

  async function worksAt(username: string, sites: readonly number[]): Promise<void> {
    await sql`delete from user_sites where user_id = (select id from users where username = ${username})`.execute(
      server.db,
    )
    await sql`insert into user_sites (user_id, site)
      select id, unnest(${[...sites]}::int[]) from users where username = ${username}`.execute(server.db)
  }
  const wasReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true'
  const lending = () => {
    const key = randomUUID()
    const body = { beneficiary: 1, copy: 1, comment: 'secret de Centre' }
    return (as = chef, more: object = {}) => as.post('/api/loanings', body, { key, ...more })
  }
  const expectRecorded = (answer: Answer) => {
    expect(answer).toMatchObject({
      status: 409,
      body: { reason: 'ALREADY_RECORDED', message: 'Déjà enregistré.' },
    })
    expectNobodyNamed(answer)
  }

  it('is told again to whoever sees as much, or more', async () => {
    await worksAt('chef', [1, 2])
    const lend = lending()
    const first = await lend()
    expect(first.status).toBe(201)
    for (const sites of [[1, 2], [1, 2, 3], []]) {
      await worksAt('chef', sites)
      const again = await lend()
      expect([again.status, wasReplayed(again), again.body]).toEqual([201, true, first.body])
    }
  })

  it.each([[[1, 2]], [[]]])(
    'tells nothing more of a site that has closed to its owner, who had %j',
    async (before) => {
      await worksAt('chef', before)
      const lend = lending()
      expect((await lend()).status).toBe(201)
      await worksAt('chef', [2, 3])
      expectRecorded(await lend())
    },
  )

  it('names no reader whom its owner may not see any more', async () => {
    await worksAt('chef', [2, 3])
    const key = randomUUID()
    const lend = () => chef.post('/api/loanings', { beneficiary: 1, copy: 12 }, { key })
    expect(await lend()).toMatchObject({ status: 201, body: { beneficiary_name: 'Alice Martin (M1)' } })
    await setParameter(server, 'by_site_beneficiaries', '1')
    expectRecorded(await lend())
  })

  it('tells nothing of a site that is closed to whoever takes the action over', async () => {
    const lend = lending()
    expect((await lend()).status).toBe(201)
    await worksAt('admin', [2, 3])
    const annexe = await server.as('admin')
    expectRecorded(await lend(annexe, { headers: { 'X-On-Behalf-Of': String(chefId) } }))
    await worksAt('admin', [])
    const everywhere = await lend(annexe, { headers: { 'X-On-Behalf-Of': String(chefId) } })
    expect([everywhere.status, wasReplayed(everywhere)]).toEqual([201, true])
    await worksAt('admin', [2])
  })

  it('does not tell an address to whoever lost the right to it', async () => {
    const key = randomUUID()
    const body = { matricule: 'M77', lastname: 'Neuf', firstname: 'Anne', email: 'anne@exemple.fr' }
    const add = () => chef.post('/api/beneficiaries', body, { key })
    expect((await add()).body.email).toBe('anne@exemple.fr')
    await sql`delete from profile_rights where right_code = 'BENEFICIARY_CONTACT'`.execute(server.db)
    const again = await add()
    expectRecorded(again)
    expect(JSON.stringify(again.body)).not.toContain('anne@')
  })

  it('says of a refusal that it was one, and no more', async () => {
    const held = lending()
    expect((await held()).status).toBe(201)
    const key = randomUUID()
    const lend = () => chef.post('/api/loanings', { beneficiary: 2, copy: 1 }, { key })
    expect((await lend()).body.message).toContain('Alice')
    await worksAt('chef', [2, 3])
    const again = await lend()
    expect([again.status, again.body.reason]).toEqual([409, 'KEY_OF_ANOTHER'])
    expectNobodyNamed(again)
  })
})
