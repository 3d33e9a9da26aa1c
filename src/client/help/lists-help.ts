import { settingsLists } from '../../contract/settings-lists.ts'
import type { HelpOfScreens } from './screen-help.ts'

const off = 'Désactivé, ce qui sert déjà reste où il est et n’est plus proposé.'

/** The lists that the library keeps by hand. */
export const listsHelp: HelpOfScreens = {
  ...Object.fromEntries(
    settingsLists.flatMap(({ name, description: { title, help } }) =>
      help ? [[`/settings/${name}`, { title, says: help }]] : [],
    ),
  ),
  '/settings/readers': {
    title: 'Contrats, statuts et dossiers',
    says: [
      'Les mots écrits sur les fiches des lecteurs. Renommé, l’un d’eux l’est sur chaque fiche et dans chaque règle de prêt.',
      'Renommer sous le nom d’un autre les fond en un seul\u202f: les deux ne se distinguent plus ensuite.',
      'Un mot nouveau s’ajoute en l’écrivant sur la fiche d’un lecteur.',
    ],
  },
  '/settings/lists': {
    title: 'Listes',
    says: [
      'Les auteurs, les éditeurs et les mots que des références partagent, chacun d’une fonction.',
      'Deux écritures d’un même nom se fusionnent\u202f: aucune référence n’en perd, et la fusion s’annule depuis les actes.',
      '«\u00a0Roman > Policier\u00a0» se choisit ensuite niveau par niveau.',
    ],
  },
  '/settings/lists/types': {
    title: 'Fonctions',
    says: [
      'Ce qu’une valeur est pour une référence\u202f: «\u00a0Illustrateur\u00a0», «\u00a0Public visé\u00a0». La fonction dit les supports pour lesquels elle est proposée.',
      'Celle d’auteur principal est l’auteur que montrent les listes et que trouve la recherche.',
    ],
  },
  '/settings/fields': {
    title: 'Champs',
    says: [
      'Les champs des références, sous le nom que la bibliothèque leur donne.',
      'Un champ qui n’est plus affiché quitte le formulaire, la fiche et la liste\u202f; ce qui y est écrit reste.',
    ],
  },
  '/settings/supports': {
    title: 'Supports',
    says: [
      'Livre, DVD, jeu…\u202f: chaque support porte les règles du prêt, c’est-à-dire durée, limites, pénalités, conditions et qui peut l’emprunter.',
      'Un changement vaut dès le prêt suivant.',
      'Un support qui sert encore se désactive, ou passe ses références à un autre.',
    ],
  },
  '/settings/images_sources': {
    title: 'Sources d’images',
    says: [
      'À quels catalogues demander l’image des références qui n’en ont pas, support par support, d’après leur ISBN ou EAN.',
      'Les images arrivent peu à peu, et l’image donnée à la main reste toujours.',
    ],
  },
  '/settings/copies': {
    title: 'Exemplaires',
    says: [
      'Tous les exemplaires, à filtrer par disponibilité, état, emplacement ou site.',
      'Cochez-en plusieurs pour changer leur état ou leur emplacement, les rendre indisponibles, les transférer ou les retirer du fonds ensemble.',
      'Ce qui est modifié ou retiré ensemble s’annule depuis les actes.',
    ],
  },
  '/settings/delay': {
    title: 'Motifs de retard',
    says: ['Proposés à qui commente un retard.', off],
  },
  '/settings/free': {
    title: 'Motifs de gratuité',
    says: ['Dès que l’un d’eux est activé, un prêt gratuit demande le sien.', off],
  },
}
