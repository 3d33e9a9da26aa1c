import { readFileSync } from 'node:fs'

/** The address of every screen behind the door, by the table that the application makes its routes of; a detail is that of the first record. */
export function screenAddresses(): string[] {
  const table = readFileSync('src/client/app/screens.tsx', 'utf8')
  const paths = Array.from(table.matchAll(/^ {4}path: '([^']+)',$/gm), ([, path = '']) => path)
  if (paths.length < 10) throw new Error('src/client/app/screens.tsx no longer names its addresses as it did')
  return paths.map((path) => path.replace(/:\w+/, '1'))
}
