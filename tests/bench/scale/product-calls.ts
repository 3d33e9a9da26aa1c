import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'

import type { Hono } from 'hono'
import * as v from 'valibot'

import { calendarDayOf } from '../../../src/domain/calendar-day.ts'
import { monthOf } from '../../../src/domain/stat-periods.ts'
import { barCodeOf } from './fill-library.ts'

/** A call of the product, as a device sends it. */
export type Call = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: object; key?: string }

/** Sends a call and reads its answer; throws without success, because a bench of refusals means nothing. */
export type Send = (call: Call) => Promise<string>

export const today = () => calendarDayOf(new Date(), 'Europe/Paris')
const daysAgo = (days: number) => calendarDayOf(new Date(Date.now() - days * 24 * 3600_000), 'Europe/Paris')
const query = (entries: Record<string, string>) => new URLSearchParams(entries).toString()

export const lookUp = (copy: number): Call => ({
  method: 'GET',
  path: `/api/copies?${query({ 'filters[bar_code|eq]': barCodeOf(copy), limit: '25' })}`,
})

export const lend = (copy: number, beneficiary: number, key: string = randomUUID()): Call => ({
  method: 'POST',
  path: '/api/loanings',
  body: { copy, beneficiary, occurred_at: new Date().toISOString() },
  key,
})

export const giveBack = (copy: number, key: string = randomUUID()): Call => ({
  method: 'POST',
  path: '/api/loanings/return',
  body: { bar_code: barCodeOf(copy), occurred_at: new Date().toISOString() },
  key,
})

