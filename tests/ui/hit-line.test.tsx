// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'

import { MantineProvider } from '@mantine/core'
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'

import { readerWords, relativeOf } from '../../src/client/beneficiaries/hit-words.ts'
import { counterCopyWords, titleWords, underTitles } from '../../src/client/catalogue/hit-words.ts'
import { HitLine, type HitLook } from '../../src/client/ui/hit-line.tsx'

afterEach(cleanup)

const textOf = (look: HitLook) =>
  render(
    <MantineProvider env="test">
      <p>
        <HitLine {...look} />
      </p>
    </MantineProvider>,
  ).container.querySelector('p')?.textContent

describe('a hit', () => {
  it('says its name, what tells it from others, and how it stands', () => {
    expect(textOf({ label: 'Nana', told: 'Zola, Émile · R ZOL', now: '1 libre ici' })).toBe(
      'NanaZola, Émile · R ZOL\u00a0· 1 libre ici',
    )
    expect(textOf({ label: 'Nana', now: 'aucun exemplaire' })).toBe('Nanaaucun exemplaire')
    expect(textOf({ label: 'Nana', told: '' })).toBe('Nana')
  })

  it('of a title says author, shelf mark, and what is free where', () => {
    const place = { site: 1, isMultisite: true, today: '2026-03-10' }
    const onShelf = { status_name: 'Disponible', type: 'Location', sold_on: null, loaning: null } as const
    const copy = (id: number, site: number, site_name: string) => ({
      id,
      site,
      site_name,
      ...onShelf,
      reservations: [],
    })
    expect(
      titleWords(
        {
          tags: { author: 'Zola, Émile' },
          reference_data: { book_number: 'R ZOL' },
          copies: [copy(1, 1, 'Centre'), copy(2, 1, 'Centre'), copy(3, 2, 'Annexe')],
        },
        place,
      ),
    ).toEqual({ told: 'Zola, Émile · R ZOL', now: '2 libres ici, 1 à l’Annexe' })
    const dewey = { book_number_dewey: '843.8' }
    expect(titleWords({ tags: {}, reference_data: dewey }, place).told).toBe('843.8')
    expect(titleWords({ tags: {}, reference_data: { ...dewey, book_number: 'R ZOL' } }, place).told).toBe(
      'R ZOL',
    )
  })

  it('of a reader says the year of birth, then the number', () => {
    expect(readerWords({ matricule: 'M2', birth_year: 1987 })).toBe('naissance en 1987 · M2')
    expect(readerWords({ matricule: 'M2' })).toBe('M2')
    expect(relativeOf({ firstname: 'Éric', lastname: 'Dupont' })).toBe('Proche d’Éric Dupont')
  })

  it('of another copy of a title is read with the title, which is drawn once', () => {
    const named = (copies: { reference: number; bar_code: string }[]) =>
      underTitles(copies).map(({ copy, isUnder }) => `${isUnder ? '└ ' : ''}${copy.bar_code}`)
    expect(
      named([
        { reference: 1, bar_code: '1001' },
        { reference: 2, bar_code: '1002' },
        { reference: 1, bar_code: '1003' },
      ]),
    ).toEqual(['1001', '└ 1003', '1002'])
    const face = <i data-face />
    const { container } = render(
      <MantineProvider env="test">
        <HitLine label="Nana" told="1003" face={face} isUnder />
      </MantineProvider>,
    )
    expect(container.textContent).toMatch(/Nana\s: 1003$/)
    expect(container.querySelector('[data-face]')).toBeNull()
  })

  it('of a copy says its code, then who has it', () => {
    const holder = { beneficiary: 2, beneficiary_name: 'Éric Dupont (M2)', end_date: null }
    expect(counterCopyWords({ bar_code: '1001', status: 'En Location', holder })).toEqual({
      told: '1001',
      isCode: true,
      now: 'En Location · Éric Dupont (M2)',
    })
  })
})
