import { type RefObject, useEffect, useRef } from 'react'

/** Makes the browser hold a field invalid; empty means valid. */
export function useValidity(message: string): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.setCustomValidity(message), [message])
  return field
}

/** For screens without a form: focuses the first invalid field, and answers whether there is none. */
export function canBeSaved(screen: HTMLElement | null): boolean {
  const field = [...(screen?.querySelectorAll('input') ?? [])].find((input) => !input.checkValidity())
  field?.focus()
  field?.reportValidity()
  return !field
}
