import { medium, type Preset } from './preset.ts'

/** Most public libraries lend long and for nothing; what many wait for goes out for less time. */
export const mediaLibrary: Preset = {
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
