import { bareCode, findIsbn13, hasEanCheckDigit } from './bar-code.ts'
import type { Audience, ReaderKind } from './age-bands.ts'
import { isEmailAddress } from './email-address.ts'
import { comparableName } from './comparable-name.ts'
import type { CopyState } from './loan-rules.ts'
import { readDay } from './read-day.ts'
import { moneyTyped } from './typed-money.ts'

// Values of files, in the ways that libraries write them; null is what is none.

/** A year alone, or that of a full date; of a birth it is all that is kept. */
export function readYear(text: string, lastYear = 2099): string | null {
  const written = text.trim()
  if (/^[12]\d{3}$/.test(written)) return written
  const day = readDay(written, lastYear)
  // « cop. 2011 », « 1999- », « DL 2004 ».
  return day?.slice(0, 4) ?? /(?<!\d)(?:1[4-9]|20)\d\d(?!\d)/.exec(written)?.[0] ?? null
}

/** Of people alive. */
export function readBirthYear(text: string, lastYear = 2099): number | null {
  const written = text.trim()
  const year = Number(
    /^[12]\d{3}$/.test(written) ? written : (readDay(written, lastYear)?.slice(0, 4) ?? Number.NaN),
  )
  return year >= 1900 && year <= 2100 ? year : null
}

/** As it is typed on screens; a cell without a digit is no amount. */
export function readMoney(text: string): string | null {
  const read = moneyTyped(text)
  return /\d/.test(text) && 'amount' in read ? read.amount : null
}

const yes = new Set(['oui', 'o', 'yes', 'y', 'vrai', 'true', '1', 'x'])
const no = new Set(['non', 'n', 'no', 'faux', 'false', '0', ''])

export function readFlag(text: string): boolean | null {
  const word = comparableName(text)
  return yes.has(word) ? true : no.has(word) ? false : null
}

/** What a cell shows whose formula has no value. */
export const isSheetError = (text: string): boolean =>
  /^(?:#(?:N\/A|(?:REF|NULL|NUL|DIV\/0|VALUE|VALEUR|NUM|NOMBRE|SPILL|CALC)!|(?:NAME|NOM)\?)|Err:\d+)$/i.test(
    text.trim(),
  )

/** A spreadsheet shortened a long number, whose last digits are lost for good. */
export const isShortenedNumber = (text: string): boolean => /^\d(?:[.,]\d+)?E\+?\d+$/i.test(text.trim())

/** The one key of a work: the 13 digits of an ISBN, an EAN with its zeros, else the code as it is written. */
export function readCode(text: string): string | null {
  if (isShortenedNumber(text)) return null
  const written = text.trim().replace(/^(?:isbn|ean|issn)(?:-1[03])?\s*:?\s*/i, '')
  const bare = bareCode(written)
  // Zeros that a spreadsheet took from an ISBN-10 are not put back: any SUDOC number would then be one.
  const known = findIsbn13(bare) ?? [bare, `0${bare}`].find(hasEanCheckDigit)
  return known ?? (written === '' ? null : written)
}

/** Several words between « ; », « | » or line ends; between commas where there is nothing else. */
export function readList(text: string): string[] {
  const between = /[;|\n]/.test(text) ? /[;|\n]/ : /,/
  return [...new Set(text.split(between).map((word) => word.replace(/\s+/g, ' ').trim()))].filter(
    (word) => word !== '',
  )
}

const wordOf =
  <Value extends string>(values: Readonly<Record<string, Value>>) =>
  (text: string): Value | null => {
    const word = comparableName(text)
    // « constructor » is a word of every object.
    return Object.hasOwn(values, word) ? (values[word] ?? null) : null
  }

export const readAudience = wordOf<Audience>({
  adulte: 'adult',
  adultes: 'adult',
  adult: 'adult',
  a: 'adult',
  jeunesse: 'youth',
  jeune: 'youth',
  jeunes: 'youth',
  enfant: 'youth',
  enfants: 'youth',
  ado: 'youth',
  youth: 'youth',
  e: 'youth',
  j: 'youth',
})
export const readReaderKind = wordOf<ReaderKind>({
  personne: 'person',
  individuel: 'person',
  person: 'person',
  collectivite: 'collectivity',
  collectivity: 'collectivity',
  ecole: 'collectivity',
})
export const readCopyState = wordOf<CopyState>({
  'tres bon etat': 'VERY_GOOD',
  'tres bon': 'VERY_GOOD',
  neuf: 'VERY_GOOD',
  'bon etat': 'GOOD',
  bon: 'GOOD',
  moyen: 'GOOD',
  endommage: 'DAMAGED',
  abime: 'DAMAGED',
  use: 'DAMAGED',
  mauvais: 'DAMAGED',
  inutilisable: 'UNUSABLE',
  'hors d usage': 'UNUSABLE',
})
export const readCopyType = wordOf({
  location: 'Location',
  pret: 'Location',
  vente: 'Vente',
  sale: 'Vente',
} as const)

/** « mailto: » before it is what a sheet keeps of a link. */
export function readEmail(text: string): string | null {
  const address = text.trim().replace(/^mailto:/i, '')
  return isEmailAddress(address) ? address : null
}
