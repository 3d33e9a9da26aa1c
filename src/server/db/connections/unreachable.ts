import { codeOf } from '../error-code.ts'

/** A server that stops or restarts, a socket that broke, a machine that is gone, and a name that nobody knows just then. */
const codes =
  '25006 57P01 57P02 57P03 53300 08006 ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENOTFOUND EAI_AGAIN'.split(
    ' ',
  )

/** Whether the database restarts, is gone or its connection broke: the caller may use the same key again. */
export function isDatabaseUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  // Only a socket that is missing is the database's; a file that is missing is another fault.
  if (code === 'ENOENT') return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  return (
    codes.includes(code) ||
    /Connection terminated|is not queryable|timeout expired|timeout exceeded when trying to connect/.test(
      String(error),
    )
  )
}
