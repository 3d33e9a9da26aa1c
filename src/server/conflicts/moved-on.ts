import { conflict } from '../http/outcome.ts'
import type { CirculatingCopy, openLoanOf } from '../loans/circulating-copy.ts'

/** The person chose before what they saw: where another loan took its place since, they are asked again. */
export function whyMovedOn(
  copy: CirculatingCopy,
  open: Awaited<ReturnType<typeof openLoanOf>>,
  seen: number | null | undefined,
) {
  if (seen === null || seen === undefined || open?.id === seen) return null
  return open
    ? conflict(
        'ALREADY_LENT',
        `« ${copy.name} » est prêté à ${open.beneficiary_info} depuis votre lecture.`,
        {
          loaning: open,
        },
      )
    : conflict('NO_OPEN_LOAN', `« ${copy.name} » n’est plus en prêt.`)
}
