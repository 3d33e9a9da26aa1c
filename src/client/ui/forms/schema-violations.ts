import * as v from 'valibot'

import { type Violation, violationsOf } from '../../../contract/violations.ts'

export function schemaViolations(schema: v.GenericSchema, values: object): Violation[] {
  const checked = v.safeParse(schema, values)
  return checked.success ? [] : violationsOf(checked.issues)
}
