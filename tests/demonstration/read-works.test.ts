import { readFileSync } from 'node:fs'

import { beforeAll, describe, expect, it } from 'vitest'

import { getCatalogueFile, readWorks, type Work } from '../../src/server/demonstration/read-works.ts'

describe('the catalogue of the demonstration', () => {
  let works: Work[]
  beforeAll(async () => {
    works = await readWorks()
  })
  const lines = readFileSync(getCatalogueFile(), 'utf8').trim().split('\n').slice(1)

  it('is read whole, but for its one row without a title and one of another medium', () => {
    expect(lines).toHaveLength(8401)
    expect(works.length).toBeGreaterThan(8390)
    expect(works.every(({ reference: { name } }) => name !== '' && !/\[texte|\s\s|^\s|\s$/i.test(name))).toBe(
      true,
    )
    expect(works.filter(({ reference: { name } }) => name.length > 75).length).toBeLessThan(20)
  })

  it('takes no code of a library for a call number', () => {
    const lineOf = new Map(lines.map((line, at) => [at + 2, line.split(';').slice(-4, -2)]))
    const wrong = works.filter(({ line, reference: { reference_data } }) => {
      const [callNumber, library] = lineOf.get(line) ?? []
      const isCallNumber = callNumber !== '' && callNumber !== library && callNumber !== 'CABANIS'
      return isCallNumber !== (reference_data.book_number !== undefined)
    })
    expect(wrong).toEqual([])
  })

  it('gives each work its medium, its shelf and how often it was lent', () => {
    expect(works[0]).toMatchObject({
      line: 2,
      medium: { name: 'Livre' },
      location: 'Kiosque',
      isForChildren: true,
      lent: [3610, 4743],
      reference: { name: 'Le Journal de Mickey', category: 'Presse', tags: { publisher: 'Edi-Monde' } },
    })
  })
})
