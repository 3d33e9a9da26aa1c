import type { CopyStatus } from './loan-rules.ts'

// Why a copy itself is not lent, sold or taken back: the server, the devices and the forms say it in these words.

type Asked = { deleted?: boolean; status: CopyStatus; type: 'Location' | 'Vente' }

type Obstacle<Loan> =
  | { is: 'withdrawn' }
  | { is: 'lent'; loan: Loan }
  | { is: 'unavailable'; status: CopyStatus }
  | { is: 'for-sale' }

/** Why a copy cannot be lent, `loan` being its open one; of several reasons, the one that a person is told. */
export function obstacleToLend<Loan>(
  { deleted = false, status, type }: Asked,
  loan: Loan | null,
): Obstacle<Loan> | null {
  if (deleted) return { is: 'withdrawn' }
  if (loan) return { is: 'lent', loan }
  if (status !== 'Disponible') return { is: 'unavailable', status }
  return type === 'Location' ? null : { is: 'for-sale' }
}

const titled = (name: string): string => `«\u00a0${name}\u00a0»`

export const notAvailable = (name: string, status: string): string =>
  `${titled(name)} n’est pas disponible (${status}).`

/** `to` begins with the borrower, and may go on with since when. */
export const alreadyLent = (name: string, to: string): string => `${titled(name)} est déjà prêté à ${to}.`

/** `standing` as `standingOf` says it. */
export const notOnLoan = (name: string, standing: string): string =>
  `${titled(name)} n’est pas en prêt (${standing}).`

export const setAsideFor = (who: string): string => `Mis de côté pour ${who}`

/** What a copy is that nobody has: kept for one of those who wait for its title, whom `whoOf` names, else what its status says. */
export function standingOf<R extends { set_aside_copy: number | null }>(
  { id, status }: { id: number; status: string },
  waiting: readonly R[],
  whoOf: (one: R) => string,
): string {
  const kept = waiting.find(({ set_aside_copy }) => set_aside_copy === id)
  return kept ? setAsideFor(whoOf(kept)) : status
}

export const withdrawnFromStock = (name: string): string => `${titled(name)} a été retiré du catalogue.`

export const notForLoan = (name: string): string => `${titled(name)} se vend et ne se prête pas.`
