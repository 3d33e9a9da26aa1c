import { atTheCounter, medium, type Preset } from './preset.ts'

/** A council lends to the staff and their families without a fine; who keeps the desk is one of them. */
export const worksCouncil: Preset = {
  title: 'Comité d’entreprise',
  about: 'Une bibliothèque et du matériel de loisirs pour les salariés et leurs familles.',
  media: [
    medium(['Livre', 'LIV'], [4, 'semaine'], { most: 5, late: 2 }),
    medium(['Bande dessinée', 'BD'], [2, 'semaine'], { most: 5, late: 2 }),
    medium(['Revue', 'REV'], [1, 'semaine'], { most: 3, late: 2 }),
    medium(['DVD et Blu-ray', 'DVD'], [1, 'semaine'], { most: 3, late: 1 }),
    medium(['Jeu vidéo', 'JVI'], [2, 'semaine'], { most: 1, late: 1 }),
    medium(['Jeu de société', 'JEU'], [2, 'semaine'], { most: 2, late: 1 }),
    medium(['Matériel de loisirs', 'LOI'], [4, 'jour'], {
      most: 2,
      late: 0,
      penalty: ['5.00', 'jour'],
      conditions: 'Chèque de caution remis, matériel rendu propre et complet.',
    }),
  ],
  categories: [
    'Roman',
    'Roman policier',
    'Bande dessinée',
    'Jeunesse',
    'Développement personnel',
    'Guide de voyage',
    'Film et série',
    'Jeu',
    'Camping et plein air',
    'Réception et cuisine',
    'Bricolage et jardin',
  ],
  delay_reasons: ['Congés', 'Arrêt de travail', 'Déplacement professionnel', 'Télétravail'],
  free_reasons: ['Offre du comité', 'Arbre de Noël', 'Permanence tenue', 'Départ à la retraite'],
  contracts: ['Salarié', 'Alternant ou stagiaire', 'Intérimaire', 'Retraité', 'Ayant droit'],
  profiles: [
    {
      name: 'Salarié permanencier',
      about:
        'Tient la permanence\u202f: prête, rend, inscrit un collègue, sans voir ni adresse ni historique.',
      rights: atTheCounter('BENEFICIARY_EDIT'),
    },
  ],
  parameters: [{ code: 'relative_search', value: '1' }],
}
