import { beforeAll, beforeEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Answer, describeServer } from '../support/test-server.ts'
import { clearCounter, expectNobodyNamed, openTwoSites, type TwoSites } from './two-sites.ts'

const infos = ({ body }: Answer): string[] =>
  body['hydra:member'].map(({ beneficiary_info }: { beneficiary_info: string }) => beneficiary_info)

describeServer('readers of another site, where the library works by site', (server) => {
  let people: TwoSites
  beforeAll(async () => {
    people = await openTwoSites(server)
  })
  beforeEach(() => clearCounter(server, true))

  const elsewhere = 'Lecteur d’un autre site'
  /** Alice of Centre and Jean of Annexe each have a DVD of Annexe, lent while readers were of every site. */
  const lendAtAnnexe = async () => {
    await setParameter(server, 'by_site_beneficiaries', '0')
    for (const [beneficiary, copy] of [
      [1, 11],
      [4, 12],
    ] as const) {
      const lent = await people.annexe.post('/api/loanings', { beneficiary, copy })
      expect(lent.status).toBe(201)
    }
    await setParameter(server, 'by_site_beneficiaries', '1')
  }

  it('cannot be lent to by their id, nor asked about', async () => {
    const { annexe } = people
    for (const path of ['/api/loanings', '/api/loanings/fast']) {
      const refused = await annexe.post(path, { beneficiary: 1, copy: 11 })
      expectNobodyNamed(refused)
      expect(JSON.stringify(refused.body)).toContain('Ce lecteur n’existe pas.')
    }
    expect((await annexe.post('/api/loanings', { beneficiary: 1, copy: 11 })).body.violations).toEqual([
      { propertyPath: 'beneficiary', message: 'Ce lecteur n’existe pas.' },
    ])
    expect((await annexe.get('/api/eligibility?beneficiary=1&copy=11&explain=1')).status).toBe(404)
    expect((await annexe.post('/api/loanings', { beneficiary: 4, copy: 11 })).status).toBe(201)
    // The same for one whom it has already: which of the two it is would tell who has it.
    expect((await annexe.post('/api/loanings', { beneficiary: 1, copy: 11 })).status).toBe(422)
    expect((await people.chef.post('/api/loanings', { beneficiary: 1, copy: 12 }, { site: 2 })).status).toBe(
      201,
    )
  })

  it('are not named by the loans of the site, whose loans they stay', async () => {
    await lendAtAnnexe()
    const { annexe, chef } = people
    const list = await annexe.get('/api/loanings?order[id]=asc')
    expect(infos(list)).toEqual([elsewhere, 'M4 - Sans-Courriel Jean'])
    expectNobodyNamed(list)
    expect(infos(await chef.get('/api/loanings?order[id]=asc'))).toEqual([
      'M1 - Martin Alice',
      'M4 - Sans-Courriel Jean',
    ])
    expectNobodyNamed(await annexe.get('/api/loanings/1'))
    expectNobodyNamed(await annexe.post('/api/loanings/1/extend', { duration_value: 1 }))
    expectNobodyNamed(await annexe.put('/api/loanings/1', { comment: 'lu' }))
    expectNobodyNamed(await annexe.get('/api/copies?bar_code=2001'))
    expectNobodyNamed(await annexe.post('/api/loanings', { beneficiary: 4, copy: 11 }))
    const back = await annexe.post('/api/loanings/return', { bar_code: '2001' })
    expect(back).toMatchObject({ status: 200, body: { beneficiary_info: elsewhere, site: 2 } })
    expectNobodyNamed(back)
    expectNobodyNamed(await annexe.post('/api/loanings/return', { bar_code: '2001' }))
    expectNobodyNamed(await annexe.post('/api/loanings/1/return'))
    expectNobodyNamed(await annexe.post('/api/loanings/1/undo', { expects: 'lend' }))
    // The journal keeps who it was.
    const { before } = await server.db
      .selectFrom('audit_journal')
      .select('before')
      .where('action', '=', 'loan.return')
      .executeTakeFirstOrThrow()
    expect(before).toMatchObject({ beneficiary_info: 'M1 - Martin Alice' })
  })

  it('are found and put in order by no name', async () => {
    await lendAtAnnexe()
    const total = async (query: string) =>
      (await people.annexe.get(`/api/loanings?${query}`)).body['hydra:totalItems']
    expect(await total('benefsearchname=martin')).toBe(0)
    expect(await total('benefsearchname=sans')).toBe(1)
    expect(await total('beneficiary=1')).toBe(0)
    expect(await total('beneficiary=1&status=in_progress')).toBe(0)
    expect(await total('filters[beneficiary|in]=1,4')).toBe(1)
    for (const direction of ['asc', 'desc']) {
      const list = await people.annexe.get(`/api/loanings?order[beneficiary_lastname]=${direction}`)
      expect(infos(list)).toEqual(['M4 - Sans-Courriel Jean', elsewhere])
    }
  })

  it('keep their numbers without a name', async () => {
    const { annexe } = people
    const number = await annexe.put('/api/beneficiaries/4', { reader_id: 'R1' })
    expect(number.body.violations[0].message).toBe(
      'Le numéro de lecteur R1 est déjà celui d’un lecteur d’un autre site.',
    )
    const matricule = await annexe.put('/api/beneficiaries/4', { matricule: 'M2' })
    expect(matricule.body.violations[0].message).toBe(
      'Le matricule M2 est déjà celui d’un lecteur d’un autre site.',
    )
    expect(
      (await people.chef.put('/api/beneficiaries/4', { reader_id: 'R1' })).body.violations[0].message,
    ).toContain('Alice Martin')
  })

  it('are given no site that is closed to the caller, and keep the one they have', async () => {
    const { annexe, chef } = people
    const closed = { propertyPath: 'agency_id', message: 'Cette agence n’existe pas.' }
    const added = await annexe.post('/api/beneficiaries', {
      matricule: 'M98',
      lastname: 'Neuve',
      firstname: 'Lou',
      agency_id: 1,
    })
    expect(added).toMatchObject({ status: 422, body: { violations: [closed] } })
    expect(await annexe.put('/api/beneficiaries/4', { agency_id: 1 })).toMatchObject({
      status: 422,
      body: { violations: [closed] },
    })
    expect((await annexe.put('/api/beneficiaries/4', { agency_id: 2 })).status).toBe(200)
    // Where readers are of every site, a form that says again what it was shown changes nothing.
    await setParameter(server, 'by_site_beneficiaries', '0')
    expect((await annexe.put('/api/beneficiaries/1', { agency_id: 1 })).status).toBe(200)
    expect((await annexe.put('/api/beneficiaries/4', { agency_id: 1 })).status).toBe(422)
    expect((await chef.put('/api/beneficiaries/4', { agency_id: 2 })).status).toBe(200)
  })

  it('are not in what a device takes along', async () => {
    await lendAtAnnexe()
    await people.centre.post('/api/loanings', { beneficiary: 2, copy: 1, relative: 1 })
    const first = await people.annexe.get('/api/snapshot')
    expectNobodyNamed(first)
    expect(first.body.loanings).toMatchObject([{ copy: 11 }, { copy: 12 }])
    // What changes at Centre is no news here.
    await people.centre.put('/api/beneficiaries/1', { message: 'secret de Centre' })
    await people.centre.post('/api/loanings/return', { bar_code: '1001' })
    const next = await people.annexe.get(`/api/snapshot?since=${first.body.cursor}`)
    expect(next.body.reset).toBe(false)
    expectNobodyNamed(next)
  })
})
