import { createRequire } from 'node:module'

import { missingSigns, writeEverySign } from './write-signs.ts'

const { resolve } = createRequire(import.meta.url)
const fontOf = (face: string) => resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`)

export type Document = PDFKit.PDFDocument

/** Points in a millimetre: a page is measured in points. */
export const mm = 72 / 25.4

/** A document without pages, with the fonts « plain » and « bold » in it. */
export async function openDocument(options: PDFKit.PDFDocumentOptions): Promise<Document> {
  // The first PDF loads it, so that a server starts faster.
  const { default: Pdf } = await import('pdfkit')
  const document = new Pdf({ autoFirstPage: false, lang: 'fr-FR', ...options })
  document.registerFont('plain', fontOf('DejaVuSansCondensed'))
  document.registerFont('bold', fontOf('DejaVuSansCondensed-Bold'))
  writeEverySign(document)
  return document
}

const missingWords =
  '«\u00a0\ufffd\u00a0» est à la place d’un signe qu’aucune police de ce serveur n’a (docs/operate.md, PDF_FONT).'

/** The bytes that are ready, so that they are held no longer than needed. */
export function* made(document: Document): Iterable<Uint8Array> {
  for (;;) {
    const chunk = document.read() as Uint8Array | null
    if (chunk === null) return
    yield chunk
  }
}

/** The bytes that are left once the last page is drawn; what no font has is told at its foot, where it has one. */
export async function* finished(document: Document): AsyncIterable<Uint8Array> {
  const { height, margins } = document.page
  if (missingSigns(document).size > 0 && margins.bottom > 0) {
    document.font('plain').fontSize(6).fillColor('#000')
    document.text(missingWords, margins.left, height - margins.bottom / 2, { lineBreak: false })
  }
  document.end()
  yield* document as AsyncIterable<Uint8Array>
}
