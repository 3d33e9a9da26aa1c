// @vitest-environment node
import { describe, expect, it } from 'vitest'

import { takeFairTurns } from '../../src/server/session/take-fair-turns.ts'

const never = new AbortController().signal

/** Works that end when told, in the order in which they began. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, work, end: (name: string) => ends.get(name)?.() }
}

describe('takeFairTurns', () => {
  it('runs so many at once, and so many of one asker', async () => {
    const turns = takeFairTurns({ atOnce: 3, each: 2 })
    const { begun, work } = works()
    for (const name of ['a1', 'a2', 'a3']) void turns.run('a', never, work(name))
    expect(begun).toEqual(['a1', 'a2'])
    for (const name of ['b1', 'c1']) void turns.run(name, never, work(name))
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    expect([turns.running, turns.waiting]).toEqual([3, 2])
  })

  it('serves askers in turn, whatever each of them asks for at once', async () => {
    const turns = takeFairTurns({ atOnce: 1, each: 1 })
    const { begun, work, end } = works()
    const many = ['a1', 'a2', 'a3'].map((name) => turns.run('a', never, work(name)))
    const one = turns.run('b', never, work('b1'))
    for (const name of ['a1', 'a2', 'b1']) {
      end(name)
      await Promise.race([...many.slice(begun.length - 1), one])
    }
    end('a3')
    expect(await Promise.all([...many, one])).toEqual(['a1', 'a2', 'a3', 'b1'])
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('lets whoever leaves out of the line, and runs nothing for them', async () => {
    const turns = takeFairTurns({ atOnce: 1, each: 1 })
    const { begun, work, end } = works()
    const first = turns.run('a', never, work('a1'))
    const impatient = new AbortController()
    const second = turns.run('a', impatient.signal, work('a2'))
    const third = turns.run('a', never, work('a3'))
    impatient.abort()
    expect(await second).toBeNull()
    end('a1')
    await first
    end('a3')
    expect(await third).toBe('a3')
    expect(begun).toEqual(['a1', 'a3'])
    expect([turns.running, turns.waiting]).toEqual([0, 0])
    expect(await turns.run('a', impatient.signal, work('a4'))).toBeNull()
  })

  it('gives the place on when a work fails', async () => {
    const turns = takeFairTurns({ atOnce: 1, each: 1 })
    const failed = turns.run('a', never, () => Promise.reject(new Error('no')))
    const next = turns.run('b', never, () => Promise.resolve('b1'))
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('b1')
  })
})
