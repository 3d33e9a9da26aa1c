import type { Db, Environment, Trx } from '../db/environment.ts'

/** The environment's parameters by code (files 1 and 2); flags are the text 1 for true. */
export type Parameters = {
  get(code: string): string
  flag(code: string): boolean
  number(code: string): number
}

/** Parameters delivered with a new environment, with what each is for. */
export const deliveredParameters: Record<string, [value: string, info: string]> = {
  work_council: ['Comptoir', 'Nom de l’organisation'],
  timezone: ['Europe/Paris', 'Fuseau horaire de la bibliothèque'],
  multisite: ['0', 'Plusieurs sites'],
  fast_input: ['1', 'Saisie rapide à l’accueil'],
  by_site_beneficiaries: ['0', 'Bénéficiaires limités au site courant'],
  relative_search: ['0', 'Recherche parmi les proches'],
  reservations_without_dates: ['1', 'Réservations sans dates, en file d’attente'],
  calendar_week_day: ['4', 'Premier jour de la semaine du calendrier (lundi 1 à dimanche 7)'],
  delay_days_number_before_penalize: ['0', 'Jours de grâce avant pénalité'],
  recap_email: ['0', 'Courriel récapitulatif'],
  online_booking_enabled: ['0', 'Réservation en ligne'],
  enable_reservations_amount: ['0', 'Montant des réservations'],
  multiple_reservations: ['0', 'Plusieurs réservations par bénéficiaire'],
  sync_relatives: ['0', 'Synchroniser les proches'],
  cms_show_all_sites_copies: ['0', 'Montrer en ligne les exemplaires de tous les sites'],
  barCodesIncrement: ['1', 'Numéroter les codes-barres'],
  barCodesSiteCodePosition: ['START', 'Place du code du site dans le code-barres'],
}

export async function readParameters(db: Db | Trx): Promise<Parameters> {
  const rows = await db.selectFrom('parameters').select(['code', 'value']).execute()
  const values = new Map(rows.map(({ code, value }) => [code, value]))
  const get = (code: string) => values.get(code) ?? deliveredParameters[code]?.[0] ?? ''
  return { get, flag: (code) => get(code) === '1', number: (code) => Number(get(code)) || 0 }
}

// Read on every call and changed once a month: kept for a moment, dropped by the process that changes them.
const keptFor = 2000
const kept = new WeakMap<Environment, { until: number; parameters: Promise<Parameters> }>()

export function currentParameters(environment: Environment): Promise<Parameters> {
  const found = kept.get(environment)
  if (found && found.until > performance.now()) return found.parameters
  const parameters = readParameters(environment.db)
  parameters.catch(() => kept.delete(environment))
  kept.set(environment, { until: performance.now() + keptFor, parameters })
  return parameters
}

export const forgetParameters = (environment: Environment) => kept.delete(environment)
