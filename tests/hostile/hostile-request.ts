import fc from 'fast-check'

import type { Endpoint } from '../../src/contract/endpoint.ts'
import { type ListShape, operators } from '../../src/contract/list.ts'
import { anyOf, hostileJson, hostileTexts, unknownNames } from './hostile-values.ts'
import { entriesOf, objectsFor } from './valid-values.ts'

/** A request that somebody who means harm, or a broken program, might send. */
export type HostileRequest = {
  path: string
  query: string
  headers: Record<string, string>
  body: string | undefined
  /** True where it names a field, filter or order that the call does not know: success would be a fault. */
  hasUnknown: boolean
}

type Body = Pick<HostileRequest, 'body' | 'hasUnknown'>

const names = (schema: Endpoint['body']) => Object.keys((schema && entriesOf(schema)) ?? {})

const noBody: fc.Arbitrary<Body> = fc.constant({ body: undefined, hasUnknown: false })

const validBody = ({ body }: Endpoint): fc.Arbitrary<Body> =>
  objectsFor((body && entriesOf(body)) ?? {}).map((fields) => ({
    body: JSON.stringify(fields),
    hasUnknown: false,
  }))

/** A body of its schema with some unexpected values and, now and then, an unknown field. */
function bodiesFor({ body: schema }: Endpoint): fc.Arbitrary<Body> {
  const known = names(schema)
  const strangers = unknownNames.filter((name) => !known.includes(name))
  const valid = schema ? objectsFor(entriesOf(schema) ?? {}) : fc.constant({})
  const shaped = fc
    .record({
      fields: valid,
      changed: fc.array(fc.tuple(anyOf(known.length > 0 ? known : ['couleur']), anyOf(hostileJson)), {
        maxLength: 2,
      }),
      strangers: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.array(fc.tuple(anyOf(strangers), anyOf(hostileJson)), { minLength: 1, maxLength: 2 }),
        },
      ),
    })
    .map(({ fields, changed, strangers }) => {
      const isChanged = (name: string) => changed.some(([other]) => other === name)
      const kept = Object.entries(fields).filter(([name, value]) => value !== undefined && !isChanged(name))
      const written = [
        ...kept.map(([name, value]) => [name, JSON.stringify(value)] as const),
        ...changed,
        ...strangers,
      ]
      return {
        body: `{${written.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`,
        hasUnknown: written.some(([name]) => !known.includes(name)),
      }
    })
  // An object within, with a field too many.
  const nested = fc
    .record({ fields: valid, name: anyOf(['couleur', 'prototype', 'user_id']), json: anyOf(hostileJson) })
    .map(({ fields, name, json }) => {
      const within = `${JSON.stringify(name)}:${json}`
      let hasUnknown = false
      const written = Object.entries(fields).flatMap(([field, value]) => {
        if (value === undefined) return []
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
        hasUnknown ||= isObject
        const text = JSON.stringify(value)
        const told = isObject ? `{${within}${text === '{}' ? '' : ','}${text.slice(1)}` : text
        return [`${JSON.stringify(field)}:${told}`]
      })
      return { body: `{${written.join(',')}}`, hasUnknown }
    })
  const shapeless = anyOf(hostileJson).map((body) => ({ body, hasUnknown: false }))
  const broken = anyOf([
    '',
    '{',
    '{"a":1',
    '{"a":1}}',
    'undefined',
    '\u0000',
    "{'a':1}",
    '{"a":NaN}',
    '﻿{}',
  ]).map((body) => ({ body, hasUnknown: false }))
  return fc.oneof(
    { weight: 6, arbitrary: shaped },
    { weight: 2, arbitrary: nested },
    { weight: 1, arbitrary: shapeless },
    { weight: 1, arbitrary: broken },
  )
}

/** `name=value` with what an address must write otherwise written so; `raw` texts are put as they are. */
const pair = (name: string, value: string) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

const rawPairs = [
  '%',
  '%zz=1',
  '=',
  '&&',
  'page=%E9',
  'a=%C0%80',
  'page[]=1',
  'page=1&page=abc',
  'limit=1&limit=0',
]

