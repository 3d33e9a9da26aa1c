import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('what yearly reports will need of loans', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
  })

  it('keeps with a loan the age band and the audience of its day, whatever changes afterwards', async () => {
    const { body: reader } = await biblio.put('/api/beneficiaries/1', { birth_year: 2018 })
    expect(reader.birth_year).toBe(2018)
    await sql`update "references" set audience = 'youth' where id = (select reference from copies where id = 1)`.execute(
      server.db,
    )
    const { body: loan } = await biblio.post('/api/loanings', { beneficiary: 1, copy: 1 })
    await biblio.put('/api/beneficiaries/1', { birth_year: 1950 })
    const kept = await server.db
      .selectFrom('loanings')
      .select(['age_band', 'audience'])
      .where('id', '=', loan.id)
      .executeTakeFirst()
    expect(kept).toEqual({ age_band: '6-10', audience: 'youth' })
  })

  it('keeps each renewal, with its days and who did it', async () => {
    const { body: loan } = await biblio.post('/api/loanings', { beneficiary: 1, copy: 2 })
    const { body: once } = await biblio.post(`/api/loanings/${loan.id}/extend`, { duration_value: 3 })
    const { body: twice } = await biblio.post(`/api/loanings/${loan.id}/extend`, { duration_value: 2 })
    const renewals = await server.db
      .selectFrom('loan_renewals')
      .select(['renewed_on', 'from_date', 'to_date', 'user_id'])
      .where('loaning', '=', loan.id)
      .orderBy('id')
      .execute()
    expect(renewals).toEqual([
      expect.objectContaining({ from_date: loan.end_date, to_date: once.end_date }),
      expect.objectContaining({ from_date: once.end_date, to_date: twice.end_date }),
    ])
    expect(renewals[0]?.user_id).not.toBeNull()
  })

  it('lets a reader be forgotten by ended loans alone', async () => {
    const { body: loan } = await biblio.post('/api/loanings', { beneficiary: 1, copy: 3 })
    const forget = () => sql`update loanings set beneficiary = null where id = ${loan.id}`.execute(server.db)
    await expect(forget()).rejects.toThrow('loanings_open_has_reader')
    expect((await biblio.post(`/api/loanings/${loan.id}/return`, {})).status).toBe(200)
    await expect(forget()).resolves.toBeDefined()
  })

  it('refuses a year of birth to come, and says the field', async () => {
    const { status, body } = await biblio.put('/api/beneficiaries/1', { birth_year: 2090 })
    expect(status).toBe(422)
    expect(body.violations).toEqual([
      { propertyPath: 'birth_year', message: 'Cette année de naissance n’est pas encore venue.' },
    ])
  })

  it('takes no commune from who may not read addresses', async () => {
    const volunteer = await server.as('benevole')
    await server.db
      .insertInto('profile_rights')
      .values({ profile: 3, right_code: 'BENEFICIARY_EDIT' })
      .execute()
    expect((await volunteer.put('/api/beneficiaries/1', { commune: 'Pau' })).status).toBe(403)
    expect((await volunteer.get('/api/beneficiaries/1')).body).not.toHaveProperty('commune')
    expect((await biblio.put('/api/beneficiaries/1', { commune: 'Pau' })).body.commune).toBe('Pau')
  })
})
