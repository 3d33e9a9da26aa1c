import { noun } from '../domain/noun.ts'
import { described } from './described.ts'
import { counted, stamped, switched, text } from './field-kinds.ts'

export const keywords = described('keywords', 'Keyword', {
  noun: noun('mot-clé', 'm', 'mots-clés'),
  title: 'Mots-clés',
  purpose:
    'Ils décrivent les références. Renommé, un mot-clé l’est sur toutes\u202f; désactivé, il n’est plus proposé.',
  example: 'jardinage',
  changedBy: 'PARAMETER_KEYWORD',
  fields: {
    name: text('Nom', 100, { archived: { about: 'Son nom.' }, taken: 'Ce mot-clé existe déjà.' }),
    ref_count: counted('Références', {
      table: 'references',
      by: 'keyword',
      through: { table: 'reference_keywords', of: 'reference' },
    }),
    enabled: switched(),
    date_update: stamped('Modifié le'),
  },
  inUse: {
    one: 'Une référence porte ce mot-clé\u202f: désactivez-le plutôt, il ne sera plus proposé.',
    many: 'références portent ce mot-clé\u202f: désactivez-le plutôt, il ne sera plus proposé.',
  },
  archive: { file: 'mots-cles.csv', about: 'Les mots-clés des références.' },
  help: [
    'Ce qui décrit les références et les fait trouver. Renommé, un mot-clé l’est sur toutes.',
    'Désactivé, ce qui sert déjà reste où il est et n’est plus proposé.',
  ],
})
