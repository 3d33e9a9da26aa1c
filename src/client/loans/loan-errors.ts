import { CallError } from '../api/call-error.ts'

/** The server's sentence about one field of a form. */
export const fieldError = (error: unknown, field: string): string | undefined =>
  error instanceof CallError
    ? error.violations.find(({ propertyPath }) => propertyPath === field)?.message
    : undefined

/** The sentence of a refusal that none of the form's own fields shows; null when there is none. */
export function formError(error: unknown, ...fields: string[]): string | null {
  if (!error) return null
  if (fields.some((field) => fieldError(error, field) !== undefined)) return null
  return sentenceOf(error)
}

export const sentenceOf = (error: unknown): string =>
  error instanceof CallError ? error.message : 'Une erreur s’est produite.'
