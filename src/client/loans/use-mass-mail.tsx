import { lazy, Suspense, useState } from 'react'

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

type Counts = { count: number; without_address?: number | undefined }

/** Asks how many mails would go, confirms with that count, sends. */
function useMassMail(
  call: typeof sendReminders | typeof sendRecap,
  count: () => Promise<Counts>,
  words: {
    title: string
    none: string
    question: (count: number) => string
    /** Of people without an address: what else is done, and what is said where there are no others. */
    without: (people: number) => string
    onlyWithout: { words: (people: number) => string; isSent: boolean }
  },
) {
  const confirm = useConfirm()
  const today = useToday()
  const { mutateAsync: send } = useChange(call)
  const [isPending, setPending] = useState(false)
  const ask = async () => {
    setPending(true)
    try {
      const { count: mails, without_address: without = 0 } = await count()
      const only = words.onlyWithout
      if (mails === 0 && without === 0) say(words.none, 'warn')
      else if (mails === 0 && !only.isSent) say(only.words(without), 'warn')
      else if (
        await confirm({
          title: words.title,
          message:
            mails === 0
              ? `${only.words(without)} Voulez vous continuer ?`
              : without === 0
                ? words.question(mails)
                : `${words.question(mails)} ${words.without(without)}`,
          acts: 'sends',
        })
      ) {
        // A screen may stay open: tomorrow’s mails are others.
        await send({ query: {}, gesture: today })
        say(requestTaken)
      }
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
  })
}
