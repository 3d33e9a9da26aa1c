import { shortValue } from './short-value.ts'

/** Names the columns of a file that give no field; null where each gives one. */
export function leftColumnsWords(
  columns: readonly { name: string }[],
  mapping: readonly (string | null)[],
): string | null {
  const left = columns.filter((_, at) => (mapping[at] ?? null) === null)
  if (left.length === 0) return null
  const names = left.map(({ name }) => `«\u00a0${shortValue(name)}\u00a0»`).join(', ')
  return left.length === 1
    ? `Colonne qui ne s’importe pas\u202f: ${names}.`
    : `Colonnes qui ne s’importent pas\u202f: ${names}.`
}
