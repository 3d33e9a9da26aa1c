import * as v from 'valibot'

import { copyStatuses } from '../domain/loan-rules.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf } from './list.ts'
import { day, id, text } from './wire.ts'

/** Days of a line that are not free, first and last included. */
const bar = v.object({
  kind: v.picklist(['loan', 'reservation']),
  id,
  state: v.picklist(['returned', 'reservation', 'loan', 'overdue']),
  first_day: day,
  last_day: day,
  /** The expected return of a loan, or until when a copy is set aside. */
  due: v.nullable(day),
  /** Null where the reader is not told, or was forgotten. */
  beneficiary: v.nullable(id),
  beneficiary_name: v.nullable(v.string()),
})
export type CalendarBar = v.InferOutput<typeof bar>

const copyLine = v.object({
  id,
  bar_code: v.string(),
  site: id,
  site_name: v.string(),
  status_name: v.picklist(copyStatuses),
  bars: v.array(bar),
})
export type CalendarCopy = v.InferOutput<typeof copyLine>

const block = v.object({
  id,
  name: v.string(),
  category: v.nullable(v.string()),
  medium: v.nullable(v.string()),
  /** The weekday on which reservations of the medium begin. */
  start_day: v.nullable(v.number()),
  /** How many wait for it without days. */
  waiting: v.number(),
  /** Reservations of any of its copies. */
  bars: v.array(bar),
  copies: v.array(copyLine),
})
export type CalendarBlock = v.InferOutput<typeof block>

const furthestWeeks = 520
const weeks = `doit être un nombre entier de semaines, de -${furthestWeeks} à ${furthestWeeks}`

/** One call: what is found, its copies, and their days for twelve weeks. */
export const readCalendar = endpoint({
  name: 'calendar.read',
  method: 'GET',
  path: '/api/calendar',
  access: 'ACTIVITY_CALENDAR',
  summary: 'Ce qui est prêté et réservé, semaine par semaine, des références cherchées',
  query: v.strictObject({
    /** Part of a title or author. */
    reference: v.optional(text(200)),
    /** Part of a category's name. */
    category: v.optional(text(100)),
    /** Of a copy, or a reference's code or ISBN: both are found. */
    bar_code: v.optional(text(100)),
    /** The weeks are those around it; alone, it finds what is out or reserved on that day. */
    date: v.optional(day),
    /** How many weeks later, or earlier where negative. */
    weeks: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^-?\d{1,3}$/, weeks),
        v.transform(Number),
        v.minValue(-furthestWeeks, weeks),
        v.maxValue(furthestWeeks, weeks),
      ),
    ),
  }),
  answer: v.object({
    today: day,
    /** The first day of the first of twelve weeks. */
    first_day: day,
    /** Whether there are more than the fifty that are told. */
    is_cut: v.boolean(),
    ...collectionOf(block).entries,
    /** Days of these weeks on which the sites of the copies are closed. */
    closed: v.array(v.object({ site: id, days: v.array(day) })),
  }),
})
export type Calendar = v.InferOutput<typeof readCalendar.answer>

export const calendarEndpoints = [readCalendar]
