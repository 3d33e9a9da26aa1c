import { useQuery, useQueryClient } from '@tanstack/react-query'

import { daysBetween } from '../../domain/calendar-day.ts'
import { somethingFailed } from '../../domain/sentences/everywhere.ts'
import { articlesReturned } from '../../domain/sentences/loans.ts'
import { heldKey } from '../../offline/open-loans.ts'
import type { Entry } from '../../offline/entry.ts'
import { currentConnection } from '../api/connection.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { usePenaltyRule } from '../loans/use-penalty-rule.ts'
import { say } from '../page/messages.ts'
import { firstNames } from '../ui/words.ts'
import { counterActions, whyNotKept } from '../outbox/counter-actions.ts'
import { type HeldLoan, penaltyToday } from '../loans/held-loan.ts'
import { openingsTold } from '../loans/open-days.ts'
import { answerOf, endOf } from '../outbox/entry-answers.ts'
import { usePenaltyDialog } from './penalty-dialog.tsx'
import { noteToSend, type ReturnNote } from './return-fields.tsx'
import { useToday } from '../loans/use-today.ts'

export type GivenBack = { loan: HeldLoan; note: ReturnNote }

/** Records returns after asking about penalties; answers their entries, or null. Render `dialog` once. */
export function useGiveBack() {
  const { ask, dialog } = usePenaltyDialog()
  const media = useQuery(mediaQuery).data ?? []
  const rule = usePenaltyRule()
  const client = useQueryClient()
  const today = useToday()

  const takeBack = async (returns: readonly GivenBack[]): Promise<Entry[] | null> => {
    const openings = await openingsTold(client)
    const penalties = returns.flatMap(({ loan }) => {
      const penalty = penaltyToday(loan, today, { rule, media, openings })
      if (!penalty || loan.end_date === null) return []
      const days_late = daysBetween(loan.end_date, today)
      const { open_days_only } = rule
      return [{ key: heldKey(loan), title: loan.title, days_late, penalty, open_days_only }]
    })
    const answer = await ask(penalties)
    if (answer === null) return null
    const entries: Entry[] = []
    try {
      for (const { loan, note } of returns) {
        const copy = loan.copy_id === null ? null : { id: loan.copy_id, name: loan.title }
        entries.push(
          await counterActions.giveBack({
            bar_code: loan.bar_code,
            copy,
            loan,
            beneficiary: null,
            beneficiary_name: loan.beneficiary_name,
            chosen: noteToSend(note, answer),
          }),
        )
      }
    } catch (error) {
      say(whyNotKept(error), 'bad')
    }
    void sayHowItEnded(entries)
    return entries
  }
  return { takeBack, dialog }
}

async function sayHowItEnded(entries: readonly Entry[]) {
  if (entries.length === 0) return
  const answers = await Promise.all(
    entries.map(({ id }) => answerOf(id, () => currentConnection() === 'online')),
  )
  const kinds = new Set(answers.map(({ kind }) => kind))
  if (kinds.has('refused')) say(somethingFailed, 'bad')
  if (kinds.has('waiting')) say('Enregistré\u202f: le retour partira dès que le serveur répondra.', 'warn')
  for (const { id } of entries.filter((_, at) => answers[at]?.kind === 'waiting')) void sayIfRefused(id)
  const done = entries.filter((_, at) => answers[at]?.kind === 'done')
  if (done.length > 0)
    say(articlesReturned, 'good', { about: firstNames(done.map(({ label }) => label.title)) })
}

/** A server that took long may still refuse, and what was said before is then no longer true. */
async function sayIfRefused(id: string) {
  if ((await endOf(id)) === 'refused') say(somethingFailed, 'bad')
}
