import { frenchNumber } from './french-number.ts'

const units = [
  [1_000_000_000, 'Go'],
  [1_000_000, 'Mo'],
  [1000, 'ko'],
] as const

/** « 512 octets », « 2,4 ko », « 18 Mo », « 1,5 Go ». */
export function byteSize(bytes: number): string {
  // What would be rounded to 1 000 of a unit is 1 of the next.
  const [one, unit] = units.find(([size]) => bytes >= 0.9995 * size) ?? [1, bytes < 2 ? 'octet' : 'octets']
  const value = bytes / one
  return `${frenchNumber(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))}\u202f${unit}`
}
