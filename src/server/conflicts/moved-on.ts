import { conflict } from '../http/outcome.ts'
import type { CirculatingCopy, OpenLoan } from '../loans/circulating-copy.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { holderFact, holderWords } from '../loans/serialize-loan.ts'

/** Asks again where another loan has taken the place of the one that was chosen. */
export function whyMovedOn(
  visibility: Visibility,
  copy: CirculatingCopy,
  open: OpenLoan | null,
  seen: number | null | undefined,
) {
  if (seen === null || seen === undefined || open?.id === seen) return null
  return open
    ? conflict(
        'ALREADY_LENT',
        `«\u00a0${copy.name}\u00a0» est prêté à ${holderWords(visibility, open)} depuis votre lecture.`,
        {
          loaning: holderFact(visibility, open),
        },
      )
    : conflict('NO_OPEN_LOAN', `«\u00a0${copy.name}\u00a0» n’est plus en prêt.`)
}
