import * as v from 'valibot'

import type { Days } from '../../domain/typed-day.ts'

const link = v.object({ label: v.string(), to: v.string() })

/** Kept on the device among the recent ones. */
export const keptHitSchema = v.object({
  /** Unique, whichever finder found it. */
  key: v.string(),
  kind: v.picklist(['screen', 'setting', 'act', 'reader', 'reference', 'loan', 'copy']),
  title: v.string(),
  detail: v.string(),
  medium: v.optional(v.nullable(v.string())),
  image: v.optional(v.nullable(v.string())),
  /** Its name in the table of acts. */
  act: v.optional(v.string()),
  to: v.string(),
  actions: v.array(link),
})
type KeptHit = v.InferOutput<typeof keptHitSchema>

/** A copy under its title; `leads` says where to. */
export type CopyLink = KeptHit['actions'][number] & { detail: string; leads: string }

/** `list`: all that were found of a kind. */
export type Hit = Omit<KeptHit, 'kind'> & {
  kind: KeptHit['kind'] | 'list'
  /** How many copies of a title are free now; it is shown after the detail and never kept. */
  now?: string
  /** For which an act was typed; they are never kept either, for they pass. */
  days?: Days
  copies?: readonly CopyLink[]
  /** Keys of a loan's title and reader. */
  of?: readonly string[]
}
