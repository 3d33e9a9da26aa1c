import ky, { HTTPError, type Options } from 'ky'

import { apiAddress } from '../../contract/api-address.ts'
import type { AnswerOf, BodyOf, Endpoint, QueryOf } from '../../contract/endpoint.ts'
import type { Download } from '../../contract/files.ts'
import { filledPath } from '../../contract/path.ts'
import type { ListQuery } from '../../contract/list.ts'
import { hostUnknownStatus } from '../../contract/system.ts'
import { keptHeader } from '../../offline/kept-answer.ts'
import { newKey } from '../../offline/new-key.ts'
import { currentSession } from './session.ts'
import { CallError } from './call-error.ts'
import { noteAnswer, noteNoAnswer } from './connection.ts'
import { heedUnauthorized } from './refused-session.ts'

type Part<Name extends string, T> = [T] extends [undefined] ? object : { [K in Name]: T }
type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string | number } & PathParams<Rest>
  : object

export type CallInput<E extends Endpoint> = Part<'body', BodyOf<E>> &
  (QueryOf<E> extends undefined ? object : { query: QueryOf<E> }) &
  (E['path'] extends `${string}{${string}` ? { params: PathParams<E['path']> } : object) &
  (E['list'] extends object ? { list?: Partial<ListQuery> } : object) &
  (E['upload'] extends object ? { file: File } : object) & {
    signal?: AbortSignal | undefined
    /** A site instead of the chosen one; 0 is all that the person may see. */
    site?: number
    /** Changes get a fresh one otherwise. */
    key?: string
    device?: string | null
    /** What is done to many at once, of which this is a part. */
    act?: number | undefined
    /** Told of when the answer is of, where a copy of the database that is behind gave it. */
    onState?: (stateAt: string | null) => void
  }

type LooseInput = {
  params?: Record<string, string | number>
  query?: Record<string, string | undefined>
  list?: Partial<ListQuery>
  body?: object
  file?: File
  signal?: AbortSignal
  site?: number
  key?: string
  device?: string | null
  act?: number
  onState?: (stateAt: string | null) => void
}

/** Throws CallError. */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>> {
  const session = currentSession()
  const {
    params = {},
    query,
    list,
    body,
    file,
    signal,
    site = session?.site?.id,
    key,
    device,
    act,
    onState,
  } = input as LooseInput
  const path = filledPath(endpoint.path, params)
  const headers: Record<string, string> = {}
  if (session && endpoint.access !== 'public') {
    headers['Authorization'] = `Bearer ${session.token}`
    if (site !== undefined) headers['X-Site'] = String(site)
  }
  if (device) headers['X-Device'] = device
  if (act !== undefined) headers['X-Act'] = String(act)
  if (endpoint.method !== 'GET' && endpoint.access !== 'public') headers['Idempotency-Key'] = key ?? newKey()
  const options: Options = {
    method: endpoint.method,
    headers,
    searchParams: searchOf(query, list),
    timeout: endpoint.files ? 300_000 : endpoint.upload ? 120_000 : 20_000,
    retry: endpoint.method === 'GET' ? { limit: 1, statusCodes: [503] } : 0,
    ...(signal ? { signal } : {}),
  }
  if (body && endpoint.bodyType === 'form') options.body = new URLSearchParams(body as Record<string, string>)
  else if (body) options.json = body
  if (file) {
    const form = new FormData()
    form.set('file', file)
    options.body = form
  }

  try {
    const response = await ky(apiAddress(path), options)
    noteAnswer()
    onState?.(stateBehind(response))
    if (endpoint.files) return await downloaded(response)
    if (endpoint.pictures) return await response.blob()
    const answer: unknown = response.status === 204 ? null : await response.json()
    return answer
  } catch (error) {
    if (error instanceof HTTPError) {
      const { response } = error as HTTPError
      const body: unknown = await response.json().catch(() => null)
      const sentWith = endpoint.access === 'public' ? null : (session?.token ?? null)
      if (response.status !== 401 || heedUnauthorized(body, sentWith)) {
        // The worker answered for want of a network, and keeps the action: its sentence says so.
        if (response.headers.has(keptHeader)) {
          noteNoAnswer()
          throw new CallError(0, body)
        }
        noteAnswer(response.status)
        // It was not taken, as without a network; what it says is why.
        if (response.status === hostUnknownStatus) throw new CallError(0, body)
        throw new CallError(response.status, body, response.headers.get('x-request-id'))
      }
    }
    if (signal?.aborted) throw error
    noteNoAnswer()
    throw new CallError(0, null)
  }
}

/** Within so long, figures are of now for who reads them. */
const unseenMs = 5000

/** The moment that an answer is of, unless it is of now; both times are the server's, whatever the device's clock says. */
function stateBehind({ headers }: Response): string | null {
  const stateAt = headers.get('x-state-at')
  const date = headers.get('date')
  if (stateAt === null) return null
  const answeredAt = date === null ? Date.now() : Date.parse(date)
  return answeredAt - Date.parse(stateAt) > unseenMs ? stateAt : null
}

async function downloaded(response: Response): Promise<Download> {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { name: name ?? 'export', content: await response.blob() }
}

function searchOf(
  query: Record<string, string | undefined> | undefined,
  list: Partial<ListQuery> | undefined,
): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, value)
  }
  if (list?.page !== undefined) search.set('page', String(list.page))
  if (list?.limit !== undefined) search.set('limit', String(list.limit))
  for (const { field, direction } of list?.order ?? []) search.set(`order[${field}]`, direction)
  for (const { field, operator, value } of list?.filters ?? []) {
    const written = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
    search.append(`filters[${field}|${operator}]`, written)
  }
  return search
}
