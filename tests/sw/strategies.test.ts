import { expect, it } from 'vitest'

import { isScreen } from '../../sw/strategies.ts'

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
])('the server answers %s', (path) => {
  expect(visit(path)).toBe(false)
})

it('the shell answers pages only, of this origin', () => {
  expect(visit('/prets', { mode: 'cors' })).toBe(false)
  expect(visit('/prets', { method: 'POST' })).toBe(false)
  expect(visit('https://ailleurs.exemple.fr/prets')).toBe(false)
})
