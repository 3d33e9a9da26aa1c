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

it('tells a failure, and runs again when asked', async () => {
  const failure = new Error('store closed')
  const work = vi.fn(() => Promise.reject(failure))
  const onTrouble = vi.fn()
  const ask = gathered(work, onTrouble)
  ask()
  await new Promise((resolve) => setTimeout(resolve))
  ask()
  expect(work).toHaveBeenCalledTimes(2)
  expect(onTrouble).toHaveBeenCalledWith(failure)
})
