import * as v from 'valibot'

/**
 * A backup is a gzip of lines, whatever its engine. An object opens a table or file or tells a fact; the
 * arrays below it are the table's rows or the file's bytes. Raise `formatVersion` when this changes.
 * {"comptoir":1,"made_at":"2026-03-10T09:00:00.000Z"}
 * {"environment":1,"migrations":["0001-baseline"]}
 * {"table":"sites","columns":["id","name"]}
 * ["1","Centre"]
 * {"sequence":"sites_id_seq","last":"1","called":true}
 * {"file":"images/logo.png"}
 * ["iVBORw0KGgo="]
 * {"end":8,"sha256":"…of everything above"}
 */
export const formatVersion = 1

/** A path that stays inside an environment's directory on any system. */
const relativePath = v.pipe(
  v.string(),
  v.check(
    (path) =>
      path !== '' && !/[\\:\0]/.test(path) && !path.split('/').some((part) => ['', '.', '..'].includes(part)),
  ),
)

const opening = v.object({ comptoir: v.number(), made_at: v.string() })
const environment = v.object({
  environment: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999)),
  migrations: v.array(v.string()),
})
const table = v.object({ table: v.string(), columns: v.array(v.string()) })
const sequence = v.object({
  sequence: v.string(),
  last: v.pipe(v.string(), v.regex(/^-?\d+$/)),
  called: v.boolean(),
})
const file = v.object({ file: relativePath })
const end = v.object({ end: v.number(), sha256: v.string() })

export const backupLine = v.union([opening, environment, table, sequence, file, end])
export type BackupLine = v.InferOutput<typeof backupLine>

export const row = v.array(v.nullable(v.string()))
