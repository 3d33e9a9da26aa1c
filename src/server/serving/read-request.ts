import type { Context } from 'hono'
import * as v from 'valibot'

import type { Endpoint } from '../../contract/endpoint.ts'
import { violationsOf } from '../../contract/violations.ts'
import { done, type Outcome, refuse } from '../http/outcome.ts'
import { receiveFile } from '../http/receive-file.ts'
import { BadQueryError, parseListQuery } from './list-query.ts'

const deepest = 32

/** Whether a JSON text is nested too deep, because parsing a megabyte of brackets stops the process. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (isInText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isInText = false
    } else if (sign === '"') isInText = true
    else if (sign === '[' || sign === '{') {
      depth += 1
      if (depth > deepest) return true
    } else if (sign === ']' || sign === '}') depth -= 1
  }
  return false
}

/** Nobody without a session has more to send. */
const largestOpenBody = 16 * 1024

/** `rawBody` is the text sent, or a file's hash; `forget` deletes the file. */
export type ParsedRequest = { input: unknown; rawBody: string; forget: () => Promise<void> }

/** Reads what an endpoint declares and refuses everything else, each refusal naming the field. */
export async function readRequest(context: Context, endpoint: Endpoint): Promise<Outcome<ParsedRequest>> {
  const params = v.safeParse(endpoint.params ?? v.strictObject({}), context.req.param())
  if (!params.success) return refuse({ status: 404, message: 'Introuvable.' })

  const query = readQuery(new URL(context.req.url).searchParams, endpoint)
  if (!query.ok) return query

  if (endpoint.upload) {
    const received = await receiveFile(context.req.raw, endpoint.upload)
    if (!received.ok) return received
    const file = received.answer
    return done({
      input: { params: params.output, ...query.answer, body: undefined, file },
      rawBody: [file.name, file.hash, ...Object.entries(file.fields).flat()].join('\n'),
      forget: file.forget,
    })
  }
  const body = await readBody(context, endpoint)
  if (!body.ok) return body
  return done({
    input: { params: params.output, ...query.answer, body: body.answer.value },
    rawBody: body.answer.raw,
    forget: nothingToForget,
  })
}

const nothingToForget = () => Promise.resolve()

function readQuery(search: URLSearchParams, endpoint: Endpoint): Outcome<object> {
  const schema = endpoint.query ?? v.strictObject({})
  const names =
    'entries' in schema && typeof schema.entries === 'object' ? Object.keys(schema.entries ?? {}) : []
  let list: object | undefined
  let rest: Record<string, string>
  try {
    if (endpoint.list) ({ list, rest } = parseListQuery(search, endpoint.list, names))
    else rest = Object.fromEntries(search)
  } catch (error) {
    if (error instanceof BadQueryError) return refuse({ status: 400, message: error.message })
    throw error
  }
  const query = v.safeParse(schema, rest)
  if (!query.success) return refuse({ status: 400, message: violationsOf(query.issues)[0]?.message ?? '' })
  return done({ query: endpoint.query ? query.output : undefined, ...(list ? { list } : {}) })
}

async function readBody(
  context: Context,
  endpoint: Endpoint,
): Promise<Outcome<{ value: unknown; raw: string }>> {
  if (context.req.method === 'GET') return done({ value: undefined, raw: '' })
  if (!/^(identity)?$/i.test(context.req.header('content-encoding') ?? '')) {
    return refuse({ status: 415, message: 'Le corps de la requête ne doit pas être compressé.' })
  }
  const bytes = new Uint8Array(await context.req.arrayBuffer())
  if (!endpoint.body && bytes.length === 0) return done({ value: undefined, raw: '' })

  const type = (context.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  const isForm = endpoint.bodyType === 'form' && type === 'application/x-www-form-urlencoded'
  if (bytes.length > 0 && !isForm && type !== 'application/json') {
    return refuse({ status: 415, message: 'Le corps de la requête doit être du JSON (application/json).' })
  }
  if (endpoint.access === 'public' && bytes.length > largestOpenBody) {
    return refuse({ status: 413, message: 'La requête est trop volumineuse.' })
  }
  let raw: string
  try {
    raw = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse({ status: 400, message: 'Le corps de la requête n’est pas un texte UTF-8.' })
  }
  if (!isForm && isTooDeep(raw)) {
    return refuse({ status: 400, message: 'Le corps de la requête est trop imbriqué.' })
  }
  let value: unknown
  try {
    value = isForm ? Object.fromEntries(new URLSearchParams(raw)) : JSON.parse(raw || '{}')
  } catch {
    return refuse({ status: 400, message: 'Le corps de la requête n’est pas du JSON valable.' })
  }
  if (endpoint.listIs !== undefined && Array.isArray(value)) value = { [endpoint.listIs]: value }
  const parsed = v.safeParse(endpoint.body ?? v.strictObject({}), value)
  // A list would pass a schema whose fields are all optional, unless it is what the call asks for.
  if (parsed.success && Array.isArray(value) === Array.isArray(parsed.output))
    return done({ value: parsed.output, raw })
  const violations = parsed.success
    ? [{ propertyPath: '', message: 'La requête doit être un objet.' }]
    : violationsOf(parsed.issues)
  return refuse({ status: 422, message: violations.map(({ message }) => message).join(' '), violations })
}
