import { noun } from '../domain/noun.ts'
import { described, movable } from './described.ts'
import { counted, stamped, text } from './field-kinds.ts'

export const categories = movable(
  described('categories', 'Category', {
    noun: noun('catégorie', 'f'),
    title: 'Catégories',
    purpose:
      'Chaque référence est d’une catégorie, par laquelle les prêts se filtrent. Renommée, elle l’est partout.',
    example: 'Romans policiers',
    changedBy: 'PARAMETER_CATEGORY',
    fields: {
      name: text('Nom', 100, { archived: { about: 'Son nom.' } }),
      ref_count: counted('Références', { table: 'references', by: 'category' }),
      date_update: stamped('Modifiée le'),
    },
    inUse: {
      one: 'Une référence est dans cette catégorie\u202f: donnez-lui-en une autre avant de la supprimer.',
      many: 'références sont dans cette catégorie\u202f: donnez-leur-en une autre avant de la supprimer.',
    },
    archive: { file: 'categories.csv', about: 'Les catégories des références.' },
    help: [
      'Le classement des références, par lequel les prêts se filtrent et se comptent.',
      'Renommée, une catégorie l’est partout. Supprimer celle qui sert encore propose d’en donner une autre à ses références.',
    ],
  }),
  {
    summary: 'Faire passer les références d’une catégorie à une autre',
    moved: 'Références déplacées',
    action: 'Déplacement des références',
    missing: 'Choisissez leur catégorie.',
  },
)
