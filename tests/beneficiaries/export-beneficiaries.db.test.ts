import { expect, it } from 'vitest'

import { openTwoSites } from '../visibility/two-sites.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { describeServer } from '../support/test-server.ts'

const linesOf = (body: Buffer) => body.toString('utf8').replace('\uFEFF', '').trim().split('\r\n')

describeServer('the readers in a file', (server) => {
  it('has the rows of the list, in its order, under a name with the hour of the library', async () => {
    const biblio = await server.as('biblio')
    const { status, headers, body } = await biblio.get(
      '/api/export/beneficiaries?export_type=csv&filters[is_active|eq]=1&order[lastname]=desc',
    )
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('beneficiaires-20260310-100000.csv')
    const [head, ...rows] = linesOf(body)
    expect(head).toContain('Matricule;Nom;Prénom')
    expect(head).toContain('Courriel')
    expect(rows.map((row) => row.split(';')[0])).toEqual(['M4', 'M1', 'M2'])
    expect(rows[1]).toContain('alice@exemple.fr')
  })

  it('has no column of contact or address for who may not see them', async () => {
    const volunteer = await server.as('benevole')
    const { body } = await volunteer.get('/api/export/beneficiaries?export_type=csv')
    expect(linesOf(body)[0]).not.toMatch(/Courriel|Téléphone|Adresse|Commune/)
    expect(body.toString('utf8')).not.toContain('alice@exemple.fr')
  })

  it('filters by a remembered contract, whatever its name', async () => {
    const biblio = await server.as('biblio')
    await biblio.put('/api/beneficiaries/4', { contract_type: 'CDI, mi-temps' })
    const { body: known } = await biblio.get('/api/eligibility/list/CONTRACT')
    const { id } = known['hydra:member'].find(({ name }: { name: string }) => name === 'CDI, mi-temps')
    const { body } = await biblio.get(`/api/beneficiaries?filters[contract|in]=${id}`)
    expect(body['hydra:member'].map(({ matricule }: { matricule: string }) => matricule)).toEqual(['M4'])
    expect((await biblio.get('/api/beneficiaries?filters[contract|in]=999')).body['hydra:totalItems']).toBe(0)
  })

  it('names nobody of a closed site', async () => {
    const people = await openTwoSites(server)
    await setParameter(server, 'by_site_beneficiaries', '1')
    const { body } = await people.annexe.get('/api/export/beneficiaries?export_type=csv')
    expect(
      linesOf(body)
        .slice(1)
        .map((row) => row.split(';')[0]),
    ).toEqual(['M3', 'M4'])
  })
})
