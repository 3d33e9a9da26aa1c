import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

import { expect, it } from 'vitest'

const paths = readdirSync('src/client', { recursive: true, encoding: 'utf8' }).map((path) =>
  join('src/client', path),
)
const read = (path: string): string => readFileSync(path, 'utf8')

/** The classes that a style sheet has, without those of other sheets. */
const classesIn = (sheet: string): string[] => {
  const selectors = read(sheet)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\{[^{}]*\}/g, '{}')
    .replace(/:global\((?:[^()]|\([^()]*\))*\)/g, '')
  return [...selectors.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']) => name)
}

/** The names by which a file calls the classes of each sheet that it imports. */
const callsIn = (path: string): { sheet: string; name: string }[] => {
  const text = read(path)
  return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)'$/gm)].flatMap(
    ([, styles = '', from = '']) =>
      [...text.matchAll(new RegExp(`\\b${styles}\\['([\\w-]+)'\\]`, 'g'))].map(([, name = '']) => ({
        sheet: normalize(join(dirname(path), from)),
        name,
      })),
  )
}

it('a style sheet has every class that a file calls, and no other', () => {
  const called = new Set(
    paths
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap(callsIn)
      .map(({ sheet, name }) => `${sheet}: ${name}`),
  )
  const there = new Set(
    paths
      .filter((path) => path.endsWith('.module.css'))
      .flatMap((sheet) => classesIn(sheet).map((name) => `${sheet}: ${name}`)),
  )
  expect([...called].filter((one) => !there.has(one))).toEqual([])
  expect([...there].filter((one) => !called.has(one))).toEqual([])
})