function filtersFor(
  shape: ListShape,
  /** What the address takes besides, under a name of its own. */
  own: object,
): fc.Arbitrary<[name: string, value: string, isUnknown: boolean]> {
  const known = Object.keys(shape.filters)
  const field = fc.oneof(...(known.length > 0 ? [{ weight: 4, arbitrary: anyOf(known) }] : []), {
    weight: 1,
    arbitrary: anyOf(unknownNames.filter((name) => !Object.hasOwn(own, name))),
  })
  const operator = anyOf([...operators, '', 'ne', 'constructor', '__proto__'])
  const value = fc.oneof(
    anyOf(hostileTexts),
    anyOf(['1', '2', '1,2', '2026-03-10', 'Zola', 'true', 'in_progress']),
  )
  return fc
    .tuple(field, operator, anyOf(['bare', 'piped', 'bracketed', 'listed'] as const), value)
    .map(([field, operator, form, value]) => {
      const known = Object.hasOwn(shape.filters, field) ? shape.filters[field] : undefined
      const knows = known?.operators.some((other) => other === operator) ?? false
      if (form === 'bare') return [field, value, !known]
      const name = operator === '' ? field : `${field}|${operator}`
      const isUnknown = operator === '' ? !known : !knows
      return [form === 'piped' ? name : `filters[${name}]${form === 'listed' ? '[]' : ''}`, value, isUnknown]
    })
}

const validQuery = ({ query }: Endpoint): fc.Arbitrary<string[]> =>
  objectsFor((query && entriesOf(query)) ?? {}).map((fields) =>
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [pair(name, typeof value === 'string' ? value : JSON.stringify(value))],
    ),
  )

function queriesFor(endpoint: Endpoint): fc.Arbitrary<{ query: string; hasUnknown: boolean }> {
  const own = endpoint.query ? (entriesOf(endpoint.query) ?? {}) : {}
  const { list } = endpoint
  const parameter: fc.Arbitrary<[string, string, boolean]> = fc.oneof(
    {
      weight: 1,
      arbitrary: fc.tuple(
        anyOf(
          unknownNames.filter(
            (name) => !Object.hasOwn(own, name) && !(list && Object.hasOwn(list.filters, name)),
          ),
        ),
        anyOf(hostileTexts),
        fc.constant(true),
      ),
    },
    ...(Object.keys(own).length > 0
      ? [{ weight: 3, arbitrary: fc.tuple(anyOf(Object.keys(own)), anyOf(hostileTexts), fc.constant(false)) }]
      : []),
    ...(list
      ? [
          { weight: 6, arbitrary: filtersFor(list, own) },
          {
            weight: 2,
            arbitrary: fc.tuple(
              anyOf(['page', 'limit']),
              anyOf([...hostileTexts, '1', '25', '1000000']),
              fc.constant(false),
            ),
          },
          {
            weight: 2,
            arbitrary: fc
              .tuple(anyOf([...list.orders, 'couleur', '__proto__']), anyOf(['asc', 'DESC', 'random()', '']))
              .map(([field, way]): [string, string, boolean] => [
                `order[${field}]`,
                way,
                !list.orders.includes(field),
              ]),
          },
        ]
      : []),
  )
  const valid = validQuery(endpoint)
  const parameters = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(parameter, { maxLength: 4 }) },
  )
  const raw = fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: anyOf(rawPairs).map((text) => [text]) },
  )
  return fc.tuple(valid, parameters, raw).map(([valid, parameters, raw]) => ({
    query: [...valid, ...parameters.map(([name, value]) => pair(name, value)), ...raw].join('&'),
    hasUnknown: parameters.some(([, , isUnknown]) => isUnknown),
  }))
}

const parts = [
  '0',
  '01',
  '-1',
  '1.0',
  '1e0',
  '%31',
  '1%2F2',
  '%2e%2e',
  '..',
  '.',
  '%00',
  '%',
  '%zz',
  '1;a=b',
  'é',
  '١',
  '2147483648',
  '%F0%9F',
  'x'.repeat(3000),
]

