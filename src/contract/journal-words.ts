import { audienceWords, readerKindNames } from '../domain/age-bands.ts'
import { weekdays } from '../domain/calendar-day.ts'
import { listGroups, listGroupWords } from '../domain/list-groups.ts'
import { copyStates, durationTypes } from '../domain/loan-rules.ts'
import { referenceDataLabels } from '../domain/reference-data.ts'
import { reservationSources, reservationStatuses } from '../domain/reservation-rules.ts'
import { rightSentences } from '../domain/right-sentences.ts'
import type { Right } from '../domain/rights.ts'
import type { Described } from './described.ts'
import { type SettingsListName, settingsLists } from './settings-lists.ts'

/** How a field of the journal, or one within it (`tags.author`), is read; without its right it is not told at all. */
export type JournalField = {
  name: string
  right?: Right
  /** Of a `set` what left it and what came to it is told, not the whole twice. */
  kind?: 'day' | 'money' | 'coded' | 'set'
  /** Values that are codes, in words. */
  values?: Record<string, string>
}

type Journalled = {
  /** The rights that change such a record, any of which reads its journal. */
  changedBy: readonly [Right, ...Right[]]
  /** By `action`, as the journal writes it. */
  actions: Record<string, string>
  /** Those that people know; others, and all secrets, are never told. */
  fields: Record<string, JournalField>
}

const weekdayWords = Object.fromEntries(weekdays.map((word, at) => [String(at + 1), word]))

function wordsOfList({ name, description, moves }: Described): Journalled {
  const { changedBy, fields } = description
  const told = Object.entries(fields).filter(([, field]) => !('isUntold' in field))
  return {
    changedBy: typeof changedBy === 'string' ? [changedBy] : changedBy,
    actions: { [`${name}.add`]: 'Ajout', ...(moves ? { [`${name}.move`]: moves.action } : {}) },
    fields: {
      ...Object.fromEntries(
        told.map(([key, field]) => [
          key,
          { name: field.label, ...('words' in field ? { values: field.words } : {}) },
        ]),
      ),
      ...(moves ? { moved_count: { name: moves.moved } } : {}),
    },
  }
}

