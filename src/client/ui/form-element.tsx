import { type KeyboardEvent, type ReactNode, useLayoutEffect } from 'react'

import { useDraft } from './use-draft.ts'
import type { Form } from './use-fields.ts'

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
