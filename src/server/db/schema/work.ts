import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type {
  ImportChoices,
  ImportCounts,
  ImportRemarks,
  ImportSample,
  ImportStatus,
  Mapping,
  OpenedFile,
} from '../../../contract/imports.ts'
import type { InventoryStatus } from '../../../contract/inventories.ts'
import type { JobKind } from '../../../contract/jobs.ts'
import type { ActKind } from '../../../domain/act-kinds.ts'
import type { ImportSubject } from '../../../domain/import-fields.ts'
import type { FindingAction, FindingGroup, ScanVerdict } from '../../../domain/inventory.ts'
import type { CalendarDay } from '../../../domain/calendar-day.ts'
import type { Right } from '../../../domain/rights.ts'
import type { WeedingReason } from '../../../domain/weeding.ts'
import type { Id, Instant } from './column-kinds.ts'

/** What is done to many at once or takes long, and what is kept of every change. */
export type WorkTables = {
  jobs: {
    id: Id
    kind: JobKind
    user_id: number
    input: ColumnType<unknown, string, string>
    status: Generated<'queued' | 'running' | 'done' | 'failed'>
    total: number
    done: Generated<number>
    cursor: Generated<number>
    attempts: Generated<number>
    problem: string | null
    created_at: Instant
    stepped_at: Instant | null
    ended_at: Instant | null
    /** Where it was asked for, on which device. */
    site: number | null
    device_id: string | null
  }
  acts: {
    id: Id
    kind: ActKind
    /** What was done, in words. */
    name: string
    user_id: number
    device_id: string | null
    site: number | null
    /** The act that this one takes back. */
    undoes: number | null
    begun_at: Instant
    /** Null while a job is still at it. */
    ended_at: Instant | null
  }
  /** Why a record was left as it is when an act was undone, by its last line in the journal. */
  acts_kept: { undo: number; line: number; reason: string }
  inventories: {
    id: Id
    name: string
    site: number
    locations: ColumnType<number[], number[] | undefined>
    categories: ColumnType<number[], number[] | undefined>
    media: ColumnType<number[], number[] | undefined>
    status: Generated<InventoryStatus>
    user_id: number
    act: number | null
    /** As they were when it ended. */
    expected: number | null
    seen: number | null
    places: ColumnType<unknown, string | null | undefined, string | null>
    created_at: Instant
    ended_at: Instant | null
    date_update: Generated<Instant>
    deleted_at: Instant | null
    changed_xid: GeneratedAlways<number>
  }
  inventory_findings: {
    inventory: number
    position: number
    group: FindingGroup
    key: string
    copy: number | null
    bar_code: string
    name: string | null
    call_number: string | null
    site: number | null
    location: number | null
    location_label: string | null
    seen_location: number | null
    seen_location_label: string | null
    scanned_at: Instant | null
    scanned_by: number | null
    note: Generated<string>
    last_seen_on: CalendarDay | null
    last_loan: number | null
    action: FindingAction | null
    outcome: 'done' | 'left' | null
  }
  inventory_scans: {
    inventory: number
    /** The phone's, made with the gesture. */
    key: string
    bar_code: string | null
    copy: number | null
    location: number | null
    verdict: ScanVerdict
    scanned_at: Instant
    received_at: Generated<Instant>
    way: 'scanner' | 'camera' | 'hand'
    note: Generated<string>
    taken_back: Generated<boolean>
    revision: Generated<number>
    is_late: Generated<boolean>
    user_id: number
    device_id: string | null
    changed_xid: GeneratedAlways<number>
  }
  /** What left the stock at once. */
  weedings: {
    id: Id
    /** Of what has none of its own. */
    reason: WeedingReason
    act: number
    user_id: number
    withdrawn_on: CalendarDay
    deleted_at: Instant | null
  }
  /** In the cart until it is of a weeding. */
  weeding_lines: {
    id: Id
    copy: number
    weeding: number | null
    why: Generated<string>
    is_scanned: Generated<boolean>
    reason: WeedingReason | null
    added_by: number
    added_at: Instant
  }
  imports: {
    id: Id
    subject: ImportSubject
    /** Of the file, as it was sent. */
    name: string
    /** In bytes. */
    size: number
    /** Its directory among the environment's files, and its rows there, a JSON text a line. */
    place: string
    rows_file: string
    opened: JSONColumnType<OpenedFile>
    rows: number
    damaged: number
    mapping: JSONColumnType<Mapping>
    choices: JSONColumnType<ImportChoices>
    status: ImportStatus
    counts: JSONColumnType<Partial<ImportCounts>, string | undefined>
    samples: JSONColumnType<ImportSample[], string | undefined>
    unknown_sites: JSONColumnType<string[], string | undefined>
    remarks: JSONColumnType<ImportRemarks[], string | undefined>
    problem: string | null
    act: number | null
    user_id: number
    site: number | null
    created_at: Instant
    ended_at: Instant | null
  }
  /** `at` is where its row begins in the file of rows, in bytes. */
  import_refusals: { id: Id; import: number; line: number; field: string | null; reason: string; at: number }
  /** `leaves` is what lines so far would leave there; a work has digests of its code and folded title beside. */
  import_seen: {
    import: number
    key: string
    number: Id
    leaves: unknown
    code: number | null
    title: number | null
  }
  import_mappings: {
    id: Id
    subject: ImportSubject
    name: string
    /** The names of the columns, in one text. */
    columns: string
    mapping: JSONColumnType<Mapping>
    choices: JSONColumnType<ImportChoices>
    date_update: Generated<Instant>
  }
  /** What people asked to take elsewhere, for a day: `place` is its file's name among the environment's. */
  archives: {
    id: Id
    user_id: number
    status: Generated<'queued' | 'running' | 'done' | 'failed'>
    total: Generated<number>
    done: Generated<number>
    attempts: Generated<number>
    problem: string | null
    place: string
    size: number | null
    created_at: Instant
    /** Of its last sign of life while it is made. */
    touched_at: Instant
    ended_at: Instant | null
  }
  idempotency_keys: {
    key: string
    /** The owner of the action, whoever sent it. */
    user_id: number | null
    /** 0 for none in particular; null in lines older than this column. */
    site: number | null
    endpoint: string
    request_hash: Buffer
    status: number
    answer: string
    /** What whoever got it could see; null in lines older than this column. */
    told_by: ColumnType<
      { open: number[] | null; readersBySite: boolean; rights: Right[] } | null,
      string | null | undefined
    >
    created_at: Instant
  }
  audit_journal: {
    id: Id
    at: Instant
    user_id: number | null
    device_id: string | null
    action: string
    entity: string
    entity_id: number | null
    before: JSONColumnType<object | null, string | null>
    after: JSONColumnType<object | null, string | null>
    idempotency_key: string | null
    /** The owner of an action that somebody took over. */
    on_behalf_of: Generated<number | null>
    /** What it was done along with. */
    act: Generated<number | null>
    /** Null in lines older than this column. */
    written_xid: GeneratedAlways<number | null>
  }
}
