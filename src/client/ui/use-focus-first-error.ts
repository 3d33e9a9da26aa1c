import { type RefObject, useLayoutEffect } from 'react'

/** Brings the first field that the server refused under the person's fingers, in the same moment as the refusal is shown. */
export function useFocusFirstError(form: RefObject<HTMLElement | null>, error: unknown): void {
  useLayoutEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, error])
}
