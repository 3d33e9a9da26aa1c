import type * as v from 'valibot'

import type { AnswerOf, BodyOf, Endpoint } from '../../../contract/endpoint.ts'
import { type ChangeInput, useChange } from '../../api/queries.ts'
import { schemaViolations } from './schema-violations.ts'
import { type Faults, type Form, useFields, violationsIn } from './use-fields.ts'

type Written = Endpoint & { body: v.GenericSchema<unknown, object> }
type Values = Record<string, unknown>

type Fields<E extends Written> = Partial<BodyOf<E>> & { [F in Within<BodyOf<E>>]?: PartOf<BodyOf<E>, F> }
type FieldOf<E extends Written, U> = (keyof BodyOf<E> | keyof U | Within<BodyOf<E>>) & string

/** Fields of a field: `tags.author` is sent as `{ tags: { author } }`. */
type Within<B> = {
  [F in keyof B & string]: Exclude<B[F], undefined | null> extends infer Part
    ? Part extends readonly unknown[] | string | number | boolean
      ? never
      : `${F}.${keyof Part & string}`
    : never
}[keyof B & string]

type PartOf<B, F> = F extends `${infer Name extends keyof B & string}.${infer Part}`
  ? NonNullable<B[Name]>[Part & keyof NonNullable<B[Name]>]
  : never

type FormOptions<E extends Written, U extends object> = {
  initial: Fields<E>
  /** What it is of, where neither `params` nor `fixed` say so. */
  about?: string | number
  /** Always sent, and no field. */
  fixed?: Partial<BodyOf<E>>
  /** Shown and not sent, such as a repeated password. */
  unsent?: U
  /** Fields that others speak for, which are kept and not sent. */
  leaves?: (values: Fields<E>) => readonly string[]
  /** With it, an unchanged field is sent only where the call demands it. */
  params?: Record<string, string | number>
  /** Errors that the schema does not know, said before its own. */
  check?: (values: Partial<BodyOf<E>> & U) => Faults
  wording?: (error: unknown) => string
  /** What is to be sent beside after a refusal that somebody passes over; null leaves it refused. */
  despite?: (refusal: unknown) => Promise<Partial<BodyOf<E>> | null>
  onSaved: (answer: AnswerOf<E>) => unknown
  /** It is shown on after it was saved, such as a field kept by Enter. */
  staysOpen?: boolean
}

/** A form of an endpoint: its schema checks before sending, and the first refused field gets the focus. */
export function useForm<E extends Written, U extends object = object>(
  endpoint: E,
  {
    about,
    initial,
    fixed,
    unsent,
    leaves,
    params,
    check,
    wording,
    despite,
    onSaved,
    staysOpen,
  }: FormOptions<E, U>,
): Form<FieldOf<E, U>> {
  const change = useChange(endpoint)
  const bodyOf = (values: Values, changed: Values): Values => {
    const sent = params ? { ...demandedOf(endpoint, values), ...changed, ...fixed } : { ...values, ...fixed }
    const left = [...Object.keys(unsent ?? {}), ...(leaves?.(values as Fields<E>) ?? [])]
    return gathered(Object.entries(sent).filter(([field]) => !left.includes(field)))
  }
  return useFields<Values, AnswerOf<E>>({
    about: `${endpoint.name} ${JSON.stringify([about ?? params ?? fixed, Object.keys(initial)])}`,
    initial: { ...initial, ...unsent },
    faults: (values, changed) => [
      ...violationsIn(check?.(values as Partial<BodyOf<E>> & U) ?? {}),
      ...schemaViolations(endpoint.body, bodyOf(values, changed)),
    ],
    send: async (values, changed) => {
      const sendWith = (more: object) =>
        change.mutateAsync({
          body: { ...bodyOf(values, changed), ...more },
          ...(params ? { params } : {}),
        } as unknown as ChangeInput<E>)
      try {
        return await sendWith({})
      } catch (refusal) {
        const more = await despite?.(refusal)
        if (!more) throw refusal
        return sendWith(more)
      }
    },
    onSent: onSaved,
    staysOpen,
    wording,
  })
}

function gathered(fields: readonly [string, unknown][]): Values {
  const body: Values = {}
  for (const [field, value] of fields) {
    const [name = field, part] = field.split('.')
    body[name] = part === undefined ? value : { ...(body[name] as Values | undefined), [part]: value }
  }
  return body
}

function demandedOf({ body }: Written, values: Values): Values {
  const { entries = {} } = body as { entries?: Record<string, { type: string }> }
  const isDemanded = (field: string) => field in entries && entries[field]?.type !== 'optional'
  return Object.fromEntries(Object.entries(values).filter(([field]) => isDemanded(field)))
}
