import type * as v from 'valibot'

import { schemaViolations } from './schema-violations.ts'
import type { Faults } from './use-fields.ts'

/** What a schema says of a body, at the fields of the form: a field within another goes by its own name. */
export const faultsFrom = (schema: v.GenericSchema, body: object): Faults =>
  Object.fromEntries(
    schemaViolations(schema, body).map(({ propertyPath, message }) => [
      propertyPath.split('.').at(-1),
      message,
    ]),
  )
