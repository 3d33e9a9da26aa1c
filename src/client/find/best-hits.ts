import { hasEveryWord } from '../ui/every-word.ts'
import type { Hit } from './hit.ts'

export const mostHits = 8

/** Hits of an earlier text that also fit what is typed now. */
export const stillFitting = (found: readonly (readonly Hit[])[], typed: string): Hit[][] =>
  found.map((hits) => hits.filter((hit) => isFitting(hit, typed)))

export const isFitting = ({ title, detail }: Hit, typed: string): boolean =>
  hasEveryWord(`${title} ${detail}`, typed)

/** Those that carry the very code that was typed. */
export function exactlyOf(lists: readonly (readonly Hit[])[], typed: string): Hit[] {
  const code = typed.toLowerCase()
  return lists.flat().filter(({ detail }) => detail.toLowerCase().split(' · ').includes(code))
}

/** A loan is none of its own where its title or its reader is found: they lead to it. */
export function withoutDoubles(found: readonly (readonly Hit[])[]): Hit[][] {
  const keys = new Set(found.flat().map(({ key }) => key))
  return found.map((hits) => hits.filter(({ of = [] }) => !of.some((key) => keys.has(key))))
}

/** Shares the room fairly between lists, and shows what is found twice once. */
export function bestOf(lists: readonly (readonly Hit[])[]): Hit[] {
  const seen = new Set<string>()
  const once = lists.map((hits) => hits.filter(({ key }) => !seen.has(key) && seen.add(key)))
  const taken = once.map(() => 0)
  for (let left = mostHits, before = -1; left !== before;) {
    before = left
    for (const [at, hits] of once.entries()) {
      if (left === 0 || (taken[at] ?? 0) >= hits.length) continue
      taken[at] = (taken[at] ?? 0) + 1
      left -= 1
    }
  }
  return once.flatMap((hits, at) => hits.slice(0, taken[at]))
}

/** Whether more was found than is shown, or may be: a finder asks for no more than there is room for. */
export const hasMore = (lists: readonly (readonly Hit[])[], found: readonly (readonly Hit[])[]): boolean =>
  found.some((hits) => hits.length >= mostHits) ||
  new Set(lists.flatMap((hits) => hits.map(({ key }) => key))).size > mostHits
