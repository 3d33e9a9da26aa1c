import { type RefObject, useEffect, useRef } from 'react'

/** Makes the browser hold a field invalid; empty means valid. */
export function useValidity<F extends HTMLInputElement | HTMLTextAreaElement = HTMLInputElement>(
  message: string,
): RefObject<F | null> {
  const field = useRef<F>(null)
  useEffect(() => field.current?.setCustomValidity(message), [message])
  return field
}

/** For screens without a form: focuses the first invalid field, and answers whether there is none. */
export function canBeSaved(screen: HTMLElement | null): boolean {
  const fields = screen?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea') ?? []
  const field = [...fields].find((one) => !one.checkValidity())
  field?.focus()
  field?.reportValidity()
  return !field
}
