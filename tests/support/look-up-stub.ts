import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import sharp from 'sharp'

export const isbn = '9782070360024'

/** A notice of the BnF, with the number by which its cover is asked for. */
export const notice = `<?xml version="1.0" encoding="UTF-8"?>
<srw:searchRetrieveResponse xmlns:srw="http://www.loc.gov/zing/srw/"><srw:version>1.2</srw:version>
<srw:numberOfRecords>1</srw:numberOfRecords><srw:records><srw:record><srw:recordData>
<mxc:record xmlns:mxc="info:lc/xmlns/marcxchange-v2" format="UNIMARC" id="ark:/12148/cb450989938">
<mxc:datafield tag="101" ind1="0" ind2=" "><mxc:subfield code="a">fre</mxc:subfield></mxc:datafield>
<mxc:datafield tag="200" ind1="1" ind2=" "><mxc:subfield code="a">L'Étranger</mxc:subfield><mxc:subfield code="e">roman &amp; récit</mxc:subfield></mxc:datafield>
<mxc:datafield tag="210" ind1=" " ind2=" "><mxc:subfield code="c">Gallimard</mxc:subfield><mxc:subfield code="d">impr. 1942</mxc:subfield></mxc:datafield>
<mxc:datafield tag="225" ind1="|" ind2=" "><mxc:subfield code="a">Folio</mxc:subfield><mxc:subfield code="v">2</mxc:subfield></mxc:datafield>
<mxc:datafield tag="700" ind1=" " ind2="|"><mxc:subfield code="a">Camus</mxc:subfield><mxc:subfield code="b">Albert</mxc:subfield></mxc:datafield>
<mxc:datafield tag="702" ind1=" " ind2="|"><mxc:subfield code="a">Rouzé</mxc:subfield><mxc:subfield code="b">Marina</mxc:subfield></mxc:datafield>
</mxc:record></srw:recordData></srw:record></srw:records></srw:searchRetrieveResponse>`
export const noNotice = `<?xml version="1.0"?><srw:searchRetrieveResponse xmlns:srw="http://www.loc.gov/zing/srw/">
<srw:numberOfRecords>0</srw:numberOfRecords><srw:records></srw:records></srw:searchRetrieveResponse>`

export const drawnCover = (width = 300, height = 450, background = '#7a1f2b'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()

type Answer = { status?: number; body: string | Buffer; location?: string; isSilent?: true }
export type Answers = Record<'sru' | 'books' | 'edition' | 'work' | 'bnfCover' | 'openLibraryCover', Answer>

export type LookUpStub = {
  origin: string
  /** As LOOKUP_SOURCES. */
  sources: string[]
  /** The paths that were asked for. */
  asked: string[]
  answers: Answers
  /** The catalogues know the one book, with its covers. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** The BnF and Open Library on this machine. */
export async function openLookUpStub(): Promise<LookUpStub> {
  const asked: string[] = []
  const answers = {} as Answers
  const stub = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const { status = 200, body, location, isSilent } = answers[answerOf(path)]
    if (isSilent) return void response.destroy()
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
  const reset = async () => {
    asked.length = 0
    answers.sru = { body: notice }
    answers.books = { body: JSON.stringify(bookAt(`${origin}/b/id/1-L.jpg`)) }
    answers.edition = { status: 404, body: '{}' }
    answers.work = { status: 404, body: '{}' }
    answers.bnfCover = { body: await drawnCover() }
    answers.openLibraryCover = { body: await drawnCover(200, 300, '#0b4f3f') }
  }
  await reset()
  return {
    origin,
    sources: [`${origin}/api/SRU`, origin],
    asked,
    answers,
    reset,
    close: () => new Promise((resolve) => stub.close(() => resolve())),
  }
}

const answerOf = (path: string): keyof Answers => {
  const [, kind] = Object.entries(kinds).find(([start]) => path.startsWith(start)) ?? [path, 'books' as const]
  return kind
}
const kinds: Readonly<Record<string, keyof Answers>> = {
  '/api/SRU': 'sru',
  '/couverture': 'bnfCover',
  '/b/': 'openLibraryCover',
  '/books/': 'edition',
  '/works/': 'work',
}

/** As Open Library's Books call answers. */
export const bookAt = (large: string) => ({
  [`ISBN:${isbn}`]: {
    title: 'The Stranger',
    authors: [{ name: 'Albert Camus' }],
    publishers: [{ name: 'Knopf' }],
    publish_date: 'March 1988',
    classifications: { dewey_decimal_class: ['843/.914'] },
    cover: { small: large, large },
  },
})
