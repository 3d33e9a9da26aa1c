import { type ReactNode, useLayoutEffect } from 'react'

import type { Form } from './use-fields.ts'

type FormElementProps = {
  form: Pick<Form, 'ref' | 'submit'>
  className?: string
  /** Of a dialog, which has the focus in its first field when it opens. */
  beginsInField?: boolean
  children: ReactNode
}

const fields = 'input:not([type=hidden], :disabled), textarea:not(:disabled), select:not(:disabled)'

/** The element of every form. What is wrong is said by the form, never by the browser. */
export function FormElement({ form, className, beginsInField = false, children }: FormElementProps) {
  const { ref, submit } = form
  useLayoutEffect(() => {
    if (beginsInField) ref.current?.querySelector(fields)?.setAttribute('data-autofocus', 'true')
  }, [beginsInField, ref])
  return (
    <form ref={ref} className={className} noValidate onSubmit={submit}>
      {children}
    </form>
  )
}
