import * as v from 'valibot'

import { isCalendarDay, isNoDay } from '../domain/calendar-day.ts'
import { isEmailAddress } from '../domain/email-address.ts'
import { largestId } from './filter-values.ts'
import { refusalFacts } from './refusals.ts'

export const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(largestId))

/** A relation, sent as an id or a resource link and parsed to the id. */
export const linkTo = (collection: string) => {
  const link = new RegExp(`^(?:/api/${collection}/)?([1-9]\\d{0,9})$`)
  return v.pipe(
    v.union([v.number(), v.string()], `doit être un identifiant ou un lien /api/${collection}/…`),
    v.check((value) => link.test(String(value)), `doit être un identifiant ou un lien /api/${collection}/…`),
    v.transform((value) => Number(link.exec(String(value))?.[1])),
    v.maxValue(largestId, 'désigne un élément qui n’existe pas'),
  )
}

export const byId = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[1-9]\d{0,9}$/), v.transform(Number), v.maxValue(largestId)),
})

const noSuchDay = 'doit être une date qui existe, écrite AAAA-MM-JJ'

export const day = v.pipe(v.string(), v.check(isCalendarDay, noSuchDay))

/** A year 0001 is read as `none`. */
export const dayOr = <None extends null | undefined>(none: None) =>
  v.pipe(
    v.string(),
    v.check((text) => isNoDay(text) || isCalendarDay(text), noSuchDay),
    v.transform((text) => (isNoDay(text) ? none : text)),
  )

/** ISO 8601 with its zone; stored and answered in UTC. */
export const instant = v.pipe(
  v.string(),
  v.isoTimestamp('doit être un instant ISO 8601'),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'doit être un instant qui existe'),
)

/** Never negative; `"3"` and `"3.5"` become `"3.00"` and `"3.50"`. */
export const money = v.pipe(
  v.string('doit être un montant écrit comme "12.50"'),
  v.regex(/^\d{1,8}(\.\d{1,2})?$/, 'doit être un montant positif, écrit comme "12.50"'),
  v.transform((text) => {
    const [euros = '0', cents = ''] = text.split('.')
    return `${Number(euros)}.${cents.padEnd(2, '0')}`
  }),
)

// U+0000 and lone surrogates cannot be stored, and signs that reverse writing make a name read as another.
const refused =
  // oxlint-disable-next-line no-control-regex -- that is what is refused
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u
const control = 'contient un caractère de contrôle'
const printable = v.check((value: string) => !refused.test(value), control)

export const text = (longest: number) =>
  v.pipe(v.string(), v.maxLength(longest, `ne doit pas dépasser ${longest} caractères`), printable, v.trim())

// A text of invisible signs only is empty for a reader.
const visible = v.check(
  (value: string) => value === '' || /[\p{L}\p{N}\p{P}\p{S}]/u.test(value),
  'ne doit pas être vide',
)

/** Text that says something, in as many lines as it takes. */
export const someLines = (longest: number) =>
  v.pipe(text(longest), v.nonEmpty('ne doit pas être vide'), visible)

/** The same in one line, such as a name. */
export const someText = (longest: number) => v.pipe(someLines(longest), v.regex(/^\P{Cc}*$/u, control))

/** What a form sends for an emptied field is none at all. */
export const noneOr = <const S extends v.GenericSchema>(schema: S) =>
  v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => null),
    ),
    schema,
  ])

/** An emptied address is none. */
export const email = v.nullable(
  v.pipe(
    text(200),
    v.check((typed) => typed === '' || isEmailAddress(typed), 'doit être une adresse électronique'),
    v.transform((typed) => typed || null),
  ),
)

/** A list of at most `most`, counted before any of them is looked at: `what` names them (« filtres »). */
export const atMost = <const Item extends v.GenericSchema>(most: number, what: string, items: Item) =>
  v.pipe(v.array(v.unknown()), v.maxLength(most, `ne doit pas dépasser ${most} ${what}`), v.array(items))

/** As it is typed: its rules are the server's (server/session/password-rules.ts). */
export const password = v.pipe(
  v.string(),
  v.nonEmpty('ne doit pas être vide'),
  v.maxLength(200, 'ne doit pas dépasser 200 caractères'),
)

/** Six digits of an application, or a recovery code; spaces and dashes do not matter. */
export const typedFactor = someText(40)

/** Any text: a mangled link gets the same answer as a used one. */
export const linkToken = v.pipe(v.string(), v.maxLength(200, 'ne doit pas dépasser 200 caractères'))

export const uuid = v.pipe(v.string(), v.uuid('doit être un UUID'))

/** What a device calls itself, whatever its form; letters are one in either case, as they are in a UUID. */
export const deviceId = v.pipe(someText(64), v.toLowerCase())

export const count = (from: number, to: number) =>
  v.pipe(
    v.number('doit être un nombre entier'),
    v.integer('doit être un nombre entier'),
    v.minValue(from, `doit être au moins ${from}`),
    v.maxValue(to, `doit être au plus ${to}`),
  )

export const flagInQuery = v.pipe(
  v.picklist(['0', '1'], 'doit être 0 ou 1'),
  v.transform((text) => text === '1'),
)

/** The version that a form was opened on: the transaction that last wrote what it shows. */
export const readVersion = v.optional(v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'n’est pas une version')))

export const item = <const T extends string, S extends v.ObjectEntries>(type: T, entries: S) =>
  v.object({ '@id': v.string(), '@type': v.literal(type), id, ...entries })

export const nothing = v.null()

/** `reason` is for programs, `facts` for the person who settles it. */
export const refusal = v.object({
  code: v.number(),
  message: v.string(),
  reason: v.optional(v.string()),
  facts: v.optional(refusalFacts),
})

export const violationList = v.object({
  '@type': v.literal('ConstraintViolationList'),
  'hydra:description': v.string(),
  violations: v.array(v.object({ propertyPath: v.string(), message: v.string() })),
})
export type ViolationList = v.InferOutput<typeof violationList>
