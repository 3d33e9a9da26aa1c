import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const sources = [
  'src',
  'sw',
  'public',
  'docs/guide',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

/** Whether what was built is younger than everything it is built from; `also` are further sources. */
export function isBuiltSince(built: string, also: readonly string[] = []): boolean {
  const age = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const newest = (path: string): number =>
    statSync(path).isDirectory()
      ? Math.max(age(path), ...readdirSync(path).map((name) => newest(join(path, name))))
      : age(path)
  return [...sources, ...also].every((path) => newest(path) < age(built))
}
