import { beforeAll, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

describeServer('relatives added and removed', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
  })
  const relativesOf = async (id: number) =>
    (await biblio.get(`/api/beneficiaries/${id}`)).body.relatives.map(
      ({ text, reader_id }: { text: string; reader_id: string | null }) => [text, reader_id],
    )
  const lastLine = () =>
    server.db.selectFrom('audit_journal').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

  it('adds one under the reader’s name, or another, and journals it', async () => {
    const { status, body } = await biblio.post('/api/beneficiaries/1/relatives', { firstname: 'Léo' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      '@type': 'Relative',
      name: 'Léo Martin',
      text: 'Léo Martin',
      reader_id: null,
    })
    expect(await lastLine()).toMatchObject({
      action: 'relative.add',
      entity: 'relatives',
      entity_id: body.id,
      before: null,
    })
    await biblio.post('/api/beneficiaries/1/relatives', {
      firstname: 'Mia',
      lastname: 'Roy',
      reader_id: ' R1B ',
    })
    expect(await relativesOf(1)).toEqual([
      ['Léo Martin', null],
      ['Mia Roy', 'R1B'],
    ])
  })

  it('says who has the number already', async () => {
    const { status, body } = await biblio.post('/api/beneficiaries/1/relatives', {
      firstname: 'Tom',
      reader_id: 'R2A',
    })
    expect(status).toBe(422)
    expect(body.violations).toEqual([
      {
        propertyPath: 'reader_id',
        message: 'Le numéro de lecteur R2A est déjà celui de Zoé Dupont, proche d’Éric Dupont (M2).',
      },
    ])
  })

  it('removes one, whose number another may then have, but not while they borrow', async () => {
    const { body: loan } = await biblio.post('/api/loanings', { copy: 1, beneficiary: 2, relative: 1 })
    const refused = await biblio.delete('/api/beneficiaries/2/relatives/1')
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      reason: 'RELATIVE_BORROWS',
      message: 'Zoé Dupont a un prêt en cours\u202f: enregistrez d’abord son retour.',
    })
    await biblio.post(`/api/loanings/${loan.id}/return`)
    expect((await biblio.delete('/api/beneficiaries/2/relatives/1')).status).toBe(204)
    expect(await lastLine()).toMatchObject({ action: 'relative.remove', entity_id: 1, after: null })
    expect(await relativesOf(2)).toEqual([])
    expect((await biblio.delete('/api/beneficiaries/2/relatives/1')).status).toBe(404)
    const again = await biblio.post('/api/beneficiaries/2/relatives', { firstname: 'Zoé', reader_id: 'R2A' })
    expect(again.status).toBe(201)
    expect((await biblio.get(`/api/loanings/${loan.id}`)).body.relative.name).toBe('Zoé Dupont')
  })

  it('finds a relative only under their own reader', async () => {
    const [relative] = (await biblio.get('/api/beneficiaries/2')).body.relatives
    expect((await biblio.delete(`/api/beneficiaries/1/relatives/${relative.id}`)).status).toBe(404)
    expect((await biblio.post('/api/beneficiaries/999/relatives', { firstname: 'X' })).status).toBe(404)
  })

  it('shows no wallet below zero as an error', async () => {
    await server.db.updateTable('beneficiaries').set({ wallet_amount: '-3.50' }).where('id', '=', 1).execute()
    expect((await biblio.get('/api/beneficiaries/1')).body.wallet_amount).toBe('-3.50')
  })
})
