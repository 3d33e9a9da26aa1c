import type * as v from 'valibot'

import { schemaViolations } from './schema-violations.ts'
import { type Faults, type Form, useFields, violationsIn } from './use-fields.ts'

type LocalFormOptions<V extends object, A> = {
  /** What the form is of, so that what was typed is given back to no other. */
  about: string
  initial: V
  check?: (values: V) => Faults
  schema?: v.GenericSchema
  act: (values: V) => A | Promise<A>
  /** Not called once the form has left the screen. */
  onDone?: (answer: A) => unknown
  wording?: (error: unknown) => string
}

/** A form that is not one call: it stays on the device, waits in the outbox or makes several calls. */
export const useLocalForm = <V extends object, A = unknown>(
  options: LocalFormOptions<V, A>,
): Form<keyof V & string> => {
  const { about, initial, check, schema, act, onDone, wording } = options
  return useFields<V, A>({
    about,
    initial,
    faults: (values) => [
      ...violationsIn(check?.(values) ?? {}),
      ...(schema ? schemaViolations(schema, values) : []),
    ],
    send: (values) => act(values),
    onSent: onDone,
    wording,
  })
}
