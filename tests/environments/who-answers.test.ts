import { describe, expect, it } from 'vitest'

import { whoAnswers } from '../../src/server/db/environments/environments.ts'

const library = (id: number, ...hosts: string[]) => ({ id, name: `Bibliothèque ${id}`, hosts })
const north = library(2, 'nord.fr', 'NORD.example')

describe('which library answers at a host', () => {
  it.each([
    ['an only one without hosts', [library(1)], 'ailleurs.fr', 1],
    ['an only one with hosts', [library(1, 'pret.fr')], 'ailleurs.fr', 1],
    ['the one that has it', [library(1), north], 'nord.fr', 2],
    ['the one that has it in capitals', [library(1), north], 'nord.example', 2],
    ['the first without hosts, for what no other has', [library(1), north], 'ailleurs.fr', 1],
    ['nobody where the first has hosts of its own', [library(1, 'pret.fr'), north], 'ailleurs.fr', null],
    ['nobody while one is still being added', [library(1, 'pret.fr'), library(2)], 'ailleurs.fr', null],
    ['nobody where there is none', [], 'pret.fr', null],
    [
      'not one whose hosts are not known',
      [{ ...library(1), isSilent: true as const }, north],
      'ailleurs.fr',
      null,
    ],
  ])('is %s', (_, known, host, id) => {
    expect(whoAnswers(known).at(host)?.id ?? null).toBe(id)
  })
})
