import { useContext, useEffect, useRef } from 'react'

import { currentSession } from '../api/session.ts'
import { DialogTitle } from './dialog-title.ts'
import { currentOwner, keepDraft, takeDraft } from './drafts.ts'
import type { Form } from './use-fields.ts'

/** Keeps what was typed when the session ends under a form, for the same person in the same form. */
export function useDraft({ draft, restore }: Pick<Form, 'draft' | 'restore'>): void {
  const { about } = draft
  const dialog = useContext(DialogTitle)
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => {
    const person = currentOwner()
    const found = takeDraft(about, person)
    if (found) restore(found)
    return () => {
      const changed = latest.current.changed
      if (person === null || currentSession() !== null || Object.keys(changed).length === 0) return
      keepDraft({ about, person, changed, ...(dialog === undefined ? {} : { dialog }) })
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for each form; what was typed last is what is kept
  }, [about])
}
