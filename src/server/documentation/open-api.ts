import { toJsonSchema } from '@valibot/to-json-schema'
import type { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type * as v from 'valibot'

import type { Access, Endpoint, Upload } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { getEnvironmentImage } from '../../contract/environment-image.ts'
import { fileTypes } from '../../contract/file-types.ts'
import { type FilterField, limitsOf, type ListShape } from '../../contract/list.ts'
import { refusal, violationList } from '../../contract/wire.ts'
import { rightSentences } from '../../domain/right-sentences.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'

export function mountDocumentation(app: Hono): void {
  let description: string | undefined
  app.get('/api/docs.json', (context) => {
    description ??= JSON.stringify(openApi())
    return context.body(description, 200, { 'Content-Type': 'application/json; charset=utf-8' })
  })
  app.get('/api/docs', (context) => {
    const nonce = crypto.randomUUID()
    context.header('Content-Security-Policy', contentSecurityPolicy(nonce))
    return context.html(page(nonce))
  })
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  summary { display: flex; gap: 0.75rem; align-items: baseline; padding: 0.5rem 0; cursor: pointer; flex-wrap: wrap; }
  summary::before { content: '▸'; } details[open] > summary::before { content: '▾'; }
  b { font: 600 0.8rem ui-monospace, monospace; min-width: 4rem; }
  code, pre { font: 0.875rem ui-monospace, monospace; } pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 8px; }
  details { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }`

function page(nonce: string) {
  const paths = openApi()['paths'] as Record<string, Record<string, unknown>>
  return html`<!doctype html>
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Comptoir : les appels</title>
        <style nonce="${nonce}">
          ${raw(style)}
        </style>
      </head>
      <body>
        <h1>Les appels de Comptoir</h1>
        <p>La description OpenAPI, pour les outils : <a href="/api/docs.json">/api/docs.json</a>.</p>
        ${documented.map(
          ({ method, path, summary }) =>
            html`<details>
              <summary><b>${method}</b> <code>${path}</code> <span>${summary}</span></summary>
              <pre>${JSON.stringify(paths[path]?.[method.toLowerCase()], null, 2)}</pre>
            </details>`,
        )}
      </body>
    </html>`
}

type Json = Record<string, unknown>

/** JSON Schema without the checks that only code can make, such as that a date exists. */
function schemaOf(schema: v.GenericSchema, typeMode: 'input' | 'output'): Json {
  const { $schema: _, ...json } = toJsonSchema(schema, { typeMode, errorMode: 'ignore' }) as Json
  return json
}

const jsonContent = (schema: Json, type = 'application/json') => ({ content: { [type]: { schema } } })

/** All calls, including the one that no binding serves. */
const documented: readonly Endpoint[] = [...endpoints, getEnvironmentImage]

export function openApi(): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of documented) {
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
  const { access, body, bodyType = 'json', upload, status = 200 } = endpoint
  const refused = (description: string, name = 'Refusal') => ({
    description,
    ...jsonContent({ $ref: `#/components/schemas/${name}` }),
  })
  return {
    operationId: endpoint.name,
    tags: [endpoint.name.split('.')[0]],
    summary: endpoint.summary,
    description: whoMayCall(access),
    ...(access === 'public' ? {} : { security: [{ bearer: [] }] }),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint), ...headers(endpoint)],
    ...(upload
      ? { requestBody: { required: true, ...jsonContent(uploadForm(upload), 'multipart/form-data') } }
      : {}),
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
              ...answerContent(endpoint),
            },
      ...(access === 'public' ? {} : { 401: refused('Pas de session.'), 403: refused('Droit absent.') }),
      ...(endpoint.path.includes('{') ? { 404: refused('Introuvable.') } : {}),
      ...(endpoint.method === 'GET' ? { 400: refused('Requête mal faite.') } : { 409: refused('Conflit.') }),
      ...(body || upload ? { 422: refused('Champs refusés.', 'ViolationList') } : {}),
    },
  }
}

/** Such as « Droit : Prêter (LOANING_ADD). » */
function whoMayCall(access: Access): string {
  if (access === 'public') return 'Sans connexion.'
  if (access === 'signed-in') return 'Toute personne connectée.'
  const wanted = typeof access === 'string' ? [access] : access
  return `Droit\u202f: ${wanted.map((code) => `${rightSentences[code]} (${code})`).join(' ou ')}.`
}

function answerContent({ answer, isStream = false, files, pictures }: Endpoint): Json {
  if (pictures) {
    const picture = { schema: { type: 'string', format: 'binary' } }
    return { content: Object.fromEntries(pictures.map((type) => [type, picture])) }
  }
  if (files) {
    const file = { schema: { type: 'string', format: 'binary' } }
    return { content: Object.fromEntries(files.map((type) => [fileTypes[type].mime, file])) }
  }
  return jsonContent(schemaOf(answer, 'output'), isStream ? 'text/event-stream' : 'application/json')
}

const uploadForm = ({ types, mostBytes }: Upload): Json => ({
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      description: `${types.join(', ')}, ${mostBytes} octets au plus.`,
    },
  },
})

const pathParameters = ({ path }: Endpoint): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' || name === 'environment_id' ? { type: 'integer', minimum: 1 } : { type: 'string' },
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

const byNumber = ([kind, known]: [string, FilterField]): [string, FilterField] => [`${kind}.{id}`, known]

function listParameters(shape: ListShape): Json[] {
  const { filters, numbered = {}, orders, defaultOrder } = shape
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
    ...[...Object.entries(filters), ...Object.entries(numbered).map(byNumber)].flatMap(([field, known]) =>
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
