/** What a database (its SQLSTATE) or the system calls an error; empty for one that has no code. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A value that does not fit (class 22), or that breaks a rule of its table or what somebody else has just written (class 23). */
export const isOfData = (error: unknown): error is Error => /^2[23]/.test(codeOf(error))

/** A rule of the table, or what somebody else has just written, is in the way (class 23). */
export const breaksConstraint = (error: unknown): boolean => codeOf(error).startsWith('23')
