import { afterAll, inject } from 'vitest'

// Instrumented code asks these two by name whether a mutant is switched on, and tells which it went through.

declare module 'vitest' {
  interface ProvidedContext {
    mutants: Switches
  }
  interface TaskMeta {
    hits?: Record<string, number>
  }
}

export type Switches = {
  /** The mutants that are on, each with how often it may be gone through before it counts as endless. */
  on: Record<string, number>
  counts: boolean
}

const { on, counts } = inject('mutants')
const hits: Record<string, number> = {}
const left = new Map(Object.entries(on))

Object.assign(globalThis, {
  stryMutAct_9fa48(id: string): boolean {
    const times = left.get(id)
    if (times === undefined) return false
    if (times === 0) throw new Error('goes round without end')
    left.set(id, times - 1)
    return true
  },
  stryCov_9fa48: counts
    ? (...ids: string[]) => {
        for (const id of ids) hits[id] = (hits[id] ?? 0) + 1
      }
    : () => {},
})

if (counts)
  // Vitest asks for the braces.
  // oxlint-disable-next-line no-empty-pattern
  afterAll(({}, suite) => {
    suite.meta.hits = hits
  })
