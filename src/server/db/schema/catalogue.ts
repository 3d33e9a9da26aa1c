import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type { ReferenceTags } from '../../../contract/catalogue.ts'
import type { ListGroup } from '../../../domain/list-groups.ts'
import type { Audience } from '../../../domain/age-bands.ts'
import type { CalendarDay } from '../../../domain/calendar-day.ts'
import type { OutsideSource } from '../../../domain/image-sources.ts'
import type {
  CalendarUnit,
  CopyState,
  CopyStatus,
  DurationType,
  EligibilityRule,
} from '../../../domain/loan-rules.ts'
import type { Money } from '../../../domain/money.ts'
import type { SheetKind } from '../../../domain/label-sheets.ts'
import type { Id, Instant, Named } from './column-kinds.ts'

/** What there is to lend, and its labels. */
export type CatalogueTables = {
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
    max_renewals: number | null
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
}
