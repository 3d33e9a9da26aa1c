import type { CalendarDay } from '../../domain/calendar-day.ts'
import { daysTyped, namedDays } from '../../domain/typed-day.ts'
import { inWords } from '../page/house-words.ts'
import { type Act, acts } from '../ui/acts.ts'
import { folded, hasEveryWord } from '../ui/every-word.ts'
import type { Hit } from './hit.ts'
import type { Has } from './hits.ts'

const all = Object.entries<Act>(acts)

export const actNamed = (name: string | undefined): Act | undefined => all.find(([one]) => one === name)?.[1]

const phrasesOf = ({ label, also }: Act): string[] => [label, inWords(label), ...also.split(', ')]

const firstWord = (phrase: string): string => folded(phrase).split(/\s+/)[0] ?? ''

/** `said`: those that were asked for by a phrase of theirs, from its first word on. */
export function findActs(has: Has, typed: string): { said: Hit[]; others: Hit[] } {
  const first = firstWord(typed)
  const found = all
    .filter(([, { rights }]) => rights.every(has))
    .map((one) => ({
      hit: hitOfAct(one),
      phrases: phrasesOf(one[1]).filter((phrase) => hasEveryWord(phrase, typed)),
    }))
    .filter(({ phrases }) => phrases.length > 0)
  const isSaid = ({ phrases }: { phrases: string[] }) => phrases.some((phrase) => firstWord(phrase) === first)
  const rank = ({ hit }: { hit: Hit }) => (firstWord(hit.title) === first ? 0 : 1)
  return {
    // By its own name before another phrase.
    said: found
      .filter(isSaid)
      .toSorted((one, other) => rank(one) - rank(other))
      .map(({ hit }) => hit),
    others: found.filter((one) => !isSaid(one)).map(({ hit }) => hit),
  }
}

const hitOfAct = ([name, { label, to }]: [string, Act]): Hit => ({
  key: `act ${name}`,
  kind: 'act',
  act: name,
  title: inWords(label),
  detail: '',
  to,
  actions: [],
})

/** « prêter à dupont »: the act, and the name that follows it. */
export function actOfReader(has: Has, typed: string) {
  const [, verb, name] =
    /^(\S+)\s+(?:(?:à|a|de|pour)\s+|d['’]\s*)?(?!(?:à|a|de|d['’]?|pour)$)(\S.*)$/i.exec(typed) ?? []
  if (verb === undefined || name === undefined) return null
  for (const [act, { label, rights, ofReader }] of all) {
    if (ofReader && folded(label) === folded(verb) && rights.every(has)) return { act, name, ofReader }
  }
  return null
}

export type ReaderAct = NonNullable<ReturnType<typeof actOfReader>>

/** « fermer samedi », « fermer du 24/12 au 2/1 »: the act, which begins with these days. */
export function hitOfDays(has: Has, typed: string, today: CalendarDay): Hit | null {
  const [, verb = '', said = ''] = /^(\S+)\s+(\S.*)$/.exec(typed) ?? []
  for (const [name, act] of all) {
    if (act.ofDays?.verb !== folded(verb) || !act.rights.every(has)) continue
    const days = daysTyped(said, today)
    if (days) return { ...hitOfAct([name, act]), title: act.ofDays.label(namedDays(days)), days }
  }
  return null
}

/** The act that was asked for, where this person may not do it. */
export function actWithoutRight(has: Has, typed: string, today: CalendarDay): string | null {
  const ofReader = actOfReader(isOpen, typed)
  const asked = hitOfDays(isOpen, typed, today) ?? findActs(isOpen, typed).said[0]
  const act = actNamed(ofReader?.act ?? asked?.act)
  return act && !act.rights.every(has) ? (ofReader ? inWords(act.label) : (asked?.title ?? null)) : null
}

const isOpen: Has = () => true

/** The act alone, for whoever comes back to it on another day. */
export function withoutDays(hit: Hit): Hit {
  const act = hit.days && actNamed(hit.act)
  return act && hit.act !== undefined ? hitOfAct([hit.act, act]) : hit
}

/** A reader whom an act was typed before: Enter begins it with them. */
export const hitOfReaderAct = ({ act, ofReader }: ReaderAct, id: number, { title, detail }: Hit): Hit => ({
  key: `act ${act} ${id}`,
  kind: 'act',
  act,
  title: ofReader.label(title),
  detail,
  to: ofReader.to(id),
  actions: [],
})
