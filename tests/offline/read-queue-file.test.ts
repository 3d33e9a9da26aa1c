import { expect, it, vi } from 'vitest'

import { isTooLarge, readQueueFile } from '../../src/offline/read-queue-file.ts'

it('isTooLarge says yes beyond 16 MB', () => {
  expect([16_000_000, 16_000_001].map((size) => isTooLarge({ size }))).toEqual([false, true])
})

it('readQueueFile reads a file, or says why not', async () => {
  const text = vi.fn(() => Promise.resolve('{}'))
  const name = 'une file avec un nom bien trop long.comptoir'
  expect(await readQueueFile({ name, size: 2, text })).toEqual({ name, text: '{}' })
  expect(await readQueueFile({ name, size: 16_000_001, text })).toEqual({
    name,
    text: null,
    problem:
      '«\u00a0une file avec un nom[...].comptoir\u00a0» : la taille maximale ne doit pas excéder 16Mo.',
  })
  expect(text).toHaveBeenCalledOnce()
  const gone = () => Promise.reject(new Error('gone'))
  expect(await readQueueFile({ name: 'ôtée', size: 2, text: gone })).toEqual({
    name: 'ôtée',
    text: null,
    problem: '«\u00a0ôtée\u00a0» n’a pas pu être lu.',
  })
})
