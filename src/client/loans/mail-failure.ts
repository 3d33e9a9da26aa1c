import { mailNotSent } from '../../domain/sentences/mail.ts'
import { CallError } from '../api/call-error.ts'

/** The specification's sentence about mails that did not leave, then what the server said of each; a lost network is said as such. */
export function mailFailure(...errors: readonly unknown[]): string {
  const calls = errors.filter((error) => error instanceof CallError)
  const lost = calls.find(({ isNoNetwork }) => isNoNetwork)
  return lost ? lost.message : [mailNotSent, ...new Set(calls.map(({ message }) => message))].join(' ')
}
