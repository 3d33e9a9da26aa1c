import { copyNumber, readerNumber } from './library-numbers.ts'

// What a fresh demonstration can always lend; library-numbers.ts tells how codes are made.

/** Camille Abadie is active at the first site, without loans, reservations or relatives. */
export const knownReader = {
  reader_id: readerNumber(1),
  matricule: '000001',
  lastname: 'Abadie',
  firstname: 'Camille',
}

/** Has a dozen loans in progress, none of them late. */
export const busyReader = {
  reader_id: readerNumber(2),
  matricule: '000002',
  lastname: 'N’Guyen-Lefèvre',
  firstname: 'Zoé',
}

/** New copies of the first site that nobody has borrowed or reserved. */
export const knownCopiesByMedium = [
  ['Livre', 8],
  ['DVD', 2],
  ['CD', 2],
] as const

export const knownCopies: readonly string[] = Array.from({ length: 12 }, (_, at) => copyNumber(0, at + 1))
