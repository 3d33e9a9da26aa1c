import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { describeServer } from '../support/test-server.ts'
import { clearCounter, expectNobodyNamed, openTwoSites, type TwoSites } from './two-sites.ts'

describeServer('reservations of two sites', (server) => {
  let people: TwoSites
  beforeAll(async () => (people = await openTwoSites(server)))
  beforeEach(async () => {
    await clearCounter(server, true)
    await setParameter(server, 'reservations_without_dates', '1')
  })
  const reserve = async (beneficiary_id: number, site: number, comment = '') => {
    const answer = await people.chef.post('/api/reservations', {
      beneficiary_id,
      reference_id: 11,
      site,
      comment,
    })
    expect(answer.status).toBe(201)
    return answer.body.id as number
  }

  it('are passed on to whoever comes next elsewhere, who is not named', async () => {
    const [here, elsewhere] = [await reserve(4, 2), await reserve(1, 1, 'secret de Centre')]
    await people.chef.put(`/api/reservations/${here}`, { status: 'confirmed', set_aside_copy: 11 })
    const passed = await people.annexe.post(`/api/reservations/${here}/pass`, {})
    expect(passed).toMatchObject({ status: 200, body: { next: { id: elsewhere, set_aside_copy: 11 } } })
    expectNobodyNamed(passed)
  })

  it('are on the shelf of the site where their copy stands, for whoever may read them', async () => {
    const id = await reserve(1, 1)
    await people.chef.put(`/api/reservations/${id}`, { status: 'confirmed', set_aside_copy: 11 })
    const shelfOf = async (client: TwoSites['chef'], site: number) => {
      const { body } = await client.get('/api/reservations?set_aside=1', { site })
      return (body['hydra:member'] as { id: number; set_aside_site: number }[]).map((one) => [
        one.id,
        one.set_aside_site,
      ])
    }
    expect(await shelfOf(people.chef, 1)).toEqual([[id, 2]])
    expect(await shelfOf(people.chef, 2)).toEqual([[id, 2]])
    expect(await shelfOf(people.annexe, 2)).toEqual([])
    const asked = await people.chef.get('/api/reservations', { site: 2 })
    expect(asked.body['hydra:totalItems']).toBe(0)
  })

  it('tell no name of a reader of the other site in their journal', async () => {
    const id = await reserve(1, 2)
    const journal = await people.annexe.get(`/api/journal?entity=reservations&id=${id}`)
    expect(journal.status).toBe(200)
    expect(journal.body['hydra:totalItems']).toBeGreaterThan(0)
    expectNobodyNamed(journal)
  })

  it('are fetched once from the shelves, by one site', async () => {
    await sql`update copies set reference = 11 where id = 10`.execute(server.db)
    await reserve(4, 2)
    const walks = [people.centre, people.annexe].map((one) => one.get('/api/reservations/picking'))
    const counts = (await Promise.all(walks)).map(({ body }) => body['hydra:totalItems'] as number)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
  })
})
