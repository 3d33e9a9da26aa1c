const flags = new Set([
  'multisite',
  'fast_input',
  'by_site_beneficiaries',
  'relative_search',
  'reservations_without_dates',
  'recap_email',
  'online_booking_enabled',
  'enable_reservations_amount',
  'multiple_reservations',
  'sync_relatives',
  'cms_show_all_sites_copies',
  'barCodesIncrement',
])

const longestGrace = 3650

/** Why a value does not suit a parameter, as a sentence, or null. Codes without a rule of their own take any text. */
export function parameterFault(code: string, value: string): string | null {
  if (flags.has(code)) return /^[01]$/.test(value) ? null : 'Cette valeur doit être 0 ou 1.'
  switch (code) {
    case 'work_council':
      return value === '' ? 'Le nom de l’organisation ne doit pas être vide.' : null
    case 'timezone':
      return isTimeZone(value) ? null : 'Ce fuseau horaire n’existe pas\u202f: écrivez-le comme Europe/Paris.'
    case 'calendar_week_day':
      return /^[1-7]$/.test(value) ? null : 'Cette valeur doit être un jour de 1 (lundi) à 7 (dimanche).'
    case 'delay_days_number_before_penalize':
      return /^\d{1,4}$/.test(value) && Number(value) <= longestGrace
        ? null
        : `Cette valeur doit être un nombre entier de jours, de 0 à ${longestGrace}.`
    case 'barCodesSiteCodePosition':
      return value === 'START' || value === 'END' ? null : 'Cette valeur doit être START ou END.'
    default:
      return null
  }
}

/** Names of the IANA base only: `Intl` would also take offsets, which know no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z]\w*(\/[\w+-]+)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('fr-FR', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
