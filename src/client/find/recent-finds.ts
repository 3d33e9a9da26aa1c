import * as v from 'valibot'

import { personOf } from '../../offline/entry.ts'
import { currentSession } from '../api/session.ts'
import { finders, type Has } from './finders.ts'
import { type Hit, hitSchema } from './hit.ts'
import { mostHits } from './find-anything.ts'

// It names readers, so it leaves with the session (endSession, client/api/session.ts).
const storageKey = 'recent_finds'
/** Some for each of several sites. */
const mostKept = 40

const keptSchema = v.object({
  person: v.string(),
  finds: v.array(v.object({ site: v.number(), hit: hitSchema })),
})
type Kept = v.InferOutput<typeof keptSchema>

/** Null until the signed-in person is known. */
function readKept(): Kept | null {
  const session = currentSession()
  if (!session?.user || session.environment_id === null) return null
  const person = personOf({ environment_id: session.environment_id, user_id: session.user.id })
  try {
    const kept = v.safeParse(keptSchema, JSON.parse(localStorage.getItem(storageKey) ?? 'null'))
    if (kept.success && kept.output.person === person) return kept.output
  } catch {
    // Not ours any more, or storage is forbidden: there are none.
  }
  return { person, finds: [] }
}

const currentSite = (): number => currentSession()?.site?.id ?? 0

/** Opened at this site and still open to the person, latest first. */
export function recentFinds(has: Has, isOpenScreen: (path: string) => boolean): Hit[] {
  const isOpen = ({ kind, to }: Hit) =>
    kind === 'screen' || kind === 'setting'
      ? isOpenScreen(to)
      : finders.some((finder) => finder.kind === kind && finder.may(has))
  return (readKept()?.finds ?? [])
    .filter(({ site, hit }) => site === currentSite() && isOpen(hit))
    .map(({ hit }) => hit)
    .slice(0, mostHits)
}

export function rememberFind(hit: Hit): void {
  const kept = readKept()
  if (!kept) return
  const site = currentSite()
  const others = kept.finds.filter((one) => one.site !== site || one.hit.key !== hit.key)
  const finds = [{ site, hit }, ...others].slice(0, mostKept)
  try {
    localStorage.setItem(storageKey, JSON.stringify({ person: kept.person, finds }))
  } catch {
    // Storage is full or forbidden: nothing is recent.
  }
}
