import { useState } from 'react'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { say, sayError } from '../ui/messages.ts'
import { countRecap, countReminders, useSendRecap, useSendReminders } from './loan-data.ts'
import { useToday } from './use-today.ts'

/** Asks how many mails would go, confirms with that count, sends. */
function useMassMail(
  count: () => Promise<{ count: number }>,
  send: (day: CalendarDay) => Promise<unknown>,
  words: { title: string; none: string; question: (count: number) => string },
) {
  const confirm = useConfirm()
  const today = useToday()
  const [isPending, setPending] = useState(false)
  const ask = async () => {
    setPending(true)
    try {
      const { count: mails } = await count()
      if (mails === 0) say(words.none, 'warn')
      else if (await confirm({ title: words.title, message: words.question(mails) })) {
        await send(today)
        say('Votre demande a bien été prise en compte.')
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
  const { mutateAsync } = useSendReminders()
  return useMassMail(countReminders, mutateAsync, {
    title: 'Rappeler les retards',
    none: 'Retards introuvables.',
    question: (count) =>
      `${count} email(s) ${count > 1 ? 'seront envoyés' : 'sera envoyé'}. Voulez vous continuer ?`,
  })
}

/** A recap of their loans to everyone who has some (file 1, section 5). */
export function useRecap() {
  const { mutateAsync } = useSendRecap()
  return useMassMail(countRecap, mutateAsync, {
    title: 'Récapitulatif des prêts',
    none: 'Prêts en cours introuvables.',
    question: () =>
      'Chaque bénéficiaire ayant des prêts en cours recevra un email récapitulatif. Voulez vous continuer ?',
  })
}
