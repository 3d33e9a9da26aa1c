import * as v from 'valibot'

const link = v.object({ label: v.string(), to: v.string() })

/** Kept on the device among the recent ones. */
export const hitSchema = v.object({
  /** Unique, whichever finder found it. */
  key: v.string(),
  kind: v.picklist(['screen', 'setting', 'reader', 'reference', 'loan', 'copy']),
  title: v.string(),
  detail: v.string(),
  medium: v.optional(v.nullable(v.string())),
  to: v.string(),
  actions: v.array(link),
})
export type Hit = v.InferOutput<typeof hitSchema>
