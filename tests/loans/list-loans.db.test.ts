import { beforeAll, expect, it } from 'vitest'

import { loanList } from '../../src/contract/loans.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const samples = { id: '1', day: '2026-03-10', flag: '1', text: 'zola' } as const

const barCodesOf = ({ body }: Answer): string[] =>
  body['hydra:member'].map(({ copy_barcode }: { copy_barcode: string }) => copy_barcode)

describeServer('loans: list', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await server.db.updateTable('beneficiaries').set({ lastname: 'Émile' }).where('id', '=', 4).execute()
    await server.db.updateTable('references').set({ name: 'À rebours' }).where('id', '=', 2).execute()
    for (const [beneficiary, copy] of [
      [1, 1],
      [2, 2],
      [4, 11],
    ]) {
      expect((await biblio.post('/api/loanings', { beneficiary, copy })).status).toBe(201)
    }
  })

  it.each(Object.entries(loanList.filters))('filters by %s, whatever the order', async (name, filter) => {
    const value = filter.type === 'choice' ? (filter.values[0] ?? '') : samples[filter.type]
    for (const operator of filter.operators) {
      const written = operator === 'nil' ? '1' : value
      for (const order of ['', ...loanList.orders.map((field) => `&order[${field}]=asc`)]) {
        const query = `${name}|${operator}=${written}${order}`
        const { status, body } = await biblio.get(`/api/loanings?${query}`)
        expect([query, status]).toEqual([query, 200])
        expect(body['hydra:totalItems']).toBe(body['hydra:member'].length)
      }
    }
  })

  it.each([
    ['benefsearchname=emile', ['2001']],
    ['referencesearchname=zola&order[copy_barcode]=asc', ['1001', '1002']],
    ['medium=2', ['2001']],
    ['category=1&order[copy_barcode]=desc', ['1002', '1001']],
    ['copy_barcode=1001', ['1001']],
    // Accents do not matter: Dupont, Émile, Martin; À rebours before Film and Livre.
    ['order[beneficiary_lastname]=asc', ['1002', '2001', '1001']],
    ['order[reference_name]=asc', ['1002', '2001', '1001']],
    ['order[medium]=asc&order[copy_barcode]=asc', ['2001', '1001', '1002']],
    ['order[category]=desc&order[copy_barcode]=asc&limit=2&page=2', ['2001']],
  ])('answers %s', async (query, expected) => {
    expect(barCodesOf(await biblio.get(`/api/loanings?${query}`))).toEqual(expected)
  })
})
