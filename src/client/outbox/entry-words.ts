import type { LoanSide } from '../../contract/refusals.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { ofName } from '../../domain/person-names.ts'
import { choiceOf } from '../../domain/settle-choices.ts'
import { type Entry, type EntryState, isUnsettled, type Problem } from '../../offline/entry.ts'
import { isToVerify, readCodesOf } from '../../offline/to-verify.ts'
import type { Tone } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'

export const stateWords: Record<EntryState, { word: string; tone: Tone }> = {
  queued: { word: 'À envoyer', tone: 'wait' },
  sending: { word: 'En cours d’envoi', tone: 'wait' },
  waiting: { word: 'Attend une autre action', tone: 'warn' },
  conflict: { word: 'À régler', tone: 'bad' },
  quarantined: { word: 'Impossible à appliquer', tone: 'bad' },
  done: { word: 'Confirmé', tone: 'good' },
  set_aside: { word: 'Mis de côté', tone: 'quiet' },
}

/** Says of an action on this device whether it still waits for the network; on line it is on its way, unless a try failed. */
export const keptWord = (isOnline: boolean, entry: Pick<Entry, 'state' | 'attempts'> | null): string =>
  isOnline && !(entry?.state === 'queued' && entry.attempts > 0) ? 'Enregistré' : 'Enregistré, à envoyer'

const kinds: Record<Entry['label']['kind'], string> = {
  lend: 'Prêt',
  return: 'Retour',
  cancel: 'Annulation',
  undo: 'Reprise',
  note: 'Décision',
}

/** « Prêt à Alice Martin (M1), retour prévu le 31/03/2026 ». */
export function whatOf(entry: Pick<Entry, 'label' | 'state' | 'endpoint' | 'body'>): string {
  const { kind, choice, beneficiary, due } = entry.label
  if (choice) {
    const { label } = choiceOf(choice)
    return beneficiary ? `${label}\u202f: ${beneficiary}` : label
  }
  const who = beneficiary ? (kind === 'lend' ? ` à ${beneficiary}` : ` ${ofName(beneficiary)}`) : ''
  const until = due ? `, retour prévu le ${frenchDay(due)}` : ''
  const doubt = isToVerify(entry) && isUnsettled(entry) ? ' à vérifier,' : ''
  return `${kinds[kind]}${doubt}${who}${until}`
}

/** Says which codes were read, and on which device, where the device knew nothing of them. */
export function readWords(
  entry: Pick<Entry, 'endpoint' | 'body' | 'device_id'>,
  own_device: string | null | undefined,
): string[] {
  if (!isToVerify(entry)) return []
  const { reader, copy } = readCodesOf(entry)
  return stated(
    line('Carte lue\u202f:', reader),
    line('Étiquette lue\u202f:', copy),
    own_device === undefined
      ? null
      : `Lu sur ${entry.device_id === own_device ? 'cet appareil' : 'un autre appareil'}`,
  )
}

export function refusalWords({ problem, label: { title } }: Pick<Entry, 'problem' | 'label'>): string | null {
  if (!problem) return null
  const named = /^«\s(.+?)\s»\s/u.exec(problem.message)
  return named?.[1] === title ? `L’exemplaire ${problem.message.slice(named[0].length)}` : problem.message
}

/** As facts to read beside ours, without what the message already says. */
export function otherSide({ facts, reason, message }: Problem, device_id: string): string[] {
  if (!facts) return []
  const { violations, reservations, corrected_at } = facts
  if (violations) {
    return violations.map((one) => one.message).filter((said) => said !== '' && !message.includes(said))
  }
  if (reason === 'CLOCK_OFF') return stated(line('Selon son horloge\u202f:', instant(corrected_at)))
  if (reservations) {
    return reservations.map(
      (one) =>
        `Réservé par ${nameIn(one) ?? 'un autre lecteur'}${line('\u00a0du', day(one.start_date)) ?? ''}`,
    )
  }
  const loan = facts.loaning ?? facts.last_loaning
  if (!loan) return []
  return stated(
    line('Prêté à', nameIn(loan)),
    line('Depuis le', day(loan.start_date)),
    line('Enregistré le', instant(loan.lent_at), line('par', text(loan.lent_by))),
    text(loan.lent_device) === null
      ? null
      : `Depuis ${loan.lent_device === device_id ? 'cet appareil' : 'un autre appareil'}`,
    line('Rendu le', instant(loan.returned_at), line('par', text(loan.returned_by))),
  )
}

type Told = string | null | undefined

const nameIn = ({ beneficiary_name, beneficiary_info }: LoanSide) =>
  text(beneficiary_name) ?? text(beneficiary_info)

const stated = (...lines: (string | null)[]): string[] => lines.filter((one) => one !== null)
const text = (value: Told): string | null => value || null
const day = (value: Told): string | null => (value ? frenchDay(value) : null)
const instant = (value: Told): string | null => (value ? frenchInstant(value) : null)
const line = (word: string, value: string | null, more: string | null = null): string | null =>
  value === null ? null : [word, value, more].filter((part) => part !== null).join(' ')
