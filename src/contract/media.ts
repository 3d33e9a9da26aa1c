import * as v from 'valibot'

import { imageSources } from '../domain/image-sources.ts'
import { longestDuration } from '../domain/loan-rules.ts'
import { noun } from '../domain/noun.ts'
import { filterBy } from './list.ts'
import { durationType } from './loans.ts'
import { type ItemOf, resource, switchable } from './resource.ts'
import { atMost, count, id, instant, item, linkTo, money, someText, text } from './wire.ts'

const calendarUnit = v.picklist(['DAY', 'WEEK', 'MONTH'], 'doit être DAY, WEEK ou MONTH')

/** What the rules of lending read of a medium: all that a device keeps of it. */
const rules = {
  name: v.string(),
  code: v.nullable(v.string()),
  accounting_code: v.nullable(v.string()),
  enabled: v.boolean(),
  duration: v.nullable(v.number()),
  duration_type: v.nullable(durationType),
  start_day: v.nullable(v.number()),
  end_day: v.nullable(v.number()),
  penalty_enabled: v.boolean(),
  penalty_amount: v.nullable(v.string()),
  penalty_duration_type: v.nullable(calendarUnit),
  max_loaning: v.nullable(v.number()),
  max_late: v.nullable(v.number()),
  online_booking_enabled: v.boolean(),
  loaning_conditions_enabled: v.boolean(),
  loaning_conditions_label: v.nullable(v.string()),
  /** The address of the file, with its version. */
  loaning_conditions_file: v.nullable(v.string()),
  eligibility: v.object({
    contracts: v.array(v.string()),
    statuses: v.array(v.string()),
    dossiers: v.array(v.string()),
  }),
}
export const medium = item('Medium', rules)
export type Medium = v.InferOutput<typeof medium>

const textOrNone = (longest: number) =>
  v.nullable(
    v.pipe(
      text(longest),
      v.transform((written) => (written === '' ? null : written)),
    ),
  )
const amountOrNone = v.nullable(
  v.pipe(
    v.string('doit être un montant écrit comme "12.50"'),
    v.regex(/^(\d{1,8}(\.\d{1,2})?)?$/, 'doit être un montant positif, écrit comme "12.50"'),
    v.transform((amount) => (amount === '' ? null : v.parse(money, amount))),
  ),
)
const weekday = v.nullable(count(1, 7))
const names = atMost(100, 'noms', someText(100))

/** Days are Monday 1 to Sunday 7. */
export const media = switchable(
  resource('media', 'Medium', {
    noun: noun('support', 'm'),
    changedBy: 'PARAMETER_MEDIUM',
    written: {
      name: someText(100),
      code: v.optional(textOrNone(50)),
      accounting_code: v.optional(textOrNone(50)),
      enabled: v.optional(v.boolean()),
      duration: v.optional(v.nullable(count(1, longestDuration))),
      duration_type: v.optional(v.nullable(durationType)),
      start_day: v.optional(weekday),
      end_day: v.optional(weekday),
      penalty_enabled: v.optional(v.boolean()),
      penalty_amount: v.optional(amountOrNone),
      penalty_duration_type: v.optional(v.nullable(calendarUnit)),
      max_loaning: v.optional(v.nullable(count(0, 9999))),
      max_late: v.optional(v.nullable(count(0, 9999))),
      max_renewals: v.optional(v.nullable(count(0, 9999))),
      online_booking_enabled: v.optional(v.boolean()),
      loaning_conditions_enabled: v.optional(v.boolean()),
      loaning_conditions_label: v.optional(textOrNone(500)),
      /** Only taken away here: a file is given by `uploadConditions`. */
      loaning_conditions_file: v.optional(v.null('ne peut être que retiré ici')),
      eligibility: v.optional(
        v.strictObject({
          contracts: v.optional(names, []),
          statuses: v.optional(names, []),
          dossiers: v.optional(names, []),
        }),
      ),
      analytic: v.optional(
        atMost(200, 'codes', v.strictObject({ site: linkTo('sites'), analytic: text(50) })),
      ),
    },
    shown: {
      ...rules,
      /** How often a loan is extended; only the server, which extends, has to know. */
      max_renewals: v.nullable(v.number()),
      analytic: v.array(v.object({ site: id, analytic: v.string() })),
      images_sources: v.nullable(v.array(v.picklist(imageSources))),
      ref_count: v.number(),
      date_update: instant,
    },
    filters: { id: filterBy.id, name: filterBy.text, code: filterBy.code, enabled: filterBy.flag },
    orders: ['name', 'code', 'ref_count', 'enabled', 'date_update', 'id'],
  }),
)
export type MediumSettings = ItemOf<typeof media>
