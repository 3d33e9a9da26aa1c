import type { CartScan } from '../../contract/weeding.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { type CopyState, copyStates } from '../../domain/loan-rules.ts'
import {
  type CartVerdict,
  type IdleChoice,
  idleWords,
  moreThanWords,
  type WeedingReason,
  weedingReasonCodes,
  weedingReasons,
} from '../../domain/weeding.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import type { Tone } from '../ui/status-tag.tsx'

export const addressOfCart = '/weeding/cart'
export const addressOfPast = '/weeding/past'

export const reasonChoices = weedingReasonCodes.map((value) => ({ value, label: weedingReasons[value] }))
export const wordOf = (reason: WeedingReason | null): string =>
  reason === null ? '' : weedingReasons[reason]

/** What is said of a scan by word, colour and sound. */
export const verdictWords: Record<CartVerdict, { word: string; tone: Tone; signal: ScanSignal }> = {
  added: { word: 'Au panier', tone: 'good', signal: 'success' },
  awaited: { word: 'Au panier, attendu', tone: 'warn', signal: 'warning' },
  already: { word: 'Déjà au panier', tone: 'quiet', signal: 'warning' },
  lent: { word: 'En prêt', tone: 'wait', signal: 'warning' },
  sent: { word: 'En transfert', tone: 'wait', signal: 'warning' },
  reserved: { word: 'Réservé', tone: 'warn', signal: 'warning' },
  elsewhere: { word: 'Autre site', tone: 'warn', signal: 'warning' },
  withdrawn: { word: 'Déjà retiré', tone: 'bad', signal: 'refusal' },
  unknown: { word: 'Inconnu', tone: 'bad', signal: 'refusal' },
}

/** Beside the word: what is known of it, or to be done with the copy in hand. */
export function sentenceOfScan({ verdict, site_name, who }: CartScan): string {
  switch (verdict) {
    case 'added':
      return ''
    case 'awaited':
      return 'Quelqu’un attend ce titre, et c’en est le dernier exemplaire.'
    case 'already':
      return who === null ? '' : `Mis par ${who}.`
    case 'lent':
      return 'Rendez-le d’abord.'
    case 'sent':
      return 'Confirmez d’abord son arrivée.'
    case 'reserved':
      return 'Un lecteur attend cet exemplaire.'
    case 'elsewhere':
      return site_name === null ? 'Il est d’un autre site.' : `Il est du site «\u00a0${site_name}\u00a0».`
    case 'withdrawn':
      return 'Il n’est plus au fonds.'
    case 'unknown':
      return ''
  }
}

/** What a list looks for, as the cart says why its copies are there. */
export function whyChosen(asked: Pick<URLSearchParams, 'get'>): string {
  const idle = asked.get('idle|eq')
  const most = asked.get('more_than|eq')
  const bought = asked.get('buy_date|lte')
  const lent = asked.get('last_loan|lte')
  const states = (asked.get('state|in') ?? '').split(',').filter((state) => state in copyStates)
  return [
    ...(idle && idle in idleWords ? [idleWords[idle as IdleChoice]] : []),
    ...(lent ? [`Dernier prêt jusqu’au ${frenchDay(lent)}`] : []),
    ...(states.length > 0 ? [states.map((state) => copyStates[state as CopyState]).join(' ou ')] : []),
    ...(most ? [moreThanWords(most)] : []),
    ...(bought ? [`Acquis jusqu’au ${frenchDay(bought)}`] : []),
  ]
    .join(' · ')
    .slice(0, 200)
}
