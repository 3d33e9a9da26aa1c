import { existsSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { serverVerbs } from './server-verbs.ts'

it.each(serverVerbs)('$file still has what is changed: $name', ({ file, before, tests }) => {
  expect(readFileSync(file, 'utf8').split(before)).toHaveLength(2)
  expect(tests.filter((test) => !existsSync(test))).toEqual([])
})
