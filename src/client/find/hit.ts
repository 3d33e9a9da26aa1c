import * as v from 'valibot'

const link = v.object({ label: v.string(), to: v.string() })

/** Something that a search found: where Enter leads, and where else it may lead. Kept on the device among the recent ones. */
export const hitSchema = v.object({
  /** Unlike that of any other hit, whatever found it. */
  key: v.string(),
  kind: v.picklist(['screen', 'setting', 'reader', 'loan', 'copy']),
  title: v.string(),
  detail: v.string(),
  /** Of what is recognised by its medium. */
  medium: v.optional(v.nullable(v.string())),
  to: v.string(),
  actions: v.array(link),
})
export type Hit = v.InferOutput<typeof hitSchema>

/** An address with what it asks for. */
export const addressOf = (path: string, search: Record<string, string | number>): string =>
  `${path}?${new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]))}`
