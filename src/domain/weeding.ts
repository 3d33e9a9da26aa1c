import type { CopyState } from './loan-rules.ts'

/** Where a weeded copy goes; its word is what the copy keeps as the reason of its withdrawal. */
export const weedingReasons = {
  given: 'Donné',
  sold: 'Vendu',
  destroyed: 'Détruit (pilon)',
  lost: 'Perdu',
} as const
export type WeedingReason = keyof typeof weedingReasons
export const weedingReasonCodes = Object.keys(weedingReasons) as [WeedingReason, ...WeedingReason[]]

/** « 4 exemplaires donnés », « 3 exemplaires : 2 donnés, 1 perdu ». */
export function weedingName(reasons: readonly WeedingReason[]): string {
  const counts = weedingReasonCodes
    .map((reason) => ({ reason, count: reasons.filter((one) => one === reason).length }))
    .filter(({ count }) => count > 0)
  const many = reasons.length === 1 ? 'Un exemplaire' : `${reasons.length} exemplaires`
  const [first, ...others] = counts
  if (!first) return many
  return others.length === 0
    ? `${many} ${reasonWord(first)}`
    : `${many}\u202f: ${counts.map((one) => `${one.count} ${reasonWord(one)}`).join(', ')}`
}

const reasonWord = ({ reason, count }: { reason: WeedingReason; count: number }): string =>
  count === 1 ? weedingReasons[reason].toLowerCase() : reasonsOfMany[reason]
const reasonsOfMany: Record<WeedingReason, string> = {
  given: 'donnés',
  sold: 'vendus',
  destroyed: 'détruits (pilon)',
  lost: 'perdus',
}

/** Months without a loan, by what a list asks; `never`: not once. */
export const idleChoices = ['never', '6', '12', '24', '36', '60', '120'] as const
export type IdleChoice = (typeof idleChoices)[number]
export const idleWords: Record<IdleChoice, string> = {
  never: 'Jamais prêté',
  6: 'Pas prêté depuis 6 mois',
  12: 'Pas prêté depuis 1 an',
  24: 'Pas prêté depuis 2 ans',
  36: 'Pas prêté depuis 3 ans',
  60: 'Pas prêté depuis 5 ans',
  120: 'Pas prêté depuis 10 ans',
}

/** More than so many copies of one title at the site. */
export const moreThanChoices = ['1', '2', '3', '4', '5', '10'] as const
export const moreThanWords = (most: string): string =>
  `Plus ${most === '1' ? 'd’un exemplaire' : `de ${most} exemplaires`}`

/** What keeps a copy from being withdrawn. */
export const weedingStops = { lent: 'En prêt', sent: 'En transfert', reserved: 'Réservé' } as const
export type WeedingStop = keyof typeof weedingStops
export const weedingStopCodes = Object.keys(weedingStops) as [WeedingStop, ...WeedingStop[]]

/** « … » is so, as a sentence that refuses says it. */
export const stopSentence = (name: string, stop: WeedingStop): string =>
  `«\u00a0${name}\u00a0» est ${stoppedWords[stop]}\u202f: il ne peut pas être retiré du fonds.`
const stoppedWords: Record<WeedingStop, string> = {
  lent: 'en prêt',
  sent: 'en transfert',
  reserved: 'réservé par un lecteur',
}

/** What became of a scan into the cart; `awaited`: it is in, though somebody waits for this last copy. */
export const cartVerdicts = [
  'added',
  'awaited',
  'already',
  'lent',
  'sent',
  'reserved',
  'elsewhere',
  'withdrawn',
  'unknown',
] as const
export type CartVerdict = (typeof cartVerdicts)[number]

type Known = { state: CopyState; state_name: string; loans: number; last_loan: string | null }

/** Why a copy is weeded: what whoever chose it looked for, else what is known of it. */
export function whyWeeded({ why, ...known }: Known & { why: string }): string {
  return why === '' ? findingsOf(known) : why
}

function findingsOf({ state, state_name, loans, last_loan }: Known): string {
  const worn = state === 'DAMAGED' || state === 'UNUSABLE' ? [state_name] : []
  const lent = last_loan === null || loans === 0 ? 'Jamais prêté' : `Dernier prêt en ${last_loan.slice(0, 4)}`
  return [...worn, lent].join(' · ')
}
