import type { Entry } from './entry.ts'

type Sent = Pick<Entry, 'endpoint' | 'body'>

/** Codes that the server was left to find, as they were read; null where the device knew whom or what. */
type ReadCodes = { copy: string | null; reader: string | null }

export function readCodesOf({ endpoint, body }: Sent): ReadCodes {
  const action = endpoint === 'conflicts.settle' ? (body['action'] as Sent) : { endpoint, body }
  if (action.endpoint !== 'loanings.lend') return { copy: null, reader: null }
  const { copy_code, beneficiary_code } = action.body
  return { copy: textOr(copy_code), reader: textOr(beneficiary_code) }
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Whether nobody has said yet whose card and whose label these are. */
export function isToVerify(entry: Sent): boolean {
  const { copy, reader } = readCodesOf(entry)
  return copy !== null || reader !== null
}
