import { describe, expect, it } from 'vitest'

import { toldOpen, wrongArguments } from '../../src/server/said-at-start.ts'

const library = (id: number, ...hosts: string[]) => ({ id, name: `Bibliothèque ${id}`, hosts })
const place = { host: '127.0.0.1', port: 3600, publicUrl: 'http://localhost:3600' }

describe('toldOpen', () => {
  it('says the machine’s own address of the only library, which answers at any', () => {
    for (const alone of [library(1), library(1, 'nord.localhost')])
      expect(toldOpen([alone], place)).toEqual(['Comptoir est ouvert : http://localhost:3600'])
    expect(toldOpen([library(1)], { ...place, host: '0.0.0.0' })).toEqual([
      'Comptoir est ouvert : http://0.0.0.0:3600',
    ])
  })

  it('says the address of each of several, at the port or the scheme of the public one', () => {
    expect(toldOpen([library(1), library(2, 'nord.localhost')], place)).toEqual([
      'Comptoir est ouvert : 2 bibliothèques, chacune à son adresse.',
      '  Bibliothèque 1 : http://localhost:3600',
      '  Bibliothèque 2 : http://nord.localhost:3600',
    ])
    expect(
      toldOpen([library(1, 'pret.fr'), library(2, 'nord.fr')], { ...place, publicUrl: 'https://pret.fr' }),
    ).toEqual(
      expect.arrayContaining(['  Bibliothèque 1 : https://pret.fr', '  Bibliothèque 2 : https://nord.fr']),
    )
  })

  it('says how the rest of many are listed', () => {
    const many = Array.from({ length: 40 }, (_, at) => library(at + 1, `b${at + 1}.fr`))
    const told = toldOpen(many, place)
    expect(told).toHaveLength(12)
    expect(told.at(-1)).toBe('  et 30 de plus : npm run environment -- list')
  })
})

describe('wrongArguments', () => {
  it('lets a server start with what it knows', () => {
    for (const given of [[], ['--demo'], ['--dev'], ['--demo', '--dev']])
      expect(wrongArguments(given)).toBeNull()
  })

  it('says how a server is started instead of starting one', () => {
    for (const given of [['--help'], ['--port=3600'], ['--demo', 'data']])
      expect(wrongArguments(given)).toMatch(/^Usage\s: npm start/)
  })
})
