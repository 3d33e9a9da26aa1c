import { resolve } from 'node:path'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { type Document, finished, openDocument } from '../../src/server/pdf/open-document.ts'
import { readPdf } from './read-pdf.ts'

afterEach(() => vi.unstubAllEnvs())

const fontOf = (name: string) => resolve(`node_modules/dejavu-fonts-ttf/ttf/${name}.ttf`)
const noFont = '/nulle/part.ttf'

/** The pages of a document on which this was drawn. */
async function drawn(
  draw: (document: Document) => void,
  { font = noFont, margin = 30, pages = 1 }: { font?: string; margin?: number; pages?: number } = {},
) {
  vi.stubEnv('PDF_FONT', font)
  const document = await openDocument({ size: 'A4', margin })
  for (let page = 0; page < pages; page += 1) {
    document.addPage().font('plain').fontSize(10)
    draw(document)
  }
  const bytes: Uint8Array[] = []
  for await (const chunk of finished(document)) bytes.push(chunk)
  return readPdf(Buffer.concat(bytes))
}
const line =
  (text: string, options: PDFKit.Mixins.TextOptions = { lineBreak: false }) =>
  (document: Document) =>
    void document.text(text, 100, 100, options)
const textsOf = async (...how: Parameters<typeof drawn>) =>
  (await drawn(...how))[0]?.lines.map(({ text }) => text)

describe('a line of a PDF', () => {
  it('has Latin, Greek and Cyrillic as they are', async () => {
    for (const text of ['L’Œuvre d’Émile, 12 €', 'Ὀδύσσεια', 'Война и мир']) {
      expect(await textsOf(line(text))).toEqual([text])
    }
  })

  it('is written from right to left where it is read so, with its spaces', async () => {
    expect(await textsOf(line('שלום עולם'))).toEqual(['םלוע םולש'])
    const [page] = await drawn(line('שלום (Livre) עולם'))
    expect(page?.lines.map(({ text }) => text)).toEqual(['םלוע (', 'Livre', ') םולש'])
    const places = page?.lines.map(({ x }) => x) ?? []
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(new Set(page?.lines.map(({ y }) => y)).size).toBe(1)
  })

  it('is cut in the order in which it is read, each line from the right', async () => {
    const [page] = await drawn(line('אחת שתיים שלוש ארבע', { width: 50 }))
    const lines = page?.lines ?? []
    const texts = [...new Set(lines.map(({ y }) => y))].map((at) =>
      lines.flatMap(({ y, text }) => (y === at ? [text] : [])).join(''),
    )
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.map((text) => Array.from(text).reverse().join('')).join(' ')).toBe('אחת שתיים שלוש ארבע')
  })

  it('ends where it is told to, whichever way it is read', async () => {
    const options = { width: 200, align: 'right' } as const
    const widthOf = async (text: string) => {
      let width = 0
      await drawn((document) => {
        width = document.widthOfString(text)
      })
      return width
    }
    for (const text of ['שלום עולם', 'Война и мир']) {
      const [page] = await drawn(line(text, options))
      expect(page?.lines[0]?.x).toBeCloseTo(300 - (await widthOf(text)), 1)
    }
  })

  it('has from the library’s own font what its own have not', async () => {
    const [page] = await drawn(line('L’ensemble 𝒜 vide'), { font: fontOf('DejaVuMathTeXGyre') })
    expect(page?.lines.map(({ text }) => text)).toEqual(['L’ensemble ', '𝒜', ' vide'])
    expect(new Set(page?.lines.map(({ y }) => y)).size).toBe(1)
  })

  it('has a mark in place of what no font has, told once at the end', async () => {
    const pages = await drawn(line('三国 et 𝒜'), { pages: 2 })
    expect(pages.map(({ lines }) => lines[0]?.text)).toEqual([
      '\ufffd\ufffd et \ufffd',
      '\ufffd\ufffd et \ufffd',
    ])
    const told = pages.map(({ text }) => text.includes('PDF_FONT'))
    expect(told).toEqual([false, true])
    // No words stand on a label or a card.
    expect(await textsOf(line('三国'), { margin: 0 })).toEqual(['\ufffd\ufffd'])
    expect(await textsOf(line('Trois royaumes'))).toEqual(['Trois royaumes'])
  })

  it('is written where the library’s own font cannot be read', async () => {
    expect(await textsOf(line('漢'), { font: resolve('package.json'), margin: 0 })).toEqual(['\ufffd'])
  })

  it('has nothing for a sign that is not seen', async () => {
    expect(await textsOf(line('Ω\u{e0100} et Я'))).toEqual(['Ω et Я'])
  })
})
