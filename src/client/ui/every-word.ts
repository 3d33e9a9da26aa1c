/** For searches: lower case without accents. */
export const folded = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('œ', 'oe').replaceAll('æ', 'ae')

export function hasEveryWord(text: string, search: string): boolean {
  const within = folded(text)
  return folded(search)
    .split(/\s+/)
    .every((word) => within.includes(word))
}
