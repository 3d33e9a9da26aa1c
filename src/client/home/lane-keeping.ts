import { daysBetween, frenchDay, weekdayOf } from '../../domain/calendar-day.ts'
import { explainDue, startDayNote } from '../../domain/due-words.ts'
import { loanAmount } from '../../domain/loan-rules.ts'
import { frenchMoney } from '../../domain/money.ts'
import { fullName } from '../../domain/person-names.ts'
import { copyFreed, ownReservation, reservationsBefore } from '../../domain/reservation-rules.ts'
import { verdictOf } from '../../offline/verdict.ts'
import type { ScannedCopy } from '../find/found.ts'
import { awaitedAs, awaitedBy, awaitedWords, freedWords } from '../reservations/awaited.ts'
import { counted } from '../ui/words.ts'
import type { Answers, AskOf, Keeping, Settles } from './lane-happenings.ts'
import { hadBy, isCard, type LaneReader, nameOf, nameWithin, plainKept, returnedWords } from './lane.ts'
import type { LoanJudged } from './lane-rules.ts'

// What is written to the outbox for a scan, and what its line and the box say of it then.

/** A loan at the medium's terms, to which nothing objects. */
export function keepLoan(
  { key, known, to, choice, settles }: Omit<AskOf<'judge'>, 'ask'>,
  { today, judged }: LoanJudged,
): Keeping {
  const { refusals, duration, steps } = judged
  const due = judged.is_due_known ? judged.due : null
  const { copy, medium } = known
  const sought = { reader: to.reader.id, copy: copy.id, start_date: today, end_date: judged.due }
  const frees = copyFreed(ownReservation(known.reservations, sought), copy.id) !== null
  const before = choice.despite_reservations
    ? reservationsBefore(known.reservations, sought, known.capacity)
    : []
  const { override_reason, conditions_given } = choice
  const price = loanAmount(copy.price, duration.duration_value, false)
  const cost = Number(price) > 0 ? `, ${frenchMoney(price)}` : ''
  const isOverruled = override_reason === undefined && refusals.length > 0
  return {
    ask: 'keep',
    key,
    action: {
      do: 'lend',
      gesture: {
        copy,
        beneficiary: to.reader,
        due,
        resolves: choice.resolves ?? null,
        chosen: {
          ...(to.relative === null ? {} : { relative: to.relative }),
          ...(override_reason === undefined ? {} : { override_reason }),
          ...(conditions_given === undefined ? {} : { conditions_given }),
          despite_reservations: choice.despite_reservations ?? false,
        },
      },
    },
    step: {
      ...plainKept,
      act: 'lend',
      reader: nameOf(to),
      to,
      choice:
        before.length > 0 ? { ...choice, passed: before.map((one) => awaitedAs(one, copy.id)) } : choice,
      verdict: isOverruled ? verdictOf([], []) : judged.verdict,
      due,
      of_its_days: [
        due && explainDue(steps, duration, medium?.end_day ?? null),
        startDayNote(medium?.start_day ?? null, weekdayOf(today)),
      ].filter((words) => words !== null),
      amount: price,
      frees,
    },
    tells: {
      signal: frees ? 'warning' : 'success',
      text: frees ? `Prêté. ${freedWords(null)}` : 'Prêté',
      more: ` ${frees ? 'À' : 'à'} ${nameOf(to)}${due ? ` jusqu’au ${frenchDay(due, today)}` : ''}${cost}`,
      title: copy.name,
    },
    settles,
  }
}

/** A loan of what this device does not know whole: no rule is asked here, and a person settles what the server refuses. */
export function keepLoanToVerify({
  key,
  copy: { bar_code, title, known },
  to,
  settles,
}: {
  key: string
  copy: ScannedCopy
  to: LaneReader
  settles: Settles
}): Keeping {
  return {
    ask: 'keep',
    key,
    action: {
      do: 'lend-to-verify',
      gesture: {
        copy: known ? known.copy : { code: bar_code },
        ...(isCard(to)
          ? { beneficiary: { code: to.card } }
          : { beneficiary: to.reader, relative: to.relative }),
      },
    },
    step: { ...plainKept, act: 'lend', reader: nameOf(to), to },
    tells: {
      signal: 'success',
      text: 'Prêt à vérifier',
      more: `, à ${nameWithin(to)}`,
      title,
    },
    settles,
  }
}

/** The return of a copy whoever has it, because it lies on the counter; `present` is the reader who is there. */
export function keepReturn(
  { key, copy, settles, is_waived = false, of }: AskOf<'judge-return'>,
  { today, penalty, open_days }: Answers['judge-return'],
  present: LaneReader | null,
): Keeping {
  const { bar_code, title, known, loan } = copy
  const borrower = known?.borrower ?? null
  const reader = borrower && fullName(borrower)
  const due = loan?.end_date ?? null
  const days_late = due === null ? 0 : Math.max(0, daysBetween(due, today))
  const awaited = known && awaitedBy(known.reservations, known.copy.id, today)
  const not_theirs =
    // Whose card is not known yet may be the very reader.
    borrower && present && !isCard(present) && present.reader.id !== borrower.id
      ? { chosen: present, is_lent: false }
      : null
  const notes = [
    ...(awaited ? [`, ${awaitedWords(awaited)}`] : []),
    ...(days_late > 0 ? [`, ${counted(days_late, 'jour', 'jours')} de retard`] : []),
  ]
  return {
    ask: 'keep',
    key,
    action: {
      do: 'return',
      gesture: {
        bar_code,
        copy: known?.copy ?? null,
        loan,
        isOfRow: of !== undefined,
        beneficiary: borrower,
        ...(is_waived ? { chosen: { penalty: false } } : {}),
      },
    },
    step: {
      ...plainKept,
      act: 'return',
      reader,
      to: null,
      due,
      days_late,
      penalty: is_waived ? null : penalty,
      is_waived,
      open_days,
      reserved: awaited && known ? known.copy.reference : null,
      awaited,
      not_theirs,
    },
    tells: {
      signal: notes.length === 0 && not_theirs === null ? 'success' : 'warning',
      text: `${not_theirs ? returnedWords(reader, not_theirs.chosen) : 'Rendu'}${notes.join('')}`,
      more: not_theirs ? '' : hadBy(reader),
      title,
    },
    settles,
  }
}
