import { expect, it } from 'vitest'

import { readValues } from '../../src/server/imports/work-row.ts'

const read = (field: string, text: string) =>
  readValues(
    { line: 2, at: 0, cells: ['Martin', text] },
    {
      subject: field.startsWith('copy.') ? 'references' : 'readers',
      mapping: [field.startsWith('copy.') ? 'name' : 'lastname', field],
      today: '2026-11-28',
    },
  )

it.each([
  ['birth_year', '12/05/54', 1954],
  ['birth_year', '12/05/27', 1927],
  ['birth_year', '18264', 1950],
  ['copy.buy_date', '12/05/98', '1998-05-12'],
  // What is to come.
  ['exit_date', '12/05/54', '2054-05-12'],
  ['exit_date', '01/02/27', '2027-02-01'],
])('readValues takes %s « %s » for %s', (field, text, value) => {
  expect(read(field, text)).toMatchObject({ values: { [field]: value }, whys: [] })
})

it('readValues refuses what a spreadsheet could not work out, and says in which column', () => {
  expect(read('commune', '#NOM?').whys).toEqual([
    {
      field: 'commune',
      reason:
        '«\u00a0Commune\u00a0» affiche l’erreur #NOM?\u202f: corrigez la formule de cette cellule, ou effacez-la.',
    },
  ])
})

it('readValues tells all that is wrong with a row, each field once, and reads the others', () => {
  const row = { line: 7, at: 12, cells: ['', 'pas une adresse', 'hier', 'C1'] }
  const mapping = ['lastname', 'email', 'exit_date', 'reader_id']
  const { values, whys } = readValues(row, { subject: 'readers', mapping, today: '2026-11-28' })
  expect(values).toEqual({ reader_id: 'C1' })
  expect(whys.map(({ field }) => field)).toEqual(['email', 'exit_date', 'lastname'])
})

it('readValues does not say of a value that is too long that it is missing', () => {
  const row = { line: 7, at: 12, cells: ['x'.repeat(101)] }
  const { whys } = readValues(row, { subject: 'readers', mapping: ['lastname'], today: '2026-11-28' })
  expect(whys.map(({ reason }) => reason)).toEqual([
    '«\u00a0Nom\u00a0» est trop long (101 caractères, au plus 100).',
  ])
})
