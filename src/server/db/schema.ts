import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type { ReferenceTags } from '../../contract/catalogue.ts'
import type {
  ImportChoices,
  ImportCounts,
  ImportSample,
  ImportStatus,
  Mapping,
  OpenedFile,
} from '../../contract/imports.ts'
import type { InventoryStatus } from '../../contract/inventories.ts'
import type { JobKind } from '../../contract/jobs.ts'
import type { ActKind } from '../../domain/act-kinds.ts'
import type { ImportSubject } from '../../domain/import-fields.ts'
import type { FindingAction, FindingGroup, ScanVerdict } from '../../domain/inventory.ts'
import type { ListGroup } from '../../domain/list-groups.ts'
import type { AgeBand, Audience, ReaderKind } from '../../domain/age-bands.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { OutsideSource } from '../../domain/image-sources.ts'
import type {
  CalendarUnit,
  CopyState,
  CopyStatus,
  DurationType,
  EligibilityRule,
  LoanStatus,
} from '../../domain/loan-rules.ts'
import type { MailPart, ReminderCode } from '../../domain/mail-occasions.ts'
import type { Money } from '../../domain/money.ts'
import type { SheetKind } from '../../domain/label-sheets.ts'
import type { BarCodesConfiguration } from '../../domain/site-bar-code.ts'
import type { SettleChoice } from '../../domain/settle-choices.ts'
import type { WeedingReason } from '../../domain/weeding.ts'

// The tables as TypeScript: dates, instants (ISO, UTC) and numerics are text (parsers in pool.ts).

type Instant = string
type Id = GeneratedAlways<number>

type Named = { id: Id; name: string; date_update: Generated<Instant>; deleted_at: Instant | null }