/** An address as its own schema has it. */
const validPath = ({ path, params }: Endpoint): fc.Arbitrary<string> =>
  objectsFor((params && entriesOf(params)) ?? {}).map((values) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
  )

function pathsFor(endpoint: Endpoint): fc.Arbitrary<string> {
  const strange = fc.array(anyOf(parts), { minLength: 3, maxLength: 3 }).map((values) => {
    const left = [...values]
    return endpoint.path.replaceAll(/\{\w+\}/g, () => left.pop() ?? '')
  })
  const bent = fc
    .tuple(validPath(endpoint), anyOf(['slash', 'double', 'dots'] as const))
    .map(([path, way]) =>
      way === 'slash' ? `${path}/` : way === 'double' ? path.replace('/', '//') : `${path}/..%2f..`,
    )
  return fc.oneof({ weight: 3, arbitrary: strange }, { weight: 1, arbitrary: bent })
}

/** What each header may be made to say; one at a time, so that what is wrong with it is seen. */
const hostileHeaders: Record<string, readonly string[]> = {
  'x-site': ['0', '2', '3', '-1', '1.5', '999999999', '9999999999', 'un', '', '1, 2', "1' or '1"],
  'x-on-behalf-of': ['1', '2', '0', '-1', '999999', '9999999999', 'x', ''],
  'idempotency-key': ['', 'clef', '2f1e4a52-6d0d-4a3c-9b59-0f7a4a1f9c11', 'x'.repeat(500), '{}'],
  'content-type': [
    'application/json; charset=latin1',
    'APPLICATION/JSON',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    '/',
    '',
  ],
  'content-length': ['0', '5', '-1', 'x', '99999999999'],
  'content-encoding': ['gzip', 'br', 'identity', 'gzip, gzip'],
  'x-request-id': ['', 'abc', 'x'.repeat(2000), '"><script>'],
  authorization: ['', 'Bearer', 'Bearer  ', 'Basic YTpi', `Bearer ${'x'.repeat(200)}`, 'bearer x'],
  host: ['', 'exemple.fr:99999', '[::1', 'a b', '%00', 'x'.repeat(300)],
  accept: ['text/html', ''],
}
const headers = anyOf(
  Object.entries(hostileHeaders).flatMap(([name, values]) => values.map((value) => ({ [name]: value }))),
)

/** Requests to a call, each strange in one way and some in every way. */
export function hostileRequests(endpoint: Endpoint): fc.Arbitrary<HostileRequest> {
  const usual = {
    path: validPath(endpoint),
    query: validQuery(endpoint).map((pairs) => ({ query: pairs.join('&'), hasUnknown: false })),
    headers: fc.oneof(
      fc.constant({}),
      fc.uuid({ version: 4 }).map((key) => ({ 'idempotency-key': key })),
    ),
    body: endpoint.method === 'GET' ? noBody : validBody(endpoint),
  }
  const strange = {
    path: pathsFor(endpoint),
    query: queriesFor(endpoint),
    headers,
    body: endpoint.method === 'GET' ? noBody : bodiesFor(endpoint),
  }
  const inOneWay = (Object.keys(strange) as (keyof typeof strange)[]).map((way) => {
    const isMain = endpoint.method === 'GET' ? way === 'query' : way === 'body'
    return { weight: isMain ? 6 : 1, arbitrary: requestOf({ ...usual, [way]: strange[way] }) }
  })
  return fc.oneof(...inOneWay, { weight: 1, arbitrary: requestOf(strange) })
}

const requestOf = (parts: {
  path: fc.Arbitrary<string>
  query: fc.Arbitrary<{ query: string; hasUnknown: boolean }>
  headers: fc.Arbitrary<Record<string, string>>
  body: fc.Arbitrary<Body>
}): fc.Arbitrary<HostileRequest> =>
  fc.record(parts).map(({ path, query, headers, body }) => ({
    path,
    query: query.query,
    headers,
    body: body.body,
    hasUnknown: query.hasUnknown || body.hasUnknown,
  }))
