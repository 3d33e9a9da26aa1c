import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'

const isbn = '9782070360024'

const notice = `<?xml version="1.0" encoding="UTF-8"?>
<srw:searchRetrieveResponse xmlns:srw="http://www.loc.gov/zing/srw/"><srw:version>1.2</srw:version>
<srw:numberOfRecords>1</srw:numberOfRecords><srw:records><srw:record><srw:recordData>
<mxc:record xmlns:mxc="info:lc/xmlns/marcxchange-v2" format="UNIMARC">
<mxc:datafield tag="101" ind1="0" ind2=" "><mxc:subfield code="a">fre</mxc:subfield></mxc:datafield>
<mxc:datafield tag="200" ind1="1" ind2=" "><mxc:subfield code="a">L'Étranger</mxc:subfield><mxc:subfield code="e">roman &amp; récit</mxc:subfield></mxc:datafield>
<mxc:datafield tag="210" ind1=" " ind2=" "><mxc:subfield code="c">Gallimard</mxc:subfield><mxc:subfield code="d">impr. 1942</mxc:subfield></mxc:datafield>
<mxc:datafield tag="225" ind1="|" ind2=" "><mxc:subfield code="a">Folio</mxc:subfield><mxc:subfield code="v">2</mxc:subfield></mxc:datafield>
<mxc:datafield tag="700" ind1=" " ind2="|"><mxc:subfield code="a">Camus</mxc:subfield><mxc:subfield code="b">Albert</mxc:subfield></mxc:datafield>
<mxc:datafield tag="702" ind1=" " ind2="|"><mxc:subfield code="a">Rouzé</mxc:subfield><mxc:subfield code="b">Marina</mxc:subfield></mxc:datafield>
</mxc:record></srw:recordData></srw:record></srw:records></srw:searchRetrieveResponse>`
const noNotice = `<?xml version="1.0"?><srw:searchRetrieveResponse xmlns:srw="http://www.loc.gov/zing/srw/">
<srw:numberOfRecords>0</srw:numberOfRecords><srw:records></srw:records></srw:searchRetrieveResponse>`
const book = {
  [`ISBN:${isbn}`]: {
    title: 'The Stranger',
    authors: [{ name: 'Albert Camus' }],
    publishers: [{ name: 'Knopf' }],
    publish_date: 'March 1988',
    classifications: { dewey_decimal_class: ['843/.914'] },
  },
}

type Stub = { status?: number; body: string; location?: string; isSilent?: true }

describeServer('the look-up of a code', (server) => {
  const asked: string[] = []
  const stubs: Record<'sru' | 'books', Stub> = { sru: { body: notice }, books: { body: '{}' } }
  let stub: Server
  let origin: string
  let biblio: Client
  beforeAll(async () => {
    stub = createServer((request, response) => {
      asked.push(request.url ?? '')
      const {
        status = 200,
        body,
        location,
        isSilent,
      } = stubs[request.url?.includes('/SRU') ? 'sru' : 'books']
      if (isSilent) return void response.destroy()
      response.writeHead(status, location ? { location } : {}).end(body)
    })
    await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
    const lookUpSources = [`${origin}/api/SRU`, origin]
    const app = createApp({
      environments: [server.environment],
      logger: pino({ level: 'silent' }),
      now: () => server.now,
      checkAnswers: true,
      lookUpSources,
    })
    biblio = clientOf(app, (await server.as('biblio')).token)
  })
  afterAll(() => new Promise((resolve) => stub.close(resolve)))
  beforeEach(async () => {
    asked.length = 0
    stubs.sru = { body: notice }
    stubs.books = { body: JSON.stringify(book) }
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
    })
    expect(asked).toHaveLength(2)
    expect(asked.join(' ')).toContain(isbn)
  })

  it('asks nobody again for thirty days', async () => {
    await lookUp(isbn)
    await lookUp('978-2-07-036002-4')
    expect(asked).toHaveLength(2)
    await sql`update looked_up_codes set asked_at = asked_at - interval '31 days'`.execute(server.db)
    await lookUp(isbn)
    expect(asked).toHaveLength(4)
  })

  it('takes one source where the other fails', async () => {
    stubs.sru = { status: 500, body: 'oops' }
    expect((await lookUp(isbn)).body).toMatchObject({
      name: 'The Stranger',
      sources: { name: 'openlibrary' },
    })
  })

  it('says 404 only when all answered that they do not know it, and 502 when it cannot be told', async () => {
    stubs.sru = { body: noNotice }
    stubs.books = { body: '{}' }
    const unknown = await lookUp(isbn)
    expect(unknown.status).toBe(404)
    expect(unknown.body.message).toContain('n’est connu d’aucun catalogue')
    stubs.books = { body: '', isSilent: true }
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
  ] as [string, Stub][])('takes %s for no answer', async (_, answer) => {
    stubs.sru = answer
    stubs.books = { body: '{}' }
    const { status } = await lookUp(isbn)
    expect([404, 502]).toContain(status)
    expect(asked.length).toBeLessThan(8)
  })

  it('refuses what is no code, and asks the right', async () => {
    expect((await lookUp('bonjour')).status).toBe(422)
    expect(asked).toEqual([])
    const reading = await server.as('lecture')
    expect((await reading.get(`/api/external_codes/${isbn}`)).status).toBe(403)
  })
})
