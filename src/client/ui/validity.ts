import { type RefObject, useEffect, useRef } from 'react'

/** Tells the browser that a field holds what cannot be saved: its form is not sent. Empty when it can. */
export function useValidity(message: string): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.setCustomValidity(message), [message])
  return field
}

/** Where a screen saves without a form: brings the first field that cannot be saved under the person's fingers; answers whether all can. */
export function canBeSaved(screen: HTMLElement | null): boolean {
  const field = [...(screen?.querySelectorAll('input') ?? [])].find((input) => !input.checkValidity())
  field?.focus()
  field?.reportValidity()
  return !field
}
