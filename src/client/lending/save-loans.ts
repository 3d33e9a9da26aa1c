import type { Loan } from '../../contract/loans.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { LoanBounds } from '../../domain/loan-rules.ts'
import { articleLent, articlesLent } from '../../domain/sentences/loans.ts'
import { libraryToday } from '../../offline/counter.ts'
import type { VerifyGesture } from '../../offline/counter-actions.ts'
import { dropEntry } from '../../offline/outbox-decisions.ts'
import { currentConnection } from '../api/connection.ts'
import type { ChosenReader } from '../beneficiaries/reader-picker.tsx'
import { currentSession } from '../api/session.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import type { OpenAt } from '../loans/open-days.ts'
import { say } from '../page/messages.ts'
import { firstNames } from '../ui/words.ts'
import {
  type BasketLine,
  beyondOf,
  dueOf,
  failureBeyond,
  isSale,
  type LoanTerms,
  termsToSend,
} from './basket.ts'
import type { SoldLine } from './save-sales.ts'
import { counterActions, whyNotKept } from '../outbox/keep-actions.ts'
import { answerOf } from '../outbox/entry-answers.ts'
import { awaitedIn } from '../reservations/awaited.ts'
import { firstRefusal, violationsOf } from '../outbox/outbox-entries.ts'

export type SavedLoans = {
  /** Keys of what was recorded and not refused, in the order of the lines. */
  ids: string[]
  /** Loans that the server confirmed, and told. */
  loans: Loan[]
  /** Sales that the server confirmed. */
  sold: SoldLine[]
  /** What they were lent and sold of, for the sentence that says so. */
  titles: string[]
  /** Each loan's action, refused ones too, the day on which it is due, and who was passed over. */
  sent: ({ copy: number; id: string; due: CalendarDay } & Pick<BasketLine, 'passed'>)[]
  /** Lines that stay in the basket, each with its refusal or none when it was not recorded at all. */
  left: BasketLine[]
}

type Within = { bounds: LoanBounds; openAt: OpenAt }

/** A reader, or what was read on the card of one whom nobody here knows. */
type Borrower = ChosenReader | ReadCard
type ReadCard = { card: string }

/** Records a basket's lines and, on line, waits for answers; lines beyond the bounds need a motive. */
export async function saveBasket(
  lines: readonly BasketLine[],
  terms: LoanTerms,
  borrower: Borrower,
  within: Within,
): Promise<SavedLoans> {
  const lent = await saveLoans(
    lines.filter((line) => !isSale(line)),
    terms,
    borrower,
    within,
  )
  const sales = lines.filter(isSale)
  // Whoever only lends loads nothing of it.
  const { sold, left } =
    sales.length === 0 || 'card' in borrower
      ? { sold: [], left: sales }
      : await (await import('./save-sales.ts')).saveSales(sales, terms, borrower)
  const staying = new Map([...lent.left, ...left].map((line) => [line.copy.id, line]))
  const titles = [...lent.titles, ...sold.map(({ title }) => title)]
  return { ...lent, titles, sold, left: lines.flatMap(({ copy }) => staying.get(copy.id) ?? []) }
}

/** The specification's sentence. */
export function sayLent({ titles }: Pick<SavedLoans, 'titles'>): void {
  if (titles.length > 0)
    say(titles.length > 1 ? articlesLent : articleLent, 'good', { about: firstNames(titles) })
}

async function saveLoans(
  lines: readonly BasketLine[],
  terms: LoanTerms,
  borrower: Borrower,
  { bounds, openAt }: Within,
): Promise<Omit<SavedLoans, 'sold'>> {
  const sent: { line: BasketLine; id: string; due: CalendarDay }[] = []
  const notSent: BasketLine[] = []
  try {
    // The day it is now: the screen may have been open since yesterday.
    const today = await libraryToday()
    for (const line of lines) {
      const beyond = beyondOf(line, terms, { today, openAt }, bounds)
      if (beyond.length > 0) {
        notSent.push({ ...line, failure: failureBeyond(beyond, line.failure) })
        continue
      }
      const before = line.failure?.entry_id ?? null
      const due = dueOf(line, terms, { today, openAt })
      const relative = 'card' in borrower ? null : borrower.relative
      const chosen = termsToSend(line, terms, { relative, today })
      const resolves = before
      const entry = await ('card' in borrower || line.copy.is_code_alone
        ? counterActions.lendToVerify({ ...readOf(line.copy, borrower), relative, resolves, chosen })
        : counterActions.lend({ copy: line.copy, beneficiary: borrower.reader, due, resolves, chosen }))
      sent.push({ line, id: entry.id, due })
      // Only once the new action is kept; until then it waits behind the refused one.
      if (before !== null) await dropRefused(before, 'Prêté de nouveau')
    }
  } catch (error) {
    say(whyNotKept(error), 'bad')
  }
  const answers = await Promise.all(
    sent.map(async (one) => ({
      ...one,
      ...(await answerOf(one.id, () => currentConnection() === 'online')),
    })),
  )
  const accepted = answers.filter(({ kind }) => kind !== 'refused')
  const done = accepted.filter(({ kind }) => kind === 'done')
  if (accepted.length > done.length)
    say('Enregistré\u202f: le prêt partira dès que le serveur répondra.', 'warn')
  return {
    ids: accepted.map(({ id }) => id),
    // Also of what the server had already, and tells no more.
    titles: done.map(({ line }) => line.copy.name),
    sent: sent.map(({ line, id, due }) => ({ copy: line.copy.id, id, due, passed: line.passed })),
    loans: done.flatMap(({ entry }) => (entry?.receipt as Loan | null) ?? []),
    left: [
      ...notSent,
      ...answers.flatMap(({ line, id, kind, entry }) =>
        kind === 'refused'
          ? [
              {
                ...line,
                failure: {
                  entry_id: id,
                  message: entry ? firstRefusal(entry) : '',
                  reason: entry?.problem?.reason ?? null,
                  awaited: awaitedIn(entry?.problem ?? null),
                  violations: entry ? violationsOf(entry) : [],
                },
              },
            ]
          : [],
      ),
      ...lines.slice(sent.length + notSent.length),
    ],
  }
}

/** What was read stands for what this device does not know. */
const readOf = (copy: CounterCopy, borrower: Borrower): Pick<VerifyGesture, 'copy' | 'beneficiary'> => ({
  copy: copy.is_code_alone ? { code: copy.bar_code } : copy,
  beneficiary: 'card' in borrower ? { code: borrower.card } : borrower.reader,
})

/** Drops a refused action: the person read the refusal here, and decided. */
export const dropRefused = (entry_id: string, reason: string): Promise<boolean> =>
  dropEntry(entry_id, currentSession()?.user?.username ?? '', reason)
