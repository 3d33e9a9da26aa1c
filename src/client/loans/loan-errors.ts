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

export function sentenceOf(error: unknown): string {
  if (!(error instanceof CallError)) return 'Une erreur s’est produite.'
  return error.reason === 'KEY_REUSED' ? arrivedBefore : error.message
}

/** Asked for, left without an answer, then asked for otherwise: the first one had arrived. */
const arrivedBefore =
  'La demande précédente était arrivée\u202f: fermez et regardez où en est le prêt avant d’en faire une autre.'
