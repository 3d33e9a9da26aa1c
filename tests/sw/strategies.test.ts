import { expect, it } from 'vitest'

import { isScreen, isToBeSentLater } from '../../sw/strategies.ts'

const origin = 'https://pret.exemple.fr'
const visit = (path: string, more: Partial<{ mode: string; method: string }> = {}) =>
  isScreen({ mode: 'navigate', method: 'GET', url: new URL(path, origin).href, ...more }, origin)

it.each(['/', '/login?token=x', '/prets', '/prets/12', '/authors', '/apiculture', '/index.html'])(
  'the shell answers %s',
  (path) => {
    expect(visit(path)).toBe(true)
  },
)

it.each([
  '/api',
  '/api/docs',
  '/api/image/env/1',
  '/auth',
  '/dns',
  '/resetting/reset/x',
  '/health',
  '/metrics',
  '/licences.txt',
])('the server answers %s', (path) => {
  expect(visit(path)).toBe(false)
})

it('the shell answers pages only, of this origin', () => {
  expect(visit('/prets', { mode: 'cors' })).toBe(false)
  expect(visit('/prets', { method: 'POST' })).toBe(false)
  expect(visit('https://ailleurs.exemple.fr/prets')).toBe(false)
})

it.each([
  ['network', true],
  ['later', true],
  ['signed-out', false],
  ['elsewhere', false],
  [null, false],
] as const)('a sending that stopped for « %s » asks to be called again: %s', (stopped, isAsked) => {
  expect(isToBeSentLater({ stopped })).toBe(isAsked)
})
