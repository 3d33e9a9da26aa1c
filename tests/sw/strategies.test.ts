import { describe, expect, it } from 'vitest'

import { offeredFiles } from '../../src/offline/offered-files.ts'
import { answerShared, isScreen, isShared, isToBeSentLater } from '../../sw/strategies.ts'
import { freshDevice } from '../offline/device.ts'

freshDevice()

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
  '/guide/index.html',
])('the server answers %s', (path) => {
  expect(visit(path)).toBe(false)
})

it('the shell answers pages only, of this origin', () => {
  expect(visit('/prets', { mode: 'cors' })).toBe(false)
  expect(visit('/prets', { method: 'POST' })).toBe(false)
  expect(visit('https://ailleurs.exemple.fr/prets')).toBe(false)
})

it('what another application shares is kept for the screen that asks about it, and for no other page', async () => {
  const share = { mode: 'navigate', method: 'POST', url: new URL('/waiting', origin).href }
  expect(isShared(share, origin)).toBe(true)
  expect(isShared({ ...share, method: 'GET' }, origin)).toBe(false)
  expect(isShared({ ...share, mode: 'cors' }, origin)).toBe(false)
  expect(isShared({ ...share, url: new URL('/api/loanings', origin).href }, origin)).toBe(false)
  expect(isShared({ ...share, url: 'https://ailleurs.exemple.fr/waiting' }, origin)).toBe(false)
})

const shared = (body: BodyInit) =>
  answerShared(new Request(new URL('/waiting', origin), { method: 'POST', body }))

describe('answerShared', () => {
  it('keeps the files of the form, and leads to their screen', async () => {
    const form = new FormData()
    form.append('title', 'File du bibliobus')
    form.append('file', new File(['{"a":1}'], 'bus.comptoir'))
    form.append('file', 'un texte')
    const answer = await shared(form)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${origin}/waiting`])
    expect(await offeredFiles()).toMatchObject([{ name: 'bus.comptoir', text: '{"a":1}' }])
  })

  it('leads there also when what came is no form', async () => {
    expect((await shared('rien')).status).toBe(303)
    expect(await offeredFiles()).toEqual([])
  })
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
