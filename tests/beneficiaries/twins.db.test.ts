import { beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { expectNobodyNamed, openTwoSites } from '../visibility/two-sites.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('twins of who is being inscribed', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await biblio.put('/api/beneficiaries/1', { birth_year: 1984 })
  })
  const twins = async (query: Record<string, string>, client = biblio) => {
    const { status, body } = await client.get(`/api/beneficiaries/twins?${new URLSearchParams(query)}`)
    expect(status).toBe(200)
    return body['hydra:member'].map(({ matricule, why }: { matricule: string; why: string[] }) => [
      matricule,
      why,
    ])
  }

  it('are found by name whatever its accents, unless both years are known and differ', async () => {
    expect(await twins({ lastname: 'DUPONT', firstname: 'eric' })).toEqual([['M2', ['name']]])
    expect(await twins({ lastname: 'dupont', firstname: 'Eric', birth_year: '1990' })).toEqual([
      ['M2', ['name']],
    ])
    expect(await twins({ lastname: 'Martin', firstname: 'Alice', birth_year: '1984' })).toEqual([
      ['M1', ['name']],
    ])
    expect(await twins({ lastname: 'Martin', firstname: 'Alice', birth_year: '1985' })).toEqual([])
    expect(await twins({ lastname: 'Mart', firstname: '' })).toEqual([])
  })

  it('are found by e-mail and by number, a relative’s too, but not themselves', async () => {
    expect(await twins({ email: 'ALICE@exemple.fr' })).toEqual([['M1', ['email']]])
    expect(await twins({ reader_id: 'R2A' })).toEqual([['M2', ['number']]])
    expect(await twins({ email: 'alice@exemple.fr', reader_id: 'R4' })).toEqual([
      ['M1', ['email']],
      ['M4', ['number']],
    ])
    expect(await twins({ email: 'alice@exemple.fr', except: '1' })).toEqual([])
    expect(await twins({})).toEqual([])
  })

  it('are five at most', async () => {
    for (let at = 0; at < 6; at += 1)
      await biblio.post('/api/beneficiaries', { lastname: 'Même', firstname: 'Nom' })
    expect(await twins({ lastname: 'Même', firstname: 'Nom' })).toHaveLength(5)
  })

  it('are not told by e-mail to who may not see any, nor from a closed site', async () => {
    await server.db.deleteFrom('profile_rights').where('right_code', '=', 'BENEFICIARY_CONTACT').execute()
    expect(await twins({ email: 'alice@exemple.fr' })).toEqual([])
    const people = await openTwoSites(server)
    await setParameter(server, 'by_site_beneficiaries', '1')
    const answer = await people.annexe.get(
      '/api/beneficiaries/twins?lastname=Martin&firstname=Alice&reader_id=R1',
    )
    expect(answer.body['hydra:member']).toEqual([])
    expectNobodyNamed(answer)
    expect((await people.volunteer.get('/api/beneficiaries/twins?lastname=Martin')).status).toBe(403)
  })
})

describeServer('communes given before', (server) => {
  it('are proposed by how often, within sight', async () => {
    const biblio = await server.as('biblio')
    for (const [id, commune] of [
      [1, 'Blagnac'],
      [2, 'Colomiers'],
      [4, 'Colomiers'],
    ])
      await biblio.put(`/api/beneficiaries/${id}`, { commune })
    const names = async (client: Client) =>
      (await client.get('/api/beneficiaries/communes')).body['hydra:member'].map(
        ({ name }: { name: string }) => name,
      )
    expect(await names(biblio)).toEqual(['Colomiers', 'Blagnac'])
    const people = await openTwoSites(server)
    await setParameter(server, 'by_site_beneficiaries', '1')
    expect(await names(people.annexe)).toEqual(['Colomiers'])
    expect((await people.volunteer.get('/api/beneficiaries/communes')).status).toBe(403)
  })
})
