import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('contracts, statuses and dossiers renamed', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    await admin.put('/api/beneficiaries/1', { contract_type: 'CDI', dossiers: ['Portage', 'Famille'] })
    await admin.put('/api/beneficiaries/2', { contract_type: 'CDD', dossiers: ['Famille', 'Foyer'] })
    await server.db
      .updateTable('media')
      .set({
        eligibility: JSON.stringify({ contracts: ['CDD', 'CDI'], statuses: [], dossiers: ['Famille'] }),
      })
      .where('id', '=', 1)
      .execute()
  })
  const idOf = async (kind: string, name: string): Promise<number> => {
    const { body } = await admin.get(`/api/eligibility/list/${kind}`)
    return body['hydra:member'].find((one: { name: string }) => one.name === name)?.id ?? 0
  }
  const rule = async () =>
    (await server.db.selectFrom('media').select('eligibility').where('id', '=', 1).executeTakeFirstOrThrow())
      .eligibility
  const reader = async (id: number) => (await admin.get(`/api/beneficiaries/${id}`)).body

  it('is renamed for readers and rules at once, and journalled', async () => {
    const id = await idOf('CONTRACT', 'CDI')
    expect((await admin.put(`/api/eligibility/${id}`, { name: 'Contrat long' })).body.name).toBe(
      'Contrat long',
    )
    expect((await reader(1)).contract_type).toBe('Contrat long')
    expect((await reader(2)).contract_type).toBe('CDD')
    expect((await rule()).contracts).toEqual(['CDD', 'Contrat long'])
    const line = await server.db
      .selectFrom('audit_journal')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({
      action: 'eligibility.rename',
      before: { name: 'CDI' },
      after: { name: 'Contrat long' },
    })
  })

  it('refuses the name of another, and makes one of two once that is meant', async () => {
    const id = await idOf('CONTRACT', 'CDD')
    const refused = await admin.put(`/api/eligibility/${id}`, { name: 'contrat LONG' })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      reason: 'NAME_TAKEN',
      message: '«\u00a0Contrat long\u00a0» existe déjà.',
    })
    expect((await admin.put(`/api/eligibility/${id}`, { name: 'contrat LONG', merge: true })).status).toBe(
      200,
    )
    expect((await reader(2)).contract_type).toBe('Contrat long')
    expect((await rule()).contracts).toEqual(['Contrat long'])
    expect(await idOf('CONTRACT', 'CDD')).toBe(0)
    expect((await admin.put(`/api/eligibility/${id}`, { name: 'X' })).status).toBe(404)
  })

  it('keeps one dossier where a reader had both', async () => {
    const id = await idOf('DOSSIER_TYPE', 'Foyer')
    await admin.put(`/api/eligibility/${id}`, { name: 'Famille', merge: true })
    expect((await reader(2)).dossiers).toEqual(['Famille'])
    expect((await reader(1)).dossiers).toEqual(['Portage', 'Famille'])
    expect((await rule()).dossiers).toEqual(['Famille'])
  })

  it('is for who sets the library up', async () => {
    const biblio = await server.as('biblio')
    expect((await biblio.put('/api/eligibility/1', { name: 'X' })).status).toBe(403)
  })
})
