import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { getEnvironmentImage } from '../../src/contract/environment-image.ts'
import { fileTypes, type FileType } from '../../src/contract/file-types.ts'
import { createApp } from '../../src/server/app.ts'
import { type LookUpStub, openLookUpStub } from '../support/look-up-stub.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'
import { type Input, inputsOfCalls } from './inputs-of-calls.ts'

const rows = Array.from(
  readFileSync('docs/calls.md', 'utf8').matchAll(/^- `(\w+ \/\S+)` (\d+) (.+)$/gm),
  ([, call = '', status = '', answer = '']) => ({ call, status: Number(status), answer }),
)

const declared = new Map<string, Endpoint>(
  [...endpoints, getEnvironmentImage].map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
)

/** Whether an item of a type, which the contract's own schema may only ask of its members. */
const isItem = (body: unknown, type: string) => {
  const { '@id': link, '@type': itsType, id } = body as Record<string, unknown>
  expect({ link: typeof link, type: itsType, id: typeof id }).toEqual({
    link: 'string',
    type,
    id: expect.stringMatching(/^(number|string)$/),
  })
}

type Got = { status: number; type: string; body: unknown }

function expectShape(shape: string, { type, body }: Got): void {
  if (shape === 'nothing') return expect(body).toBe('')
  if (shape === 'a picture') return expect(type).toMatch(/^image\//)
  if (shape === 'a stream of events') return expect(type).toMatch(/^text\/event-stream/)
  const file = /^a file (\w+)$/.exec(shape)?.[1] as FileType | undefined
  if (file) return expect(type).toBe(fileTypes[file].mime)
  expect(type).toMatch(/^application\/json/)
  if (shape === '`true` or `false`') return expect(body).toBeTypeOf('boolean')
  const fields = /`\{(.+?)\}`$/.exec(shape)?.[1]?.split(', ')
  const isList = shape.startsWith('a list of ')
  if (fields && (isList || shape.startsWith('`{'))) {
    const told = isList ? (body as object[]) : [body as object]
    expect(told.length).toBeGreaterThan(0)
    for (const one of told) expect(Object.keys(one)).toEqual(expect.arrayContaining(fields))
    return
  }
  const collection = /^collection of `(\w+)`$/.exec(shape)?.[1]
  if (collection === undefined) return isItem(body, /^`(\w+)`/.exec(shape)?.[1] ?? shape)
  const { 'hydra:member': members, 'hydra:totalItems': total } = body as Record<string, unknown[]>
  expect(total).toBeTypeOf('number')
  expect(members?.length).toBeGreaterThan(0)
  for (const member of members ?? []) isItem(member, collection)
}

describeServer('the calls of the specification', (server) => {
  let stub: LookUpStub
  let app: ReturnType<typeof createApp>
  let persons: string
  beforeAll(async () => {
    stub = await openLookUpStub()
    await stub.reset()
    // More is lent here than a medium lets one person have.
    await server.db.updateTable('media').set({ max_loaning: null }).execute()
    persons = join(server.environment.files, 'personnes.csv')
    await writeFile(persons, 'Matricule;Nom;Prénom\nS1;Lefèvre;Noël\n')
    app = createApp({
      environments: [server.environment],
      logger: pino({ level: 'silent' }),
      now: () => server.now,
      checkAnswers: true,
      lookUpSources: stub.sources,
      syncSource: persons,
    })
  })
  afterAll(async () => {
    await stub.close()
    await rm(persons, { force: true })
  })

  /** Some calls end sessions or change the password they were opened with: each has its own. */
  const admin = async (): Promise<Client> => clientOf(app, (await server.as('admin')).token)

  async function ask(call: string): Promise<Got> {
    const [method = '', path = ''] = call.split(' ')
    const person = await admin()
    const given = inputsOfCalls[call] ?? {}
    const {
      at = {},
      query,
      body,
      form,
      file,
    }: Input = typeof given === 'function' ? await given({ server, admin: person }) : given
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(at[name]))
    const multipart = new FormData()
    if (file) multipart.set('file', file)
    const sent = file
      ? multipart
      : form
        ? new URLSearchParams(form)
        : body === undefined
          ? undefined
          : JSON.stringify(body)
    const isPublic = declared.get(call)?.access === 'public'
    const response = await app.request(query ? `${filled}?${query}` : filled, {
      method,
      headers: {
        host: 'localhost',
        ...(isPublic ? {} : { authorization: `Bearer ${person.token}` }),
        ...(typeof sent === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream')) await response.body?.cancel()
    const text = response.bodyUsed ? '' : await response.text()
    return { status: response.status, type, body: type.includes('json') ? JSON.parse(text) : text }
  }

  it('are in a list that names each once', () => {
    expect(rows).toHaveLength(132)
    expect(new Set(rows.map(({ call }) => call)).size).toBe(rows.length)
    expect(Object.keys(inputsOfCalls).filter((call) => !rows.some((row) => row.call === call))).toEqual([])
  })

  it('are all there', () => {
    expect(rows.filter(({ call }) => !declared.has(call))).toEqual([])
  })

  it.each(rows)('$call answers $status, $answer', async ({ call, status, answer }) => {
    const got = await ask(call)
    expect({ status: got.status, said: got.status < 400 ? '' : got.body }).toEqual({ status, said: '' })
    expectShape(answer, got)
  })
})
