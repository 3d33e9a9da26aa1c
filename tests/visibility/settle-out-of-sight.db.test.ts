import { randomUUID } from 'node:crypto'

import { beforeAll, beforeEach, expect, it } from 'vitest'

import { describeServer, testNow } from '../support/test-server.ts'
import { clearCounter, expectNobodyNamed, openTwoSites, type TwoSites } from './two-sites.ts'

describeServer('settling a conflict with another site', (server) => {
  let people: TwoSites
  beforeAll(async () => {
    people = await openTwoSites(server)
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await clearCounter(server, false)
    const lent = await people.centre.post('/api/loanings', { beneficiary: 1, copy: 1 })
    expect(lent.status).toBe(201)
  })
  const settle = (body: object) =>
    people.volunteer.post('/api/conflicts/settle', { resolves: randomUUID(), ...body })
  const lend = (copy: number) => ({ endpoint: 'loanings.lend', body: { beneficiary: 4, copy } })
  const statuses = async () =>
    (await server.db.selectFrom('loanings').select('status').orderBy('id').execute()).map(
      ({ status }) => status,
    )

  it('closes a loan of Centre for a copy of Centre by its code only', async () => {
    const byId = await settle({ choice: 'CLOSE_AND_LEND', action: lend(1) })
    expect(byId.body).toMatchObject({ reason: 'ALREADY_LENT', facts: { loaning: { id: 1 } } })
    expectNobodyNamed(byId, { title: true })
    expect(await statuses()).toEqual(['in_progress'])
    const byCode = await settle({
      choice: 'CLOSE_AND_LEND',
      action: lend(11),
      earlier: [{ choice: 'LINK_LEND', bar_code: '1001' }],
    })
    expect(byCode).toMatchObject({ status: 200, body: { loaning: { beneficiary: 4, site: 2 } } })
    expect(await statuses()).toEqual(['finished', 'in_progress'])
  })

  it('closes it for a copy of one’s own site, which lies on the counter', async () => {
    await people.chef.post('/api/loanings', { beneficiary: 2, copy: 12 }, { site: 1 })
    const refused = await people.volunteer.post('/api/loanings', { beneficiary: 4, copy: 12 })
    expect(refused.body.facts).toEqual({ loaning: { id: 2 } })
    const moved = await settle({ choice: 'CLOSE_AND_LEND', action: lend(12), seen_loaning: 77 })
    expect(moved.body).toMatchObject({ reason: 'ALREADY_LENT', facts: { loaning: { id: 2 } } })
    expectNobodyNamed(moved)
    const settled = await settle({ choice: 'CLOSE_AND_LEND', action: lend(12), seen_loaning: 2 })
    expect(settled.body.loaning).toMatchObject({ beneficiary: 4, copy: 12 })
    expect(await statuses()).toEqual(['in_progress', 'finished', 'in_progress'])
  })

  it('takes back what is known by its code, and tells the copy alone', async () => {
    const resolves = randomUUID()
    const action = { endpoint: 'loanings.return_copy', body: { bar_code: '1001' } }
    const returned = await settle({ resolves, choice: 'RETURN_FOR_HOLDER', action })
    expect(returned.body.loaning).toMatchObject({ id: 1, copy_barcode: '1001', status: 'finished' })
    expectNobodyNamed(returned, { title: true })
    // Whoever comes second is told what the first one chose, and no more.
    const second = await settle({ resolves, choice: 'RETURN_FOR_HOLDER', action })
    expect(second.body).toMatchObject({ is_first: false, loaning: { id: 1 } })
    expectNobodyNamed(second, { title: true })
  })

  it('takes nothing back by the id of a loan', async () => {
    const action = { endpoint: 'loanings.return', loaning: 1, body: {} }
    const refused = await settle({ choice: 'RETURN_FOR_HOLDER', action })
    expect(refused.status).toBe(422)
    expectNobodyNamed(refused)
    expect(await statuses()).toEqual(['in_progress'])
  })
})
