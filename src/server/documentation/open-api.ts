import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'

import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { limitsOf, type ListShape } from '../../contract/list.ts'
import { refusal, violationList } from '../../contract/wire.ts'

type Json = Record<string, unknown>

/** What is sent, as JSON Schema; checks that only code can make (a date that exists) are left to the server's answer. */
function schemaOf(schema: v.GenericSchema, typeMode: 'input' | 'output'): Json {
  const { $schema: _, ...json } = toJsonSchema(schema, { typeMode, errorMode: 'ignore' }) as Json
  return json
}

const jsonContent = (schema: Json, type = 'application/json') => ({ content: { [type]: { schema } } })

/** The OpenAPI description of the product, made from its contract. */
export function openApi(): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Comptoir', version: '1', description: 'Prêter, rendre et tenir le catalogue.' },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: schemaOf(refusal, 'output'), ViolationList: schemaOf(violationList, 'output') },
    },
  }
}

function operationOf(endpoint: Endpoint): Json {
  const { access, body, bodyType = 'json', answer, isStream = false, status = 200 } = endpoint
  const refused = (description: string, name = 'Refusal') => ({
    description,
    ...jsonContent({ $ref: `#/components/schemas/${name}` }),
  })
  const rights = Array.isArray(access) ? access.join(' ou ') : String(access)
  return {
    operationId: endpoint.name,
    tags: [endpoint.name.split('.')[0]],
    summary: endpoint.summary,
    description: access === 'public' ? 'Sans connexion.' : `Droit\u202f: ${rights}.`,
    ...(access === 'public' ? {} : { security: [{ bearer: [] }] }),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint), ...headers(endpoint)],
    ...(body
      ? {
          requestBody: {
            required: true,
            ...jsonContent(
              schemaOf(body, 'input'),
              bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
            ),
          },
        }
      : {}),
    responses: {
      [status]:
        status === 204
          ? { description: 'Fait.' }
          : {
              description: 'Fait.',
              ...jsonContent(schemaOf(answer, 'output'), isStream ? 'text/event-stream' : 'application/json'),
            },
      ...(access === 'public' ? {} : { 401: refused('Pas de session.'), 403: refused('Droit absent.') }),
      ...(endpoint.path.includes('{') ? { 404: refused('Introuvable.') } : {}),
      ...(endpoint.method === 'GET' ? { 400: refused('Requête mal faite.') } : { 409: refused('Conflit.') }),
      ...(body ? { 422: refused('Champs refusés.', 'ViolationList') } : {}),
    },
  }
}

const pathParameters = ({ path }: Endpoint): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }))

function queryParameters({ list, query }: Endpoint): Json[] {
  const own = query
    ? (schemaOf(query, 'input') as { properties?: Record<string, Json>; required?: string[] })
    : {}
  return [
    ...(list ? listParameters(list) : []),
    ...Object.entries(own.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: own.required?.includes(name) ?? false,
      schema,
    })),
  ]
}

function listParameters(shape: ListShape): Json[] {
  const { filters, orders, defaultOrder } = shape
  const limits = limitsOf(shape)
  const whole = (name: string, maximum: number, byDefault: number) => ({
    name,
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum, default: byDefault },
  })
  return [
    whole('page', 1_000_000, 1),
    whole('limit', limits.largest, limits.byDefault),
    ...orders.map((order) => ({
      name: `order[${order}]`,
      in: 'query',
      description: order === defaultOrder[0] ? `Par défaut\u202f: ${defaultOrder[1]}.` : '',
      schema: { enum: ['asc', 'desc'] },
    })),
    ...Object.entries(filters).flatMap(([field, known]) =>
      known.operators.map((operator) => ({
        name: `filters[${field}|${operator}]`,
        in: 'query',
        schema: operator === 'nil' || known.type === 'flag' ? { enum: ['0', '1'] } : { type: 'string' },
      })),
    ),
  ]
}

const headers = ({ method, access }: Endpoint): Json[] => [
  ...(access === 'public' ? [] : [{ name: 'X-Site', in: 'header', schema: { type: 'integer', minimum: 0 } }]),
  ...(method === 'GET' || access === 'public'
    ? []
    : [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', format: 'uuid' } }]),
]
