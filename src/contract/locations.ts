import { noun } from '../domain/noun.ts'
import { described, movable } from './described.ts'
import { barCode, counted, text } from './field-kinds.ts'

export const locations = movable(
  described('locations', 'Location', {
    noun: noun('emplacement', 'm'),
    title: 'Emplacements',
    purpose: 'Où les exemplaires se rangent. Renommé, un emplacement l’est pour tous ceux qui y sont.',
    example: 'Espace jeunesse',
    changedBy: 'PARAMETER_LOCATIONS',
    fields: {
      label: text('Libellé', 100, { archived: { title: 'Nom', about: 'Son nom.' } }),
      /** Of the shelf itself: scanned in an inventory, it says where what follows stands. */
      bar_code: barCode('Code-barres du rayon', {
        hint: 'Celui de l’étiquette collée sur le rayon, que l’inventaire scanne. Facultatif.',
        archived: { title: 'Code-barres', about: 'Ce que dit l’étiquette du rayon, s’il en a une.' },
      }),
      copies_count: counted('Exemplaires', { table: 'copies', by: 'location' }),
    },
    inUse: {
      one: 'Un exemplaire est à cet emplacement\u202f: rangez-le ailleurs avant de le supprimer.',
      many: 'exemplaires sont à cet emplacement\u202f: rangez-les ailleurs avant de le supprimer.',
    },
    archive: { file: 'emplacements.csv', about: 'Les emplacements des exemplaires.' },
    help: [
      'Où les exemplaires se rangent. Renommé, un emplacement l’est pour tous ceux qui y sont.',
      'Le code-barres du rayon, facultatif, est celui de l’étiquette que l’inventaire scanne.',
    ],
  }),
  {
    summary: 'Ranger à un autre emplacement les exemplaires d’un emplacement',
    moved: 'Exemplaires déplacés',
    action: 'Déplacement des exemplaires',
    missing: 'Choisissez leur emplacement.',
  },
)
