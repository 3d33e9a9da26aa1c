import { lazy, Suspense } from 'react'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { sendReminders } from '../../contract/mail.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { requestTaken } from '../../domain/sentences/loans.ts'
import { nobodyBorrows, nobodyLate, recapQuestion, remindersQuestion } from '../../domain/sentences/mail.ts'
import { say } from '../page/messages.ts'
import type { useConfirm } from '../ui/dialogs/confirm.tsx'
import { counted } from '../ui/words.ts'
import { countRecap, countReminders } from './loan-data.ts'

const AgainQuestion = lazy(() => import('./again-question.tsx'))

export type MassMail = 'reminders' | 'recap'

type Counts = AnswerOf<typeof sendReminders>

type Words = {
  count: (again: boolean) => Promise<Counts>
  title: string
  none: string
  question: (count: number) => string
  /** Of people without an address: what else is done, and what is said where there are no others. */
  without: (people: number) => string
  onlyWithout: { words: (people: number) => string; isSent: boolean }
  /** Those who had one today. */
  had: (people: number) => string
  hadToo: (people: number) => string
}

const wordsOf: Record<MassMail, Words> = {
  reminders: {
    count: countReminders,
    title: 'Relancer les retards',
    none: nobodyLate,
    question: remindersQuestion,
    without: (people) => counted(people, 'lettre sera à imprimer.', 'lettres seront à imprimer.'),
    onlyWithout: {
      words: (people) =>
        `${counted(people, 'lecteur en retard n’a', 'lecteurs en retard n’ont')} pas d’adresse électronique\u202f: une lettre sera à imprimer pour chacun.`,
      isSent: true,
    },
    had: (people) =>
      `${counted(people, 'lecteur a', 'lecteurs ont')} déjà été relancé${people > 1 ? 's' : ''} aujourd’hui.`,
    hadToo: (people) =>
      people === 1
        ? 'Relancer aussi le lecteur qui l’a déjà été aujourd’hui'
        : `Relancer aussi les ${people} lecteurs qui l’ont déjà été aujourd’hui`,
  },
  recap: {
    count: countRecap,
    title: 'Récapitulatif des prêts',
    none: nobodyBorrows,
    question: () => recapQuestion,
    without: (people) => `${counted(people, 'lecteur n’a', 'lecteurs n’ont')} pas d’adresse électronique.`,
    onlyWithout: {
      words: (people) =>
        `${counted(people, 'lecteur a', 'lecteurs ont')} des prêts en cours et pas d’adresse électronique.`,
      isSent: false,
    },
    had: (people) => `${counted(people, 'lecteur a', 'lecteurs ont')} déjà reçu ce courriel aujourd’hui.`,
    hadToo: (people) =>
      people === 1
        ? 'Écrire aussi au lecteur qui l’a déjà reçu aujourd’hui'
        : `Écrire aussi aux ${people} lecteurs qui l’ont déjà reçu aujourd’hui`,
  },
}

type Asking = {
  confirm: ReturnType<typeof useConfirm>
  today: CalendarDay
  send: (mail: { query: { again?: '1' }; gesture: string }) => Promise<unknown>
}

/** Asks how many mails would go, confirms with that count, sends; who had one today gets another where that is asked for. */
export async function askMassMail(mail: MassMail, { confirm, today, send }: Asking): Promise<void> {
  const words = wordsOf[mail]
  const only = words.onlyWithout
  const isNobody = ({ count: mails, without_address = 0 }: Counts) =>
    mails === 0 && (without_address === 0 || !only.isSent)
  const questionOf = ({ count: mails, without_address: without = 0 }: Counts) =>
    mails === 0
      ? `${only.words(without)} Voulez vous continuer ?`
      : without === 0
        ? words.question(mails)
        : `${words.question(mails)} ${words.without(without)}`
  const first = await words.count(false)
  const { had_one_today: had = 0 } = first
  const all = had > 0 ? await words.count(true) : first
  const { without_address: without = 0 } = all
  if (isNobody(all)) {
    say(without === 0 ? words.none : only.words(without), 'warn')
    return
  }
  // With nobody else to write to, the question is about them.
  let again = isNobody(first)
  const message = again ? (
    `${words.had(had)} ${questionOf(all)}`
  ) : had > 0 ? (
    <Suspense fallback={questionOf(first)}>
      <AgainQuestion
        first={questionOf(first)}
        all={questionOf(all)}
        label={words.hadToo(had)}
        onChange={(checked) => {
          again = checked
        }}
      />
    </Suspense>
  ) : (
    questionOf(first)
  )
  if (!(await confirm({ title: words.title, message, acts: 'sends' }))) return
  // A screen may stay open: tomorrow’s mails are others.
  await send({ query: again ? { again: '1' } : {}, gesture: again ? `${today} again` : today })
  say(requestTaken)
}
