import type { Medium } from '../../contract/media.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { eligibilityRefusals, type EligibilityFacts } from '../../domain/loan-rules.ts'
import { type Verdict, verdictOf } from '../../offline/verdict.ts'
import type { HeldLoan } from './held-loan.ts'

export type ReaderRules = Omit<EligibilityFacts['beneficiary'], 'is_active'>

/** A verdict before any copy; `limits` close only some media. */
type ReaderVerdict = { verdict: Verdict; limits: { message: string; media: string[] }[] }

type Facts = {
  /** Null where nobody told. */
  rules: ReaderRules | null
  held: readonly Pick<HeldLoan, 'medium' | 'late'>[]
  media: readonly Medium[]
  today: CalendarDay
  doubts: readonly string[]
}

/** A reference without a medium has no limit, so its refusal refuses everything. */
const anyMedium = {
  name: '',
  max_loaning: null,
  max_late: null,
  eligibility: { contracts: [], statuses: [], dossiers: [] },
}

/** Red when nothing may be borrowed, else green or amber. */
export function judgeReader({ rules, held, media, today, doubts }: Facts): ReaderVerdict {
  if (rules === null) return { verdict: verdictOf([], doubts), limits: [] }
  const refusalsOf = (medium: EligibilityFacts['medium'], open_loans: number): string[] =>
    eligibilityRefusals({
      start_date: today,
      beneficiary: { ...rules, is_active: true },
      medium,
      open_loans,
      late_loans: held.filter(({ late }) => late).length,
    }).map(({ message }) => message)
  const always = refusalsOf(anyMedium, 0)
  if (always.length > 0) return { verdict: verdictOf(always, doubts), limits: [] }

  const closed = media
    .map((medium) => ({
      medium,
      messages: refusalsOf(medium, held.filter((loan) => loan.medium === medium.id).length),
    }))
    .filter(({ messages }) => messages.length > 0)
  if (media.length > 0 && closed.length === media.length) {
    const all = new Set(closed.flatMap(({ messages }) => messages))
    return { verdict: verdictOf([...all], doubts), limits: [] }
  }
  const limits = new Map<string, string[]>()
  for (const { medium, messages } of closed) {
    for (const message of messages) limits.set(message, [...(limits.get(message) ?? []), medium.name])
  }
  return {
    verdict: verdictOf([], doubts),
    limits: [...limits].map(([message, names]) => ({ message, media: names })),
  }
}
