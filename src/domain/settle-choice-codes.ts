/** Apart from what each means, which the counter need not load. */
export const settleChoiceCodes = [
  'ALREADY_RECORDED',
  'CLOSE_AND_LEND',
  'NOT_HANDED_OVER',
  'SEEN_ON_SHELF',
  'IGNORE',
  'KEEP_NEWER',
  'RETURN_FOR_HOLDER',
  'SET_ASIDE_FOR_READER',
  'LEND_DESPITE_RESERVATION',
  'OVERRIDE',
  'LEND_WITHIN_BOUNDS',
  'RECALL',
  'LINK_LEND',
  'LINK_READER',
  'LINK_RETURN',
  'RECORD_UNKNOWN_RETURN',
  'DATE_LEND',
  'DATE_RETURN',
] as const

export type SettleChoice = (typeof settleChoiceCodes)[number]
