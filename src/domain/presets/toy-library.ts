import { medium, type Preset } from './preset.ts'

const counted = 'Pièces comptées ensemble au départ et au retour.'

/** Categories are those of the ESAR classification, by which French toy libraries shelve. */
export const toyLibrary: Preset = {
  title: 'Ludothèque',
  about: 'Jeux et jouets, prêtés à des familles et à des groupes, pièces comptées.',
  media: [
    medium(['Jeu de société', 'JEU'], [3, 'semaine'], {
      most: 3,
      late: 1,
      penalty: ['1.00', 'semaine'],
      conditions: counted,
    }),
    medium(['Jouet', 'JOU'], [3, 'semaine'], { most: 3, late: 1, penalty: ['1.00', 'semaine'] }),
    medium(['Puzzle', 'PUZ'], [3, 'semaine'], { most: 2, late: 1, conditions: counted }),
    medium(['Jeu vidéo', 'JVI'], [2, 'semaine'], { most: 1, late: 0, penalty: ['1.00', 'semaine'] }),
    medium(['Déguisement', 'DEG'], [1, 'semaine'], { most: 2, late: 0 }),
    medium(['Grand jeu en bois', 'GJB'], [4, 'jour'], {
      most: 2,
      late: 0,
      penalty: ['5.00', 'jour'],
      conditions: 'Chèque de caution remis, état vérifié au départ et au retour.',
    }),
    medium(['Malle de jeux', 'MAL'], [4, 'semaine'], { most: 1, late: 0, conditions: counted }),
  ],
  categories: [
    'Jeu d’exercice',
    'Jeu symbolique',
    'Jeu d’assemblage',
    'Jeu de règles simples',
    'Jeu de règles complexes',
    'Jeu coopératif',
    'Jeu d’ambiance',
    'Jeu de cartes',
    'Jeu de plein air',
    'Éveil du tout-petit',
  ],
  delay_reasons: ['Pièce manquante recherchée', 'Jeu oublié chez un proche', 'Vacances scolaires'],
  free_reasons: ['Soirée jeux', 'École ou centre de loisirs', 'Essai avant adhésion'],
  contracts: ['Famille', 'Individuel', 'Assistante maternelle', 'École', 'Association'],
  profiles: [],
  parameters: [
    { code: 'delay_days_number_before_penalize', value: '3' },
    { code: 'relative_search', value: '1' },
  ],
}
