import { sql } from 'kysely'
import pino from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import {
  type Answers,
  bookAt,
  drawnCover,
  isbn,
  type LookUpStub,
  noNotice,
  openLookUpStub,
} from '../support/look-up-stub.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

type Answer = Answers['sru']

describeServer('the look-up of a code', (server) => {
  let stub: LookUpStub
  let app: ReturnType<typeof createApp>
  let biblio: Client
  beforeAll(async () => {
    stub = await openLookUpStub()
    app = createApp({
      environments: [server.environment],
      logger: pino({ level: 'silent' }),
      now: () => server.now,
      checkAnswers: true,
      lookUpSources: stub.sources,
    })
    biblio = clientOf(app, (await server.as('biblio')).token)
  })
  afterAll(() => stub.close())
  beforeEach(async () => {
    await stub.reset()
    await server.db.deleteFrom('looked_up_codes').execute()
  })
  const lookUp = (code: string) => biblio.get(`/api/external_codes/${encodeURIComponent(code)}`)

  it('fills a reference from the first source, and the rest from the second, each field with its source', async () => {
    const { status, body } = await lookUp('2-07-036002-4')
    expect(status).toBe(200)
    expect(body).toEqual({
      code: isbn,
      name: "L'Étranger",
      description: '',
      tags: { author: 'Camus, Albert', publisher: 'Gallimard', year: '1942', collection: 'Folio' },
      reference_data: {
        subhead: 'roman & récit',
        volume: '2',
        language: 'fre',
        linked_authors: 'Rouzé, Marina',
        book_number_dewey: '843/.914',
      },
      sources: expect.objectContaining({
        name: 'bnf',
        'tags.author': 'bnf',
        'reference_data.book_number_dewey': 'openlibrary',
      }),
      covers: ['bnf', 'openlibrary'],
    })
    expect(stub.asked).toHaveLength(2)
    expect(stub.asked.join(' ')).toContain(isbn)
  })

  it('asks nobody again for thirty days', async () => {
    await lookUp(isbn)
    await lookUp('978-2-07-036002-4')
    expect(stub.asked).toHaveLength(2)
    await sql`update looked_up_codes set asked_at = asked_at - interval '31 days'`.execute(server.db)
    await lookUp(isbn)
    expect(stub.asked).toHaveLength(4)
  })

  it('takes one source where the other fails', async () => {
    stub.answers.sru = { status: 500, body: 'oops' }
    expect((await lookUp(isbn)).body).toMatchObject({
      name: 'The Stranger',
      sources: { name: 'openlibrary' },
    })
  })

  it('says 404 only when all answered that they do not know it, and 502 when it cannot be told', async () => {
    stub.answers.sru = { body: noNotice }
    stub.answers.books = { body: '{}' }
    const unknown = await lookUp(isbn)
    expect(unknown.status).toBe(404)
    expect(unknown.body.message).toContain('n’est connu d’aucun catalogue')
    stub.answers.books = { body: '', isSilent: true }
    const silent = await lookUp(isbn)
    expect(silent.status).toBe(502)
    expect(silent.body.message).toContain('n’ont pas répondu')
  })

  it.each([
    ['no XML', { body: 'bonjour' }],
    ['an answer of megabytes', { body: 'x'.repeat(1_500_000) }],
    ['a redirect to another host', { status: 302, body: '', location: 'http://169.254.169.254/latest' }],
    ['a redirect without end', { status: 302, body: '', location: '/api/SRU' }],
    [
      'an XML that makes itself large',
      {
        body: `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><searchRetrieveResponse><numberOfRecords>&b;</numberOfRecords></searchRetrieveResponse>`,
      },
    ],
  ] as [string, Answer][])('takes %s for no answer', async (_, answer) => {
    stub.answers.sru = answer
    stub.answers.books = { body: '{}' }
    const { status } = await lookUp(isbn)
    expect([404, 502]).toContain(status)
    expect(stub.asked.length).toBeLessThan(8)
  })

  it('refuses what is no code, and asks the right', async () => {
    expect((await lookUp('bonjour')).status).toBe(422)
    expect(stub.asked).toEqual([])
    const reading = await server.as('lecture')
    expect((await reading.get(`/api/external_codes/${isbn}`)).status).toBe(403)
  })

  const imageOf = async (source: string, code = isbn) => {
    const response = await app.request(`/api/external_codes/${code}/image?source=${source}`, {
      headers: { authorization: `Bearer ${biblio.token}` },
    })
    const type = response.headers.get('content-type')
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()), type }
  }

  it('brings the cover of each source, drawn anew', async () => {
    await lookUp(isbn)
    for (const [source, width, height] of [
      ['bnf', 300, 450],
      ['openlibrary', 200, 300],
    ] as const) {
      const { status, bytes, type } = await imageOf(source)
      expect([status, type]).toEqual([200, 'image/webp'])
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height })
    }
    expect(stub.asked.filter((path) => path.startsWith('/couverture'))).toEqual([
      '/couverture?appName=NE&idArk=ark%3A%2F12148%2Fcb450989938&couverture=1',
    ])
  })

  it('knows no cover of a code that was not looked up, nor of a source that has none', async () => {
    expect((await imageOf('bnf')).status).toBe(404)
    stub.answers.books = { body: JSON.stringify(bookAt('')) }
    expect((await lookUp(isbn)).body.covers).toEqual(['bnf'])
    expect((await imageOf('openlibrary')).status).toBe(404)
    stub.answers.bnfCover = { status: 404, body: '' }
    expect((await imageOf('bnf')).status).toBe(404)
    // The picture that the BnF gives where it has none, by its length.
    stub.answers.bnfCover = {
      body: Buffer.concat([await drawnCover(), Buffer.alloc(9000)]).subarray(0, 4566),
    }
    expect((await imageOf('bnf')).status).toBe(404)
  })

  it.each([
    ['no picture', { body: '<html>' }],
    ['a picture of another kind', { body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }],
    ['a dot', async () => ({ body: await drawnCover(1, 1) })],
    ['what is larger than four megabytes', { body: Buffer.alloc(4_000_001) }],
    ['a redirect to another host', { status: 302, body: '', location: 'https://example.org/x.jpg' }],
    ['a redirect to this machine', { status: 302, body: '', location: 'http://127.0.0.1:1/x.jpg' }],
    ['a redirect to a cloud’s own address', { status: 302, body: '', location: 'https://169.254.169.254/' }],
    ['a redirect without end', { status: 302, body: '', location: '/b/id/1-L.jpg' }],
    ['nothing', { body: '', isSilent: true }],
  ] as [string, Answer | (() => Promise<Answer>)][])('refuses %s as a cover', async (_, answer) => {
    stub.answers.openLibraryCover = typeof answer === 'function' ? await answer() : answer
    await lookUp(isbn)
    expect((await imageOf('openlibrary')).status).toBe(502)
    expect(stub.asked.length).toBeLessThan(8)
  })

  it.each(['http://169.254.169.254/x.jpg', 'http://localhost:1/x.jpg', 'file:///etc/passwd', 'x'])(
    'fetches no cover that a source says to be at %s',
    async (address) => {
      stub.answers.books = { body: JSON.stringify(bookAt(address)) }
      await lookUp(isbn)
      expect((await imageOf('openlibrary')).status).toBe(502)
    },
  )

  it('gives a cover to nobody who may add no reference', async () => {
    await lookUp(isbn)
    const reading = clientOf(app, (await server.as('lecture')).token)
    expect((await reading.get(`/api/external_codes/${isbn}/image?source=bnf`)).status).toBe(403)
  })
})
