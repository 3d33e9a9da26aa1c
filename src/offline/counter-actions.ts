import type { BodyOf } from '../contract/endpoint.ts'
import { lendCopy } from '../contract/loans.ts'
import { returnCopy, returnLoan } from '../contract/returns.ts'
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
  /** Null where only the server will say it. */
  due: CalendarDay | null
  /** Then the date told to the reader is the one to keep. */
  toldOffline: boolean
  chosen?: Omit<
    LendBody,
    | 'copy'
    | 'copy_code'
    | 'beneficiary'
    | 'beneficiary_code'
    | 'expected_return_date'
    | 'occurred_at'
    | 'device_id'
  >
}

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
    ...(toldOffline && due !== null ? { expected_return_date: due } : {}),
  } satisfies LendBody,
  copy_id: copy.id,
  bar_code: copy.bar_code,
  beneficiary_id: beneficiary.id,
  depends_on: null,
  label: { kind: 'lend', title: copy.name, beneficiary: readerName(beneficiary), due },
})

/** A code as it was read, of what this device does not know. */
type ReadCode = { code: string }

export type VerifyGesture = {
  copy: LendGesture['copy'] | ReadCode
  beneficiary: LendGesture['beneficiary'] | ReadCode
  relative?: number | null
  chosen?: LendGesture['chosen']
}

/** « la carte 21555510000019 », as a reader is called whom nobody has found yet. */
export const cardWords = (code: string): string => `la carte ${code}`

/** A loan that the server makes once it has found both: no day is told, and nobody was shown who waits for the copy. */
export const actionToVerify = ({ copy, beneficiary, relative = null, chosen }: VerifyGesture): NewAction => ({
  endpoint: lendCopy.name,
  params: {},
  body: {
    ...('code' in beneficiary ? { beneficiary_code: beneficiary.code } : { beneficiary: beneficiary.id }),
    ...('code' in copy ? { copy_code: copy.code } : { copy: copy.id }),
    ...(relative === null ? {} : { relative }),
    despite_reservations: false,
    ...chosen,
  } satisfies LendBody,
  copy_id: 'code' in copy ? null : copy.id,
  bar_code: 'code' in copy ? copy.code : copy.bar_code,
  beneficiary_id: 'code' in beneficiary ? null : beneficiary.id,
  depends_on: null,
  label: {
    kind: 'lend',
    title: 'code' in copy ? copy.code : copy.name,
    beneficiary: 'code' in beneficiary ? cardWords(beneficiary.code) : readerName(beneficiary),
    due: null,
  },
})

export type ReturnGesture = {
  bar_code: string
  copy: Pick<SnapshotCopy, 'id' | 'name'> | null
  loan: OpenLoan | null
  /** Its row was pressed: the copy itself may be anybody's by now. */
  isOfRow?: boolean
  beneficiary: Pick<SnapshotBeneficiary, 'matricule' | 'lastname' | 'firstname'> | null
  chosen?: Pick<ReturnBody, 'state' | 'return_comment' | 'penalty'>
}

/** A loan of a row and one in the outbox are named, so that no other reader's loan is closed instead. */
export function actionToReturn({
  bar_code,
  copy,
  loan,
  isOfRow = false,
  beneficiary,
  chosen = {},
}: ReturnGesture): NewAction {
  const loan_key = loan?.waiting ? loan.loan_key : null
  const named = isOfRow ? (loan?.loan_id ?? null) : null
  return {
    ...(named === null
      ? {
          endpoint: returnCopy.name,
          params: {},
          body: { ...chosen, bar_code, ...(loan_key === null ? {} : { loan_key }) } satisfies ReturnBody,
        }
      : { endpoint: returnLoan.name, params: { id: String(named) }, body: chosen }),
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
