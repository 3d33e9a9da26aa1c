import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type { ReaderKind } from '../../../domain/age-bands.ts'
import type { CalendarDay } from '../../../domain/calendar-day.ts'
import type { Money } from '../../../domain/money.ts'
import type { Id, Instant } from './column-kinds.ts'

/** Who borrows, and what is left of whom was forgotten. */
export type ReaderTables = {
  beneficiaries: {
    id: Id
    matricule: string
    lastname: string
    firstname: Generated<string>
    contract_type: string | null
    beneficiary_status: string | null
    dossiers: Generated<string[]>
    kind: Generated<ReaderKind>
    birth_year: number | null
    commune: string | null
    agency_id: number | null
    exit_date: CalendarDay | null
    reader_id: string | null
    email: string | null
    phone: string | null
    address: string | null
    wallet_amount: Money | null
    displayed: JSONColumnType<
      { name: string; value: string; tab: 'personal' | 'professional' }[],
      string | undefined
    >
    message: Generated<string>
    created_at: Generated<Instant>
    deleted_at: Instant | null
    search: GeneratedAlways<string>
    sort_name: GeneratedAlways<string>
    sort_firstname: GeneratedAlways<string>
    sort_contract: GeneratedAlways<string>
    changed_xid: GeneratedAlways<number>
    /** When this person was erased; what figures count of them stays. */
    forgotten_at: Generated<Instant | null>
  }
  relatives: {
    id: Id
    beneficiary: number
    lastname: string
    firstname: Generated<string>
    reader_id: string | null
    deleted_at: Instant | null
    search: GeneratedAlways<string>
  }
  forgetting_days: {
    day: CalendarDay
    place: Generated<number>
    readers: Generated<number>
    loans: Generated<number>
    reservations: Generated<number>
    mails: Generated<number>
    journal_lines: Generated<number>
    started_at: Instant
    ended_at: Instant | null
  }
  forgetting_agreements: {
    id: Id
    user_id: number
    agreed_at: Instant
    suspended_at: Instant | null
    suspended_by: number | null
  }
}
