import { fullName, ofName } from '../../domain/person-names.ts'
import type { KnownCopy } from '../../offline/counter.ts'
import type { OpenLoan } from '../../offline/open-loans.ts'
import type { ScannedReader } from '../beneficiaries/beneficiary-data.ts'

/** `known` is null for a copy that this device only knows by lending it. */
export type ScannedCopy = {
  bar_code: string
  title: string
  known: KnownCopy | null
  loan: OpenLoan | null
  /** The sentence that tells to whom and when it was sold. */
  sold?: string | null
}

/** A copy of which only the code is known. */
export const bareCopy = (code: string): ScannedCopy => ({
  bar_code: code,
  title: code,
  known: null,
  loan: null,
})

/** `answer`: whether the server said so too. `elsewhere`: a site that is closed to the person may have it, on its shelf. */
export type Nobodys =
  | { kind: 'isbn'; code: string }
  | { kind: 'unknown'; code: string; answer: 'nobody-knows' | NoAnswer; elsewhere: boolean }
  | OfAnotherSite
/** Why the device alone was asked: no network, a slow server, no right to search. */
export type NoAnswer = 'offline' | 'late' | 'no-right'
export type OfAnotherSite = { kind: 'elsewhere'; code: string; title: string; site: string; isLent: boolean }

/** `card`: whose card has the code as well, from before a code named one thing. */
export type Found =
  | { kind: 'reader'; chosen: ScannedReader }
  | { kind: 'copy'; copy: ScannedCopy; card?: ScannedReader }
  | Nobodys

/** What is to be done comes first: the end is what a short line cuts. */
const unanswered: Record<NoAnswer, [first: string, last: string]> = {
  offline: ['Réessayez quand le réseau sera revenu\u202f: ', ''],
  late: ['Réessayez\u202f: ', ', et le serveur tarde à répondre'],
  'no-right': ['', ', et votre profil ne permet pas de le chercher ailleurs'],
}

export function nobodysWords(found: Nobodys): string {
  const { code } = found
  if (found.kind === 'isbn')
    return `Scannez l’étiquette de la bibliothèque, collée sur l’exemplaire\u202f: ${code} est un ISBN.`
  if (found.kind === 'elsewhere')
    return `${found.isLent ? 'Rendez-le d’abord' : 'Changez de site ou renvoyez-le'}\u202f: «\u00a0${found.title}\u00a0» est du site «\u00a0${found.site}\u00a0»${found.isLent ? ', en prêt' : ''}.`
  if (found.answer !== 'nobody-knows') {
    const [first, last] = unanswered[found.answer]
    return `${first}«\u00a0${code}\u00a0» n’est pas connu de cet appareil${last}.`
  }
  return found.elsewhere
    ? `Code inconnu sur ce site\u202f: «\u00a0${code}\u00a0».`
    : `Aucun exemplaire ni lecteur ne porte «\u00a0${code}\u00a0».`
}

/** A code from before one named one thing: `then` is what to do. */
export const cardAndCopy = (title: string, { reader }: ScannedReader, then: string): string =>
  `${then} Ce code est celui de «\u00a0${title}\u00a0» et de la carte ${ofName(fullName(reader))}.`

/** Off line its looks do not tell. */
export const cardOrCopy = (code: string): string =>
  `Est-ce une carte ou un exemplaire\u202f? Code inconnu de cet appareil\u202f: «\u00a0${code}\u00a0».`

/** Whether it may become a copy's: the server knows of nobody, or it is a title's. */
export const isNobodysForSure = (found: Nobodys): boolean =>
  found.kind === 'isbn' || (found.kind === 'unknown' && found.answer === 'nobody-knows')

/** Whether the same code asked again may be known: the server did not answer, and nothing forbids to ask it. */
export const mayBeKnownLater = (found: Nobodys): boolean =>
  found.kind === 'unknown' && (found.answer === 'offline' || found.answer === 'late')
