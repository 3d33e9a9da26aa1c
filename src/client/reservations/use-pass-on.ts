import { useCallbackRef } from '@mantine/hooks'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { getNextReader, passReservation, type Reservation } from '../../contract/reservations.ts'
import { call } from '../api/call.ts'
import { useEachChange } from '../api/queries.ts'
import { sentenceOf } from '../loans/loan-errors.ts'
import { say } from '../page/messages.ts'
import type { UnderWay } from '../ui/bulk-bar.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { counted } from '../ui/words.ts'
import { reservationName } from './reservation-words.ts'

/** How many are told one by one; more are counted. */
const mostTold = 3

/** What nobody fetched goes to whoever comes next, or back to its shelf. */
export function usePassOn(onNext: (next: Reservation) => unknown) {
  const confirm = useConfirm()
  const { changeEach, progress, stop } = useEachChange(passReservation)
  const passOn = useCallbackRef(async (several: readonly Reservation[]) => {
    const [only] = several.length === 1 ? several : []
    const next = only ? await nextOf(only) : null
    const isSure = await confirm({
      title: only
        ? 'Passer au suivant'
        : `Passer au suivant\u202f: ${counted(several.length, 'exemplaire', 'exemplaires')}`,
      message: only
        ? `${reservationName(only)}\u202f: la réservation est annulée («\u00a0Non retirée.\u00a0»), et l’exemplaire ${next}.`
        : 'Ces réservations sont annulées («\u00a0Non retirée.\u00a0»), et chaque exemplaire est mis de côté pour la personne suivante, s’il y en a une.',
      acts: 'destroys',
    })
    if (!isSure) return
    const results = await changeEach(several.map(({ id }) => ({ params: { id }, body: {} })))
    const passed = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    tellPassed(passed)
    for (const { next } of passed) if (next) onNext(next)
    for (const [at, one] of results.entries()) {
      if (one.status === 'rejected') {
        say(sentenceOf(one.reason), 'bad', { about: several[at]?.reference_name })
      }
    }
    const left = several.length - results.length
    if (left > 0) say(`Arrêté\u202f: ${counted(left, 'exemplaire', 'exemplaires')} sans changement.`, 'warn')
  })
  const underWay: UnderWay | null =
    progress && progress.total > 1 ? { title: 'Passage au suivant', progress, stop } : null
  return { passOn, underWay }
}

/** What becomes of the copy; where that cannot be asked, the question is asked all the same. */
const nextOf = ({ id }: Reservation): Promise<string> =>
  call(getNextReader, { params: { id } }).then(
    ({ beneficiary_name }) =>
      beneficiary_name === null
        ? 'retourne en rayon\u202f: personne d’autre ne l’attend'
        : `est mis de côté pour ${beneficiary_name}`,
    () => 'est mis de côté pour la personne suivante, s’il y en a une',
  )

function tellPassed(passed: readonly AnswerOf<typeof passReservation>[]): void {
  if (passed.length <= mostTold) {
    for (const { passed: before, next } of passed) {
      const where = next && next.site !== before.site ? `, à retirer à ${next.site_name}` : ''
      if (next)
        say(`Mis de côté pour ${next.beneficiary_name}${where}.`, 'good', { about: next.reference_name })
      else
        say('Personne d’autre n’attend\u202f: à remettre en rayon.', 'good', { about: before.reference_name })
    }
    return
  }
  const next = passed.filter((one) => one.next !== null).length
  const back = passed.length - next
  const words = [
    ...(next > 0 ? [`${counted(next, 'exemplaire', 'exemplaires')} pour la personne suivante`] : []),
    ...(back > 0 ? [`${counted(back, 'exemplaire', 'exemplaires')} à remettre en rayon`] : []),
  ]
  say(`${words.join(', ')}.`)
}
