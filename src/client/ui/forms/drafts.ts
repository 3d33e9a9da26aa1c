import * as v from 'valibot'

import { personOf } from '../../../offline/entry.ts'
import { currentSession } from '../../api/session.ts'
import { say } from '../../page/messages.ts'

// Of what was typed when a session ended: on the device, because choosing a site loads the page again.
const storageKey = 'drafts'
/** Who signed out by choice: their forms leave nothing, in no tab. */
const leaverKey = 'drafts_leaver'
const keptMs = 60 * 60_000

type Changed = Readonly<Record<string, unknown>>

const keptSchema = v.array(
  v.object({
    about: v.string(),
    person: v.string(),
    at: v.number(),
    /** The title of the dialog that holds it, until it was said. */
    dialog: v.optional(v.string()),
    changed: v.record(v.string(), v.unknown()),
  }),
)
type Kept = v.InferOutput<typeof keptSchema>

/** What cannot be written, such as a chosen file, lasts until the page is loaded again. */
const loose = new Map<string, Changed>()

export function currentOwner(): string | null {
  const session = currentSession()
  if (!session?.user || session.environment_id === null) return null
  return personOf({ environment_id: session.environment_id, user_id: session.user.id })
}

function read(): Kept {
  try {
    const kept = v.safeParse(keptSchema, JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
    return kept.success ? kept.output.filter(({ at }) => Math.abs(Date.now() - at) < keptMs) : []
  } catch {
    return []
  }
}

function write(kept: Kept): void {
  try {
    if (kept.length === 0) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Storage is full or forbidden: nothing is kept.
  }
}

let sweeping: ReturnType<typeof setTimeout> | undefined

/** Takes away what is older than an hour now, and the rest once it is. */
export function sweepDrafts(): void {
  const kept = read()
  write(kept)
  clearTimeout(sweeping)
  const oldest = Math.min(...kept.map(({ at }) => at))
  if (kept.length > 0) sweeping = setTimeout(sweepDrafts, oldest + keptMs - Date.now() + 1)
}

const isOf =
  (about: string, person: string) =>
  (one: { about: string; person: string }): boolean =>
    one.about === about && one.person === person

export function keepDraft(draft: Pick<Kept[number], 'about' | 'person' | 'changed' | 'dialog'>): void {
  const { about, person } = draft
  if (localStorage.getItem(leaverKey) === person) return
  const entries = Object.entries(draft.changed)
  const changed = Object.fromEntries(entries.filter(([, value]) => isWritable(value)))
  loose.set(`${person} ${about}`, Object.fromEntries(entries.filter(([, value]) => !isWritable(value))))
  const others = read().filter((one) => !isOf(about, person)(one))
  write([...others, { ...draft, changed, at: Date.now() }])
  sweepDrafts()
}

/** Gives it back once; what is older than an hour is gone. */
export function takeDraft(about: string, person: string | null): Changed | null {
  if (person === null) return null
  if (localStorage.getItem(leaverKey) === person) localStorage.removeItem(leaverKey)
  const kept = read()
  const found = kept.find(isOf(about, person))
  write(kept.filter((one) => one !== found))
  if (!found) return null
  const key = `${found.person} ${about}`
  const changed = { ...found.changed, ...loose.get(key) }
  loose.delete(key)
  return changed
}

/** For whoever signs out by choice, while their session stands. */
export function leaveNoDraft(): void {
  const person = currentOwner()
  if (person === null) return
  write(read().filter((one) => one.person !== person))
  localStorage.setItem(leaverKey, person)
}

/** Says to whoever is back which dialogs hold what they typed, once. */
export function sayDrafts(): void {
  const person = currentOwner()
  const kept = read()
  const titles = kept.flatMap((one) => (one.person === person && one.dialog ? [one.dialog] : []))
  if (titles.length === 0) return
  write(kept.map(({ dialog, ...one }) => (one.person === person || !dialog ? one : { ...one, dialog })))
  const named = titles.map((title) => `«\u00a0${title}\u00a0»`).join(', ')
  say(`Ce que vous aviez saisi est gardé\u202f: rouvrez ${named} pour le retrouver.`, 'warn')
}

function isWritable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return isPlain && Object.values(value).every(isWritable)
}
