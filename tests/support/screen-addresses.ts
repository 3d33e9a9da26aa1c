import { readFileSync } from 'node:fs'

/** Every screen's address, from the table that makes the routes; a detail's is the first record's. */
export function screenAddresses(): string[] {
  const table = readFileSync('src/client/app/screens.tsx', 'utf8')
  const paths = Array.from(table.matchAll(/^ {4}path: '([^']+)',$/gm), ([, path = '']) => path)
  if (paths.length < 10) throw new Error('src/client/app/screens.tsx no longer names its addresses as it did')
  return paths.map((path) => path.replace(/:\w+/, '1'))
}
