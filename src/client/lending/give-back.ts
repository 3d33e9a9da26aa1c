import { somethingFailed } from '../../domain/sentences/everywhere.ts'
import { articlesReturned } from '../../domain/sentences/loans.ts'
import type { Entry } from '../../offline/entry.ts'
import { currentConnection } from '../api/connection.ts'
import type { HeldLoan } from '../loans/held-loan.ts'
import { counterActions, whyNotKept } from '../outbox/keep-actions.ts'
import { answerOf, endOf } from '../outbox/entry-answers.ts'
import { say } from '../page/messages.ts'
import { firstNames } from '../ui/words.ts'
import { noteToSend, type ReturnNote } from './return-fields.tsx'

/** `isOfRow`: it was ticked in a list, and its copy was not scanned. */
export type GivenBack = { loan: HeldLoan; note: ReturnNote; isOfRow: boolean }

/** Records returns, and says how they ended once the server has answered; answers those that were kept. */
export async function giveBack(returns: readonly GivenBack[]): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    for (const { loan, note, isOfRow } of returns) {
      const copy = loan.copy_id === null ? null : { id: loan.copy_id, name: loan.title }
      entries.push(
        await counterActions.giveBack({
          bar_code: loan.bar_code,
          copy,
          loan,
          isOfRow,
          beneficiary: null,
          beneficiary_name: loan.beneficiary_name,
          chosen: noteToSend(note),
        }),
      )
    }
  } catch (error) {
    say(whyNotKept(error), 'bad')
  }
  void sayHowItEnded(entries)
  return entries
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
