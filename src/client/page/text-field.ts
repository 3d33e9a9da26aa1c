const textTypes = new Set(['text', 'search', 'email', 'password', 'tel', 'url', 'number'])

export function isTextField(target: EventTarget | null | undefined): boolean {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly
  if (target instanceof HTMLInputElement) return textTypes.has(target.type) && !target.readOnly
  return target instanceof HTMLElement && target.isContentEditable
}

const pressedTypes = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'file'])

/** Dates are typed too, and keys choose in lists. */
export const isFormField = (target: EventTarget | null | undefined): boolean =>
  target instanceof HTMLInputElement
    ? !pressedTypes.has(target.type)
    : target instanceof HTMLSelectElement || isTextField(target)

export const isCredentialField = (target: EventTarget | null | undefined): boolean =>
  target instanceof HTMLInputElement &&
  (target.type === 'password' || /\b(username|(current|new)-password)\b/.test(target.autocomplete))
