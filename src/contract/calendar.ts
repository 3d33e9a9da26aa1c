import * as v from 'valibot'

import { copyStatuses } from '../domain/loan-rules.ts'
import { pageOfRows } from './counted-rows.ts'
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

const copy = v.object({
  id,
  bar_code: v.string(),
  site: id,
  site_name: v.string(),
  status_name: v.picklist(copyStatuses),
})
export type CalendarCopy = v.InferOutput<typeof copy>

const title = v.object({
  id,
  name: v.string(),
  /** The weekday on which reservations of the medium begin. */
  start_day: v.nullable(v.number()),
})
export type CalendarTitle = v.InferOutput<typeof title>

const block = v.object({
  ...title.entries,
  category: v.nullable(v.string()),
  medium: v.nullable(v.string()),
  /** How many wait for it without days. */
  waiting: v.number(),
  /** Reservations of any of its copies. */
  bars: v.array(bar),
  copies: v.array(v.object({ ...copy.entries, bars: v.array(bar) })),
})
export type CalendarBlock = v.InferOutput<typeof block>

/** Days on which the sites of the copies are closed. */
const closed = v.array(v.object({ site: id, days: v.array(day) }))

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
    closed,
  }),
})
export type Calendar = v.InferOutput<typeof readCalendar.answer>

/** Whose it is: a title's where it is of no copy in particular. */
const held = { title, copy: v.nullable(copy) }

/** Without a search: what is out, due and reserved from a day on, what leaves or comes back on that day first. */
export const readBoard = endpoint({
  name: 'calendar.board',
  method: 'GET',
  path: '/api/calendar/board',
  access: 'ACTIVITY_CALENDAR',
  summary: 'Ce qui est prêté, attendu et réservé à partir d’un jour, un exemplaire par ligne, par page',
  query: v.strictObject({
    /** Today unless said. */
    date: v.optional(day),
    page: pageOfRows,
  }),
  answer: v.object({
    today: day,
    date: day,
    first_day: day,
    ...collectionOf(v.object({ ...held, bars: v.array(bar) })).entries,
    closed,
  }),
})
export type CalendarBoard = v.InferOutput<typeof readBoard.answer>

/** `is_done` is false for as long as somebody is waited for. */
const move = v.object({ ...held, bar, is_done: v.boolean() })
export type CalendarMove = v.InferOutput<typeof move>

export const readMoves = endpoint({
  name: 'calendar.moves',
  method: 'GET',
  path: '/api/calendar/moves',
  access: 'ACTIVITY_CALENDAR',
  summary: 'Les départs et les retours d’un jour, faits ou attendus',
  query: v.strictObject({
    /** Today unless said. */
    date: v.optional(day),
  }),
  answer: v.object({
    today: day,
    date: day,
    departures: collectionOf(move),
    returns: collectionOf(move),
  }),
})

export const calendarEndpoints = [readCalendar, readBoard, readMoves]