/** A page of 25 loans with the total: filters as the list of loans sends them. */
export const loanPage = (
  filters: Record<string, string>,
  order: readonly [field: string, direction: 'asc' | 'desc'],
  page = 1,
): Call => ({
  method: 'GET',
  path: `/api/loanings?${query({
    page: String(page),
    [`order[${order[0]}]`]: order[1],
    ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filters[${name}]`, value])),
  })}`,
})

/** Loans begun in a month of a past year and returned since, newest first. */
export const monthOfLoans = (yearsAgo: number, page = 1): Call => {
  const year = new Date().getFullYear() - yearsAgo
  return loanPage(
    { 'status|eq': 'finished', 'start_date|gte': `${year}-03-01`, 'start_date|lte': `${year}-03-31` },
    ['start_date', 'desc'],
    page,
  )
}

/** Loans begun in a quarter, by another date than the one they are filtered by. */
export const quarterByReturn = (yearsAgo: number): Call => {
  const year = new Date().getFullYear() - yearsAgo
  return loanPage(
    { 'status|eq': 'finished', 'start_date|gte': `${year}-01-01`, 'start_date|lte': `${year}-03-31` },
    ['return_date', 'desc'],
  )
}

/** Open loans begun in the last three weeks, by the day they are due. */
export const openLoansByDue = (page = 1): Call =>
  loanPage({ 'status|eq': 'in_progress', 'start_date|gte': daysAgo(20) }, ['end_date', 'asc'], page)

/** What the home page asks for its second table. */
export const late = (): Call => ({
  method: 'GET',
  path: `/api/loanings?${query({
    limit: '100',
    'order[beneficiary_lastname]': 'desc',
    'filters[status|eq]': 'in_progress',
    'filters[islate|eq]': '1',
  })}`,
})

/** What the home page asks for its first table. */
export const dueToday = (): Call => ({
  method: 'GET',
  path: `/api/loanings?${query({
    limit: '100',
    'order[beneficiary_lastname]': 'desc',
    'filters[status|eq]': 'in_progress',
    'filters[end_date|eq]': today(),
  })}`,
})

/** Newest references whose title holds some words. */
export const titlesWith = (words: string): Call => ({
  method: 'GET',
  path: `/api/references?${query({ 'filters[name|like]': words })}`,
})

/** What « Chercher » asks for as one types: readers, titles, copies, then loans in progress by their title and their reader. */
export const findAnything = (words: string): Call[] => [
  autocomplete(words),
  ...['references', 'copies'].map((name): Call => ({
    method: 'GET',
    path: `/api/${name}?${query({ limit: '5', 'filters[searchname|like]': words })}`,
  })),
  ...['referencesearchname', 'benefsearchname'].map((field): Call => ({
    method: 'GET',
    path: `/api/loanings?${query({ limit: '5', 'filters[status|eq]': 'in_progress', [`filters[${field}|like]`]: words })}`,
  })),
]

/** The figures of the screens of statistics, of a month, of a year and of what is out. */
export const figures = (): readonly (readonly [name: string, path: string])[] => {
  const month = query(monthOf(today()))
  const year = `start_date=${today().slice(0, 4)}-01-01&end_date=${today().slice(0, 4)}-12-31`
  return [
    ...['activity', 'references', 'beneficiaries', 'loanings'].flatMap((name) => [
      [`${name}, a month`, `/api/stats/${name}?${month}`] as const,
      [`${name}, a year`, `/api/stats/${name}?${year}`] as const,
    ]),
    ['what is out now', '/api/stats/active'],
    ['the yearly report', `/api/stats/yearly?year=${today().slice(0, 4)}`],
  ]
}

/** A page of references as their list asks for it: a part of the title, a category and a medium. */
export const referencePage = (asked: { title: string; category: number; medium: number }): Call => ({
  method: 'GET',
  path: `/api/references?${query({
    'filters[name|like]': asked.title,
    'filters[category|eq]': String(asked.category),
    'filters[medium|eq]': String(asked.medium),
    'order[created_at]': 'desc',
  })}`,
})

/** Fifty references by part of a title, and twelve weeks of their copies. */
export const calendarOf = (reference: string): Call => ({
  method: 'GET',
  path: `/api/calendar?${query({ reference })}`,
})

/** A title with new coded values, as its form saves it. */
export const saveCoded = (saved: {
  id: number
  name: string
  type: string
  values: readonly string[]
}): Call => ({
  method: 'PUT',
  path: `/api/references/${saved.id}`,
  body: { name: saved.name, authors: { list: { [saved.type]: saved.values } } },
})

export const autocomplete = (searchname: string): Call => ({
  method: 'GET',
  path: `/api/beneficiaries/autocomplete?${query({ searchname })}`,
})

export const readerCard = (id: number): Call => ({ method: 'GET', path: `/api/beneficiaries/${id}` })

export const openLoansOfReader = (id: number): Call => ({
  method: 'GET',
  path: `/api/loanings?${query({ 'filters[beneficiary|eq]': String(id), 'filters[status|eq]': 'in_progress' })}`,
})

export const eligibility = (beneficiary: number, copy: number): Call => ({
  method: 'GET',
  path: `/api/eligibility?${query({ beneficiary: String(beneficiary), copy: String(copy), explain: '1' })}`,
})

/** Straight into the router, without a network. */
export const viaRouter =
  (app: Hono, token: string): Send =>
  async (call) => {
    const response = await app.request(call.path, {
      method: call.method,
      headers: headersOf(call, token),
      ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    })
    return checked(call, response.status, await response.text())
  }

/** Over HTTP on a connection that stays open. */
export function viaHttp(port: number, token: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return async (call) => {
    const { status, text } = await exchange(call)
    return checked(call, status, text)
  }

  function exchange(call: Call): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          method: call.method,
          path: call.path,
          headers: headersOf(call, token),
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => (text += chunk))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        },
      )
      sent.on('error', reject)
      sent.end(call.body ? JSON.stringify(call.body) : undefined)
    })
  }
}

export const headersOf = (
  { body, key }: Call,
  token: string,
  host = 'localhost',
): Record<string, string> => ({
  host,
  authorization: `Bearer ${token}`,
  ...(body ? { 'content-type': 'application/json' } : {}),
  ...(key ? { 'idempotency-key': key } : {}),
})

export function checked({ method, path }: Call, status: number, text: string): string {
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
  return text
}

const collection = v.object({ 'hydra:member': v.array(v.unknown()), 'hydra:totalItems': v.number() })
/** How many rows a page holds, of how many. */
export function sizeOf(answer: string): { shown: number; total: number } {
  const page = v.parse(collection, JSON.parse(answer))
  return { shown: page['hydra:member'].length, total: page['hydra:totalItems'] }
}
