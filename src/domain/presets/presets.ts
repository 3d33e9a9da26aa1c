import { equipmentPool } from './equipment-pool.ts'
import { type Preset, medium, atTheCounter } from './preset.ts'

const counted = 'Pièces comptées ensemble au départ et au retour.'

/** Categories are those of the ESAR classification, by which French toy libraries shelve. */
const toyLibrary: Preset = {
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

/** A council lends to the staff and their families without a fine; who keeps the desk is one of them. */
const worksCouncil: Preset = {
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

/** Most public libraries lend long and for nothing; what many wait for goes out for less time. */
const mediaLibrary: Preset = {
  title: 'Médiathèque',
  about: 'Livres, revues, disques et films, prêtés à des abonnés.',
  media: [
    medium(['Livre', 'LIV'], [3, 'semaine'], { most: 10, late: 3 }),
    medium(['Revue', 'REV'], [2, 'semaine'], { most: 6, late: 3 }),
    medium(['Livre audio', 'LAU'], [4, 'semaine'], { most: 4, late: 3 }),
    medium(['CD', 'CD'], [3, 'semaine'], { most: 6, late: 3 }),
    medium(['DVD', 'DVD'], [1, 'semaine'], { most: 4, late: 2, penalty: ['0.50', 'semaine'] }),
    medium(['Jeu de société', 'JEU'], [3, 'semaine'], { most: 2, late: 1 }),
    medium(['Liseuse', 'LIS'], [4, 'semaine'], {
      most: 1,
      late: 0,
      penalty: ['1.00', 'semaine'],
      conditions: 'Charte de prêt de la liseuse signée, contenu de la pochette vérifié.',
    }),
  ],
  categories: [
    'Roman',
    'Roman policier',
    'Science-fiction et fantastique',
    'Bande dessinée',
    'Manga',
    'Documentaire',
    'Album jeunesse',
    'Roman jeunesse',
    'Documentaire jeunesse',
    'Livre en gros caractères',
    'Presse',
    'Musique',
    'Film',
    'Film pour enfants',
    'Fonds local',
  ],
  delay_reasons: ['Vacances', 'Fermeture de la médiathèque', 'Boîte de retour relevée en retard'],
  free_reasons: ['Accueil de classe', 'Portage à domicile', 'Personnel de la médiathèque'],
  contracts: ['Adulte', 'Moins de 18 ans', 'Étudiant', 'Tarif réduit', 'Collectivité'],
  profiles: [],
  parameters: [{ code: 'delay_days_number_before_penalize', value: '7' }],
}

/** In the order in which they are offered. */
export const presets = {
  mediatheque: mediaLibrary,
  ludotheque: toyLibrary,
  parc: equipmentPool,
  comite: worksCouncil,
} as const satisfies Record<string, Preset>

export type PresetCode = keyof typeof presets
/** The only parameters that a preset changes. */
export const presetParameterCodes = [
  ...new Set(Object.values<Preset>(presets).flatMap(({ parameters }) => parameters.map(({ code }) => code))),
]
export const presetCodes = Object.keys(presets) as PresetCode[]
