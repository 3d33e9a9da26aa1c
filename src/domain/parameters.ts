import { longestLoanDays } from './loan-rules.ts'
import { ofName } from './person-names.ts'

type Kind =
  | { kind: 'flag' }
  | { kind: 'number'; from: number; to: number; unit: string; orZero?: 'pour tout garder' }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'text'; faultOf: (value: string) => string | null }

type Row = Kind & {
  delivered: string
  label: string
  /** Whether a device needs it off line: only these parameters are sent to devices. */
  isForCounter?: true
}

const flag = (delivered: '0' | '1', label: string) => ({ kind: 'flag', delivered, label }) as const

const number = (delivered: string, range: [from: number, to: number, unit: string], label: string) => {
  const [from, to, unit] = range
  return { kind: 'number', from, to, unit, delivered, label } as const
}

const forCounter = { isForCounter: true } as const

/** Every parameter: a code that is not here does not compile. */
export const deliveredParameters = {
  work_council: {
    kind: 'text',
    delivered: 'Comptoir',
    label: 'Nom de l’organisation',
    faultOf: (value) => (value === '' ? 'Le nom de l’organisation ne doit pas être vide.' : null),
    ...forCounter,
  },
  timezone: {
    kind: 'text',
    delivered: 'Europe/Paris',
    label: 'Fuseau horaire de la bibliothèque',
    faultOf: (value) => (isTimeZone(value) ? null : unknownTimeZone),
    ...forCounter,
  },
  multisite: { ...flag('0', 'Plusieurs sites'), ...forCounter },
  fast_input: { ...flag('1', 'Saisie rapide à l’accueil'), ...forCounter },
  by_site_beneficiaries: { ...flag('0', 'Lecteurs limités au site courant'), ...forCounter },
  // The smallest value is the time to fetch a card; the largest is an hour.
  counter_copy_wait_seconds: {
    ...number(
      '60',
      [10, 3600, 'secondes'],
      'Accueil\u202f: secondes pendant lesquelles un exemplaire attend un lecteur',
    ),
    ...forCounter,
  },
  counter_reader_idle_seconds: {
    ...number(
      '90',
      [10, 3600, 'secondes'],
      'Accueil\u202f: secondes sans geste après lesquelles le lecteur est grisé',
    ),
    ...forCounter,
  },
  counter_reader_forget_seconds: {
    ...number(
      '180',
      [10, 3600, 'secondes'],
      'Accueil\u202f: secondes sans geste après lesquelles la carte du lecteur est à scanner de nouveau',
    ),
    ...forCounter,
  },
  relative_search: { ...flag('0', 'Recherche parmi les proches'), ...forCounter },
  reservations_without_dates: {
    ...flag('1', 'Réservations sans dates, en file d’attente'),
    ...forCounter,
  },
  calendar_week_day: {
    kind: 'choice',
    choices: ['1', '2', '3', '4', '5', '6', '7'],
    delivered: '4',
    label: 'Premier jour de la semaine du calendrier (lundi 1 à dimanche 7)',
    ...forCounter,
  },
  delay_days_number_before_penalize: {
    ...number('0', [0, 3650, 'jours'], 'Jours de grâce avant pénalité'),
    ...forCounter,
  },
  penalty_open_days_only: { ...flag('0', 'Pénalités\u202f: jours d’ouverture seulement'), ...forCounter },
  longest_loan_days: {
    ...number(
      '366',
      [1, longestLoanDays, 'jours'],
      'Durée du plus long prêt, en jours\u202f; au-delà, un motif est demandé',
    ),
    ...forCounter,
  },
  earliest_start_days: {
    ...number(
      '30',
      [0, 366, 'jours'],
      'Jours avant le prêt où il peut commencer au plus tôt\u202f; au-delà, un motif est demandé',
    ),
    ...forCounter,
  },
  latest_start_days: {
    ...number(
      '90',
      [0, 366, 'jours'],
      'Jours après le prêt où il peut commencer au plus tard\u202f; au-delà, un motif est demandé',
    ),
    ...forCounter,
  },
  recap_email: flag('0', 'Courriel récapitulatif'),
  reminder_hour: number(
    '7',
    [0, 23, 'heures'],
    'Heure à partir de laquelle partent les courriels du jour (0 à 23)',
  ),
  online_booking_enabled: flag('0', 'Réservation en ligne'),
  enable_reservations_amount: flag('0', 'Montant des réservations'),
  multiple_reservations: flag('0', 'Plusieurs réservations par lecteur'),
  reservation_pickup_days: {
    ...number(
      '7',
      [0, 366, 'jours'],
      'Jours d’ouverture pendant lesquels un exemplaire mis de côté attend (0\u202f: sans limite)',
    ),
    ...forCounter,
  },
  sync_relatives: flag('0', 'Synchroniser les proches'),
  cms_show_all_sites_copies: flag('0', 'Montrer en ligne les exemplaires de tous les sites'),
  barCodesIncrement: flag('1', 'Numéroter les codes-barres'),
  idle_lock_minutes: {
    ...number('0', [0, 240, 'minutes'], 'Minutes sans geste avant de verrouiller l’écran (0\u202f: jamais)'),
    ...forCounter,
  },
  barCodesSiteCodePosition: {
    kind: 'choice',
    choices: ['START', 'END'],
    delivered: 'START',
    label: 'Place du code du site dans le code-barres',
  },
  // Sessions last a month, so an open page never remembers more of the journal than is kept.
  journal_months: {
    ...number(
      '24',
      [3, 600, 'mois'],
      'Mois pendant lesquels le journal des actions est gardé (0\u202f: toujours)',
    ),
    orZero: 'pour tout garder',
  },
  // A device may bring an action back for 45 days, and a stored answer names its reader.
  retention_months: number(
    '4',
    [3, 120, 'mois'],
    'Mois après le retour au bout desquels un prêt est coupé de son lecteur',
  ),
  retention_inactive_months: {
    ...number(
      '12',
      [6, 240, 'mois'],
      'Mois sans prêt, prolongation ni retour au bout desquels un lecteur est proposé à l’effacement',
    ),
    orZero: 'pour tout garder',
  },
} as const satisfies Record<string, Row>

