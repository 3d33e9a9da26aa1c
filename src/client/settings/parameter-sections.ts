import type { ParameterCode } from '../../domain/parameters.ts'

/** What each changes, in one sentence. */
export const parameterWords: Record<ParameterCode, string> = {
  work_council: 'Le nom que portent la barre du haut, les bordereaux et les courriels.',
  timezone: 'Décide du jour d’un prêt et des retards\u202f: écrit comme Europe/Paris.',
  multisite: 'Chacun choisit son site à la connexion, et les sites sont nommés partout.',
  by_site_beneficiaries: 'Au comptoir d’un site, seuls ses lecteurs se trouvent.',
  fast_input: 'À l’accueil, un exemplaire scanné est prêté ou rendu aussitôt.',
  relative_search: 'Les proches se trouvent parmi les lecteurs, sous leur propre nom.',
  counter_copy_wait_seconds: 'Après ce temps, un exemplaire scanné sans lecteur est oublié.',
  counter_reader_idle_seconds: 'Après ce temps, le lecteur choisi est grisé pour qu’on le vérifie.',
  counter_reader_forget_seconds: 'Après ce temps, rien n’est prêté avant un nouveau scan de la carte.',
  idle_lock_minutes: 'Un poste laissé seul demande de nouveau le mot de passe.',
  delay_days_number_before_penalize: 'Un retard qui ne les dépasse pas ne coûte rien.',
  penalty_open_days_only: 'Les jours de fermeture d’un retard ne coûtent rien.',
  longest_loan_days: 'Un prêt plus long demande un motif et le droit de passer outre.',
  earliest_start_days: 'Un prêt daté de plus tôt demande un motif et le droit de passer outre.',
  latest_start_days: 'Un prêt daté de plus tard demande un motif et le droit de passer outre.',
  reservations_without_dates: 'On réserve en prenant rang dans une file, au lieu de choisir des dates.',
  reservation_pickup_days:
    'Passé ce délai, «\u00a0À retirer\u00a0» propose de passer au suivant\u202f; rien ne s’annule seul.',
  multiple_reservations: 'Un lecteur peut réserver plusieurs fois la même référence.',
  enable_reservations_amount: 'Le montant estimé est montré en réservant et dans le courriel.',
  online_booking_enabled: 'Le site internet peut réserver, pour les supports qui le permettent.',
  cms_show_all_sites_copies: 'Dit au site internet de montrer tous les sites\u202f: rien ne change ici.',
  calendar_week_day: 'Le jour par lequel commence chaque semaine du calendrier.',
  barCodesIncrement: 'Un nouvel exemplaire reçoit le prochain code de son site, sinon on l’écrit.',
  barCodesSiteCodePosition: 'Où le code du site se joint au numéro\u202f: les codes déjà donnés restent.',
  sync_relatives:
    'La synchronisation écrira aussi les proches\u202f; cette version n’écrit que les lecteurs.',
  recap_email: 'Enregistré activé, il envoie à chacun le récapitulatif de ses prêts en cours, puis s’éteint.',
  reminder_hour: 'Rappels et annonces d’échéance du jour\u202f: à l’heure de la bibliothèque, jamais avant.',
  journal_months: 'Ce qui est plus ancien est effacé du journal\u202f; les prêts restent.',
  retention_months:
    'La nuit, une fois votre accord donné sous «\u00a0Données personnelles\u00a0»\u202f; les chiffres restent.',
  retention_inactive_months: 'Rien ne s’efface seul\u202f: la liste vous est proposée (0\u202f: jamais).',
}

/** The screen of them all, at one of them or at a section. */
export const addressOfParameter = (place: string | null): string =>
  `/settings/global${place === null ? '' : `#${place}`}`

/** `id`: its place in the address of the screen. */
type Section = { id: string; title: string; codes: readonly ParameterCode[] }

export const parameterSections: readonly Section[] = [
  {
    id: 'library',
    title: 'Bibliothèque',
    codes: ['work_council', 'timezone', 'multisite', 'by_site_beneficiaries'],
  },
  {
    id: 'counter',
    title: 'Comptoir',
    codes: [
      'fast_input',
      'relative_search',
      'counter_copy_wait_seconds',
      'counter_reader_idle_seconds',
      'counter_reader_forget_seconds',
      'idle_lock_minutes',
    ],
  },
  {
    id: 'loans',
    title: 'Prêts',
    codes: [
      'delay_days_number_before_penalize',
      'penalty_open_days_only',
      'longest_loan_days',
      'earliest_start_days',
      'latest_start_days',
    ],
  },
  {
    id: 'reservations',
    title: 'Réservations',
    codes: [
      'reservations_without_dates',
      'multiple_reservations',
      'reservation_pickup_days',
      'enable_reservations_amount',
      'online_booking_enabled',
      'cms_show_all_sites_copies',
      'calendar_week_day',
    ],
  },
  { id: 'bar-codes', title: 'Codes-barres', codes: ['barCodesIncrement', 'barCodesSiteCodePosition'] },
  {
    id: 'data-and-mails',
    title: 'Données et courriels',
    codes: ['sync_relatives', 'recap_email', 'reminder_hour', 'journal_months'],
  },
  {
    id: 'personal-data',
    title: 'Données personnelles',
    codes: ['retention_months', 'retention_inactive_months'],
  },
]
