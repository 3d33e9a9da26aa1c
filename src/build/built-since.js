import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

// JavaScript, because `npm start` asks it where no tool but Node is installed.

/** What a build is made from. */
export const sources = [
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

const age = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** @type {(path: string) => number} */
const newest = (path) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? Math.max(age(path), ...readdirSync(path).map((name) => newest(join(path, name))))
    : age(path)

/**
 * Whether what was built is younger than everything it is built from; `also` are further sources.
 * @param {string} built
 * @param {readonly string[]} also
 */
export const isBuiltSince = (built, also = []) =>
  [...sources, ...also].every((path) => newest(path) < age(built))