type Rows = typeof deliveredParameters
export type ParameterCode = keyof Rows
type CodesOf<K extends Kind['kind']> = {
  [C in ParameterCode]: Rows[C] extends { kind: K } ? C : never
}[ParameterCode]
export type FlagCode = CodesOf<'flag'>
export type NumberCode = CodesOf<'number'>
export type TextCode = CodesOf<'text' | 'choice'>

export const parameterCodes = Object.keys(deliveredParameters) as ParameterCode[]
export const counterParameters = parameterCodes.filter(
  (code) => (deliveredParameters[code] as Row).isForCounter === true,
)

/** Codes that archives of before still have: nothing reads them any more. */
export const retiredParameters: readonly string[] = ['counter_refused_form_seconds']

/** Why the text is no value of this parameter, or null. Codes of another version take any text. */
export function parameterFault(code: string, value: string): string | null {
  if (!isParameterCode(code)) return null
  const row: Row = deliveredParameters[code]
  switch (row.kind) {
    case 'flag':
      return /^[01]$/.test(value) ? null : 'Cette valeur doit être 0 ou 1.'
    case 'number': {
      const { from, to, unit, orZero } = row
      const given = /^\d{1,4}$/.test(value) ? Number(value) : NaN
      if ((given >= from && given <= to) || (orZero && given === 0)) return null
      const elsewise = orZero ? `, ou 0 ${orZero}` : ''
      return `Cette valeur doit être un nombre entier ${ofName(unit)}, de ${from} à ${to}${elsewise}.`
    }
    case 'choice':
      return row.choices.includes(value) ? null : `Cette valeur doit être ${inWords(row.choices)}.`
    case 'text':
      return row.faultOf(value)
  }
}

const isParameterCode = (code: string): code is ParameterCode => Object.hasOwn(deliveredParameters, code)

const inWords = (choices: readonly string[]) =>
  `${choices.slice(0, -1).join(', ')} ou ${choices.at(-1) ?? ''}`

export const unknownTimeZone = 'Ce fuseau horaire n’existe pas\u202f: écrivez-le comme Europe/Paris.'

/** IANA names only: `Intl` would also accept offsets, which know no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z]\w*(\/[\w+-]+)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('fr-FR', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
