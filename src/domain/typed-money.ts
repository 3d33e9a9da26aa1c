import type { Money } from './money.ts'

const longestEuros = 8

const plain = /^(\d+)(?:[.,](\d{1,2}))?$/
// Thousands in one convention, cents in the other.
const grouped = [/^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d{1,2}))?$/, /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2}))?$/]
const ambiguous = /^[1-9]\d{0,2}[.,]\d{3}$/

/** Ambiguous thousands are a fault; a leading dollar sign is tolerated (file 2, section 5). */
export function moneyTyped(typed: string): { amount: Money } | { fault: string } {
  const text = typed
    .trim()
    .replace(/^\$/, '')
    .replace(/[\s\u00a0\u202f]/g, '')
  if (text === '') return { amount: '0.00' }
  if (ambiguous.test(text)) {
    return {
      fault: `«\u00a0${text}\u00a0» se lit de deux façons\u202f: écrivez ${text.replace(/[.,]/, '')} ou deux décimales au plus.`,
    }
  }
  const [, euros, cents = ''] = [plain, ...grouped].map((form) => form.exec(text)).find(Boolean) ?? []
  const digits = euros?.replace(/[.,]/g, '')
  if (digits === undefined || digits.length > longestEuros) {
    return { fault: 'Montant inconnu\u202f: écrivez-le comme 12,50.' }
  }
  return { amount: `${Number(digits)}.${cents.padEnd(2, '0')}` }
}
