import { describe, expect, it } from 'vitest'

import { emitter } from '../../src/domain/emitter.ts'

/** What is done in turn: `A` and `B` begin to listen, `a` and `b` listen no more, a number is told. */
type Deed = 'A' | 'B' | 'a' | 'b' | number

function heardOf(deeds: readonly Deed[]): { heard: string[]; isWatched: boolean } {
  const { tell, watch, isWatched } = emitter<[news: number]>()
  const heard: string[] = []
  const hear = { a: (news: number) => heard.push(`a${news}`), b: (news: number) => heard.push(`b${news}`) }
  const stops: Record<'a' | 'b', () => void> = { a: () => undefined, b: () => undefined }
  for (const deed of deeds) {
    if (typeof deed === 'number') tell(deed)
    else if (deed === 'a' || deed === 'b') stops[deed]()
    else {
      const who = deed === 'A' ? 'a' : 'b'
      stops[who] = watch(hear[who])
    }
  }
  return { heard, isWatched: isWatched() }
}

describe('emitter', () => {
  it.each<[what: string, deeds: Deed[], heard: string[], isWatched: boolean]>([
    ['nobody', [1], [], false],
    ['one who listens', ['A', 1, 2], ['a1', 'a2'], true],
    ['both, in the order in which they came', ['B', 'A', 1], ['b1', 'a1'], true],
    ['nobody of what was told before', [1, 'A', 2], ['a2'], true],
    ['only who still listens', ['A', 'B', 1, 'a', 2], ['a1', 'b1', 'b2'], true],
    ['nobody once the last has gone', ['A', 'a', 1], [], false],
    ['once who listens twice', ['A', 'A', 1], ['a1'], true],
    ['who comes again after they went', ['A', 'a', 'a', 'A', 1], ['a1'], true],
  ])('tells %s', (_, deeds, heard, isWatched) => {
    expect(heardOf(deeds)).toEqual({ heard, isWatched })
  })

  it('tells who begins to listen while it tells, and not who has just gone', () => {
    const { tell, watch } = emitter()
    const heard: string[] = []
    watch(() => {
      heard.push('first')
      stop()
      watch(late)
    })
    const stop = watch(() => heard.push('gone'))
    const late = () => heard.push('late')
    tell()
    expect(heard).toEqual(['first', 'late'])
  })
})
