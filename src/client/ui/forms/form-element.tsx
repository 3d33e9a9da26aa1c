import { type KeyboardEvent, type ReactNode, useContext, useEffect, useLayoutEffect, useRef } from 'react'

import { currentSession } from '../../api/session.ts'
import { DialogTitle } from '../dialogs/dialog-title.ts'
import { currentOwner, keepDraft, takeDraft } from './drafts.ts'
import type { Form } from './use-fields.ts'

/** Keeps what was typed when the session ends under a form, for the same person in the same form. */
function useDraft({ draft, restore }: Pick<Form, 'draft' | 'restore'>): void {
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

type FormElementProps = {
  form: Pick<Form, 'ref' | 'submit' | 'draft' | 'restore'>
  className?: string
  beginsInField?: boolean
  onKeyDown?: (event: KeyboardEvent) => void
  children: ReactNode
}

const fields = 'input:not([type=hidden], :disabled), textarea:not(:disabled), select:not(:disabled)'

/** Every form's element: the form tells errors, the browser does not. */
export function FormElement(props: FormElementProps) {
  const { form, className, beginsInField = false, onKeyDown, children } = props
  const { ref, submit } = form
  useDraft(form)
  useLayoutEffect(() => {
    if (beginsInField) ref.current?.querySelector(fields)?.setAttribute('data-autofocus', 'true')
  }, [beginsInField, ref])
  return (
    // Keys of its fields, which it hears of.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form ref={ref} className={className} noValidate onSubmit={submit} onKeyDown={onKeyDown}>
      {children}
    </form>
  )
}
