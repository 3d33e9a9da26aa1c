import { type RefObject, useEffect } from 'react'

/** Brings the first field that the server refused under the person's fingers. */
export function useFocusFirstError(form: RefObject<HTMLElement | null>, error: unknown): void {
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, error])
}
