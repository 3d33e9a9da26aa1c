import { frenchNumber } from '../../domain/french-number.ts'
import type { ReadLibrary } from './read-archive.ts'

/** What came of an archive, in sentences. */
export function librarySummary({ made_at, rows, images, kept }: ReadLibrary): string {
  const count = (file: string) => frenchNumber(rows.get(file) ?? 0)
  return [
    `Archive du ${made_at.slice(0, 10)} reprise\u202f: ${count('references.csv')} références, ${count('exemplaires.csv')} exemplaires, ` +
      `${count('lecteurs.csv')} lecteurs, ${count('prets.csv')} prêts, ${count('reservations.csv')} réservations, ${frenchNumber(images)} images.`,
    'Les comptes n’ont pas de mot de passe\u202f: chacun en choisit un par «\u00a0Mot de passe oublié\u00a0», ou l’administrateur leur en donne un.',
    ...kept.map((username) => `Le compte «\u00a0${username}\u00a0» de cette installation est gardé.`),
  ].join('\n')
}
