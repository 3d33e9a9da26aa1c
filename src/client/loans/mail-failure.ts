import { mailNotSent } from '../../domain/sentences/mail.ts'
import { CallError } from '../api/call-error.ts'

/** The specification's sentence, then the server's for each mail, or a lost network. */
export function mailFailure(...errors: readonly unknown[]): string {
  const calls = errors.filter((error) => error instanceof CallError)
  const lost = calls.find(({ isNoNetwork }) => isNoNetwork)
  return lost ? lost.message : [mailNotSent, ...new Set(calls.map(({ message }) => message))].join(' ')
}
