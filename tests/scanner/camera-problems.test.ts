// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { cameraProblemOf } from '../../src/client/scanner/camera-problems.ts'
import { cameraSentences } from '../../src/client/scanner/camera-session.ts'

describe('cameraProblemOf', () => {
  it.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'none'],
    ['NotReadableError', 'busy'],
    ['OverconstrainedError', 'overconstrained'],
  ])('knows %s as %s', (name, problem) => {
    expect(cameraProblemOf(new DOMException('', name))).toBe(problem)
  })

  it('bears whatever is thrown', () => {
    // @zxing/browser rejects with `false` when the video does not play.
    for (const thrown of [false, null, undefined, 'no', new Error('no')]) {
      expect(cameraProblemOf(thrown)).toBe('unknown')
    }
  })

  it('has a sentence of its own for each problem', () => {
    const sentences = Object.values(cameraSentences)
    expect(new Set(sentences).size).toBe(sentences.length)
  })
})
