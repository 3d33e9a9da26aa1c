import { penaltyOf, type PenaltyRule } from '../../domain/loan-rules.ts'
import { libraryToday } from '../../offline/counter.ts'
import type { Entry } from '../../offline/entry.ts'
import { judgeLend } from '../../offline/judge-lend.ts'
import { knownCalendarOf } from '../../offline/known-library.ts'
import { OutboxWriteError } from '../../offline/outbox.ts'
import { CallError } from '../api/call-error.ts'
import { currentSession } from '../api/session.ts'
import type { FindScan } from '../find/find-scan.ts'
import type { ScannedCopy } from '../find/found.ts'
import { askEligibility } from '../lending/ask-eligibility.ts'
import { counterActions, whyNotKept } from '../outbox/keep-actions.ts'
import { readEntry } from '../outbox/outbox-entries.ts'
import { awaitedBy } from '../reservations/awaited.ts'
import type { LaneReader } from './lane.ts'
import type { Answers, Ask, AskOf, Keeping, Trouble } from './lane-happenings.ts'
import type { LoanJudged } from './lane-rules.ts'

// What the engine asks of the device and of the server. Each throws what its line is to tell.

/** Given anew at each render, because rights and parameters may change. */
export type LaneTools = {
  find: FindScan
  username: string
  /** Days late before a penalty (parameter). */
  penalties: PenaltyRule
  /** The search of a name that was typed. */
  nameOf: (search: number) => Promise<LaneReader | null>
}

type Answer = Answers[Ask['ask']]

export async function work(ask: Ask, tools: LaneTools): Promise<Answer> {
  switch (ask.ask) {
    case 'find':
      return tools.find(ask.code, ask.symbology)
    case 'find-to-return':
      return tools.find(ask.code, ask.symbology)
    case 'name':
      return tools.nameOf(ask.search)
    case 'judge':
      return judge(ask)
    case 'judge-return':
      return judgeReturn(ask.copy, tools.penalties)
    case 'keep':
      return keep(ask)
    case 'receive':
      return receive(ask.copy)
    case 'entry':
      return readEntry(ask.id)
    case 'drop':
      return (await import('../../offline/outbox-decisions.ts')).dropEntry(ask.id, tools.username, ask.reason)
    case 'undo':
      return (await import('./lane-undo.ts')).undo(ask, tools.username)
  }
}

export const troubleOf = (error: unknown): Trouble => ({
  message: whyNotKept(error),
  message_beside_kept: whyNotKept(error, 'Ce qui vient d’être demandé n’a pas abouti. Réessayez.'),
  unsaved: error instanceof OutboxWriteError ? error.entry : null,
  is_call: error instanceof CallError,
  is_network: error instanceof CallError && error.isNoNetwork,
})

async function judge({ known, to, choice }: AskOf<'judge'>): Promise<LoanJudged> {
  const today = await libraryToday()
  const judged = await judgeLend({ ...known, loan: null }, to.reader.id, today, {
    site: currentSession()?.site?.id,
  })
  const { obstacle, refusals } = judged
  const isAsked = !obstacle && refusals.length > 0 && choice.override_reason === undefined
  // The device's own refusals stand where the server tells nothing, for whatever reason.
  const reasons = isAsked ? await askEligibility(to.reader.id, known.copy.id, null).catch(() => null) : null
  return { today, judged, server: reasons && { eligible: reasons.length === 0, messages: reasons } }
}

async function judgeReturn(
  { known, loan }: ScannedCopy,
  rule: PenaltyRule,
): Promise<Answers['judge-return']> {
  const today = await libraryToday()
  const end_date = loan?.end_date ?? null
  const none = { today, penalty: null, open_days: rule.open_days_only ? 0 : null }
  if (!loan || end_date === null || !known?.medium || end_date >= today) return none
  // The copy is taken back, whether or not the device can reckon a penalty.
  const calendar = await knownCalendarOf(loan.site).catch(() => null)
  const penalty = calendar && penaltyOf({ end_date, return_date: today }, rule, known.medium, calendar)
  if (!penalty) return none
  const { penalty_amount, penalty_duration } = penalty
  return { today, penalty: penalty_amount, open_days: rule.open_days_only ? penalty_duration : null }
}

async function keep({ action }: Keeping): Promise<Answers['keep']> {
  const { id } = await record(action)
  return { entry_id: id }
}

function record(action: Keeping['action']): Promise<Entry> {
  switch (action.do) {
    case 'lend':
      return counterActions.lend(action.gesture)
    case 'lend-to-verify':
      return counterActions.lendToVerify(action.gesture)
    case 'return':
      return counterActions.giveBack(action.gesture)
  }
}

/** Receives a copy that another site sent here, which only the server can note. */
async function receive({ known }: ScannedCopy): Promise<Answers['receive']> {
  const { receiveCopy } = await import('../catalogue/receive-copy.ts')
  const received = await receiveCopy(known?.copy.id ?? 0)
  if (!received) return null
  const { from, copy } = received
  return { from, awaited: awaitedBy(copy.reservations, copy.id, await libraryToday()) }
}
