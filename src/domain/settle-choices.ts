import type { RefusalReason } from './refusal-reasons.ts'
import type { Right } from './rights.ts'
import type { SettleChoice } from './settle-choice-codes.ts'

type SettleNeed = 'motive' | 'bar_code' | 'beneficiary_code' | 'instant'

type Choice = {
  /** What changes in the database: `note` only writes a line in the journal. */
  effect: 'lend' | 'return' | 'note'
  label: string
  /** Required besides LOANING_ADD or LOANING_RETURN, which the effect itself takes. */
  right: Right | null
  need: SettleNeed | null
}

/** How a person settles a refused action (design: offline, « Conflicts and what the person is offered »). */
const settleChoices = {
  ALREADY_RECORDED: { effect: 'note', label: 'Déjà enregistré', right: null, need: null },
  CLOSE_AND_LEND: {
    effect: 'lend',
    label: 'Clore l’ancien prêt et prêter',
    right: 'LOANING_RETURN',
    need: null,
  },
  NOT_HANDED_OVER: { effect: 'note', label: 'Non remis au lecteur', right: null, need: null },
  SEEN_ON_SHELF: { effect: 'note', label: 'Vu en rayon', right: null, need: null },
  IGNORE: { effect: 'note', label: 'Ignorer', right: null, need: null },
  KEEP_NEWER: { effect: 'note', label: 'Garder le prêt le plus récent', right: null, need: null },
  RETURN_FOR_HOLDER: { effect: 'return', label: 'Clore le prêt en cours', right: null, need: null },
  SET_ASIDE_FOR_READER: {
    effect: 'note',
    label: 'Mettre de côté pour la réservation',
    right: null,
    need: null,
  },
  LEND_DESPITE_RESERVATION: {
    effect: 'lend',
    label: 'Prêter malgré la réservation',
    // Whoever may lend confirms a reserved copy.
    right: null,
    need: null,
  },
  OVERRIDE: { effect: 'lend', label: 'Prêter malgré le refus', right: 'LOANING_OVERRIDE', need: 'motive' },
  LEND_WITHIN_BOUNDS: { effect: 'lend', label: 'Prêter dans les limites', right: null, need: null },
  RECALL: { effect: 'lend', label: 'Rappeler le lecteur', right: null, need: null },
  LINK_LEND: { effect: 'lend', label: 'Relier à un exemplaire', right: null, need: 'bar_code' },
  LINK_READER: { effect: 'lend', label: 'Relier à un lecteur', right: null, need: 'beneficiary_code' },
  LINK_RETURN: { effect: 'return', label: 'Relier à un exemplaire', right: null, need: 'bar_code' },
  RECORD_UNKNOWN_RETURN: { effect: 'note', label: 'Noter le retour', right: null, need: null },
  DATE_LEND: { effect: 'lend', label: 'Choisir la date', right: null, need: 'instant' },
  DATE_RETURN: { effect: 'return', label: 'Choisir la date', right: null, need: 'instant' },
} as const satisfies Record<SettleChoice, Choice>

export const choiceOf = (code: SettleChoice): Choice => settleChoices[code]

/** `CLOCK`: a day or an instant was refused. */
type Choices = { [reason in RefusalReason | 'CLOCK']?: readonly SettleChoice[] }

export type SettledKind = 'lend' | 'return'

const forLend: Choices = {
  ALREADY_LENT_TO_SAME: ['ALREADY_RECORDED'],
  ALREADY_LENT: ['CLOSE_AND_LEND', 'NOT_HANDED_OVER'],
  NEWER_LOAN: ['NOT_HANDED_OVER'],
  RESERVED: ['SET_ASIDE_FOR_READER', 'LEND_DESPITE_RESERVATION'],
  NOT_ELIGIBLE: ['OVERRIDE', 'RECALL', 'NOT_HANDED_OVER'],
  BEYOND_BOUNDS: ['LEND_WITHIN_BOUNDS', 'OVERRIDE', 'NOT_HANDED_OVER'],
  COPY_WITHDRAWN: ['LINK_LEND', 'NOT_HANDED_OVER'],
  COPY_UNAVAILABLE: ['LINK_LEND', 'NOT_HANDED_OVER'],
  COPY_UNKNOWN: ['LINK_LEND', 'NOT_HANDED_OVER'],
  READER_UNKNOWN: ['LINK_READER', 'NOT_HANDED_OVER'],
  CLOCK: ['DATE_LEND', 'NOT_HANDED_OVER'],
}

const forReturn: Choices = {
  NO_OPEN_LOAN: ['SEEN_ON_SHELF', 'IGNORE'],
  LOAN_CANCELLED: ['SEEN_ON_SHELF', 'IGNORE'],
  LOAN_NOT_MADE: ['RETURN_FOR_HOLDER', 'SEEN_ON_SHELF', 'IGNORE'],
  ALREADY_RETURNED: ['ALREADY_RECORDED'],
  NEWER_LOAN: ['KEEP_NEWER'],
  COPY_UNKNOWN: ['LINK_RETURN', 'RECORD_UNKNOWN_RETURN'],
  COPY_WITHDRAWN: ['LINK_RETURN', 'RECORD_UNKNOWN_RETURN'],
  CLOCK: ['DATE_RETURN', 'IGNORE'],
}

type Refused = { code: number; reason: RefusalReason | null; fields?: readonly string[] }

const told = ['occurred_at', 'start_date', 'expected_return_date']
const named = ['copy', 'bar_code']
const lentTo = ['beneficiary', 'beneficiary_code']

/** The usual choice first; empty where a right or a site is missing, or another person was refused. */
export function choicesFor(
  kind: SettledKind,
  { code, reason, fields = [] }: Refused,
): readonly SettleChoice[] {
  if (code === 403 || reason === 'KEY_OF_ANOTHER') return []
  const known = kind === 'lend' ? forLend : forReturn
  const found = reason === null ? undefined : known[reason]
  if (found) return found
  if (reason === 'CLOCK_OFF' || fields.some((field) => told.includes(field))) return known['CLOCK'] ?? []
  if (kind === 'return') return ['IGNORE']
  if (fields.some((field) => named.includes(field))) return ['LINK_LEND', 'NOT_HANDED_OVER']
  return fields.some((field) => lentTo.includes(field))
    ? ['LINK_READER', 'NOT_HANDED_OVER']
    : ['NOT_HANDED_OVER']
}
