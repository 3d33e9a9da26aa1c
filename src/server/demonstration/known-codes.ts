import { copyNumber, readerNumber } from './library-numbers.ts'

// What can always be lent in a fresh demonstration, for a first try, screenshots and journeys.
//
// A copy's number is 3155551 (Médiathèque Cabanis) or 3155552 (Annexe Saint-Cyprien), six digits counted from 000001 at each
// site, and a check digit; a reader's is 2155550, six digits from 000001 (relatives after the 600 readers), and a check digit.

/** Camille Abadie: active, at the first site, without any loan, reservation or relative. */
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

/** How many new copies, at the first site, nobody has borrowed or reserved: eight books, two DVDs, two CDs. */
export const knownCopiesByMedium = [
  ['Livre', 8],
  ['DVD', 2],
  ['CD', 2],
] as const

/** Bar codes of those twelve, in that order. */
export const knownCopies: readonly string[] = Array.from({ length: 12 }, (_, at) => copyNumber(0, at + 1))
