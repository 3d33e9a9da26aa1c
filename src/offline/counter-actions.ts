import type { BodyOf } from '../contract/endpoint.ts'
import { lendCopy, returnCopy } from '../contract/loans.ts'
import type { SnapshotBeneficiary, SnapshotCopy } from '../contract/snapshot.ts'
import type { CalendarDay } from '../domain/calendar-day.ts'
import { readerName } from '../domain/person-names.ts'
import type { NewAction } from './entry.ts'
import type { OpenLoan } from './open-loans.ts'

type LendBody = BodyOf<typeof lendCopy>
type ReturnBody = BodyOf<typeof returnCopy>

export type LendGesture = {
  copy: Pick<SnapshotCopy, 'id' | 'bar_code' | 'name'>
  beneficiary: Pick<SnapshotBeneficiary, 'id' | 'matricule' | 'lastname' | 'firstname'>
  /** Expected return as it was told to the reader. */
  due: CalendarDay
  /** True when the server was not asked: the date told is then the one to keep. */
  toldOffline: boolean
  /** Duration, start, comment, amount, relative, reasons…: only what the person chose. */
  chosen?: Omit<LendBody, 'copy' | 'beneficiary' | 'expected_return_date' | 'occurred_at' | 'device_id'>
}

/** The action of lending, ready for the outbox. */
export const actionToLend = ({
  copy,
  beneficiary,
  due,
  toldOffline,
  chosen = {},
}: LendGesture): NewAction => ({
  endpoint: lendCopy.name,
  params: {},
  body: {
    ...chosen,
    beneficiary: beneficiary.id,
    copy: copy.id,
    ...(toldOffline ? { expected_return_date: due } : {}),
  } satisfies LendBody,
  copy_id: copy.id,
  bar_code: copy.bar_code,
  beneficiary_id: beneficiary.id,
  depends_on: null,
  label: { kind: 'lend', title: copy.name, beneficiary: readerName(beneficiary), due },
})

export type ReturnGesture = {
  bar_code: string
  /** What the device knows of it; a copy it does not know is taken back all the same. */
  copy: Pick<SnapshotCopy, 'id' | 'name'> | null
  loan: OpenLoan | null
  beneficiary: Pick<SnapshotBeneficiary, 'matricule' | 'lastname' | 'firstname'> | null
  /** State, comment, penalty. */
  chosen?: Pick<ReturnBody, 'state' | 'return_comment' | 'penalty'>
}

/**
 * The action of returning, ready for the outbox. A loan still in the outbox is named by its key, so that if it is refused no
 * other reader's loan is closed; any other loan is found by the copy, because the copy is what lies on the counter.
 */
export function actionToReturn({ bar_code, copy, loan, beneficiary, chosen = {} }: ReturnGesture): NewAction {
  const loan_key = loan?.waiting ? loan.loan_key : null
  return {
    endpoint: returnCopy.name,
    params: {},
    body: { ...chosen, bar_code, ...(loan_key === null ? {} : { loan_key }) } satisfies ReturnBody,
    copy_id: copy?.id ?? loan?.copy_id ?? null,
    bar_code,
    beneficiary_id: loan?.beneficiary_id ?? null,
    depends_on: loan_key,
    label: {
      kind: 'return',
      title: copy?.name ?? loan?.title ?? bar_code,
      beneficiary: beneficiary && readerName(beneficiary),
      due: loan?.end_date ?? null,
    },
  }
}
