import {
  IconArrowBackUp,
  IconCalendarOff,
  IconCalendarStar,
  IconClock,
  IconFileImport,
  IconMail,
  IconPlus,
  IconPrinter,
  IconShoppingBag,
  IconTags,
  IconUserPlus,
} from '@tabler/icons-react'

import { ofName } from '../../domain/person-names.ts'
import type { Right } from '../../domain/rights.ts'
import { useRights } from '../api/session.ts'
import { addressOf } from './address-of.ts'

/** A task that a person begins. Its button, its key and its line in the search are made from it. */
export type Act = {
  label: string
  /** The word of its button on a phone. */
  short?: string
  Icon: typeof IconPlus
  /** Other phrases that find it; whoever types the first word of one means this act, so none begins with a screen's name. */
  also: string
  /** All of them. */
  rights: readonly Right[]
  to: string
  /** It is a dialog of that screen, which opens it (`useBegun`). */
  isDialog?: true
  /** The same task for one reader, whose name a person types after it. */
  ofReader?: { label: (name: string) => string; to: (id: number) => string }
  /** The same task for the days that a person types after this verb; its dialog is opened with them. */
  ofDays?: { verb: string; label: (days: string) => string }
}

/** In the order in which the search offers them. */
export const acts = {
  lend: {
    label: 'Prêter',
    Icon: IconShoppingBag,
    also: 'nouveau prêt, emprunter, prêter à un lecteur',
    rights: ['LOANING_ADD'],
    to: '/loaning/add',
    ofReader: {
      label: (name) => `Prêter à ${name}`,
      to: (beneficiary) => addressOf('/loaning/add', { beneficiary }),
    },
  },
  giveBack: {
    label: 'Rendre',
    Icon: IconArrowBackUp,
    also: 'retour, rendu, rendre d’un lecteur',
    rights: ['LOANING_RETURN'],
    to: '/loaning/return',
    ofReader: {
      label: (name) => `Rendre ${ofName(name)}`,
      to: (beneficiary) => addressOf('/loaning/return', { beneficiary }),
    },
  },
  sell: {
    label: 'Vendre un exemplaire',
    Icon: IconShoppingBag,
    also: 'céder, enregistrer une vente',
    rights: ['LOANING_ADD', 'LOANING_SELL'],
    to: '/loaning/add',
  },
  reserve: {
    label: 'Réserver',
    Icon: IconClock,
    also: 'ajouter une réservation, mettre en attente',
    rights: ['RESERVATION_EDIT'],
    to: '/reservations/add',
    ofReader: {
      label: (name) => `Réserver pour ${name}`,
      to: (beneficiary) => addressOf('/reservations/add', { beneficiary }),
    },
  },
  registerReader: {
    label: 'Inscrire un lecteur',
    short: 'Inscrire',
    Icon: IconUserPlus,
    also: 'ajouter un lecteur, nouveau lecteur, nouvel adhérent, nouvelle inscription',
    rights: ['BENEFICIARY_EDIT'],
    to: '/beneficiaries/add',
  },
  addReference: {
    label: 'Ajouter une référence',
    short: 'Ajouter',
    Icon: IconPlus,
    also: 'cataloguer par isbn, nouveau titre, nouvelle notice',
    rights: ['COPY_CREATEREF'],
    to: '/references/add',
  },
  remindLate: {
    label: 'Relancer les retards',
    Icon: IconMail,
    also: 'rappeler ce qui est en retard, envoyer des relances par courriel',
    rights: ['LIST_LOANINGS', 'SEND_MAIL'],
    to: addressOf('/loanings', { 'islate|eq': '1' }),
    isDialog: true,
  },
  sendRecap: {
    label: 'Envoyer un récapitulatif',
    Icon: IconMail,
    also: 'récapitulatif des prêts par courriel',
    rights: ['LIST_LOANINGS', 'SEND_MAIL'],
    to: '/loanings',
    isDialog: true,
  },
  addClosure: {
    label: 'Ajouter une fermeture',
    Icon: IconCalendarOff,
    also: 'fermer aujourd’hui demain lundi mardi mercredi jeudi vendredi samedi dimanche, congés, vacances',
    rights: ['PARAMETER_SITE'],
    to: '/settings/closures',
    isDialog: true,
    ofDays: { verb: 'fermer', label: (days) => `Fermer ${days}` },
  },
  addHolidays: {
    label: 'Fermer les jours fériés',
    Icon: IconCalendarStar,
    also: 'fériés de l’année',
    rights: ['PARAMETER_SITE'],
    to: '/settings/closures',
    isDialog: true,
  },
  startInventory: {
    label: 'Commencer un inventaire',
    Icon: IconPlus,
    also: 'nouvel inventaire, récolement, compter ce qui est en rayon',
    rights: ['INVENTORY'],
    to: '/inventories/add',
  },
  printLabels: {
    label: 'Imprimer des étiquettes',
    Icon: IconPrinter,
    also: 'étiqueter par codes-barres et cotes',
    rights: ['BARCODE_PRINT'],
    to: addressOf('/bar_codes', { 'wanted|eq': '1' }),
  },
  printRange: {
    label: 'Imprimer une plage de codes',
    Icon: IconTags,
    also: 'étiqueter d’avance par codes-barres',
    rights: ['BARCODE_PRINT'],
    to: addressOf('/bar_codes/print', { type: 'next' }),
  },
  importReferences: {
    label: 'Importer des références',
    Icon: IconFileImport,
    also: 'reprendre un catalogue en unimarc csv tableur',
    rights: ['REFERENCE_IMPORT'],
    to: addressOf('/imports/add', { subject: 'references' }),
  },
  importReaders: {
    label: 'Importer des lecteurs',
    Icon: IconFileImport,
    also: 'reprendre des lecteurs en csv tableur',
    rights: ['BENEFICIARY_EDIT'],
    to: addressOf('/imports/add', { subject: 'readers' }),
  },
  addUser: {
    label: 'Ajouter un utilisateur',
    short: 'Ajouter',
    Icon: IconPlus,
    also: 'inviter un collègue, nouveau compte',
    rights: ['USER_EDIT'],
    to: '/users',
    isDialog: true,
  },
} satisfies Record<string, Act>
export type ActName = keyof typeof acts

export function useMayBegin({ rights }: Pick<Act, 'rights'>): boolean {
  const held = useRights()
  return rights.every((right) => held.includes(right))
}
