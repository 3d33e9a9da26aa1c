import { useContext, useEffect, useRef } from 'react'

import { currentSession, watchSession } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { DialogTitle } from './dialog-title.ts'
import type { Form } from './use-fields.ts'

type Draft = { person: number; changed: Form['changed']; dialog: string | undefined }

/** In memory only: it may name people, and signing in again loads no page. */
const drafts = new Map<string, Draft>()

/** Keeps what was typed when the session ends under a form, for the same person in the same form. */
export function useDraft({ draft, restore }: Pick<Form, 'draft' | 'restore'>): void {
  const { about } = draft
  const dialog = useContext(DialogTitle)
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => {
    const person = currentSession()?.user?.id
    const found = drafts.get(about)
    drafts.delete(about)
    if (found && found.person === person) restore(found.changed)
    return () => {
      const changed = latest.current.changed
      if (person === undefined || currentSession() !== null || Object.keys(changed).length === 0) return
      drafts.set(about, { person, changed, dialog })
      heedReturn()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for each form; what was typed last is what is kept
  }, [about])
}

let stopHeeding: (() => void) | undefined

/** Says to whoever signs in again which dialogs hold what they typed; what somebody else typed is forgotten. */
function heedReturn(): void {
  stopHeeding ??= watchSession(() => {
    const person = currentSession()?.user?.id
    if (person === undefined) return
    stopHeeding?.()
    stopHeeding = undefined
    for (const [about, draft] of drafts) if (draft.person !== person) drafts.delete(about)
    const titles = [...drafts.values()].flatMap(({ dialog }) => dialog ?? [])
    if (titles.length === 0) return
    const named = titles.map((title) => `«\u00a0${title}\u00a0»`).join(', ')
    say(`Ce que vous aviez saisi est gardé\u202f: rouvrez ${named} pour le retrouver.`, 'warn')
  })
}
