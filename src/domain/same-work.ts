/**
 * Whether titles are of one work: the same, or one goes on after a sign (« l'étranger », « l'étranger : roman »). A number in what
 * goes on may be a volume's.
 */
export function isSameTitle(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const rest = long.slice(short.length)
  return short !== '' && long.startsWith(short) && /^ ?[:/[=;]/.test(rest) && !/\d/.test(rest)
}

/** « Tome 01 » is « 1 ». */
export const plainVolume = (volume: string): string =>
  volume
    .replace(/^(?:tome|volume|vol|t|v|n°|no|numero|#)\b[ .]*/, '')
    .replace(/^0+(?=\d)/, '')
    .trim()
