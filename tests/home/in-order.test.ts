import { expect, it } from 'vitest'

import { inOrder } from '../../src/client/home/in-order.ts'

it('inOrder works on things one at a time, in the order they came, and goes on after a failure', async () => {
  const done: string[] = []
  const failed: number[] = []
  const gates = new Map<number, () => void>()
  const push = inOrder<number>(
    async (thing) => {
      done.push(`begins ${thing}`)
      await new Promise<void>((resolve) => gates.set(thing, resolve))
      if (thing === 2) throw new Error('no')
      done.push(`ends ${thing}`)
    },
    (_, thing) => failed.push(thing),
  )
  const all = [1, 2, 3].map(push)
  for (const thing of [1, 2, 3]) {
    await expect.poll(() => gates.has(thing)).toBe(true)
    gates.get(thing)?.()
  }
  await Promise.all(all)
  expect(done).toEqual(['begins 1', 'ends 1', 'begins 2', 'begins 3', 'ends 3'])
  expect(failed).toEqual([2])
})
