import type { Generated } from 'kysely'

import type { CalendarDay } from '../../../domain/calendar-day.ts'
import type { BarCodesConfiguration } from '../../../domain/site-bar-code.ts'
import type { Id, Instant, Named } from './column-kinds.ts'

/** What a library is and has set. */
export type LibraryTables = {
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
}
