import { expect, it, vi } from 'vitest'

import { gathered } from '../../src/offline/gathered.ts'

it('runs at once, one at a time, and once more for all that was asked meanwhile', async () => {
  const runs: (() => void)[] = []
  const ask = gathered(() => new Promise<void>((resolve) => runs.push(resolve)))
  ask()
  expect(runs).toHaveLength(1)
  for (let again = 0; again < 100; again += 1) ask()
  expect(runs).toHaveLength(1)
  runs[0]?.()
  await expect.poll(() => runs.length).toBe(2)
  runs[1]?.()
  await new Promise((resolve) => setTimeout(resolve))
  ask()
  expect(runs).toHaveLength(3)
})

it('runs again when asked after a failure', async () => {
  const work = vi.fn(() => Promise.reject(new Error('store closed')))
  const ask = gathered(work)
  ask()
  await new Promise((resolve) => setTimeout(resolve))
  ask()
  expect(work).toHaveBeenCalledTimes(2)
})
