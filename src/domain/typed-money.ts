import type { Money } from './money.ts'

const longestEuros = 8

// Thousands in one convention, cents in the other.
const forms = [
  /^(\d+)(?:[.,](\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2}))?$/,
  /^([1-9]\d{0,2}(?: \d{3})+)(?:[.,](\d{1,2}))?$/,
]

const euro = '(?:€|eur(?:os?)?(?!\\p{L}))'
const before = new RegExp(`^(?:\\$|${euro}) ?`, 'iu')
const behind = new RegExp(` ?(?<!\\p{L})${euro}$`, 'iu')
/** « 12€50 », « 12 euros 50 »: the sign or word is the mark between euros and cents. */
const between = new RegExp(`(?<=\\d) ?${euro} ?(?=\\d\\d$)`, 'iu')
const oneDigitBehind = new RegExp(`^(\\d+) ?${euro} ?(\\d)$`, 'iu')

/** Euros as people and files write them. What can be read two ways is a fault; a leading dollar sign is tolerated. */
export function moneyTyped(typed: string): { amount: Money } | { fault: string } {
  const text = typed
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?([.,]) ?/g, '$1')
    .replace(before, '')
    .replace(behind, '')
    .replace(between, ',')
  if (text === '') return { amount: '0.00' }
  const meant = twoWays(text)
  if (meant !== null) return { fault: `«\u00a0${text}\u00a0» se lit de deux façons\u202f: écrivez ${meant}.` }
  const [, euros, cents = ''] = forms.map((form) => form.exec(text)).find(Boolean) ?? []
  const digits = euros?.replace(/\D/g, '')
  if (digits === undefined || digits.length > longestEuros) {
    return { fault: 'Montant inconnu\u202f: écrivez-le comme 12,50.' }
  }
  return { amount: `${Number(digits)}.${cents.padEnd(2, '0')}` }
}

/** How to write either, where a text may be two amounts. */
function twoWays(text: string): string | null {
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return `${text.replace(/[.,]/, '')} ou deux décimales au plus`
  const [, euros, digits] = /^(\d+) (\d{1,2})$/.exec(text) ?? []
  if (euros !== undefined) return `${euros}${digits} ou ${euros},${digits}`
  const [, whole, digit] = oneDigitBehind.exec(text) ?? []
  return whole === undefined ? null : `${whole},0${digit} ou ${whole},${digit}0`
}
