import type * as v from 'valibot'

import type { AnswerOf, BodyOf, Endpoint } from '../../contract/endpoint.ts'
import { type ChangeInput, useChange } from '../api/queries.ts'
import { schemaViolations } from './schema-violations.ts'
import { type Faults, type Form, useFields, violationsIn } from './use-fields.ts'

type Written = Endpoint & { body: v.GenericSchema<unknown, object> }
type Values = Record<string, unknown>

type FieldOf<E extends Written, U> = (keyof BodyOf<E> | keyof U) & string

type FormOptions<E extends Written, U extends object> = {
  initial: Partial<BodyOf<E>>
  fixed?: Partial<BodyOf<E>>
  /** Shown and not sent, such as a repeated password. */
  unsent?: U
  /** With it, an unchanged field is sent only where the call demands it. */
  params?: Record<string, string | number>
  /** Errors that the schema does not know, said before its own. */
  check?: (values: Partial<BodyOf<E>> & U) => Faults
  wording?: (error: unknown) => string
  onSaved: (answer: AnswerOf<E>) => unknown
}

/** A form of an endpoint: its schema checks before sending, and the first refused field gets the focus. */
export function useForm<E extends Written, U extends object = object>(
  endpoint: E,
  { initial, fixed, unsent, params, check, wording, onSaved }: FormOptions<E, U>,
): Form<FieldOf<E, U>> {
  const change = useChange(endpoint)
  const bodyOf = (values: Values, changed: Values): Values => {
    const sent = params ? { ...demandedOf(endpoint, values), ...changed } : { ...values, ...fixed }
    return Object.fromEntries(Object.entries(sent).filter(([field]) => !(unsent && field in unsent)))
  }
  return useFields<Values, AnswerOf<E>>({
    initial: { ...initial, ...unsent },
    faults: (values, changed) => [
      ...violationsIn(check?.(values as Partial<BodyOf<E>> & U) ?? {}),
      ...schemaViolations(endpoint.body, bodyOf(values, changed)),
    ],
    send: (values, changed) =>
      change.mutateAsync({
        body: bodyOf(values, changed),
        ...(params ? { params } : {}),
      } as unknown as ChangeInput<E>),
    onSent: onSaved,
    wording,
  })
}

function demandedOf({ body }: Written, values: Values): Values {
  const { entries = {} } = body as { entries?: Record<string, { type: string }> }
  return Object.fromEntries(Object.entries(values).filter(([field]) => entries[field]?.type !== 'optional'))
}
