import { type RefObject, useLayoutEffect } from 'react'

export function useFocusFirstError(form: RefObject<HTMLElement | null>, error: unknown): void {
  useLayoutEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, error])
}