const ownWords = {
  beneficiaries: {
    changedBy: ['BENEFICIARY_EDIT'],
    actions: {
      'beneficiary.add': 'Inscription',
      'beneficiary.update': 'Modification',
      'beneficiaries.history_read': 'Lecture de ses prêts passés',
      'beneficiaries.data': 'Copie de ses données',
      'beneficiaries.erase': 'Effacement',
      'relative.add': 'Ajout d’un proche',
      'relative.update': 'Modification d’un proche',
      'relative.remove': 'Retrait d’un proche',
    },
    fields: {
      matricule: { name: 'Matricule' },
      lastname: { name: 'Nom' },
      firstname: { name: 'Prénom' },
      kind: { name: 'Type', values: readerKindNames },
      birth_year: { name: 'Année de naissance' },
      contract_type: { name: 'Contrat' },
      beneficiary_status: { name: 'Statut' },
      dossiers: { name: 'Dossiers' },
      agency: { name: 'Site' },
      exit_date: { name: 'Date de sortie', kind: 'day' },
      reader_id: { name: 'Numéro de lecteur' },
      message: { name: 'Message' },
      email: { name: 'Courriel', right: 'BENEFICIARY_CONTACT' },
      phone: { name: 'Téléphone', right: 'BENEFICIARY_CONTACT' },
      address: { name: 'Adresse', right: 'BENEFICIARY_ADDRESS' },
      commune: { name: 'Commune', right: 'BENEFICIARY_ADDRESS' },
      wallet_amount: { name: 'Porte-monnaie', kind: 'money' },
    },
  },
  references: {
    changedBy: ['REFERENCE_EDIT'],
    actions: {
      'references.add': 'Ajout',
      'references.image': 'Nouvelle image',
      'references.merge': 'Fusion d’une valeur',
      'copies.add': 'Ajout d’un exemplaire',
      'copies.change': 'Modification d’un exemplaire',
      'copies.remove': 'Retrait d’un exemplaire',
      'copies.send': 'Envoi d’un exemplaire',
      'copies.receive': 'Réception d’un exemplaire',
      'copies.take_back': 'Transfert repris',
    },
    fields: {
      name: { name: 'Titre' },
      code: { name: 'Code' },
      'tags.author': { name: 'Auteur' },
      'tags.performer': { name: 'Interprète' },
      'tags.publisher': { name: 'Éditeur' },
      'tags.year': { name: 'Année' },
      'tags.collection': { name: 'Collection' },
      ...Object.fromEntries(
        listGroups.map((group) => [
          `authors.${group}`,
          { name: listGroupWords[group], kind: 'coded' as const },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(referenceDataLabels).map(([code, name]) => [`reference_data.${code}`, { name }]),
      ),
      category: { name: 'Catégorie' },
      medium: { name: 'Support' },
      audience: { name: 'Public', values: audienceWords },
      deposit_check: { name: 'Chèque de caution' },
      new_at: { name: 'Nouveauté jusqu’au', kind: 'day' },
      short_description: { name: 'Description courte' },
      description: { name: 'Description' },
      keywords: { name: 'Mots-clés' },
      bar_code: { name: 'Code-barres' },
      state: { name: 'État', values: copyStates },
      status_name: { name: 'Disponibilité' },
      site_name: { name: 'Site' },
      location: { name: 'Emplacement' },
      buy_date: { name: 'Acquis le', kind: 'day' },
      cycle_value: { name: 'Longueur d’un cycle' },
      cycle_type: { name: 'Unité du cycle', values: durationTypes },
      price: { name: 'Prix', kind: 'money' },
      type: { name: 'Type' },
      withdrawal_reason: { name: 'Motif du retrait' },
    },
  },
  reservations: {
    changedBy: ['RESERVATION_EDIT'],
    actions: {
      'reservations.add': 'Demande',
      'reservations.change': 'Modification',
      'reservations.waiting': 'Remise en attente',
      'reservations.confirmed': 'Confirmation',
      'reservations.canceled': 'Annulation',
      'reservations.refused': 'Refus',
      'reservations.move_deadline': 'Délai de retrait déplacé par une fermeture',
      'reservations.move_back': 'Délai de retrait rétabli',
    },
    fields: {
      beneficiary_name: { name: 'Lecteur' },
      reference_name: { name: 'Référence' },
      copy_barcode: { name: 'Exemplaire voulu' },
      start_date: { name: 'Début', kind: 'day' },
      end_date: { name: 'Fin', kind: 'day' },
      status: { name: 'Statut', values: reservationStatuses },
      source: { name: 'Origine', values: reservationSources },
      queuePosition: { name: 'Rang' },
      comment: { name: 'Commentaire' },
      cycle_value: { name: 'Cycles' },
      site_name: { name: 'Site de retrait' },
      set_aside_barcode: { name: 'Mis de côté' },
      pickup_until: { name: 'À retirer jusqu’au', kind: 'day' },
    },
  },
  loanings: {
    changedBy: ['LOANING_EDIT'],
    actions: {
      'loan.lend': 'Prêt',
      'loan.return': 'Retour',
      'loan.extend': 'Prolongation',
      'loan.delay': 'Motif de retard',
      'loan.cancel': 'Annulation',
      'loan.undo_lend': 'Prêt repris',
      'loan.undo_return': 'Retour repris',
      'loan.undo_extend': 'Prolongation reprise',
      'loan.move_due': 'Retour déplacé par une fermeture',
      'loan.move_back': 'Retour remis à sa date',
    },
    fields: {
      start_date: { name: 'Début', kind: 'day' },
      end_date: { name: 'Retour prévu', kind: 'day' },
      return_date: { name: 'Rendu le', kind: 'day' },
      duration_value: { name: 'Durée' },
      amount: { name: 'Montant', kind: 'money', right: 'LIST_LOANINGS' },
      comment: { name: 'Commentaire', right: 'LIST_LOANINGS' },
      return_comment: { name: 'Commentaire de retour', right: 'LIST_LOANINGS' },
      state: { name: 'État', values: copyStates },
      delay_reason: { name: 'Motif du retard', right: 'LIST_LOANINGS' },
      delay_comment: { name: 'Commentaire du retard', right: 'LIST_LOANINGS' },
      penalty_amount: { name: 'Pénalité', kind: 'money', right: 'LIST_LOANINGS' },
      override_reason: { name: 'Prêté malgré un refus', right: 'LIST_LOANINGS' },
    },
  },
  sales: {
    changedBy: ['LOANING_SELL'],
    actions: { 'sale.sell': 'Vente', 'sale.delete': 'Suppression' },
    fields: {
      date: { name: 'Date', kind: 'day' },
      price: { name: 'Prix', kind: 'money', right: 'LIST_SELL' },
      comment: { name: 'Commentaire', right: 'LIST_SELL' },
    },
  },
  media: {
    changedBy: ['PARAMETER_MEDIUM'],
    actions: {
      'media.add': 'Ajout',
      'media.move': 'Déplacement des références',
      'media.upload': 'Nouveau fichier de conditions',
      'media.images_sources.set': 'Sources d’images',
      'media.images_sources.remove': 'Sources d’images',
    },
    fields: {
      name: { name: 'Nom' },
      code: { name: 'Code' },
      enabled: { name: 'Activé' },
      duration: { name: 'Durée' },
      duration_type: { name: 'Unité', values: durationTypes },
      max_loaning: { name: 'Prêts au plus' },
      max_late: { name: 'Retards au plus' },
      max_renewals: { name: 'Prolongations au plus' },
      penalty_enabled: { name: 'Pénalités' },
      penalty_amount: { name: 'Montant de la pénalité', kind: 'money' },
      penalty_duration_type: { name: 'Unité de la pénalité', values: durationTypes },
      online_booking_enabled: { name: 'Réservation en ligne' },
      loaning_conditions_enabled: { name: 'Conditions de prêt' },
      loaning_conditions_label: { name: 'Libellé des conditions' },
      images_sources: {
        name: 'Images',
        values: { own: 'l’image donnée', bnf: 'BnF', openlibrary: 'Open Library', none: 'aucune' },
      },
      'eligibility.contracts': { name: 'Contrats' },
      'eligibility.statuses': { name: 'Statuts' },
      'eligibility.dossiers': { name: 'Dossiers' },
    },
  },
  sites: {
    changedBy: ['PARAMETER_SITE'],
    actions: { 'sites.add': 'Ajout' },
    fields: {
      name: { name: 'Nom' },
      enabled: { name: 'Activé' },
      gestit_id: { name: 'Numéro dans l’autre système' },
      open_weekdays: { name: 'Jours d’ouverture', kind: 'set', values: weekdayWords },
      weekly_minutes: { name: 'Minutes d’ouverture par semaine' },
      'bar_codes_configuration.siteCode': { name: 'Code du site' },
      'bar_codes_configuration.firstValue': { name: 'Premier numéro' },
    },
  },
  closures: {
    changedBy: ['PARAMETER_SITE'],
    actions: { 'closures.add': 'Ajout', 'closures.close': 'Fermeture' },
    fields: {
      site: { name: 'Site' },
      first_day: { name: 'Du', kind: 'day' },
      last_day: { name: 'Au', kind: 'day' },
      label: { name: 'Motif' },
    },
  },
  users: {
    changedBy: ['USER_EDIT'],
    actions: {
      'users.add': 'Ajout',
      'users.invite': 'Invitation faite',
      'users.invitation_link': 'Lien d’invitation remis',
      'password.set': 'Mot de passe donné',
      'password.change': 'Mot de passe changé',
      'password.reset': 'Mot de passe réinitialisé',
      'password.ask_reset': 'Lien de réinitialisation demandé',
      'password.choose': 'Premier mot de passe choisi',
      'password.first_start': 'Mot de passe du premier démarrage',
      'second_factor.recovery_code': 'Connexion par un code de secours',
      'second_factor.set': 'Deuxième facteur choisi',
      'second_factor.remove': 'Deuxième facteur retiré',
      'second_factor.renew_codes': 'Nouveaux codes de secours',
      'second_factor.take_away': 'Deuxième facteur retiré par un autre',
      'session.open': 'Connexion',
      'session.close': 'Déconnexion',
      'session.revoke': 'Session fermée',
      'session.revoke_all': 'Sessions fermées',
    },
    fields: {
      username: { name: 'Identifiant' },
      firstname: { name: 'Prénom' },
      lastname: { name: 'Nom' },
      email: { name: 'Courriel' },
      role: { name: 'Profil' },
      added_rights: { name: 'Droits en plus du profil', kind: 'set', values: rightSentences },
      removed_rights: { name: 'Droits du profil retirés', kind: 'set', values: rightSentences },
      sites: { name: 'Sites' },
      enabled: { name: 'Compte ouvert' },
    },
  },
  list_types: {
    changedBy: ['PARAMETER_REFERENCE'],
    actions: { 'list_types.add': 'Ajout' },
    fields: {
      name: { name: 'Nom' },
      group: { name: 'Groupe', values: listGroupWords },
      isMainAuthor: { name: 'Auteur principal' },
      enabled: { name: 'Activée' },
    },
  },
  list_values: {
    changedBy: ['PARAMETER_REFERENCE'],
    actions: { 'list_values.add': 'Ajout', 'list_values.merge': 'Fusion' },
    fields: { name: { name: 'Nom' }, type: { name: 'Fonction' }, enabled: { name: 'Activée' } },
  },
  profiles: {
    changedBy: ['PARAMETER_LAW'],
    actions: { 'profiles.add': 'Ajout' },
    fields: {
      name: { name: 'Nom' },
      second_factor: { name: 'Deuxième facteur obligatoire' },
      rights: { name: 'Droits', kind: 'set', values: rightSentences },
    },
  },
} as const satisfies Record<string, Journalled>

export type JournalledEntity = keyof typeof ownWords | SettingsListName

/** Every record whose journal can be read, in the words of its screen. */
export const journalWords: Readonly<Record<JournalledEntity, Journalled>> = {
  ...ownWords,
  ...(Object.fromEntries(settingsLists.map((list) => [list.name, wordsOfList(list)])) as Record<
    SettingsListName,
    Journalled
  >),
}
