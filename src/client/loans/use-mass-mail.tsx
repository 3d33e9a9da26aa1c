import { lazy, Suspense, useState } from 'react'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { JobKind } from '../../contract/jobs.ts'
import { sendRecap, sendReminders } from '../../contract/mail.ts'
import { requestTaken } from '../../domain/sentences/loans.ts'
import { nobodyBorrows, nobodyLate, recapQuestion, remindersQuestion } from '../../domain/sentences/mail.ts'
import { useChange } from '../api/queries.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { say, sayError } from '../page/messages.ts'
import { counted } from '../ui/words.ts'
import { countRecap, countReminders } from './loan-data.ts'
import { useToday } from './use-today.ts'

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))
const AgainQuestion = lazy(() => import('./again-question.tsx'))

const mailsDone = (count: number) =>
  counted(
    count,
    'courriel est prêt à partir.',
    'courriels sont prêts à partir.',
    'Aucun courriel n’est prêt à partir.',
  )

/** How far the mails have come; where it was left before as well. */
export const MassMailProgress = ({ kind, title }: { kind: JobKind; title: string }) => (
  <Suspense fallback={null}>
    <JobProgress kind={kind} title={title} doneWords={mailsDone} />
  </Suspense>
)

type Counts = AnswerOf<typeof sendReminders>

/** Asks how many mails would go, confirms with that count, sends; who had one today gets another where that is asked for. */
function useMassMail(
  call: typeof sendReminders | typeof sendRecap,
  count: (again: boolean) => Promise<Counts>,
  words: {
    title: string
    none: string
    question: (count: number) => string
    /** Of people without an address: what else is done, and what is said where there are no others. */
    without: (people: number) => string
    onlyWithout: { words: (people: number) => string; isSent: boolean }
    /** Those who had one today. */
    had: (people: number) => string
    hadToo: (people: number) => string
  },
) {
  const confirm = useConfirm()
  const today = useToday()
  const { mutateAsync: send } = useChange(call)
  const [isPending, setPending] = useState(false)
  const only = words.onlyWithout
  const isNobody = ({ count: mails, without_address = 0 }: Counts) =>
    mails === 0 && (without_address === 0 || !only.isSent)
  const questionOf = ({ count: mails, without_address: without = 0 }: Counts) =>
    mails === 0
      ? `${only.words(without)} Voulez vous continuer ?`
      : without === 0
        ? words.question(mails)
        : `${words.question(mails)} ${words.without(without)}`
  const ask = async () => {
    setPending(true)
    try {
      const first = await count(false)
      const { had_one_today: had = 0 } = first
      const all = had > 0 ? await count(true) : first
      const { without_address: without = 0 } = all
      if (isNobody(all)) return say(without === 0 ? words.none : only.words(without), 'warn')
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
      if (!(await confirm({ title: words.title, message, acts: 'sends' }))) return undefined
      // A screen may stay open: tomorrow’s mails are others.
      await send({ query: again ? { again: '1' } : {}, gesture: again ? `${today} again` : today })
      say(requestTaken)
    } catch (error) {
      sayError(error)
    } finally {
      setPending(false)
    }
  }
  return { ask: () => void ask(), isPending }
}

/** Mass reminders of late loans (file 1, section 5). */
export function useReminders() {
  return useMassMail(sendReminders, countReminders, {
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
  })
}

/** A recap of their loans to everyone who has some (file 1, section 5). */
export function useRecap() {
  return useMassMail(sendRecap, countRecap, {
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
  })
}