export type Database = {
  environment: {
    id: number
    name: string
    hosts: Generated<string[]>
    demonstration: Generated<boolean>
    image_path: string | null
    created_at: Generated<Instant>
    /** In which its numbers were last given: which database, and its timeline. */
    past: Generated<string>
    passed_matricule: Generated<number>
  }
  rights: { code: string; group_id: string; group_name: string; label: string }
  profiles: {
    id: Id
    name: string
    /** Its people may do nothing at a sign-in before they have a second factor. */
    second_factor: Generated<boolean>
  }
  profile_rights: { profile: number; right_code: string }
  sites: Named & {
    enabled: Generated<boolean>
    gestit_id: string | null
    bar_codes_configuration: Generated<BarCodesConfiguration>
    last_reference: Generated<string | null>
    /** The number in it; null once the site is numbered otherwise. */
    last_number: Generated<number | null>
    /** Monday 1 to Sunday 7. */
    open_weekdays: Generated<number[]>
    /** How long it is open in a week; null where nobody said. */
    weekly_minutes: Generated<number | null>
  }
  /** Days when a site, or every one, is closed; made one by one, or by an act. */
  closures: {
    id: Id
    site: number | null
    first_day: CalendarDay
    last_day: CalendarDay
    label: string
    act: number | null
    date_update: Generated<Instant>
    deleted_at: Instant | null
  }
  /** Freed never, even if no copy has it: a label may have been printed. */
  bar_codes_given: { bar_code: string; site: number; given_at: Generated<Instant> }
  /** Codes whose labels were printed before any copy had them, by the key of who asked. */
  code_ranges: { key: string; site: number; user_id: number; bar_codes: string[]; printed_at: Instant }
  /** Copies whose labels are to be printed. */
  label_basket: { copy: number; wanted_at: Instant }
  /** In tenths of a millimetre; a pitch of 0 is the label's own size. */
  label_sheets: Named & {
    kind: SheetKind
    label_width: number
    label_height: number
    margin_left: Generated<number>
    margin_top: Generated<number>
    pitch_x: Generated<number>
    pitch_y: Generated<number>
    columns: Generated<number>
    rows: Generated<number>
  }
  /** Where it prints the calibration sheet's lines, in tenths of a millimetre from the paper's edges. */
  label_printers: Named & { measured_left: Generated<number>; measured_top: Generated<number> }
  users: {
    id: Id
    username: string
    firstname: Generated<string>
    lastname: Generated<string>
    email: string | null
    password_hash: string
    /** False for whoever was invited, until they choose one. */
    password_chosen: Generated<boolean>
    profile: number
    enabled: Generated<boolean>
    /** By sessions that are forgotten (housekeeping); the others tell it themselves. */
    last_used_at: Generated<Instant | null>
    created_at: Generated<Instant>
    deleted_at: Instant | null
  }
  user_sites: { user_id: number; site: number }
  sessions: {
    id: Id
    token_hash: Buffer
    user_id: number
    /** The device it was opened on, where that one proved itself. */
    device_id: string | null
    created_at: Instant
    last_used_at: Instant
    revoked_at: Instant | null
    /** It was opened without the second factor that the profile asks for. */
    second_factor_due: Generated<boolean>
  }
  /** Keys that seal a session's actions, kept after it for as long as an action may wait. */
  session_seals: {
    id: string
    /** `token_hash` of the session, which may be gone. */
    session: Buffer
    user_id: number
    seal_key: Buffer
    created_at: Instant
    revoked_at: Instant | null
  }
  password_links: {
    token_hash: Buffer
    kind: 'login' | 'reset'
    user_id: number
    expires_at: Instant
    used_at: Instant | null
  }
  user_factors: {
    user_id: number
    /** As shared with the person's application; no backup takes it along. */
    secret: Buffer
    created_at: Instant
    /** Null until a code of it was shown. */
    confirmed_at: Instant | null
    /** The last half minute whose code served; earlier ones never do. */
    last_step: Generated<number>
  }
  user_recovery_codes: { user_id: number; code_hash: Buffer; used_at: Instant | null }
  login_failures: { key: string; failures: number; last_failure_at: Instant }
  parameters: {
    id: Id
    code: string
    value: string
    info: Generated<string>
    date_update: Generated<Instant>
  }
  translations: {
    id: Id
    code: string
    translation: string
    gender: Generated<'m' | 'f'>
    /** The same as `translation` where the library keeps the word. */
    delivered: Generated<string>
  }
  reasons: Named & { code: string | null; type: 'delay' | 'free'; enabled: Generated<boolean> }
  eligibility_values: { id: Id; kind: 'CONTRACT' | 'BENEFICIAIRE_STATUS' | 'DOSSIER_TYPE'; name: string }
  categories: Named
  media: Named & {
    code: string | null
    accounting_code: string | null
    enabled: Generated<boolean>
    duration: number | null
    duration_type: DurationType | null
    start_day: number | null
    end_day: number | null
    penalty_enabled: Generated<boolean>
    penalty_amount: Money | null
    penalty_duration_type: CalendarUnit | null
    max_loaning: number | null
    max_late: number | null
    online_booking_enabled: Generated<boolean>
    loaning_conditions_enabled: Generated<boolean>
    loaning_conditions_label: string | null
    loaning_conditions_file: string | null
    eligibility: JSONColumnType<EligibilityRule, string | undefined>
  }
  media_analytics: { medium: number; site: number; analytic: string }
  media_images_sources: { medium: number; rule: string }
  keywords: Named & { enabled: Generated<boolean> }
  looked_up_codes: {
    code: string
    answer: JSONColumnType<object>
    covers: JSONColumnType<object, string | undefined>
    asked_at: Instant
  }
  found_images: {
    reference: number
    code: string
    source: OutsideSource | null
    image_version: string | null
    again_at: Instant
  }
  reference_keywords: { reference: number; keyword: number }
  list_types: Named & {
    group: ListGroup
    is_main_author: Generated<boolean>
    enabled: Generated<boolean>
  }
  list_type_media: { list_type: number; medium: number }
  list_values: Named & { group: ListGroup; type: number; enabled: Generated<boolean> }
  /** `position` is counted within a group. */
  reference_list_values: { reference: number; list_value: number; position: number }
  /** One for each tag and each piece of extra data; an empty `traduction` is none. */
  reference_fields: {
    id: Id
    code: string
    name: string
    traduction: Generated<string>
    disabled: Generated<boolean>
    position: number
    date_update: Generated<Instant>
  }
  locations: { id: Id; label: string; bar_code: string | null; deleted_at: Instant | null }
  references: {
    id: Id
    code: string | null
    name: string
    description: Generated<string>
    short_description: Generated<string>
    category: number | null
    medium: number | null
    price: Generated<Money>
    type: Generated<'Location' | 'Vente'>
    deposit_check: Generated<boolean>
    new_at: CalendarDay | null
    audience: Audience | null
    /** Of its image, 32 hexadecimal digits. */
    image_version: string | null
    tags: JSONColumnType<ReferenceTags, string | undefined>
    reference_data: JSONColumnType<Record<string, string>, string | undefined>
    created_at: Generated<Instant>
    deleted_at: Instant | null
    search: GeneratedAlways<string>
    sort_name: GeneratedAlways<string>
    search_name: GeneratedAlways<string>
    changed_xid: GeneratedAlways<number>
  }
  copies: {
    id: Id
    reference: number
    bar_code: string
    site: number
    state: Generated<CopyState>
    status: Generated<CopyStatus>
    location: number | null
    buy_date: CalendarDay | null
    cycle_type: CalendarUnit | null
    cycle_value: number | null
    /** Null for the reference's price. */
    price: Money | null
    type: Generated<'Location' | 'Vente'>
    sent_from: number | null
    sent_at: Instant | null
    /** With the reason, once it has left the stock. */
    withdrawn_on: CalendarDay | null
    withdrawal_reason: string | null
    created_at: Generated<Instant>
    deleted_at: Instant | null
    changed_xid: GeneratedAlways<number>
  }
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
  /** What figures need of a loan whose reader was forgotten; of one that is linked, the days before it alone. */
  cut_loans: {
    loaning: number
    /** The day of the loan that its reader made before it, anywhere and at its site. */
    previous_on: CalendarDay | null
    previous_here_on: CalendarDay | null
    cut_on: CalendarDay | null
    contract_type: string | null
    agency_id: number | null
    /** The first day of the month. */
    registered_on: CalendarDay | null
    commune: string | null
    kind: ReaderKind | null
  }
  /** The last day on which a reader borrowed what was cut since, by site. */
  last_cut_loans: { beneficiary: number; site: number; day: CalendarDay; active_on: CalendarDay }
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
  sales: {
    id: Id
    /** May be forgotten. */
    beneficiary: number | null
    relative: number | null
    copy: number
    site: number
    /** The day it was sold. */
    date: CalendarDay
    price: Money
    free: Generated<boolean>
    free_reason: number | null
    comment: Generated<string>
    sold_by: number | null
    sold_at: Instant
    sold_received_at: Instant
    device_id: string | null
    deleted_at: Instant | null
  }
  loanings: {
    /** Also given before the insert, where the journal must name the loan. */
    id: Generated<number>
    /** The key of the action that lent it, which a return made off line names. */
    loan_key: string | null
    /** May be forgotten once the loan has ended. */
    beneficiary: ColumnType<number, number, number | null>
    relative: number | null
    copy: number
    site: number
    status: Generated<LoanStatus>
    start_date: CalendarDay
    end_date: CalendarDay
    return_date: CalendarDay | null
    duration_value: number
    duration_type: DurationType
    amount: Generated<Money>
    free: Generated<boolean>
    free_reason: number | null
    comment: Generated<string>
    return_comment: Generated<string>
    state: CopyState | null
    delay_reason: number | null
    delay_comment: Generated<string>
    penalty_count: number | null
    penalty_duration: number | null
    penalty_amount: Money | null
    override_reason: string | null
    end_date_flagged: Generated<boolean>
    conditions_given: boolean | null
    conditions_label: string | null
    conditions_version: string | null
    reminded_on: CalendarDay | null
    /** Of the reader and of the title on the day of the loan. */
    age_band: AgeBand | null
    audience: Audience | null
    lent_by: number | null
    lent_at: Instant
    lent_received_at: Instant
    lent_device: string | null
    returned_by: number | null
    returned_at: Instant | null
    returned_received_at: Instant | null
    returned_device: string | null
    state_before_return: CopyState | null
    deleted_at: Instant | null
    changed_xid: GeneratedAlways<number>
  }
  loan_renewals: {
    id: Id
    loaning: number
    renewed_on: CalendarDay
    from_date: CalendarDay
    to_date: CalendarDay
    user_id: number | null
    device_id: string | null
    received_at: Instant
  }
  reservations: {
    id: Id
    beneficiary_id: number
    reference_id: number
    copy_id: number | null
    site: number | null
    start_date: CalendarDay | null
    end_date: CalendarDay | null
    status: Generated<'confirmed' | 'waiting' | 'canceled' | 'refused'>
    source: Generated<'media' | 'online'>
    reservation_date: Generated<Instant>
    /** Its place among those that wait for the title without dates; kept by triggers (migration 0043). */
    queue_position: number | null
    /** In whose order they are served: when it was asked for, or when it went back to the end. */
    queued_at: Generated<Instant>
    comment: Generated<string>
    cycle_value: number | null
    /** The copy that is kept for the person, since when, and until which day; null while it is not there. */
    set_aside_copy: number | null
    set_aside_at: Instant | null
    pickup_until: CalendarDay | null
    fulfilled_by: number | null
    deleted_at: Instant | null
    changed_xid: GeneratedAlways<number>
  }
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
  /** The notice that a reference was made from, as it came; with the act that brought it. */
  reference_notices: {
    reference: number
    format: 'iso2709' | 'marcxml'
    content: Buffer
    /** In which signs its bytes were read; null in lines older than this column. */
    charset: Generated<string | null>
    act: number | null
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
  user_filters: { user_id: number; list: string; codes: string[]; date_update: Instant }
  views: {
    id: Id
    list: string
    user_id: number
    name: string
    shared: boolean
    content: ColumnType<unknown, string, string>
    date_update: Instant
  }
  mail_templates: {
    id: Id
    code: string
    type: MailPart
    content: string
    enabled: Generated<boolean>
    /** Of the row of the object, where the mail goes by time. */
    days: number | null
    date_update: Generated<Instant>
  }
  mail_outbox: {
    id: Id
    to_address: string
    subject: string
    html: string
    template: string
    beneficiary: number | null
    loaning: number | null
    /** The sites whose loans it is about; null for an account's mail and for mails older than this column. */
    sites: Generated<number[] | null>
    status: Generated<'queued' | 'sent' | 'failed' | 'stopped'>
    attempts: Generated<number>
    next_attempt_at: Instant
    last_error: string | null
    /** What has to be mended before it can leave. */
    fault: Generated<'address' | 'message' | 'server' | 'template' | null>
    created_at: Instant
    sent_at: Instant | null
    changed_xid: GeneratedAlways<number>
  }
  letters: {
    id: Id
    beneficiary: number
    template: string
    why: 'no_address' | 'refused'
    mail: number | null
    sites: number[]
    made_on: CalendarDay
    printed_at: Instant | null
    printed_by: number | null
  }
  /** What a reader was reminded of, and at which due day of the loan. */
  loan_reminders: {
    id: Id
    loaning: number
    level: ReminderCode
    end_date: CalendarDay
    made_on: CalendarDay
    mail: number | null
    letter: number | null
  }
  reminder_days: {
    day: CalendarDay
    place: Generated<number>
    mails: Generated<number>
    letters: Generated<number>
    problem: string | null
    started_at: Instant
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
  /** Loans by day, site and status: the sum of these lines, kept by triggers (migration 0005). */
  loan_tallies: {
    start_date: CalendarDay
    site: number
    status: LoanStatus
    loans: number
  }
  /** What figures of a period are made of: the sums of these lines, kept by triggers (migration 0059). */
  lending_tallies: {
    span: 'day' | 'month'
    /** The day, or the first of the month, on which the loans began. */
    starts_on: CalendarDay
    site: number
    medium: number | null
    category: number | null
    status: LoanStatus
    /** Brought back after its day. */
    late: boolean
    /** When it is expected back; null unless it is out. */
    due_on: CalendarDay | null
    loans: number
    amount: Money
  }
  /** Loans that were not cancelled, by whom they were for. */
  public_tallies: {
    month: CalendarDay
    site: number
    medium: number | null
    audience: Audience | null
    age_band: AgeBand | null
    loans: number
  }
  return_tallies: { day: CalendarDay; site: number; returns: number }
  /** One row: how far the first start has come. */
  start_progress: {
    one_row: Generated<boolean>
    steps_done: Generated<string[]>
    steps_later: Generated<string[]>
    preset: string | null
    dismissed_at: Generated<Instant | null>
  }
  /** What the removable sample is made of. */
  start_sample: {
    entity: 'references' | 'copies' | 'beneficiaries' | 'media' | 'categories'
    entity_id: number
  }
  settlements: {
    id: Id
    resolves: string
    choice: SettleChoice
    reason: string | null
    motive: string | null
    action: JSONColumnType<object>
    settled_by: number
    settled_at: Instant
    device_id: string | null
    loaning: number | null
  }
  devices: {
    device_id: string
    name: Generated<string>
    /** SHA-256 of the secret by which it proves itself; null until it signs in with one. */
    secret_hash: Generated<Buffer | null>
    added_by: Generated<number | null>
    user_id: number | null
    site: number | null
    first_seen: Instant
    last_seen: Instant
    /** Null while the server knows the device by its actions only. */
    reported_at: Instant | null
    app_version: Generated<string>
    browser: Generated<string>
    waiting: Generated<number>
    conflicts: Generated<number>
    quarantined: Generated<number>
    oldest_at: Instant | null
    snapshot_at: Instant | null
    storage_used: number | null
    replays: Generated<number>
    refusals: Generated<number>
  }
}
