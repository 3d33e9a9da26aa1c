import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { journalWords } from '../../src/contract/journal-words.ts'

const sources = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(`src/server/${path}`, 'utf8'))

it('the journal has words for what is done to accounts and passwords, whoever wrote it', () => {
  const done = sources.flatMap((source) =>
    [...source.matchAll(/action: '([\w.]+)',\s*entity: 'users'/g)].map(([, action = '']) => action),
  )
  expect(done).toContain('second_factor.recovery_code')
  const { actions } = journalWords['users']
  // A plain change is called so.
  expect(done.filter((action) => !(action in actions) && action !== 'users.update')).toEqual([])
})
